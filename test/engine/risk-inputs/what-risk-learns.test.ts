import { describe, expect, it } from 'vitest';
import type { AccountChange } from '../../../src/account/changes.ts';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { eventKey, type EventName } from '../../../src/domain/events.ts';
import { betType, eventId, type SelectionId, sport } from '../../../src/domain/ids.ts';
import type { StreamSignal } from '../../../src/domain/stream.ts';
import type { Core } from '../../../src/engine/core.ts';
import { RiskInputs } from '../../../src/engine/risk-inputs/risk-inputs.ts';
import type { OrderManager } from '../../../src/orders/api.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import type { Venue } from '../../../src/ports/venue.ts';
import type { KillRecord, RiskNotice, StateRecord } from '../../../src/risk/index.ts';
import { memoryFile } from '../../../src/storage/files/memory-file.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';
import { EVENT, FB, FILL, FIXTURE, HOME, liveOrder } from '../../market/support.ts';

const OTHER: EventName = { sport: sport('fb'), eventId: eventId('2026-12-01,3,4') };
const KILL: KillRecord = { by: 'anna', reason: 'drill', atMs: 5 };

/** The door between the daemon and risk, over a core that only takes notes. */
function door() {
  const clock = new VirtualClock();
  const inputs: { readonly kind: string }[] = [];
  const asked: string[] = [];
  const stopped: string[] = [];
  const woken: (EventName | null)[] = [];
  const lines: unknown[] = [];
  const noteAt =
    (level: string) =>
    (...given: unknown[]): void =>
      void lines.push([level, ...given]);
  const account: unknown[] = [];
  const now = {
    killed: null as KillRecord | null,
    states: [] as StateRecord[],
    openOrders: 0 as number | null,
    openBets: 1,
    quoter: 'mine' as string | null,
    recovered: true,
    journalFails: false,
    judged: 7e6,
  };
  const core = {
    apply: (input: { readonly kind: string }) => void inputs.push(input),
    account: { apply: (event: unknown) => void account.push(event) },
    market: {
      selection: (id: SelectionId) =>
        id === HOME
          ? { selection: FIXTURE, betTypes: { for: null, against: betType('against,h') } }
          : undefined,
      events: () => [],
      event: () => undefined,
      marketOf: () => ({ for: null, against: null }),
      reachesMid: () => null,
    },
    risk: {
      get killed() {
        return now.killed;
      },
      get states() {
        return now.states;
      },
      wantsGrid: () => true,
      positions: () => [],
      exposure: () => ({ events: [] }),
      accountExposure: () => ({ worstMicros: 0, grossMicros: 0 }),
      reasons: () => new Map(),
      guards: { active: () => [] },
      wants: () => true,
      note: () => undefined,
      clearNote: () => undefined,
      forgetReasons: () => undefined,
      snapshot: () => ({ kill: null, states: [], results: [], places: [], winnerMarkets: [] }),
    },
    ledger: {
      openBets: () => now.openBets,
      advance: () => undefined,
      judgedMicros: () => now.judged,
      judgedOn: () => 2e6,
      judgedTotals: () => [],
      recallTotals: () => undefined,
    },
    adjustments: { of: () => [] },
    strategies: {
      names: ['mine', 'yours'],
      quoterOf: () => now.quoter,
      omissionOf: () => null,
      runs: () => true,
      absentOwners: () => new Set<string>(),
    },
    fairValues: { seeFair: () => null, recall: () => undefined, fairsHeld: () => [] },
  } as object as Core;
  const orders = {
    stopQuoting: (why: string) => void stopped.push(why),
    resumeQuoting: () => void stopped.push('resumed'),
    openOrders: () => now.openOrders,
    status: () => ({ waiting: [], recovered: now.recovered, journalFailed: false, latched: null }),
  } as object as OrderManager;
  const never = (what: string) => async () => {
    asked.push(what);
    return new Promise<never>(() => undefined);
  };
  const venue = {
    balance: never('balance'),
    position: never('position'),
    betTypeInfo: async (of: string, type: string) => never(`${of} ${type}`)(),
  } as object as Venue;
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const journal = createMemoryJournal(clock, {
    beforeAppend: () => {
      if (now.journalFails) throw new Error('full');
    },
  });
  const permit = memoryFile();
  const made = new RiskInputs({
    venue,
    core,
    orders,
    clock,
    metrics,
    journal,
    logger: { ...silentLogger, warn: noteAt('warn'), info: noteAt('info') },
    permit,
    killFile: null,
    faults: { strategyThrows: () => null, refusedQuote: () => null },
  });
  made.restore((event) => void woken.push(event));
  inputs.length = 0;
  const kinds = (kind: string) => inputs.filter((input) => input.kind === kind);
  const value = async (name: string): Promise<number> =>
    Number(
      (await metrics.expose()).text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1],
    );
  return { clock, inputs, asked, stopped, woken, account, now, made, kinds, value, journal, permit, lines };
}

describe('a change of the account', () => {
  it.each([
    ['its order', { kind: 'order', order: liveOrder({ betType: betType('for,h') }), before: null }],
    ['its bet', { kind: 'booked', fill: { ...FILL, betType: betType('for,h') } }],
    [
      'an order of others',
      { kind: 'foreign_order', isSettled: false, order: { sport: FB, betType: 'for,h' } },
    ],
  ] as const)('has the grid of its bet type looked up: %s', (_, change) => {
    const { asked, made } = door();
    made.onChange(change as object as AccountChange);
    expect(asked).toEqual(['fb for,h']);
  });

  it('has none looked up for an order of others that is settled, nor for what concerns no bet', () => {
    const { asked, inputs, made } = door();
    const settled = { kind: 'foreign_order', isSettled: true, order: { sport: FB, betType: 'for,h' } };
    for (const change of [settled, { kind: 'owned' }, { kind: 'other_account' }])
      made.onChange(change as object as AccountChange);
    expect([asked, inputs]).toEqual([[], []]);
  });

  it.each([
    ['sending', 'live', null, [{ kind: 'order_outcome', outcome: 'accepted' }], false],
    ['sending', 'refused', 'no funds', [{ kind: 'order_outcome', outcome: 'refused' }], true],
    ['live', 'closed', 'insufficient_balance', [], true],
    ['live', 'closed', 'expired', [], false],
    ['closed', 'closed', 'insufficient_balance', [], false],
  ] as const)(
    'from %s to %s for %s tells its outcome, and reads the balance where it speaks of money',
    (...row) => {
      const [before, state, closeReason, outcomes, isRead] = row;
      const { asked, inputs, made } = door();
      made.onChange({ kind: 'order', before, order: liveOrder({ state, closeReason }) });
      expect(inputs).toEqual(outcomes);
      expect(asked.includes('balance')).toBe(isRead);
    },
  );

  it('saves soon after the first bet of an event, and not after a later one', async () => {
    for (const [openBets, records] of [
      [1, 3],
      [2, 2],
    ] as const) {
      const { made, now, journal, clock } = door();
      made.housekeeping([], new Map());
      now.openBets = openBets;
      made.onChange({ kind: 'booked', fill: FILL, state: 'matched', isRecorded: false });
      await clock.advance(1_000);
      made.housekeeping([], new Map());
      expect([...journal.read()]).toHaveLength(records);
    }
  });

  it.each([
    ['score_change', 3],
    ['red_card', 2],
  ])('saves soon after an alarm of the guard %s: a score may have gone back', async (guard, records) => {
    const { made, journal, clock } = door();
    made.housekeeping([], new Map());
    const alarm = { guard, scope: { kind: 'event', ...FIXTURE }, effect: 'pull', why: 'it changed' };
    made.onNotice({ kind: 'alarm', alarm } as object as RiskNotice);
    await clock.advance(1_000);
    made.housekeeping([], new Map());
    expect([...journal.read()]).toHaveLength(records);
  });

  it('keeps the balance with the instant of its report', async () => {
    const { made, clock } = door();
    expect(made.balance).toBeNull();
    await clock.advance(400);
    const balance = { balanceMicros: 5, openStakeMicros: 2, smartCreditMicros: null };
    made.onChange({ kind: 'balance', balance } as AccountChange);
    expect(made.balance).toEqual({ ...balance, reportedMs: clock.monotonicMs() });
  });
});

describe('a signal of the stream', () => {
  const frame = (sentMs: number | null, entries: readonly object[], receivedMonotonicMs = 0): StreamSignal =>
    ({ kind: 'frame', epoch: 1, sentMs, receivedMonotonicMs, entries }) as object as StreamSignal;

  it('tells how far our clock is ahead, that the feed was cleared, and the balance', () => {
    const { made, inputs, account, clock } = door();
    made.onSignal(frame(clock.wallMs() - 250, [{ tag: 'clear_events' }, { tag: 'balance', balance: 'b' }]));
    expect(inputs).toEqual([{ kind: 'clock_offset', offsetMs: 250 }, { kind: 'feed_cleared' }]);
    expect(account).toEqual([{ kind: 'balance', balance: 'b' }]);
    inputs.length = 0;
    made.onSignal(frame(null, [{ tag: 'sync' }]));
    made.onSignal({ kind: 'synced', epoch: 1 });
    expect([inputs, account.length]).toEqual([[], 1]);
  });

  it('shows a jump of our clock though no frame follows it', async () => {
    const { made, kinds, clock } = door();
    made.housekeeping([], new Map());
    expect(kinds('clock_offset')).toEqual([]);
    made.onSignal(frame(clock.wallMs(), [], clock.monotonicMs()));
    clock.jumpWall(7_000);
    await clock.advance(1_000);
    made.housekeeping([], new Map());
    expect(kinds('clock_offset')).toMatchObject([{ offsetMs: 0 }, { offsetMs: 7_000 }]);
  });
});

describe('housekeeping', () => {
  it('shows each event, looks up the grid of what is quoted, and passes a second', () => {
    const { made, inputs, asked } = door();
    made.housekeeping([FIXTURE, OTHER], new Map([[eventKey(FIXTURE), ['fb|x|y' as SelectionId, HOME]]]));
    expect(inputs.slice(0, 3)).toEqual([
      { kind: 'seen', event: FIXTURE },
      { kind: 'seen', event: OTHER },
      { kind: 'second' },
    ]);
    expect(asked).toEqual(['fb against,h', 'balance']);
  });

  it('measures by how much it is later than a second after the one before', async () => {
    const { made, kinds, clock } = door();
    for (const ms of [1_000, 1_300, 900]) {
      made.housekeeping([], new Map());
      await clock.advance(ms);
    }
    made.housekeeping([], new Map());
    expect(kinds('loop_lag')).toMatchObject([{ lagMs: 0 }, { lagMs: 300 }, { lagMs: -100 }]);
  });

  it('tells the profit of the account and of each strategy once all bets are known', async () => {
    const { made, now, kinds, value } = door();
    now.recovered = false;
    made.housekeeping([], new Map());
    expect(kinds('profit')).toEqual([]);
    expect([...made.profitByStrategy]).toEqual([
      ['mine', 0],
      ['yours', 0],
    ]);
    now.recovered = true;
    made.housekeeping([], new Map());
    expect(kinds('profit')).toEqual([
      { kind: 'profit', of: { kind: 'account' }, totalMicros: 7e6 },
      { kind: 'profit', of: { kind: 'strategy', strategy: 'mine' }, totalMicros: 5e6 },
      { kind: 'profit', of: { kind: 'strategy', strategy: 'yours' }, totalMicros: 2e6 },
    ]);
    expect([...made.profitByStrategy]).toEqual([
      ['mine', 5e6],
      ['yours', 2e6],
    ]);
    expect(await value('touchline_strategy_profit_usdt{strategy="mine"}')).toBe(5);
  });

  it('finds that closing after a kill has failed', async () => {
    const { made, now, clock } = door();
    [now.killed, now.openOrders] = [KILL, 2];
    const second = async (): Promise<void> => {
      made.housekeeping([], new Map());
      await clock.advance(1_000);
    };
    for (let passed = 0; passed < 10; passed++) await second();
    expect(made.closingFailed).toBe(false);
    await second();
    expect(made.closingFailed).toBe(true);
    now.killed = null;
    await second();
    expect(made.closingFailed).toBe(false);
  });
});

describe('a notice of risk', () => {
  const of = (kind: string, reason = 'drill'): RiskNotice =>
    ({ kind, record: { ...KILL, reason, why: reason } }) as object as RiskNotice;
  const kept = ({ made }: ReturnType<typeof door>): string | null => made.kept.latchedIn;

  it.each(['killed', 'kill_explained'])(
    'that it is %s stops quoting, and wakes every event',
    async (kind) => {
      const all = door();
      all.now.killed = KILL;
      all.made.onNotice(of(kind));
      expect([all.stopped, all.woken]).toEqual([['killed: drill'], [null]]);
      expect(await all.value('touchline_killed')).toBe(1);
      expect(kept(all)).toBe('journal');
      expect(all.permit.read()?.includes('drill')).toBe(kind === 'killed');
    },
  );

  it('that it resumed lets quoting go on once that is written down, and kills again where it cannot be', () => {
    const all = door();
    all.made.onNotice(of('killed'));
    all.made.onNotice(of('resumed'));
    expect([all.stopped, all.woken, kept(all)]).toEqual([['killed: drill', 'resumed'], [null, null], null]);
    expect(all.kinds('kill')).toEqual([]);
    all.now.journalFails = true;
    all.made.onNotice(of('resumed', 'again'));
    expect(all.kinds('kill')).toEqual([
      { kind: 'kill', why: 'the resume was not written down: again', by: 'anna' },
    ]);
  });

  it('of a state is written down, and kills where it cannot be', () => {
    const all = door();
    all.made.onNotice(of('state'));
    expect([all.woken, all.inputs]).toEqual([[null], []]);
    all.now.journalFails = true;
    all.made.onNotice(of('state'));
    expect(all.inputs).toEqual([
      { kind: 'kill', why: 'a trading state was not written down: drill', by: 'journal' },
    ]);
  });

  it.each([
    ['alarm', ['warn', 'guard in force'], 2],
    ['alarm_over', ['info', 'guard over'], 0],
  ] as const)('of a guard (%s) wakes its event, or every one', async (kind, [level, message], count) => {
    const { made, woken, value, lines } = door();
    const alarm = { guard: 'divergence', effect: 'pull', why: 'x', actual: 1.234_56, limit: null };
    const scopes = [{ kind: 'account' }, { kind: 'event', ...FIXTURE }];
    for (const scope of scopes) made.onNotice({ kind, alarm: { ...alarm, scope } } as object as RiskNotice);
    expect(woken).toEqual([null, FIXTURE]);
    expect(lines).toEqual(scopes.map((scope) => [level, message, { ...alarm, scope, actual: 1.235 }]));
    expect(await value('touchline_guards_raised_total{guard="divergence"}')).toBe(count);
  });

  it('of refusals counts each of them, and a latch that is not written kills', async () => {
    const { made, inputs, value } = door();
    made.onRefusal(['order_stake', 'order_stake', 'killed']);
    made.onUnwrittenLatch('an order differs');
    expect(await value('touchline_risk_refusals_total{code="order_stake"}')).toBe(2);
    expect(inputs).toEqual([
      { kind: 'kill', why: 'latched without being written down: an order differs', by: 'order manager' },
    ]);
  });
});

describe('whether nothing may rest on an event', () => {
  const state = (scope: object, of = 'halted'): StateRecord =>
    ({ scope, state: of }) as object as StateRecord;

  it.each<[string, readonly StateRecord[], boolean]>([
    ['no state', [], false],
    ['the account halted', [state({ kind: 'account' })], true],
    ['the account reducing', [state({ kind: 'account' }, 'reducing')], false],
    ['its sport’s event halted', [state({ kind: 'event', ...FIXTURE })], true],
    ['a selection of it halted', [state({ kind: 'selection', ...FIXTURE, selectionId: HOME })], true],
    ['another event halted', [state({ kind: 'event', ...OTHER })], false],
    ['the event of another sport halted', [state({ kind: 'event', sport: 'ih', eventId: EVENT })], false],
    ['its strategy halted', [state({ kind: 'strategy', strategy: 'mine' })], true],
    ['another strategy halted', [state({ kind: 'strategy', strategy: 'yours' })], false],
    ['one of two', [state({ kind: 'event', ...OTHER }), state({ kind: 'event', ...FIXTURE })], true],
  ])('is told by %s', (_, states, isHalted) => {
    const { made, now } = door();
    now.states = [...states];
    expect(made.isHalted(FIXTURE)).toBe(isHalted);
    now.killed = KILL;
    expect(made.isHalted(FIXTURE)).toBe(true);
  });
});

describe('a start', () => {
  it('that is still killed stops quoting at once', () => {
    const { made, now, stopped } = door();
    now.killed = KILL;
    made.restore(() => undefined);
    expect(stopped).toEqual(['killed: drill']);
  });

  it('names what a person has to confirm, and the strategies that hung', () => {
    const { made, now } = door();
    expect([made.obstacles(), made.latchedStrategies()]).toEqual([[], []]);
    const hung = { scope: { kind: 'strategy', strategy: 'mine' }, state: 'halted', by: 'watchdog', why: 'x' };
    now.killed = KILL;
    now.states = [{ ...hung, latched: true } as object as StateRecord];
    expect(made.obstacles().map(({ what }) => what)).toEqual([
      'killed by anna: drill',
      'strategy mine halted by watchdog: x',
    ]);
    expect(made.latchedStrategies()).toEqual([{ strategy: 'mine', record: now.states[0] }]);
  });
});
