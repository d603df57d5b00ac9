/**
 * The offers that a paper run shows its client: those of the real exchange, with the paper orders among them and without the stake that
 * these took. On an exchange they would be part of the offers, and the client takes its own stake out again.
 */
import type { BetType } from '../domain/ids.ts';
import { fromMicros } from '../domain/money.ts';
import { levelsOf } from '../domain/price-list.ts';
import { bothSidesOf } from '../domain/selection.ts';
import type { Offer } from '../domain/stream.ts';
import type { Market, OfferedLevel } from '../simulator/core/api.ts';
import { readEntry, silentSurvey } from '../venue/index.ts';
import { type RawEntry, rawEntryOf, readPayload } from './raw-frame.ts';

export class ShownOffers {
  readonly #market: Pick<Market, 'offered' | 'isSuspended'>;
  /** The markets on which a paper order was placed, and those of the other direction. */
  readonly #touched = new Map<string, Set<BetType>>();

  constructor(market: Pick<Market, 'offered' | 'isSuspended'>) {
    this.#market = market;
  }

  /** A paper order was placed there. It is in the book of both directions. */
  touch({ eventId, betType }: Pick<Offer, 'eventId' | 'betType'>): void {
    const betTypes = this.#touched.get(eventId) ?? new Set<BetType>();
    for (const each of bothSidesOf(betType)) betTypes.add(each);
    this.#touched.set(eventId, betTypes);
  }

  /** Whether paper orders may have changed the offer. */
  isTouched({ eventId, betType }: Offer): boolean {
    return this.#touched.get(eventId)?.has(betType) === true;
  }

  /** The entry as the client sees it: the same one, unless paper orders change it. */
  shown(entry: RawEntry, offer: Offer): RawEntry {
    const levels = this.#levelsIfOthers(offer);
    if (levels === null) return entry;
    const payload = readPayload(entry) as object;
    return rawEntryOf('offer', { ...payload, price_list: levels.map(levelJson) });
  }

  /** The body of an answer to `GET /v2/offers/` as the client sees it. */
  shownBody(body: string): string {
    const answer = parsedAnswer(body);
    if (answer === null) return body;
    const data = answer.data.map((item) => this.#shownItem(item));
    return data.every((item, at) => item === answer.data[at]) ? body : JSON.stringify({ ...answer, data });
  }

  /** An offer of an event, as an entry of the stream: with its last text, unless paper orders may have changed it since. */
  asEntry(offer: Offer, bytes: Uint8Array | undefined): RawEntry {
    const { sport, eventId, betType, marketType, inRunning, priceList } = offer;
    if (bytes !== undefined && !this.isTouched(offer)) return { tag: 'offer', bytes };
    const levels = this.#market.offered({ sport, eventId }, betType) ?? levelsOf(priceList).map(offeredLevel);
    return rawEntryOf('offer', {
      sport,
      event_id: eventId,
      bet_type: betType,
      market_type: marketType,
      in_running: inRunning,
      price_list: levels.map(levelJson),
    });
  }

  #shownItem(item: unknown): unknown {
    const event = (item as { readonly event_id?: unknown } | null)?.event_id;
    if (typeof event !== 'string' || !this.#touched.has(event)) return item;
    const read = readEntry(['offer', item], silentSurvey);
    const levels = read?.tag === 'offer' ? this.#levelsIfOthers(read.offer) : null;
    return levels === null ? item : { ...(item as object), price_list: levels.map(levelJson) };
  }

  /** Null if the embedded exchange offers just what the real one does, or does not know. */
  #levelsIfOthers(offer: Offer): readonly OfferedLevel[] | null {
    if (!this.isTouched(offer) || this.#market.isSuspended(offer)) return null;
    const offered = this.#market.offered(offer, offer.betType);
    return offered === null || isSame(offered, offer) ? null : offered;
  }
}

const offeredLevel = ({
  price,
  minMicros,
  maxMicros,
}: ReturnType<typeof levelsOf>[number]): OfferedLevel => ({
  price,
  stakeMicros: maxMicros,
  minBetMicros: minMicros ?? 0,
});

function isSame(offered: readonly OfferedLevel[], { priceList }: Offer): boolean {
  const levels = levelsOf(priceList);
  return (
    levels.length === offered.length &&
    levels.every(
      ({ price, maxMicros }, at) => offered[at]?.price === price && offered[at].stakeMicros === maxMicros,
    )
  );
}

const levelJson = ({ price, stakeMicros, minBetMicros }: OfferedLevel): unknown => ({
  effective: {
    price,
    min: minBetMicros === 0 ? null : ['USDT', fromMicros(minBetMicros)],
    max: ['USDT', fromMicros(stakeMicros)],
  },
});

function parsedAnswer(body: string): { readonly data: readonly unknown[] } | null {
  try {
    const answer = JSON.parse(body) as { readonly data?: unknown } | null;
    return Array.isArray(answer?.data) ? (answer as { readonly data: readonly unknown[] }) : null;
  } catch {
    return null;
  }
}
