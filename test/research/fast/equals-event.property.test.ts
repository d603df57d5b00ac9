/**
 * The fast engine's exchange of whole events against the embedded exchange that the full engine plays them on: several markets with states,
 * delays, gaps and removals of their own give the same fills to the micro.
 */
import { describe, expect, it } from 'vitest';
import { parseBetType } from '../../../src/domain/bet-types/index.ts';
import { priceOf } from '../../../src/domain/ladder.ts';
import { fromMicros, toMicros } from '../../../src/domain/money.ts';
import { DIRECTIONS } from '../../../src/domain/selection.ts';
import { SCENARIOS, type Scenario } from '../../../src/fills/fill-model.ts';
import { FILL_MODELS } from '../../../src/fills/scenarios.ts';
import { integerBetween, type Random, seededRandom } from '../../../src/lib/random.ts';
import { explicitTape } from '../../../src/research/explicit-levels.ts';
import { fillsOfQuotes, type FixedQuote } from '../../../src/research/fast/fixed-quotes.ts';
import { RecordedEvent } from '../../../src/research/full/recorded-event.ts';
import { RecordedFeed } from '../../../src/research/full/recorded-feed.ts';
import type { EventRunResult } from '../../../src/research/records/event-records.ts';
import { outcomeOf, type SessionOrder } from '../../../src/research/replay/own-orders.ts';
import type { EventOutcome, ResearchFill, ScenarioResult } from '../../../src/research/result.ts';
import { type EventTape, OP } from '../../../src/research/tape.ts';
import { generatedEvent } from '../../fair/generated-event.ts';
import { limitsWith } from '../../risk/support/harness.ts';
import { Harness, START_MS } from '../../simulator/core/harness.ts';
import { TAPE_START_MS } from '../../support/tapes.ts';
import { INSTANT } from './fixed-quotes.ts';

const EVENTS = 20;
const QUOTES = 25;
const DURATION_S = 600;
/** The exchange lives on another day. */
const LATER_MS = START_MS + 1_000 - TAPE_START_MS;

function onDayOfExchange(tape: EventTape): EventTape {
  const later = (ms: number): number => ms + LATER_MS;
  return {
    ...tape,
    startMs: later(tape.startMs),
    inPlayMs: tape.inPlayMs === null ? null : later(tape.inPlayMs),
    updates: { ...tape.updates, atMs: tape.updates.atMs.map(later) },
    removals: tape.removals.map((removal) => ({ ...removal, atMs: later(removal.atMs) })),
    gaps: tape.gaps.map(({ fromMs, toMs, market }) => ({ fromMs: later(fromMs), toMs: later(toMs), market })),
  };
}

/** Orders about the levels of the tape, some of which are closed again. */
function quotesOn({ updates, selections }: EventTape, random: Random): FixedQuote[] {
  const levels = Array.from({ length: updates.length }, (_, row) => row).filter(
    (row) => updates.op[row] === OP.restingFor || updates.op[row] === OP.restingAgainst,
  );
  return Array.from({ length: QUOTES }, (): FixedQuote => {
    const row = levels[integerBetween(random, 0, levels.length - 1)] ?? 0;
    const placedMs = (updates.atMs[row] as number) + integerBetween(random, 1, 30_000);
    return {
      selection: Math.min(updates.of[row] ?? 0, selections.length - 1),
      direction: DIRECTIONS[integerBetween(random, 0, 1)] ?? 'for',
      tick: (updates.tick[row] as number) + integerBetween(random, -2, 2),
      stakeMicros: toMicros(integerBetween(random, 1, 60)),
      placedMs,
      closedMs: random.next() < 0.7 ? null : placedMs + integerBetween(random, 1, 200_000),
    };
  }).toSorted((a, b) => a.placedMs - b.placedMs);
}

/** Those that take nothing, when they arrive or after a suspension. */
function withoutTakers(
  tape: EventTape,
  quotes: readonly FixedQuote[],
  scenario: Scenario,
): readonly FixedQuote[] {
  const fates = fillsOfQuotes(tape, quotes, FILL_MODELS[scenario], { settings: INSTANT });
  return quotes.filter((_, at) => fates[at]?.fills.every(({ cause }) => cause !== 'taken') ?? false);
}

/** The run of a tape on the exchange, with the id of each order; null for one that it refuses. */
interface Played {
  readonly ids: readonly (number | null)[];
  readonly result: EventRunResult;
}

function onTheExchange(tape: EventTape, quotes: readonly FixedQuote[], scenario: Scenario): Played {
  const event = new RecordedEvent({
    tape: explicitTape(tape),
    model: FILL_MODELS[scenario],
    limits: limitsWith({}),
    window: [-Infinity, Infinity],
    random: seededRandom(1, 'event'),
  });
  const harness: Harness = new Harness({
    fillModel: FILL_MODELS[scenario],
    priced: false,
    parse: parseBetType,
    feeds: [new RecordedFeed([event])],
    onOrder: (order) => event.onOrder(order, harness.nowMs),
    onRest: (orderId, aheadMicros) => event.onRest(orderId, aheadMicros, harness.nowMs),
  });
  const passTo = (untilMs: number): void => {
    const { exchange } = harness;
    for (let dueMs = exchange.nextDueMs(); dueMs !== null && dueMs < untilMs; dueMs = exchange.nextDueMs())
      harness.pass(dueMs - harness.nowMs);
    harness.pass(untilMs - harness.nowMs);
  };
  const ids = new Map<number, number | null>();
  const acts = [
    ...quotes.map((quote, at) => ({
      atMs: quote.placedMs,
      run: () => void ids.set(at, place(harness, tape, quote)),
    })),
    ...quotes.flatMap(({ closedMs }, at) =>
      closedMs === null ? [] : [{ atMs: closedMs, run: () => close(harness, ids.get(at) ?? null) }],
    ),
  ].toSorted((a, b) => a.atMs - b.atMs);
  for (const { atMs, run } of acts) {
    passTo(atMs);
    run();
  }
  passTo((tape.updates.atMs.at(-1) ?? NaN) + 1_000);
  const result = event.finish(null, { betslips: 0, refusals: {} }, () => undefined);
  return { ids: quotes.map((_, at) => ids.get(at) ?? null), result };
}

/** The same orders in the fast engine, without those that the exchange refused. */
function inTheFastEngine(
  tape: EventTape,
  quotes: readonly FixedQuote[],
  scenario: Scenario,
): Pick<ScenarioResult, 'fills' | 'events'> {
  const orders = quotes.map((quote, at): SessionOrder => ({
    uuid: `order ${at}` as SessionOrder['uuid'],
    event: tape.event,
    selectionId: tape.selections[quote.selection]?.selectionId ?? ('' as SessionOrder['selectionId']),
    direction: quote.direction,
    tick: quote.tick,
    stakeMicros: quote.stakeMicros,
    placedMs: quote.placedMs,
    closedMs: quote.closedMs,
    expiryMs: quote.placedMs + 1_000 * DURATION_S,
  }));
  const { scenarios } = outcomeOf([tape], orders, [], limitsWith({}));
  const found = scenarios.find((each) => each.scenario === scenario);
  if (found === undefined) throw new Error('no such scenario');
  return found;
}

/** The order's id; null if the exchange refuses it. */
function place(harness: Harness, { event, selections }: EventTape, quote: FixedQuote): number | null {
  const { outcome = '' } = selections[quote.selection] ?? {};
  const body = {
    sport: event.sport,
    event_id: event.eventId,
    bet_type: `${quote.direction},${outcome}`,
    betslip_type: 'normal',
  };
  const slip = harness.call('POST', '/v2/betslips/', body);
  if (slip.status !== 201) return null;
  const order = harness.call('POST', '/v2/orders/', {
    betslip_id: slip.data.betslip_id,
    price: priceOf(quote.tick),
    stake: ['USDT', fromMicros(quote.stakeMicros)],
    duration: DURATION_S,
  });
  harness.call('DELETE', `/v2/betslips/${slip.data.betslip_id}/`);
  return order.status === 201 ? order.data.order_id : null;
}

function close(harness: Harness, id: number | null): void {
  if (id !== null) harness.call('POST', `/v2/orders/${id}/close/`);
}

/** The exchange counts our own orders as stake ahead, the fast engine recorded stake alone: they compare where none of ours is near. */
const withoutOwnAhead = (
  fills: readonly ResearchFill[],
  quotes: readonly FixedQuote[],
  { removals }: EventTape,
): ResearchFill[] =>
  fills.map((fill) => {
    const near = quotes.filter(({ direction, tick }) => direction === fill.direction && tick === fill.tick);
    // A removal moves orders.
    return near.length > 1 || removals.length > 0 ? { ...fill, queueAheadMicros: NaN } : fill;
  });

/** By instant and order: of fills of one instant nobody says which was first. */
const inOrder = (fills: readonly ResearchFill[]): ResearchFill[] =>
  fills.toSorted((a, b) => a.atMs - b.atMs || (nameOf(a) < nameOf(b) ? -1 : 1));

const nameOf = ({ selectionId, direction, tick, restedFromMs, stakeMicros }: ResearchFill): string =>
  [selectionId, direction, tick, restedFromMs, stakeMicros].join();

describe('a whole event in the fast engine', () => {
  it.each(SCENARIOS)(
    'has the fills and the outcome that the embedded exchange has, to the micro: %s',
    (scenario) => {
      let filled = 0;
      for (let number = 0; number < EVENTS; number++) {
        const tape = onDayOfExchange(generatedEvent(number));
        const all = quotesOn(tape, seededRandom(1, `quotes ${number}`));
        const quotes = number % 2 === 0 ? all : withoutTakers(tape, all, scenario);
        const { ids, result } = onTheExchange(tape, quotes, scenario);
        const taken = quotes.filter((_, at) => ids[at] !== null);
        const { fills, events } = inTheFastEngine(tape, taken, scenario);
        const [found, expected] = [fills, result.fills].map((each) =>
          inOrder(withoutOwnAhead(each, taken, tape)),
        );
        expect([number, found]).toEqual([number, expected]);
        // The session knows of no order that is open: the worst of the fast engine is that of bets alone. The exchange tells nothing of orders that
        // took on arrival, which count in what a rule leaves unfilled.
        const [{ worstMicros, besidesMicros }] = events as readonly [EventOutcome];
        const hasTaken = fills.some(({ cause }) => cause === 'taken');
        const besides = hasTaken ? besidesMicros : result.outcome.besidesMicros;
        expect(result.outcome.worstMicros).toBeLessThanOrEqual(worstMicros);
        expect([number, events]).toEqual([
          number,
          [{ ...result.outcome, worstMicros, besidesMicros: besides }],
        ]);
        filled += fills.length;
      }
      expect(filled).toBeGreaterThan(EVENTS * 2);
    },
  );
});
