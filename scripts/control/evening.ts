/**
 * Evenings of a market whose edge for makers is known.
 *
 * Takers know more than makers, and makers know it (Glosten and Milgrom 1985, "Bid, ask and transaction prices in a specialist market
 * with heterogeneously informed traders"): after a trade the fair value is what the trade tells. Without an edge it is the very price
 * of the trade, so no fill at a traded price gains or loses on average, on either side. With an edge of `e` a fill at price p leaves
 * the fair value at (1 - e) / p for a maker against, and at (1 + e) / p for a maker for: it is worth e of its stake at any later
 * time. Takers of both sides come as often as the fair value, a martingale, demands.
 */
import { eventId, sport } from '../../src/domain/ids.ts';
import { toMicros } from '../../src/domain/money.ts';
import { ceilTick, floorTick, LAST_TICK, priceOf, type Tick } from '../../src/domain/ladder.ts';
import { LOSS, WIN } from '../../src/domain/payoff.ts';
import { selectionId } from '../../src/domain/selection.ts';
import { integerBetween, type Random, seededRandom, uniformBetween } from '../../src/lib/random.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { UpdateColumns } from '../../src/research/columns.ts';
import { type EventTape, MARKET_STATE, OP, UNKNOWN_RUNNERS } from '../../src/research/tape.ts';

export interface EveningChoice {
  readonly seed: number;
  /** From 0: the day. */
  readonly evening: number;
  /** Worth of a fill of a maker, as a fraction of its stake. */
  readonly edge: number;
}

const FIRST_MS = Date.parse('2026-01-03T18:00:00Z');
const TRADING_MS = 3_600_000;
/** Longer than the strategy needs to see a change and to quote anew. */
const LEAST_PAUSE_MS = 15_000;
const MOST_PAUSE_MS = 60_000;
/** Distance of the makers' prices from fair, as a fraction of the price. */
const HALF_SPREAD = 0.015;
const RESTING_MICROS = toMicros(100);
/** More stake comes so long after the prices, behind orders that joined them: trades then reach these. */
const LATE_MS = 10_000;
const LATE_MICROS = toMicros(200);
const LEAST_TRADE = 50;
const MOST_TRADE = 250;
/** Outside, steps of the ladder are large against the spread, or the makers' prices too far apart for a fair value. */
const LEAST_FAIR = 0.36;
const MOST_FAIR = 0.8;

/** The makers' best prices around a fair value. */
interface Quotes {
  /** Resting against, for takers for. */
  readonly against: Tick;
  /** Resting for, for takers against. */
  readonly for: Tick;
}

/** Makes one evening: a market of two sides, of which one is quoted, with trades until its start. */
export function eveningTape({ seed, evening, edge }: EveningChoice): EventTape {
  const random = seededRandom(seed, `evening ${evening}`);
  const fromMs = FIRST_MS + evening * DAY_MS;
  const startMs = fromMs + TRADING_MS;
  const columns = new UpdateColumns();
  columns.push(fromMs, OP.state, 0, MARKET_STATE.open, 0);
  let fair = uniformBetween(random, 0.45, 0.6);
  let quotes = quotesAround(fair);
  show(columns, fromMs, quotes, RESTING_MICROS);
  let pausedMs = pauseMs(random);
  for (let atMs = fromMs + pausedMs; atMs < startMs; atMs += pausedMs) {
    show(columns, atMs - pausedMs + LATE_MS, quotes, RESTING_MICROS + LATE_MICROS);
    const trade = traded(fair, quotes, edge, random);
    fair = trade.fair;
    if (fair < LEAST_FAIR || fair > MOST_FAIR) break;
    const micros = toMicros(integerBetween(random, LEAST_TRADE, MOST_TRADE));
    columns.push(atMs, trade.isFor ? OP.tradedAgainst : OP.tradedFor, 0, trade.tick, micros);
    show(columns, atMs, quotes, 0);
    quotes = quotesAround(fair);
    show(columns, atMs, quotes, RESTING_MICROS);
    pausedMs = pauseMs(random);
  }
  columns.push(startMs, OP.state, 0, MARKET_STATE.open + MARKET_STATE.inPlay, 5_000);
  columns.push(startMs + 1_000, OP.state, 0, MARKET_STATE.closed, 0);
  const event = {
    sport: sport('tennis'),
    eventId: eventId(`${new Date(fromMs).toISOString().slice(0, 10)},1,2`),
  };
  return {
    event,
    eventName: `Evening ${evening + 1}`,
    home: 'Home',
    away: 'Away',
    competitionId: 1,
    competitionName: 'Control',
    startMs,
    inPlayMs: startMs,
    markets: [
      { marketId: `evening ${evening + 1}`, marketType: 'ml', commissionRate: 0, ...UNKNOWN_RUNNERS },
    ],
    removals: [],
    selections: [
      {
        selectionId: selectionId(event.sport, event.eventId, 'h'),
        outcome: 'h',
        market: 0,
        name: 'Home',
        settlement: random.next() < fair ? WIN : LOSS,
      },
    ],
    updates: columns.updates(),
    hasTrades: true,
    gaps: [],
  };
}

const pauseMs = (random: Random): number => integerBetween(random, LEAST_PAUSE_MS, MOST_PAUSE_MS);

function quotesAround(fair: number): Quotes {
  return {
    against: floorTick((1 - HALF_SPREAD) / fair) ?? 0,
    for: ceilTick((1 + HALF_SPREAD) / fair) ?? LAST_TICK,
  };
}

/** A trade at the makers' price, and the fair value after it. */
function traded(
  fair: number,
  quotes: Quotes,
  edge: number,
  random: Random,
): { readonly isFor: boolean; readonly tick: Tick; readonly fair: number } {
  const afterFor = (1 - edge) / priceOf(quotes.against);
  const afterAgainst = (1 + edge) / priceOf(quotes.for);
  const isFor = random.next() < (fair - afterAgainst) / (afterFor - afterAgainst);
  return isFor
    ? { isFor, tick: quotes.against, fair: afterFor }
    : { isFor, tick: quotes.for, fair: afterAgainst };
}

function show(columns: UpdateColumns, atMs: number, quotes: Quotes, micros: number): void {
  columns.push(atMs, OP.restingAgainst, 0, quotes.against, micros);
  columns.push(atMs, OP.restingFor, 0, quotes.for, micros);
}
