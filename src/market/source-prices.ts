import type { SourcePriceView } from '../domain/event-view.ts';
import { eventKey, type EventName, eventNameOf, type SportEvent } from '../domain/events.ts';
import type { EventKey, SelectionId } from '../domain/ids.ts';
import type { SourceBatch, SourcePrice } from '../domain/source-price.ts';
import type { Moment } from '../lib/time.ts';
import type { SelectionBook } from './books.ts';
import type { KeyOf } from './source-keys.ts';

/** How the prices of a source are read. */
export interface SourceRules {
  readonly name: string;
  /** A price that the source has not confirmed for longer is absent. */
  readonly staleAfterMs: number;
  /** The selections that the source prices; an empty list means all. */
  readonly match: Readonly<Record<'sports' | 'competitions' | 'marketTypes', readonly string[]>>;
  /** The source's name of a selection. */
  readonly keyOf: KeyOf;
}

/** The state of a source, for people and for metrics. */
export interface SourceState {
  readonly name: string;
  /** Since the source last sent any price; null before the first. */
  readonly ageMs: number | null;
  /** Keys with a price that is not stale. */
  readonly keys: number;
  /** Those of them that belong to no quoted selection. */
  readonly unmapped: readonly string[];
  /** Keys that quoted selections look for and that have no price. */
  readonly missing: readonly string[];
  /** Keys that belong to several quoted selections, which therefore get no price. */
  readonly ambiguous: readonly string[];
  /** Prices that were dropped because the source has too many keys. */
  readonly dropped: number;
}

/** Keys of one source. A source with more would fill the memory. */
const MOST_KEYS = 20_000;
/** Quoted selections are viewed about once a second. A selection that was not viewed for longer is not quoted any more. */
const QUOTED_MS = 10_000;

const NONE: Readonly<Record<string, SourcePriceView>> = Object.freeze({});

interface Held {
  readonly price: number;
  readonly receivedMs: number;
  readonly latencyMs: number | null;
}

/** A selection that looks for its price. */
export type PricedSelection = Pick<SelectionBook, 'id' | 'marketType' | 'outcome'>;

/** A selection and the key under which it looks for its price. */
interface Reader {
  readonly event: SportEvent;
  readonly marketType: string;
  /** Null if the source does not price the selection. */
  readonly key: string | null;
  /** Monotonic. */
  viewedMs: number;
}

/** The last price of each key of one source, and the quoted selections that read them. */
class Source {
  readonly rules: SourceRules;
  readonly #held = new Map<string, Held>();
  readonly #readers = new Map<SelectionId, Reader>();
  readonly #byKey = new Map<string, Set<SelectionId>>();
  #receivedMs: number | null = null;
  #sweptMs = -Infinity;
  #dropped = 0;

  constructor(rules: SourceRules) {
    this.rules = rules;
  }

  /** Calls `onChange` with each event that has a reader of a changed price. */
  take(prices: readonly SourcePrice[], at: Moment, onChange: (event: SportEvent) => void): void {
    this.#sweep(at.monotonicMs);
    this.#receivedMs = at.monotonicMs;
    for (const price of prices) {
      if (!this.#put(price, at)) continue;
      for (const id of this.#byKey.get(price.key) ?? []) onChange((this.#readers.get(id) as Reader).event);
    }
  }

  /** The selection is quoted. Its key is computed again when the event is described anew: its names may have changed. */
  note(book: PricedSelection, event: SportEvent, nowMs: number): void {
    const known = this.#readers.get(book.id);
    if (known?.event === event && known.marketType === book.marketType) {
      known.viewedMs = nowMs;
      return;
    }
    this.forget(book.id);
    const { marketType } = book;
    const key = isPriced(this.rules.match, marketType, event) ? this.rules.keyOf(book, event) : null;
    this.#readers.set(book.id, { event, marketType, key, viewedMs: nowMs });
    if (key !== null) this.#byKey.set(key, (this.#byKey.get(key) ?? new Set()).add(book.id));
  }

  /** The price of a selection that `note` was called for. */
  view(id: SelectionId, nowMs: number): SourcePriceView | null {
    const key = this.#readers.get(id)?.key;
    if (typeof key !== 'string' || this.#isAmbiguous(key, nowMs)) return null;
    const held = this.#held.get(key);
    if (held === undefined || this.#isStale(held, nowMs)) return null;
    return { price: held.price, ageMs: nowMs - held.receivedMs, latencyMs: held.latencyMs };
  }

  forget(id: SelectionId): void {
    const key = this.#readers.get(id)?.key;
    this.#readers.delete(id);
    if (typeof key !== 'string') return;
    const readers = this.#byKey.get(key);
    readers?.delete(id);
    if (readers?.size === 0) this.#byKey.delete(key);
  }

  state(nowMs: number): SourceState {
    const fresh = [...this.#held].filter(([, held]) => !this.#isStale(held, nowMs)).map(([key]) => key);
    const read = [...this.#byKey.keys()].filter((key) => this.#quotedBy(key, nowMs) > 0);
    const [have, wanted] = [new Set(fresh), new Set(read)];
    return {
      name: this.rules.name,
      ageMs: this.#receivedMs === null ? null : nowMs - this.#receivedMs,
      keys: fresh.length,
      unmapped: fresh.filter((key) => !wanted.has(key)),
      missing: read.filter((key) => !have.has(key)),
      ambiguous: read.filter((key) => this.#isAmbiguous(key, nowMs)),
      dropped: this.#dropped,
    };
  }

  /** Whether the price differs from the one that views showed. */
  #put({ key, price, atMs }: SourcePrice, { monotonicMs, wallMs }: Moment): boolean {
    const before = this.#held.get(key);
    const shown = before === undefined || this.#isStale(before, monotonicMs) ? null : before.price;
    if (price === null) return this.#held.delete(key) && shown !== null;
    if (before === undefined && this.#held.size >= MOST_KEYS) {
      this.#dropped++;
      return false;
    }
    const held = { price, receivedMs: monotonicMs, latencyMs: atMs === undefined ? null : wallMs - atMs };
    this.#held.set(key, held);
    return shown !== (this.#isStale(held, monotonicMs) ? null : price);
  }

  /** A price that took long to arrive is as old as one that arrived long ago. */
  #isStale({ receivedMs, latencyMs }: Held, nowMs: number): boolean {
    return nowMs - receivedMs + Math.max(0, latencyMs ?? 0) > this.rules.staleAfterMs;
  }

  /** The number of quoted selections with this key. */
  #quotedBy(key: string, nowMs: number): number {
    let count = 0;
    for (const id of this.#byKey.get(key) ?? [])
      if (nowMs - (this.#readers.get(id) as Reader).viewedMs <= QUOTED_MS) count++;
    return count;
  }

  #isAmbiguous(key: string, nowMs: number): boolean {
    return this.#quotedBy(key, nowMs) > 1;
  }

  #sweep(nowMs: number): void {
    if (nowMs - this.#sweptMs < QUOTED_MS) return;
    this.#sweptMs = nowMs;
    for (const [key, held] of this.#held) if (this.#isStale(held, nowMs)) this.#held.delete(key);
    for (const [id, { viewedMs }] of this.#readers) if (nowMs - viewedMs > QUOTED_MS) this.forget(id);
  }
}

function isPriced(
  { sports, competitions, marketTypes }: SourceRules['match'],
  marketType: string,
  { sport, competitionId, competitionName }: SportEvent,
): boolean {
  const allows = (names: readonly string[], ...values: readonly string[]): boolean =>
    names.length === 0 || values.some((value) => names.includes(value));
  return (
    allows(sports, sport) &&
    allows(competitions, competitionName, String(competitionId)) &&
    allows(marketTypes, marketType)
  );
}

/** The prices of every configured source. Changed by the join and read by views. */
export class SourcePrices {
  readonly #sources: ReadonlyMap<string, Source>;

  constructor(rules: readonly SourceRules[]) {
    this.#sources = new Map(rules.map((each) => [each.name, new Source(each)]));
  }

  /** Returns the events in which the price of a quoted selection changed, each once. Ignores a source that is not configured. */
  take({ source, prices }: SourceBatch, at: Moment): readonly EventName[] {
    const changed = new Map<EventKey, EventName>();
    this.#sources.get(source)?.take(prices, at, (event) => changed.set(eventKey(event), eventNameOf(event)));
    return [...changed.values()];
  }

  /** These selections are quoted. Call it before the prices of any of them are viewed: a key that two of them have is no key. */
  note(books: readonly PricedSelection[], event: SportEvent, nowMs: number): void {
    for (const source of this.#sources.values()) for (const book of books) source.note(book, event, nowMs);
  }

  /** The prices of a quoted selection by source. Without a configured source all selections share one empty object. */
  view(id: SelectionId, nowMs: number): Readonly<Record<string, SourcePriceView>> {
    if (this.#sources.size === 0) return NONE;
    const prices: Record<string, SourcePriceView> = {};
    for (const [name, source] of this.#sources) {
      const price = source.view(id, nowMs);
      if (price !== null) prices[name] = price;
    }
    return prices;
  }

  forget(id: SelectionId): void {
    for (const source of this.#sources.values()) source.forget(id);
  }

  states(nowMs: number): readonly SourceState[] {
    return Array.from(this.#sources.values(), (source) => source.state(nowMs));
  }
}
