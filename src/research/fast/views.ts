/** What a strategy sees of a tape: the prices that the exchange would show, our positions and our orders. */
import type { EventView, Holding, MarketSide, RecentFill, SelectionView } from '../../domain/event-view.ts';
import { type MidHistory, noteMid } from '../../domain/mid-history.ts';
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
  /** Whether we know that the event is in play. */
  readonly inPlay: boolean;
  readonly selections: readonly Shown[];
}

/** A fill that we know of. */
export interface KnownFill {
  readonly direction: Direction;
  readonly price: number;
  readonly stakeMicros: number;
  readonly atMs: number;
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
    return { atMs: nowMs, inPlay: false, selections };
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
  /** Our fills on a selection that we know of, oldest first. A new array with each fill. */
  readonly fillsOn: (selection: number) => readonly KnownFill[];
}

/** Older fills are left out of views, as in the daemon. */
const KEPT_FILLS_MS = 600_000;

/** Builds views. */
export class Views {
  /** Whether the last view was asked for anything that changes with time alone. */
  readsTime = false;
  readonly #sources: ViewSources;
  readonly #mids: number[][];

  readonly #keepsViews: boolean;

  /** `keepsViews`: the strategy may read a view later. */
  constructor(sources: ViewSources, keepsViews: boolean) {
    this.#sources = sources;
    this.#keepsViews = keepsViews;
    this.#mids = sources.tape.selections.map(() => []);
  }

  /** The view of a showing at an instant, wall-clock milliseconds. Everything in it holds until the next fill or order of ours. */
  make(showing: Showing, nowMs: number): EventView {
    this.readsTime = false;
    const { tape } = this.#sources;
    const selections = tape.selections.map((_, at) => this.#selection(showing, at, nowMs));
    const readTime = (): void => void (this.readsTime = true);
    const holdings = this.#holdings();
    const openMicros = this.#openMicros(showing);
    return {
      ...{ eventId: tape.event.eventId, sport: tape.event.sport, eventName: tape.eventName },
      ...{ competitionName: tape.competitionName, competitionId: tape.competitionId },
      ...{ home: tape.home, away: tape.away, inRunning: showing.inPlay },
      ...{ score: null, redCards: null, matchClock: null, selections, holdings, budgets: null },
      profit: { realisedMicros: 0, openMicros },
      get nowMs() {
        readTime();
        return nowMs;
      },
      get startsInMs() {
        readTime();
        return tape.startMs - nowMs;
      },
    };
  }

  #selection(showing: Showing, at: number, nowMs: number): SelectionView {
    const { tape, exposure, grids, ordersOn, fillsOn } = this.#sources;
    const selection = tape.selections[at] as EventTape['selections'][number];
    const shown = showing.selections[at] as Shown;
    const mids = this.#mids[at] as number[];
    noteMid(mids, midOf(shown), nowMs);
    const readTime = (): void => void (this.readsTime = true);
    const fills = fillsOn(at);
    const course = this.#keepsViews ? mids.slice() : mids;
    const sideOf = (priceList: PriceList | null): MarketSide | null =>
      priceList === null
        ? null
        : {
            priceList,
            source: 'quote',
            get ageMs() {
              readTime();
              return nowMs - showing.atMs;
            },
          };
    return {
      selectionId: selection.selectionId,
      marketType: tape.markets[selection.market]?.marketType ?? '',
      outcome: selection.outcome,
      name: selection.name,
      market: { for: sideOf(shown.for), against: sideOf(shown.against) },
      position: { ifWinMicros: exposure.ifWinMicros(at), ifLoseMicros: exposure.ifLoseMicros(at) },
      quotes: quotesOf(ordersOn(at)),
      grid: grids[at] ?? null,
      sourcePrices: {},
      get recentFills(): readonly RecentFill[] {
        if (fills.length > 0) readTime();
        return recent(fills, nowMs);
      },
      get mids(): MidHistory {
        readTime();
        return course.slice();
      },
    };
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

  #openMicros(showing: Showing): number | null {
    const { tape, exposure } = this.#sources;
    let total = 0;
    for (const at of tape.selections.keys()) {
      const [win, lose] = [exposure.ifWinMicros(at), exposure.ifLoseMicros(at)];
      if (win === 0 && lose === 0) continue;
      const mid = midOf(showing.selections[at] ?? NOTHING);
      if (mid === null) return null;
      total += mid * win + (1 - mid) * lose;
    }
    return Math.round(total);
  }
}

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

function recent(fills: readonly KnownFill[], nowMs: number): RecentFill[] {
  return fills
    .filter(({ atMs }) => nowMs - atMs <= KEPT_FILLS_MS)
    .map(({ direction, price, stakeMicros, atMs }) => ({
      direction,
      price,
      stakeMicros,
      ageMs: nowMs - atMs,
    }));
}
