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
import { type EventTape, OP } from '../../../src/research/tape.ts';
import { generatedEvent } from '../../fair/generated-event.ts';
import { limitsWith } from '../../risk/support/harness.ts';
import { Harness, START_MS } from '../../simulator/core/harness.ts';
import { TAPE_START_MS } from '../../support/tapes.ts';
import { INSTANT } from './fixed-quotes.ts';

const EVENTS = 30;
const QUOTES = 25;
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

const shown = (atMs: number, stakeMicros: number, price: number): string =>
  `${atMs - START_MS}: ${fromMicros(stakeMicros)} @ ${price}`;

/** The fills of each quote on the exchange; null for one that it refuses. */
function onTheExchange(
  tape: EventTape,
  quotes: readonly FixedQuote[],
  scenario: Scenario,
): (string[] | null)[] {
  const event = new RecordedEvent({
    tape: explicitTape(tape),
    model: FILL_MODELS[scenario],
    limits: limitsWith({}),
    window: [-Infinity, Infinity],
    random: seededRandom(1, 'event'),
  });
  const harness = new Harness({
    fillModel: FILL_MODELS[scenario],
    priced: false,
    parse: parseBetType,
    feeds: [new RecordedFeed([event])],
  });
  const ids = new Map<number, number | null>();
  const acts = [
    ...quotes.map(({ placedMs }, quote) => ({
      atMs: placedMs,
      run: () => void ids.set(quote, place(harness, tape, quotes[quote] as FixedQuote)),
    })),
    ...quotes.flatMap(({ closedMs }, quote) =>
      closedMs === null ? [] : [{ atMs: closedMs, run: () => close(harness, ids.get(quote) ?? null) }],
    ),
  ].toSorted((a, b) => a.atMs - b.atMs);
  for (const { atMs, run } of acts) {
    harness.pass(atMs - harness.nowMs);
    run();
  }
  harness.pass((tape.updates.atMs.at(-1) ?? NaN) + 1_000 - harness.nowMs);
  const { orders } = harness.exchange.inspect();
  return quotes.map((_, quote) => {
    const id = ids.get(quote) ?? null;
    const fills = orders.find(({ orderId }) => orderId === id)?.fills ?? [];
    return id === null ? null : fills.map(({ atMs, stakeMicros, price }) => shown(atMs, stakeMicros, price));
  });
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
    duration: 600,
  });
  harness.call('DELETE', `/v2/betslips/${slip.data.betslip_id}/`);
  return order.status === 201 ? order.data.order_id : null;
}

function close(harness: Harness, id: number | null): void {
  if (id !== null) harness.call('POST', `/v2/orders/${id}/close/`);
}

describe('a whole event in the fast engine', () => {
  it.each(SCENARIOS)('fills what the embedded exchange fills, to the micro: %s', (scenario) => {
    let filled = 0;
    for (let number = 0; number < EVENTS; number++) {
      const tape = onDayOfExchange(generatedEvent(number));
      const quotes = quotesOn(tape, seededRandom(1, `quotes ${number}`));
      const exact = onTheExchange(tape, quotes, scenario);
      const fast = fillsOfQuotes(tape, quotes, FILL_MODELS[scenario], { settings: INSTANT }).map(
        ({ fills }) => fills.map(({ atMs, stakeMicros, tick }) => shown(atMs, stakeMicros, priceOf(tick))),
      );
      for (const [at, fills] of fast.entries())
        expect([number, at, fills]).toEqual([number, at, exact[at] ?? []]);
      filled += fast.filter((fills) => fills.length > 0).length;
    }
    expect(filled).toBeGreaterThan(EVENTS * 2);
  });
});
