/** A market by the exchange's names. */
export interface ReceivedMarket {
  readonly sport: string;
  readonly eventId: string;
  readonly betType: string;
}

/** Levels as reported: price, least and largest stake in USDT, in turn. A missing least stake is -1. */
export type Levels = readonly number[];

/** The last report of one market. Texts are parsed on demand. */
interface Held {
  /** The stream's report on this connection; null when it removed the offer, undefined when it has not reported it. */
  stream: string | null | undefined;
  /** REST's report since then. */
  rest: readonly string[];
  /** Our private quote, and its arrival time. */
  quote: string | null;
  quotedMs: number;
  /** The quote is of a lay betslip on the other bet type. */
  isLay: boolean;
}

const ENTRY = /\["([a-z_]+)",(?=\{|null)/g;
const MARKET_ENDS: Readonly<Record<string, string>> = { offer: ',"market_type"', pmm: ',"status"' };
/** The number of REST answers, any of which the daemon may have used. */
const REST_KEPT = 3;
/** The number of entries whose parsed form is kept. */
const MOST_LEVELS = 1_000;

/** The last offer of each market on one connection of one run, from what crossed its border. */
export class ReceivedOffers {
  readonly #nowMs: () => number;
  #markets = new Map<string, Held>();
  #gone = new Map<string, ReceivedMarket>();
  /** Markets by the first part of their entries' text. Most recur. */
  readonly #heads = new Map<string, ReceivedMarket | null>();
  /** Lay betslips by their names. */
  readonly #lay = new Set<string>();
  /** Texts of offers that were read before. */
  readonly #texts = new WeakMap<object, string>();
  /** The parsed form of current entries, which are read far more often than they change. */
  #levels = new Map<string, Levels | null>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** A new connection: it has reported nothing yet. */
  connected(): void {
    this.#markets = new Map();
    this.#gone = new Map();
  }

  frame(text: string): void {
    const entries = [...text.matchAll(ENTRY)];
    entries.forEach(({ 1: tag = '', index }, at) => {
      const end = entries[at + 1]?.index ?? text.length;
      this.#entry(tag, text, index, end);
    });
  }

  /** An item of `GET /v2/offers/`. */
  read(offer: Record<string, unknown>): void {
    const text = this.#texts.get(offer) ?? JSON.stringify(['offer', offer]);
    this.#texts.set(offer, text);
    const held = this.#held(marketOf(offer));
    held.rest = [...held.rest, text].slice(-REST_KEPT);
  }

  /** The possible offer of a market; null when the stream removed it, undefined when nothing was reported. */
  offersOf(market: ReceivedMarket): readonly (Levels | null)[] | null | undefined {
    const held = this.#markets.get(keyOf(market));
    if (held === undefined) return undefined;
    if (held.stream === null) return null;
    const texts = [...(held.stream === undefined ? [] : [held.stream]), ...held.rest];
    return texts.length === 0 ? undefined : texts.map((text) => this.#levelsOf(text));
  }

  /** Whether only REST reported the market on this connection. */
  isReadAlone(market: ReceivedMarket): boolean {
    const held = this.#markets.get(keyOf(market));
    return held?.stream === undefined && (held?.rest.length ?? 0) > 0;
  }

  /** The last private quote of a market, and its age. `kind` is what its prices are, where they are not those of the offers. */
  quoteOf(market: ReceivedMarket): {
    readonly levels: Levels | null;
    readonly ageMs: number;
    readonly kind: 'lay-for' | 'lay-against' | null;
  } | null {
    const held = this.#markets.get(keyOf(market));
    if (!held?.quote) return null;
    const kind = !held.isLay ? null : market.betType.startsWith('for,') ? 'lay-against' : 'lay-for';
    return { levels: this.#levelsOf(held.quote), ageMs: this.#nowMs() - held.quotedMs, kind };
  }

  /** Markets whose offers the stream has removed since the last call, and has not sent again. */
  takeGone(): readonly ReceivedMarket[] {
    if (this.#gone.size === 0) return [];
    const gone = [...this.#gone.values()];
    this.#gone = new Map();
    return gone;
  }

  #levelsOf(entry: string): Levels | null {
    const known = this.#levels.get(entry);
    if (known !== undefined) return known;
    if (this.#levels.size >= MOST_LEVELS) this.#levels = new Map();
    const levels = levelsOf(entry);
    this.#levels.set(entry, levels);
    return levels;
  }

  #entry(tag: string, text: string, from: number, end: number): void {
    if (tag === 'offer' || tag === 'pmm') return this.#prices(tag, text, from, end);
    if (tag === 'betslip') return this.#betslip(dataOf(text.slice(from, end)) ?? {});
    if (tag === 'clear_events') return this.#takeAway(() => true);
    if (tag !== 'remove_offer' && tag !== 'remove_event') return;
    const named = marketOf(dataOf(text.slice(from, end)) ?? {});
    if (tag === 'remove_offer') return this.#takeAway((market) => keyOf(market) === keyOf(named), named);
    this.#takeAway(({ sport, eventId }) => sport === named.sport && eventId === named.eventId);
  }

  /** The daemon opens lay betslips only where `against` prices are odds. */
  #betslip({ betslip_id: betslipId, betslip_type: type }: Record<string, unknown>): void {
    if (type === 'lay') this.#lay.add(String(betslipId));
  }

  #isLay(head: string): boolean {
    const id = this.#lay.size === 0 ? undefined : /"betslip_id":"([^"]*)"/.exec(head)?.[1];
    return id !== undefined && this.#lay.has(id);
  }

  #prices(tag: 'offer' | 'pmm', text: string, from: number, end: number): void {
    const head = text.slice(from, text.indexOf(MARKET_ENDS[tag] as string, from));
    const market = this.#marketOf(head);
    if (market === null) return;
    const held = this.#held(market);
    const entry = text.slice(from, end);
    if (tag === 'pmm') {
      [held.quote, held.quotedMs, held.isLay] = [entry, this.#nowMs(), this.#isLay(head)];
      return;
    }
    [held.stream, held.rest] = [entry, []];
    if (this.#gone.size > 0) this.#gone.delete(keyOf(market));
  }

  #takeAway(isGone: (market: ReceivedMarket) => boolean, only?: ReceivedMarket): void {
    const named = only === undefined ? [...this.#markets.keys()].map(marketOfKey) : [only];
    for (const market of named.filter(isGone)) {
      const held = this.#held(market);
      [held.stream, held.rest] = [null, []];
      this.#gone.set(keyOf(market), market);
    }
  }

  #held(market: ReceivedMarket): Held {
    const key = keyOf(market);
    const known = this.#markets.get(key);
    if (known !== undefined) return known;
    const held: Held = { stream: undefined, rest: [], quote: null, quotedMs: -Infinity, isLay: false };
    this.#markets.set(key, held);
    return held;
  }

  #marketOf(head: string): ReceivedMarket | null {
    const known = this.#heads.get(head);
    if (known !== undefined) return known;
    const data = dataOf(`${head}}]`);
    const named = data === null ? null : marketOf(data);
    const market = named !== null && this.#isLay(head) ? otherOf(named) : named;
    this.#heads.set(head, market);
    return market;
  }
}

/** The market of the other side of a selection, which a lay bet takes. */
const otherOf = (market: ReceivedMarket): ReceivedMarket => ({
  ...market,
  betType: market.betType.startsWith('for,')
    ? `against,${market.betType.slice(4)}`
    : market.betType.replace(/^against,/, 'for,'),
});

/** The market that an entry names. */
export const marketOf = (data: Record<string, unknown>): ReceivedMarket => ({
  sport: String(data['sport']),
  eventId: String(data['event_id']),
  betType: String(data['bet_type']),
});

const keyOf = ({ sport, eventId, betType }: ReceivedMarket): string => `${sport} ${eventId} ${betType}`;

function marketOfKey(key: string): ReceivedMarket {
  const [sport = '', eventId = '', ...rest] = key.split(' ');
  return { sport, eventId, betType: rest.join(' ') };
}

/** The levels of an entry; null when they are unreadable. */
function levelsOf(entry: string): Levels | null {
  const list = dataOf(entry)?.['price_list'];
  if (!Array.isArray(list)) return null;
  const levels = (list as { effective: { price: unknown; min: unknown; max: unknown } }[]).flatMap(
    ({ effective: { price, min, max } }) => [Number(price), min === null ? -1 : amountOf(min), amountOf(max)],
  );
  return levels.every(Number.isFinite) ? levels : null;
}

const amountOf = (money: unknown): number => (Array.isArray(money) ? Number(money[1]) : NaN);

/** The data of an entry. In its frame a comma follows, or the frame's end. */
function dataOf(entry: string): Record<string, unknown> | null {
  try {
    const [, data] = JSON.parse(entry.replace(/(?:,|\]\})$/, '')) as [string, unknown];
    return typeof data === 'object' ? (data as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
