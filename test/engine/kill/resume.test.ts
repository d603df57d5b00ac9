import { describe, expect, it } from 'vitest';
import { JournalError } from '../../../src/domain/errors.ts';
import type { Core } from '../../../src/engine/core.ts';
import { type Latched, reportOf, resume, whatHolds } from '../../../src/engine/kill/resume.ts';
import type { OrderManager } from '../../../src/orders/api.ts';
import type { Scope, StateRecord, TradingState } from '../../../src/risk/index.ts';

const KILL = { by: 'anna', reason: 'drill', atMs: 5 };
const NOTHING: Latched = {
  kill: null,
  states: [],
  orders: null,
  journalFailed: false,
  killFileExists: false,
};
const stateOf = (state: TradingState, latched: boolean, scope: Scope = { kind: 'account' }): StateRecord => ({
  state,
  latched,
  scope,
  by: 'anna',
  why: 'x',
  atMs: 5,
});

/** An account on which these latches hold. `lasts`: whether risk stays killed, as while the journal refuses the resume. */
function held(latched: Partial<Latched>, lasts = false, refusal: Error | null = null) {
  const now = { ...NOTHING, ...latched };
  const done: string[] = [];
  const core = {
    risk: {
      get killed() {
        return now.kill;
      },
      get states() {
        return now.states;
      },
    },
    apply: ({ kind, why, by }: { kind: string; why: string; by: string }) => {
      done.push(`${kind}: ${why}, ${by}`);
      if (lasts) return;
      now.kill = null;
      now.states = now.states.filter(({ latched: isLatched }) => !isLatched);
    },
  } as unknown as Core;
  const orders = {
    status: () => ({ latched: now.orders, journalFailed: now.journalFailed }),
    release: (reason: string) => {
      done.push(`orders released: ${reason}`);
      if (refusal !== null) throw refusal;
      now.orders = null;
    },
  } as unknown as OrderManager;
  return { resumed: () => resume(core, orders, now, 'looked', 'ben'), done };
}

const RESUMED = ['resume: looked, ben', 'orders released: looked (ben)'];

describe('a resume', () => {
  it.each<[string, Partial<Latched>, readonly string[]]>([
    ['nothing', {}, []],
    ['a kill', { kill: KILL }, ['killed by anna: drill']],
    ['a latched limit', { states: [stateOf('halted', true)] }, ['account halted by anna: x']],
    ['the latch of the orders', { orders: 'differs' }, ["the order manager's latch: differs"]],
    [
      'all of them',
      { kill: KILL, states: [stateOf('halted', true)], orders: 'differs' },
      ['killed by anna: drill', "the order manager's latch: differs", 'account halted by anna: x'],
    ],
  ])('releases %s, and trades', (_, latched, released) => {
    const { resumed, done } = held(latched);
    expect(resumed()).toEqual({
      released,
      remaining: [],
      trading: true,
      reducing: false,
    });
    expect(done).toEqual(RESUMED);
  });

  it.each<[string, Partial<Latched>, RegExp]>([
    ['the journal has failed', { journalFailed: true }, /^the journal cannot be written$/],
    ['the kill file is there', { killFileExists: true }, /^the kill file of ops\.killFile is there$/],
  ])('releases nothing while %s', (_, obstacle, what) => {
    const { resumed, done } = held({ kill: KILL, orders: 'differs', ...obstacle });
    const report = resumed();
    expect(done).toEqual([]);
    expect(report).toMatchObject({ released: [], trading: false, reducing: false });
    expect(report.remaining).toHaveLength(3);
    expect(report.remaining[0]?.what).toMatch(what);
  });

  it('leaves the latch of the orders while a kill remains: a restart would bring it back', () => {
    const { resumed, done } = held({ kill: KILL, orders: 'differs' }, true);
    const report = resumed();
    expect(done).toEqual(RESUMED.slice(0, 1));
    expect(report).toMatchObject({ released: [], trading: false });
    expect(report.remaining).toHaveLength(2);
  });

  it('counts as none for the orders if the journal refuses it, and throws what is no fault of the journal', () => {
    const { resumed } = held({ orders: 'differs' }, false, new JournalError('full'));
    expect(resumed()).toMatchObject({ released: [], trading: false });
    const bug = new TypeError('a bug');
    expect(held({}, false, bug).resumed).toThrow(bug);
  });

  it('leaves what a person has set, and says how to end it', () => {
    const event: Scope = { kind: 'event', sport: 'fb', eventId: '2026-11-21,10,20' } as Scope;
    const { resumed } = held({ states: [stateOf('reducing', false), stateOf('halted', false, event)] });
    const report = resumed();
    expect(report).toMatchObject({ released: [], trading: false, reducing: true });
    expect(report.remaining.map(({ release }) => release)).toEqual([
      'touchline risk state active --reason TEXT',
      expect.stringMatching(/^touchline risk state active --event '.+' --reason TEXT$/),
    ]);
  });
});

it('a scope that is active holds nothing, and one that is latched needs a resume', () => {
  expect(whatHolds({ ...NOTHING, states: [stateOf('active', false)] })).toEqual([]);
  expect(whatHolds({ ...NOTHING, states: [stateOf('halted', true)] })).toMatchObject([
    { release: 'touchline resume --reason TEXT' },
  ]);
});

it.each<[Partial<Latched>, boolean, boolean]>([
  [{}, true, false],
  [{ states: [stateOf('reducing', false)] }, false, true],
  [{ states: [stateOf('halted', false)] }, false, false],
  [{ states: [stateOf('halted', false, { kind: 'event' } as Scope)] }, true, false],
  [{ orders: 'differs' }, false, false],
  [{ kill: KILL, states: [stateOf('reducing', false)] }, false, false],
  [{ journalFailed: true, states: [stateOf('reducing', false)] }, false, false],
  [{ killFileExists: true, states: [stateOf('reducing', false)] }, false, false],
])('of %j: trades %s, reduces %s', (after, trading, reducing) => {
  expect(reportOf(NOTHING, { ...NOTHING, ...after })).toMatchObject({ trading, reducing });
});
