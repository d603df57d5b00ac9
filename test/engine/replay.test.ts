import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import type { EventView } from '../../src/domain/event-view.ts';
import { eventKey } from '../../src/domain/events.ts';
import { InvariantError } from '../../src/lib/assert.ts';
import type { StreamEntry, StreamFrame } from '../../src/domain/stream.ts';
import { Core } from '../../src/engine/core.ts';
import { NO_TIME, Replay, timersOf } from '../../src/engine/replay.ts';
import { TurnClock } from '../../src/engine/turn-clock.ts';
import { type RecordedInput, sumOfDecision, type TurnRecord } from '../../src/engine/turn-record.ts';
import type { Decision } from '../../src/engine/turn.ts';
import { keysFrom } from '../../src/market/index.ts';
import { orderOptions } from '../../src/orders/options.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { noMetrics } from '../../src/ports/metrics.ts';
import { AGAINST, eventEntry, FILL, FIXTURE, FOR, HOME, offerEntry, prices } from '../market/support.ts';
import { limitsWith } from '../risk/support/harness.ts';

const AT = { monotonicMs: 5_000, wallMs: 1_700_000_005_000 };
const BUDGETS = { ordersNow: 4, betslipsNow: 8, betslipsToday: 900, generalNow: 70 };
const BASIS = { held: [], policy: orderOptions() };

/** A strategy that quotes a stake in proportion to what it sees: the middle of the market, and the price of a source. */
const strategies = (shown: unknown[] = []) => ({
  answer: ({ view }: { readonly view: EventView | null }) => {
    const [selection] = view?.selections ?? [];
    const seen = (selection?.mid ?? 0) + (selection?.sourcePrices['odds']?.price ?? 0);
    const quote = { selectionId: HOME, direction: 'for', tick: 150, level: 0 };
    const intents = seen === 0 ? [] : [{ ...quote, stakeMicros: Math.round(seen * 1e6) }];
    return { owner: 'mine', view, intents, problems: [] };
  },
  quoterOf: () => 'mine',
  claim: () => undefined,
  onChange: (change: unknown) => void shown.push(change),
});

const coreOn = (clock: TurnClock, shown?: unknown[]): Core =>
  new Core({
    clock,
    logger: silentLogger,
    metrics: noMetrics,
    staleAfterMs: 60_000,
    limits: limitsWith(),
    strategyLimits: new Map(),
    onNotice: () => undefined,
    strategies: () => strategies(shown) as never,
    priceSources: [
      {
        name: 'odds',
        staleAfterMs: 60_000,
        match: { sports: [], competitions: [], marketTypes: [] },
        keyOf: keysFrom('{marketType}|{outcome}'),
      },
    ],
  });

const frameOf = (...entries: readonly StreamEntry[]): StreamFrame => ({
  kind: 'frame',
  epoch: 1,
  sentMs: null,
  receivedMonotonicMs: AT.monotonicMs,
  entries,
});
const signal = (...entries: readonly StreamEntry[]): RecordedInput => ({
  kind: 'signal',
  ...AT,
  signal: frameOf(...entries),
});
const MARKET = [eventEntry(), offerEntry('for,h', FOR), offerEntry('against,h', AGAINST)];
const QUOTED: RecordedInput = { kind: 'quoted', event: FIXTURE, selections: [HOME], ...AT };
const SOURCE: RecordedInput = {
  kind: 'source_prices',
  source: 'odds',
  prices: [{ key: 'wdw|h', price: 2.5 }],
  ...AT,
};

/** A turn with these inputs, as a core of a running daemon decides it. */
function recorded(inputs: readonly RecordedInput[], isQuoting = true): TurnRecord {
  const clock = new TurnClock(new VirtualClock());
  const core = coreOn(clock);
  const [signals$, sourcePrices$] = [new Subject<never>(), new Subject<never>()];
  core.market.changes$({ signals$, sourcePrices$, account$: core.change$ }).subscribe();
  const turn = { seq: 7, ...AT, budgets: BUDGETS };
  const decision = clock.within(AT, () => {
    for (const input of inputs)
      if (input.kind === 'signal') signals$.next(input.signal as never);
      else if (input.kind === 'source_prices') sourcePrices$.next(input as never);
      else if (!['stop', 'wake', 'tick', 'frame'].includes(input.kind)) core.apply(input as never);
    const around = { isQuoting, isDecidable: () => true, planBasis: () => BASIS };
    return core.decide(around, FIXTURE, turn as never);
  });
  const { targets } = decision;
  const sum = sumOfDecision(decision as Decision);
  return { turn: { ...turn, inputs }, decided: [{ event: FIXTURE, targets, basis: BASIS, sum }] };
}

/** Replays a record whose inputs may have been changed since. */
function differences(
  record: TurnRecord,
  inputs: readonly RecordedInput[] = record.turn.inputs,
  found?: () => StreamFrame | null,
) {
  const clock = new TurnClock(NO_TIME);
  const replay = new Replay(coreOn(clock), clock, found);
  return replay.turn({ ...record, turn: { ...record.turn, inputs } });
}

describe('a turn that is decided again', () => {
  it('is decided alike from its own inputs', () => {
    const record = recorded([signal(...MARKET), QUOTED, SOURCE]);
    expect(record.decided[0]?.targets).toHaveLength(1);
    expect(differences(record)).toEqual([]);
  });

  it.each<[what: string, inputs: readonly RecordedInput[]]>([
    ['a price', [signal(eventEntry(), offerEntry('for,h', prices([2.5, 10])), MARKET[2]!), QUOTED, SOURCE]],
    ['a frame that is missing', [QUOTED, SOURCE]],
    ['the selections that are quoted', [signal(...MARKET), SOURCE]],
    ['the price of a source', [signal(...MARKET), QUOTED]],
    ['a kill', [signal(...MARKET), QUOTED, SOURCE, { kind: 'kill', by: 'anna', why: 'drill', ...AT }]],
    ['the end of quoting', [signal(...MARKET), QUOTED, SOURCE, { kind: 'stop', ...AT }]],
  ])('differs by %s, which is told with both decisions', (_, inputs) => {
    const record = recorded([signal(...MARKET), QUOTED, SOURCE]);
    const [difference] = differences(record, inputs);
    expect(difference).toMatchObject({ seq: 7, event: eventKey(FIXTURE) });
    expect(difference?.recorded).toEqual(record.decided[0]?.targets);
    expect(difference?.now).not.toEqual(difference?.recorded);
  });

  it('does not depend on why it was decided', () => {
    const record = recorded([signal(...MARKET), QUOTED]);
    const reasons: RecordedInput[] = [
      { kind: 'wake', event: FIXTURE, ...AT },
      { kind: 'tick', ...AT },
    ];
    expect(differences(record, [...record.turn.inputs, ...reasons])).toEqual([]);
  });

  it('has the frames that its record refers to, and leaves out one that is missing', () => {
    const record = recorded([signal(...MARKET), QUOTED]);
    const reference: RecordedInput = { ...AT, kind: 'frame', epoch: 1, receivedMonotonicMs: AT.monotonicMs };
    expect(differences(record, [reference, QUOTED], () => frameOf(...MARKET))).toEqual([]);
    expect(differences(record, [reference, QUOTED], () => null)).toHaveLength(1);
  });

  it('quotes no more once quoting has ended, as the daemon did', () => {
    const record = recorded([signal(...MARKET), QUOTED, { kind: 'stop', ...AT }], false);
    expect(record.decided[0]?.targets).toEqual([]);
    expect(differences(record)).toEqual([]);
  });
});

it('a change of the account reaches the strategies of a replay', () => {
  const shown: unknown[] = [];
  const clock = new TurnClock(NO_TIME);
  const replay = new Replay(coreOn(clock, shown), clock);
  const bet: RecordedInput = { kind: 'account', event: { kind: 'bet', fill: FILL }, ...AT };
  replay.turn({ turn: { seq: 1, ...AT, budgets: BUDGETS, inputs: [bet] }, decided: [] });
  expect(shown).toMatchObject([{ kind: 'booked', fill: FILL }]);
});

it('the clock of a replay has no time outside of a turn, and its timers are never armed', () => {
  expect(() => NO_TIME.wallMs()).toThrow(InvariantError);
  expect(() => NO_TIME.monotonicMs()).toThrow(InvariantError);
  expect(() => NO_TIME.after(1, () => undefined)).toThrow(InvariantError);
  const clock = new TurnClock(NO_TIME);
  const timers = timersOf(clock);
  const armed: unknown[] = [];
  clock.within(AT, () => {
    armed.push(timers.after(5, () => undefined));
  });
  expect(armed).toHaveLength(1);
});
