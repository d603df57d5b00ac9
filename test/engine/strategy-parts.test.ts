import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import type { EventName } from '../../src/domain/events.ts';
import type { SelectionId } from '../../src/domain/ids.ts';
import type { Core } from '../../src/engine/core.ts';
import { QuoteReasons } from '../../src/engine/risk-inputs/quote-reasons.ts';
import { latchedStrategies, latchInWords, latchOf } from '../../src/engine/strategy-latch.ts';
import { profitLossByOwner } from '../../src/engine/strategy-profit.ts';
import { StrategyTimers } from '../../src/engine/strategy-timers.ts';
import type { OrderManager } from '../../src/orders/api.ts';
import type { StateRecord, StageVerdict } from '../../src/risk/index.ts';

const HUNG = {
  scope: { kind: 'strategy', strategy: 'mine' },
  state: 'halted',
  by: 'watchdog',
  why: 'on a view',
} as object as StateRecord;

describe('a strategy that hung', () => {
  const changed = (part: object): StateRecord => ({ ...HUNG, ...part }) as StateRecord;
  it.each<[string, StateRecord, boolean]>([
    ['the watchdog halted it', HUNG, true],
    ['a limit halted it', changed({ by: 'loss limit' }), false],
    ['the watchdog only reduces it', changed({ state: 'reducing' }), false],
    ['the watchdog halted the account', changed({ scope: { kind: 'account' } }), false],
  ])('is told by its state: %s', (_, record, isLatched) => {
    const risk = { states: [changed({ scope: { kind: 'strategy', strategy: 'other' } }), record] };
    expect(latchOf(risk, 'mine')).toBe(isLatched ? record : null);
    expect(latchedStrategies(risk).map(({ strategy }) => strategy)).toEqual([
      'other',
      ...(isLatched ? ['mine'] : []),
    ]);
    expect(latchOf({ states: [] }, 'mine')).toBeNull();
  });

  it('says how it can quote again', () => {
    expect(latchInWords(HUNG)).toBe(
      'the strategy hung: on a view; it is not called until touchline resume --reason TEXT',
    );
  });
});

it('the profit of the account is split by owners, and what has none goes to the first strategy', () => {
  const owners: Readonly<Record<string, string>> = { a: 'one', b: 'two', c: 'gone' };
  const profits: Readonly<Record<string, number>> = { a: 1, b: 20, c: 300, d: 4_000 };
  const ledger = {
    judgedOn: (isMeant: (event: EventName) => boolean) =>
      Object.entries(profits)
        .filter(([id]) => isMeant({ eventId: id } as object as EventName))
        .reduce((sum, [, micros]) => sum + micros, 0),
  };
  const strategies = {
    names: ['one', 'two'],
    absentOwners: () => new Set(['gone']),
    ownerOf: ({ eventId }: EventName) => owners[eventId] ?? null,
  };
  expect([...profitLossByOwner(4_321, ledger, strategies)]).toEqual([
    ['one', 4_001],
    ['two', 20],
    ['gone', 300],
  ]);
});

describe('the timers of strategies', () => {
  it('are numbered as they are set, announced when due, and run once when fired', async () => {
    const clock = new VirtualClock();
    const timers = new StrategyTimers(clock);
    const [due, ran] = [[], []] as [number[], string[]];
    timers.due$.subscribe((number) => void due.push(number));
    timers.after(20, () => ran.push('late'));
    timers.after(10, () => ran.push('early'));
    const cancelled = timers.after(15, () => ran.push('cancelled'));
    await clock.advance(10);
    cancelled.cancel();
    await clock.advance(10);
    expect([due, ran]).toEqual([[2, 1], []]);
    for (const number of [1, 2, 2, 3, 9]) timers.fire(number);
    expect(ran).toEqual(['late', 'early']);
    expect([timers.monotonicMs(), timers.wallMs()]).toEqual([clock.monotonicMs(), clock.wallMs()]);
  });

  it('that are due and then cancelled do not run', async () => {
    const clock = new VirtualClock();
    const timers = new StrategyTimers(clock);
    let runs = 0;
    const timer = timers.after(10, () => runs++);
    await clock.advance(10);
    timer.cancel();
    timers.fire(1);
    expect(runs).toBe(0);
  });
});

describe('the reason in a strategy', () => {
  const id = 'fb|e|for,h' as SelectionId;
  const thrown = { strategy: 'mine', message: 'no', sinceMs: 0, times: 1 };

  /** The reasons for both sides, given what is known of the strategy. */
  function reasons(given: {
    readonly quoter?: string | null;
    readonly runs?: boolean;
    readonly states?: readonly StateRecord[];
    readonly throws?: boolean;
    readonly of?: SelectionId;
  }): readonly string[] {
    const notes: string[] = [];
    const core = {
      adjustments: { of: () => [] },
      market: { marketOf: () => ({ for: null, against: null }), reachesMid: () => null },
      risk: {
        wants: () => true,
        clearNote: () => undefined,
        forgetReasons: () => undefined,
        note: (_: SelectionId, { stage, code, message }: StageVerdict) =>
          notes.push(`${stage}.${code}: ${message}`),
        states: given.states ?? [],
      },
      strategies: {
        quoterOf: () => (given.quoter === undefined ? 'mine' : given.quoter),
        omissionOf: () => null,
        runs: () => given.runs ?? true,
      },
    } as object as Core;
    const orders = { status: () => ({ waiting: [] }) } as object as OrderManager;
    const faults = {
      strategyThrows: () => (given.throws === true ? thrown : null),
      refusedQuote: () => null,
    };
    new QuoteReasons(core, orders, faults).look(new Set([given.of ?? id]));
    return notes;
  }
  const absent =
    'strategy.owner_absent: the event belongs to the strategy mine until it is settled, and mine does not run: start it again, or wait';
  const hung =
    'strategy.hung: the strategy hung: on a view; it is not called until touchline resume --reason TEXT';
  const threw = 'strategy.threw: mine throws: no (1x since 1970-01-01T00:00:00.000Z)';

  it('is that it does not run, then that it hung, then that it throws', () => {
    const all = { runs: false, states: [HUNG], throws: true };
    expect(reasons(all)).toEqual([absent, absent]);
    expect(reasons({ ...all, runs: true })).toEqual([hung, hung]);
    expect(reasons({ throws: true })).toEqual([threw, threw]);
    expect(reasons({})).toEqual([]);
  });

  it('is none where no strategy is asked, or the selection names no event', () => {
    expect(reasons({ quoter: null, throws: true })).toEqual([]);
    expect(reasons({ of: 'odd' as SelectionId, throws: true })).toEqual([]);
  });
});
