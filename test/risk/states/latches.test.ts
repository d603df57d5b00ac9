import { describe, expect, it } from 'vitest';
import { eventId, type SelectionId } from '../../../src/domain/ids.ts';
import { selectionId } from '../../../src/domain/selection.ts';
import { ACCOUNT, type Scope } from '../../../src/risk/index.ts';
import { containing, scopeOfSelection } from '../../../src/risk/states/trading-states.ts';
import {
  ask,
  type Bench,
  bench,
  codesOf,
  EVENT,
  fillOf,
  FIXTURE,
  FOOTBALL,
  live,
  START_MS,
} from '../support/harness.ts';
import { betsOf } from '../../support/account.ts';

const OTHER = eventId('2026-11-22,3,4');
const SELECTION = live(ask()).selectionId;
const HERE = { kind: 'selection', ...FIXTURE, selectionId: SELECTION } as const;
const MATCH = { kind: 'event', ...FIXTURE } as const;
const strategy = (name: string): Scope => ({ kind: 'strategy', strategy: name });
const LIMITS = { throttle: { ordersPerMinute: 1, repeatedFills: 1, repeatedWindowS: 10 } };

/** Sends one order too many, which stops the account. */
function overdo({ risk }: Bench): void {
  for (const stake of [3, 4]) risk.approve(ask({ stake }));
}

/** Fills one order too many, which stops the selection. */
function repeat({ risk, wallMs }: Bench, event = EVENT): void {
  for (let i = 0; i < 2; i++) betsOf(risk).report(fillOf(ask({ event }), 1, { atMs: wallMs }));
}

describe('a latch', () => {
  it('covers a state that a person set, and uncovers it when it is released', () => {
    const world = bench(LIMITS);
    world.risk.approve(ask({ stake: 3 }));
    world.risk.setState(ACCOUNT, 'reducing', 'me', 'careful');
    world.risk.approve(ask({ stake: 4 }));
    expect(world.risk.effectiveState(ACCOUNT)).toMatchObject({
      state: 'halted',
      record: { by: 'message throttle', latched: true, atMs: START_MS - 3_600_000 },
    });
    world.risk.resume('looked at it', 'me');
    expect(world.risk.effectiveState(ACCOUNT)).toMatchObject({
      state: 'reducing',
      record: { by: 'me', why: 'careful', latched: false },
    });
  });

  it('does not override a halt by a person, however much else is halted', () => {
    const world = bench(LIMITS);
    world.risk.setState(ACCOUNT, 'halted', 'me', 'lunch');
    world.risk.setState(HERE, 'halted', 'me', 'a rumour');
    const noticesBefore = world.notices.length;
    repeat(world);
    expect(world.notices).toHaveLength(noticesBefore);
    world.risk.setState(ACCOUNT, 'active', 'me', 'back');
    world.risk.resume('nothing was latched', 'me');
    expect(world.risk.effectiveState(HERE)).toMatchObject({ state: 'halted', record: { why: 'a rumour' } });
  });

  it('is set on its own scope whatever binds around it', () => {
    const world = bench(LIMITS);
    world.risk.setState(ACCOUNT, 'halted', 'me', 'lunch');
    world.risk.setState(HERE, 'reducing', 'me', 'careful');
    repeat(world);
    world.risk.setState(ACCOUNT, 'active', 'me', 'back');
    expect(world.risk.effectiveState(HERE).record).toMatchObject({ by: 'repeated execution' });
  });

  it('is reported once, however often it is reached', () => {
    const world = bench(LIMITS);
    overdo(world);
    world.risk.approve(ask({ stake: 5 }));
    repeat(world);
    repeat(world);
    expect(world.notices.map(({ kind }) => kind)).toEqual(['state', 'state']);
  });

  it('ends when a person sets the scope', () => {
    const world = bench(LIMITS);
    overdo(world);
    world.risk.setState(ACCOUNT, 'active', 'me', 'looked at it');
    expect(world.risk.effectiveState(ACCOUNT).state).toBe('active');
    expect(world.risk.snapshot().states).toMatchObject([{ by: 'me', latched: false }]);
  });

  it('outlives a restart together with the state that it covers', () => {
    const [before, after] = [bench(LIMITS), bench(LIMITS)];
    repeat(before);
    before.risk.resume('looked at it', 'me');
    before.risk.setState(HERE, 'reducing', 'me', 'careful');
    repeat(before);
    expect(before.risk.snapshot().states).toHaveLength(2);
    const { places: _, ...rest } = before.risk.snapshot();
    after.risk.restore(before.risk.snapshot());
    expect(after.risk.snapshot()).toMatchObject(rest);
    expect(after.risk.effectiveState(HERE).state).toBe('halted');
    after.risk.resume('looked at it again', 'me');
    expect(after.risk.effectiveState(HERE).state).toBe('reducing');
    expect(after.notices.map(({ kind }) => kind)).toEqual(['resumed']);
  });

  it('is forgotten with its event, and those of other events are not', () => {
    const world = bench(LIMITS);
    repeat(world);
    repeat(world, OTHER);
    world.risk.setState(HERE, 'reducing', 'me', 'x');
    repeat(world);
    world.risk.setState(strategy('mine'), 'halted', 'me', 'y');
    world.risk.onEventOver(FIXTURE);
    expect(world.risk.snapshot().states).toMatchObject([
      { scope: strategy('mine') },
      { scope: { kind: 'selection', sport: FOOTBALL, eventId: OTHER }, latched: true },
    ]);
  });
});

describe('a kill', () => {
  it('is not lifted or replaced by an earlier run’s memory while it is in progress', () => {
    const { risk } = bench();
    const nothing = { states: [], results: [], places: [], winnerMarkets: [] };
    risk.restore({ kill: null, ...nothing });
    expect(risk.killed).toBeNull();
    risk.restore({ kill: { by: 'me', reason: 'first', atMs: 1 }, ...nothing });
    risk.restore({ kill: { by: 'you', reason: 'second', atMs: 2 }, ...nothing });
    risk.restore({ kill: null, ...nothing });
    expect(risk.killed).toEqual({ by: 'me', reason: 'first', atMs: 1 });
    expect(risk.effectiveState(MATCH)).toEqual({
      state: 'halted',
      record: { scope: ACCOUNT, state: 'halted', by: 'me', why: 'killed: first', atMs: 1, latched: true },
    });
  });
});

describe('scopes', () => {
  it('of equal strictness bind by the widest', () => {
    const { risk } = bench();
    for (const [scope, by] of [
      [HERE, 'selection'],
      [MATCH, 'event'],
      [ACCOUNT, 'account'],
    ] as const) {
      risk.setState(scope, 'halted', by, 'x');
      expect(risk.effectiveState(HERE).record?.by).toBe(by);
    }
  });

  it('contain the scopes within them', () => {
    expect(containing(HERE)).toEqual([MATCH, HERE]);
    for (const scope of [ACCOUNT, MATCH, strategy('mine')]) expect(containing(scope)).toEqual([scope]);
  });

  it('are read from the name of a selection, where it names its event', () => {
    expect(scopeOfSelection(SELECTION)).toEqual(HERE);
    expect(scopeOfSelection('nonsense' as SelectionId)).toEqual(ACCOUNT);
  });

  it('of a strategy bind its selections, and nothing else', () => {
    const world = bench();
    world.risk.setState(strategy('mine'), 'halted', 'me', 'x');
    expect(world.risk.effectiveState(HERE).state).toBe('active');
    world.strategy = 'mine';
    expect([HERE, MATCH, ACCOUNT].map((scope) => world.risk.effectiveState(scope).state)).toEqual([
      'halted',
      'active',
      'active',
    ]);
    expect(world.risk.why('nonsense' as SelectionId).state.state).toBe('active');
    expect(codesOf(world.risk, ask())).toEqual(['halted']);
  });

  it.each(['null', 'undefined', ''])('of a strategy named "%s" do not bind where there is none', (name) => {
    const world = bench();
    world.risk.setState(strategy(name), 'halted', 'me', 'x');
    expect(world.risk.effectiveState(HERE).state).toBe('active');
    world.strategy = name;
    expect(world.risk.effectiveState(HERE).state).toBe('halted');
  });

  it('around a selection decide what `why` shows for it', () => {
    const { risk } = bench();
    const elsewhere = selectionId(FOOTBALL, OTHER, 'h');
    risk.setState(MATCH, 'halted', 'me', 'a rumour');
    risk.guards.onPositionMismatch(FIXTURE, 'x');
    expect(risk.why(SELECTION)).toMatchObject({
      state: { state: 'halted', record: { why: 'a rumour' } },
      alarms: [{ guard: 'position_mismatch', scope: MATCH, why: 'x' }],
    });
    expect(risk.why(elsewhere)).toMatchObject({ state: { state: 'active' }, alarms: [] });
  });
});
