import type { EventId, Sport } from '../../domain/ids.ts';
import { PRICE_CONVENTIONS } from '../../domain/odds.ts';
import type { BetslipRequest } from '../../domain/orders.ts';
import { levelAt, levelsOf } from '../../domain/price-list.ts';
import { splitBetType } from '../../domain/selection.ts';
import type { Offer } from '../../domain/stream.ts';
import type { Bench } from './bench.ts';
import { TouchlineError } from '../../domain/errors.ts';
import { voteOf } from '../../engine/convention/votes.ts';
import { LEAST_PRICE, OFF_TICK, type Votes } from './convention.ts';

/** The two markets of the selection on which the orders are placed. */
export interface Chosen {
  readonly sides: Readonly<Record<'for' | 'against', BetslipRequest>>;
  /** Best `for` price. */
  readonly price: number;
  /** What the selections that were looked at say. */
  readonly votes: Votes;
}

/** An event that starts sooner may go in play meanwhile. */
const LEAST_TIME_TO_START_MS = 600_000;
/** Prices that leave room on both sides of `OFF_TICK`, and are no outsider's. */
const [LEAST_PREFERRED, MOST_PREFERRED] = [2.4, 4];
const EVENTS_PER_REQUEST = 20;
const MOST_EVENTS = 60;

interface BothOffers {
  readonly for: Offer;
  readonly against: Offer;
}

/**
 * The selection on which an order at `OFF_TICK` is passive under both readings, and whose offers show it at the most likely. Throws
 * TouchlineError `prove` without one.
 */
export async function chooseMarket(bench: Bench): Promise<Chosen> {
  const votes = { odds: 0, lay: 0 };
  let best: BothOffers | null = null;
  for (const [sport, events] of await eventsBySport(bench)) {
    for (let at = 0; at < events.length && best === null; at += EVENTS_PER_REQUEST) {
      const eventIds = events.slice(at, at + EVENTS_PER_REQUEST);
      const pairs = paired(await collect(bench.exchange.allOffers({ sport, eventIds })));
      const cast = pairs.map((pair) => voteOf(pair.for.priceList, pair.against.priceList));
      for (const convention of PRICE_CONVENTIONS)
        votes[convention] += cast.filter((vote) => vote === convention).length;
      best = pairs.filter(isUsable).toSorted((a, b) => rankOf(a) - rankOf(b))[0] ?? null;
    }
  }
  if (best === null)
    throw new TouchlineError(
      'prove',
      `no selection whose best price is at least ${LEAST_PRICE} has offers in both directions and starts in ten minutes or later`,
    );
  const sides = { for: requestOf(best.for), against: requestOf(best.against) };
  return { sides, price: priceOf(best), votes };
}

async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function eventsBySport(bench: Bench): Promise<ReadonlyMap<Sport, readonly EventId[]>> {
  const { sports } = bench.options;
  const startFromMs = bench.exchangeMs() + LEAST_TIME_TO_START_MS;
  const filter = { startFromMs, irStatuses: ['pre_event'], ...(sports.length === 0 ? {} : { sports }) };
  const found = new Map<Sport, EventId[]>();
  let count = 0;
  for await (const { sport, eventId } of bench.exchange.allEvents(filter)) {
    found.set(sport, [...(found.get(sport) ?? []), eventId]);
    if (++count === MOST_EVENTS) break;
  }
  return found;
}

/** Selections with offers in both directions. */
function paired(offers: readonly Offer[]): readonly BothOffers[] {
  const halves = new Map<string, Partial<Record<'for' | 'against', Offer>>>();
  for (const offer of offers) {
    const parts = splitBetType(offer.betType);
    if (parts === null || offer.inRunning) continue;
    const key = `${offer.eventId} ${parts.outcome}`;
    halves.set(key, { ...halves.get(key), [parts.direction]: offer });
  }
  return Array.from(halves.values()).flatMap((pair) =>
    pair.for === undefined || pair.against === undefined ? [] : [{ for: pair.for, against: pair.against }],
  );
}

const priceOf = (pair: BothOffers): number => levelAt(pair.for.priceList, 0)?.price ?? 0;

const isUsable = (pair: BothOffers): boolean =>
  priceOf(pair) >= LEAST_PRICE && pair.against.priceList.length > 0;

/** The exchange may show only so many levels, so those with few prices above ours go first. */
const rankOf = (pair: BothOffers): number =>
  levelsOf(pair.for.priceList).filter(({ price }) => price > OFF_TICK).length +
  (priceOf(pair) >= LEAST_PREFERRED && priceOf(pair) <= MOST_PREFERRED ? 0 : OUT_OF_RANGE);

const OUT_OF_RANGE = 1000;

const requestOf = ({ sport, eventId, betType }: Offer): BetslipRequest => ({ sport, eventId, betType });
