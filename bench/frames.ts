import { betType, eventId, type EventId, sport } from '../src/domain/ids.ts';
import { LADDER } from '../src/domain/ladder.ts';
import { NO_MINIMUM, type PriceList } from '../src/domain/price-list.ts';
import type { Offer } from '../src/domain/stream.ts';
import { integerBetween, type Random, seededRandom } from '../src/lib/random.ts';

/** Fabricated broadcasts hold every market of an event, each with this many price levels. */
export const LEVELS = 3;
const TOP_TICK = 150;

export const eventIdOf = (index: number): EventId => eventId(`2026-11-21,${1000 + index},${2000 + index}`);

/** The event's whole set of offers: `for` and `against` of half as many selections. */
export function offersOf(event: EventId, count: number, random: Random): Offer[] {
  return Array.from({ length: count }, (_, i) => {
    const direction = i % 2 === 0 ? 'for' : 'against';
    const name = betType(`${direction},ah,h,${(i >> 1) - 50}`);
    return offer(event, name, priceList(direction, i >> 1, random));
  });
}

/** The next broadcast: a share of the offers has changed, the others are the identical objects. */
export function nextBroadcast(offers: readonly Offer[], share: number, random: Random): Offer[] {
  const changed = new Set<number>();
  while (changed.size < Math.round(share * offers.length))
    changed.add(integerBetween(random, 0, offers.length - 1));
  return offers.map((old, i) => {
    if (!changed.has(i)) return old;
    const direction = i % 2 === 0 ? 'for' : 'against';
    return offer(old.eventId, old.betType, priceList(direction, i >> 1, random));
  });
}

/** The frame as the exchange would send it. */
export function frameText(offers: readonly Offer[]): string {
  const data = offers.map((one) => ['offer', wireOffer(one)]);
  return JSON.stringify({ ts: '2026-11-21T04:00:00.123456+00:00', data });
}

export const benchRandom = (label: string): Random => seededRandom(1, label);

const offer = (event: EventId, name: Offer['betType'], list: PriceList): Offer => ({
  sport: sport('fb'),
  eventId: event,
  betType: name,
  marketType: 'ah',
  inRunning: false,
  priceList: list,
});

/** Prices of the two directions of a selection lie on either side of a price and do not cross. */
function priceList(direction: 'for' | 'against', selection: number, random: Random): PriceList {
  const base = 20 + ((selection * 7) % (TOP_TICK - 20));
  const best = direction === 'for' ? base : base + 2;
  const highest = direction === 'for' ? best : best + LEVELS - 1;
  return Array.from({ length: LEVELS }, (_, level) => [
    LADDER[highest - level] as number,
    NO_MINIMUM,
    integerBetween(random, 100, 999_999) * 10_000,
  ]).flat();
}

function wireOffer(one: Offer): unknown {
  const levels = Array.from({ length: LEVELS }, (_, i) => {
    const max = ['USDT', (one.priceList[i * 3 + 2] as number) / 1e6];
    return { effective: { price: one.priceList[i * 3], min: null, max } };
  });
  const { sport: code, eventId: id, betType: name, marketType, inRunning } = one;
  const named = { sport: code, event_id: id, bet_type: name, market_type: marketType };
  return { ...named, in_running: inRunning, price_list: levels };
}

/** Number of intents in a strategy host's answer. Hosts of earlier commits answer the list alone. */
export const countOf = (answer: { readonly intents: readonly unknown[] } | readonly unknown[]): number =>
  'intents' in answer ? answer.intents.length : answer.length;
