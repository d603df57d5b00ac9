/** What a strategy sees of a tape: the prices that the exchange would show, our positions and our orders. */
import type { EventView, Holding, MarketSide, RecentFill, SelectionView } from '../../domain/event-view.ts';
import { noteMid } from '../../domain/mid-history.ts';
import { midProbability } from '../../domain/odds.ts';
import type { SettlementGrid } from '../../domain/payoff.ts';
import { bestPrice, type PriceList } from '../../domain/price-list.ts';
import type { Direction } from '../../domain/selection.ts';
import type { EventTape } from '../tape.ts';
import type { EventExposure } from './exposure.ts';
import type { OwnOrder } from './own-order.ts';
import type { RecordedExchange } from './recorded-exchange.ts';
import { priceListOf } from './selection-book.ts';

/** The prices of a selection when they were shown: what `for` takers and `against` takers get. Null: no offer. */
interface Shown {
  readonly for: PriceList | null;
  readonly against: PriceList | null;
}

/** What the exchange showed of an event at an instant. */
export interface Showing {
  readonly atMs: number;
  readonly selections: readonly Shown[];
}

const NOTHING: Shown = { for: null, against: null };

/** Takes showings from the books. A side that did not change keeps its list. */
export class Showings {
  readonly #exchange: RecordedExchange;
  readonly #tape: EventTape;
  readonly #depth: number;
  readonly #versions: { for: number; against: number }[];
  readonly #last: Shown[];

  constructor(exchange: RecordedExchange, tape: EventTape, depth: number) {
    this.#exchange = exchange;
    this.#tape = tape;
    this.#depth = depth;
    this.#versions = tape.selections.map(() => ({ for: -1, against: -1 }));
    this.#last = tape.selections.map(() => NOTHING);
  }

  take(nowMs: number): Showing {
    const selections = this.#tape.selections.map(({ market }, at) =>
      this.#exchange.open[market] === true ? this.#shown(at) : NOTHING,
    );
    return { atMs: nowMs, selections };
  }

  #shown(at: number): Shown {
    const book = this.#exchange.books[at];
    const known = this.#versions[at];
    const before = this.#last[at];
    if (book === undefined || known === undefined || before === undefined) return NOTHING;
    const isForSame = known.for === book.against.version;
    const isAgainstSame = known.against === book.for.version;
    if (isForSame && isAgainstSame) return before;
    const shown = {
      for: isForSame ? before.for : nonEmpty(priceListOf(book.against, this.#depth)),
      against: isAgainstSame ? before.against : nonEmpty(priceListOf(book.for, this.#depth)),
    };
    [known.for, known.against] = [book.against.version, book.for.version];
    this.#last[at] = shown;
    return shown;
  }
}

const nonEmpty = (list: PriceList): PriceList | null => (list.length === 0 ? null : list);

export interface ViewSources {
  readonly tape: EventTape;
  readonly exposure: EventExposure;
  readonly grids: readonly (SettlementGrid | null)[];
  /** Our orders on a selection that we hold for open. */
  readonly ordersOn: (selection: number) => readonly OwnOrder[];
  /** Changes with each change of these orders. */
  readonly ordersVersion: (selection: number) => number;
}

/** Older fills are left out of views, as in the daemon; so are all but the newest of very many. */
const KEPT_FILLS_MS = 600_000;
const KEPT_FILLS = 500;

/** What the view of a selection was made of, and the view. */
interface Made {
  readonly shown: Shown;
  readonly ordersVersion: number;
  readonly fills: readonly RecentFill[];
  readonly view: SelectionView;
}

interface SelectionMemory {
  readonly mids: number[];
  fills: readonly TimedFill[];
  made: Made | null;
}

/**
 * Builds views. For a strategy without memory they are cheap: parts that did not change are the same objects as before, and the view
 * notes whether it was asked for the time. Such a view holds during the call alone. A strategy that may read a view later gets one
 * that stays as it is.
 */
export class Views {
  /** Whether the last view was asked for anything that changes with time alone. */
  readsTime = false;
  readonly #sources: ViewSources;
  readonly #keepsViews: boolean;
  readonly #selections: readonly SelectionMemory[];
  readonly #live: LiveView;
  #nowMs = 0;
  #showing: Showing = { atMs: 0, selections: [] };

  /** `keepsViews`: the strategy may read a view later. */
  constructor(sources: ViewSources, keepsViews: boolean) {
    this.#sources = sources;
    this.#keepsViews = keepsViews;
    this.#selections = sources.tape.selections.map(() => ({ mids: [], fills: [], made: null }));
    this.#live = this.#newLive();
  }

  /** We know of a fill. */
  onFill(selection: number, direction: Direction, price: number, stakeMicros: number, atMs: number): void {
    const memory = this.#selections[selection];
    if (memory === undefined) return;
    const fill = this.#keepsViews
      ? { direction, price, stakeMicros, atMs, ageMs: 0 }
      : this.#agingFill({ direction, price, stakeMicros, atMs });
    memory.fills = [...memory.fills, fill].slice(-KEPT_FILLS);
  }

  /** The view of a showing at an instant, wall-clock milliseconds. */
  make(showing: Showing, nowMs: number, inPlay: boolean): EventView {
    this.readsTime = false;
    this.#nowMs = nowMs;
    this.#showing = showing;
    this.#live.inRunning = inPlay;
    this.#live.selections = this.#selections.map((memory, at) => this.#selection(memory, at));
    return this.#keepsViews ? Object.freeze({ ...this.#live.view }) : this.#live.view;
  }

  #selection(memory: SelectionMemory, at: number): SelectionView {
    const { tape, exposure, grids, ordersOn, ordersVersion } = this.#sources;
    const shown = this.#showing.selections[at] ?? NOTHING;
    noteMid(memory.mids, midOf(shown), this.#nowMs);
    this.#dropOldFills(memory);
    const version = ordersVersion(at);
    const { made, fills } = memory;
    const isSame = made?.shown === shown && made.ordersVersion === version && made.fills === fills;
    if (isSame && !this.#keepsViews) return made.view;
    const { selectionId, market, outcome, name } = tape.selections[at] as EventTape['selections'][number];
    const ageMs = this.#nowMs - this.#showing.atMs;
    const view: SelectionView = {
      selectionId,
      marketType: tape.markets[market]?.marketType ?? '',
      outcome,
      name,
      market: { for: sideOf(shown.for, ageMs), against: sideOf(shown.against, ageMs) },
      position: { ifWinMicros: exposure.ifWinMicros(at), ifLoseMicros: exposure.ifLoseMicros(at) },
      quotes: quotesOf(ordersOn(at)),
      grid: grids[at] ?? null,
      sourcePrices: NO_PRICES,
      recentFills: this.#keepsViews ? agedFills(fills, this.#nowMs) : fills,
      mids: this.#keepsViews ? memory.mids.slice() : memory.mids,
    };
    memory.made = { shown, ordersVersion: version, fills, view };
    return view;
  }

  #dropOldFills(memory: SelectionMemory): void {
    const [first] = memory.fills;
    if (first === undefined || this.#nowMs - first.atMs <= KEPT_FILLS_MS) return;
    memory.fills = memory.fills.filter(({ atMs }) => this.#nowMs - atMs <= KEPT_FILLS_MS);
  }

  /** A fill whose age is read when it is asked for. */
  #agingFill(fill: Omit<TimedFill, 'ageMs'>): TimedFill {
    const age = (): number => this.#readTime() - fill.atMs;
    return {
      ...fill,
      get ageMs() {
        return age();
      },
    };
  }

  /** The instant of the view, which is being asked for it. */
  #readTime(): number {
    this.readsTime = true;
    return this.#nowMs;
  }

  /** The view that is filled anew for each call. */
  #newLive(): LiveView {
    const { tape } = this.#sources;
    const live: { inRunning: boolean; selections: readonly SelectionView[] } = {
      inRunning: false,
      selections: [],
    };
    const [now, holdings, profit] = [
      () => this.#readTime(),
      () => this.#holdings(),
      () => ({ realisedMicros: 0, openMicros: this.#openMicros() }),
    ];
    const view: EventView = {
      ...{ eventId: tape.event.eventId, sport: tape.event.sport, eventName: tape.eventName },
      ...{ competitionName: tape.competitionName, competitionId: tape.competitionId },
      ...{ home: tape.home, away: tape.away, score: null, redCards: null, matchClock: null, budgets: null },
      get inRunning() {
        return live.inRunning;
      },
      get selections() {
        return live.selections;
      },
      get nowMs() {
        return now();
      },
      get startsInMs() {
        return tape.startMs - now();
      },
      get holdings() {
        return holdings();
      },
      get profit() {
        return profit();
      },
    };
    return Object.assign(live, { view });
  }

  #holdings(): Holding[] {
    const { tape, exposure, grids } = this.#sources;
    const holdings: Holding[] = [];
    for (const [at, { selectionId }] of tape.selections.entries()) {
      const position = { ifWinMicros: exposure.ifWinMicros(at), ifLoseMicros: exposure.ifLoseMicros(at) };
      if (position.ifWinMicros === 0 && position.ifLoseMicros === 0) continue;
      holdings.push({ selectionId, position, grid: grids[at] ?? null });
    }
    return holdings;
  }

  #openMicros(): number | null {
    const { tape, exposure } = this.#sources;
    let total = 0;
    for (const at of tape.selections.keys()) {
      const [win, lose] = [exposure.ifWinMicros(at), exposure.ifLoseMicros(at)];
      if (win === 0 && lose === 0) continue;
      const mid = midOf(this.#showing.selections[at] ?? NOTHING);
      if (mid === null) return null;
      total += mid * win + (1 - mid) * lose;
    }
    return Math.round(total);
  }
}

interface TimedFill extends RecentFill {
  readonly atMs: number;
}

interface LiveView {
  readonly view: EventView;
  inRunning: boolean;
  selections: readonly SelectionView[];
}

const NO_PRICES: SelectionView['sourcePrices'] = {};

const sideOf = (priceList: PriceList | null, ageMs: number): MarketSide | null =>
  priceList === null ? null : { priceList, source: 'quote', ageMs };

const agedFills = (fills: readonly TimedFill[], nowMs: number): RecentFill[] =>
  fills.map(({ direction, price, stakeMicros, atMs }) => ({
    direction,
    price,
    stakeMicros,
    ageMs: nowMs - atMs,
  }));

const midOf = ({ for: forTakers, against }: Shown): number | null =>
  forTakers === null || against === null
    ? null
    : midProbability(bestPrice('for', forTakers), bestPrice('against', against));

function quotesOf(orders: readonly OwnOrder[]): SelectionView['quotes'] {
  return orders.map(({ direction, tick, stakeMicros, knownFilledMicros }) => ({
    direction,
    tick,
    unfilledMicros: stakeMicros - knownFilledMicros,
  }));
}
