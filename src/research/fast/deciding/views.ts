/**
 * The view that a strategy has of a tape: the prices that the exchange would show, our positions and our orders.
 *
 * A strategy without memory gets the same objects for each call, filled anew. They note what it asks for: the time, the lists of
 * prices, and what else the tape tells. The engine then leaves out the calls whose answer cannot differ. A strategy that may read a view later gets views that stay
 * as they are.
 */
import type {
  EventView,
  Holding,
  MarketSide,
  RecentFill,
  SelectionView,
} from '../../../domain/event-view.ts';
import { noteMid } from '../../../domain/mid-history.ts';
import type { SettlementGrid } from '../../../domain/payoff.ts';
import { EMPTY_PRICE_LIST } from '../../../domain/price-list.ts';
import type { Direction } from '../../../domain/selection.ts';
import type { SourceRules } from '../../../market/index.ts';
import type { EventTape, TapeScore } from '../../tape.ts';
import { TapeFacts } from '../../tape-facts.ts';
import type { TapeExposure } from '../../exposure.ts';
import type { OwnOrder } from '../exchange/own-order.ts';
import { OwnQuotes } from './own-quotes.ts';
import { midOf, NOTHING_SHOWN, type Showing, type Shown, type ShownSide } from './showings.ts';
import { type TapedSources, tapedSources } from './taped-sources.ts';

export interface ViewSources {
  readonly tape: EventTape;
  readonly exposure: Pick<TapeExposure, 'ifWinMicros' | 'ifLoseMicros'>;
  readonly grids: readonly (SettlementGrid | null)[];
  /** Our orders on a selection that we hold for open. */
  readonly ordersOn: (selection: number) => readonly OwnOrder[];
  /** How the recorded prices of price sources are read. */
  readonly priceSources?: readonly SourceRules[];
}

/** Older fills are left out of views, as in the daemon; so are all but the newest of very many. */
const KEPT_FILLS_MS = 600_000;
const KEPT_FILLS = 500;

interface TimedFill extends RecentFill {
  readonly atMs: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A selection over all views. */
interface SelectionMemory {
  readonly mids: number[];
  readonly fills: TimedFill[];
  shown: Shown;
  /** For strategies without memory. */
  readonly view: SelectionView;
  readonly market: Record<Direction, MarketSide | null>;
  readonly sides: Readonly<Record<Direction, Mutable<MarketSide>>>;
}

export class Views {
  /** Whether the last view was asked for anything that changes with time alone. */
  readsTime = false;
  /** Whether the last view was asked for what the tape tells beside prices. */
  readsFacts = false;
  /** Whether any view was asked for a list of prices. */
  readsLists = false;
  readonly #sources: ViewSources;
  readonly #keepsViews: boolean;
  readonly #selections: readonly SelectionMemory[];
  readonly #view: Mutable<EventView>;
  readonly #facts: TapeFacts;
  readonly #sourcePrices: TapedSources | null;
  readonly #quotes: OwnQuotes;
  #nowMs = 0;
  #showing: Showing = { atMs: 0, row: 0, inGap: [], selections: [] };
  #inPlay = false;

  /** `keepsViews`: the strategy may read a view later. */
  constructor(sources: ViewSources, keepsViews: boolean) {
    this.#sources = sources;
    this.#keepsViews = keepsViews;
    this.#facts = new TapeFacts(sources.tape);
    this.#sourcePrices = tapedSources(sources.tape, sources.priceSources ?? []);
    this.#quotes = new OwnQuotes(sources.tape, () => ({
      showing: this.#readFacts(),
      nowMs: this.#readTime(),
    }));
    this.#selections = sources.tape.selections.map((_, at) => this.#newSelection(at));
    this.#view = this.#newView();
  }

  /** We know of a fill. */
  onFill(selection: number, direction: Direction, price: number, stakeMicros: number, atMs: number): void {
    const memory = this.#selections[selection];
    if (memory === undefined) return;
    const fill = { direction, price, stakeMicros, atMs };
    const timed = this.#keepsViews ? { ...fill, ageMs: 0 } : this.#agingFill(fill);
    memory.fills.push(timed);
    if (memory.fills.length > KEPT_FILLS) memory.fills.shift();
  }

  /** The view of a showing at an instant, wall-clock milliseconds. */
  make(showing: Showing, nowMs: number, inPlay: boolean): EventView {
    this.readsTime = false;
    this.readsFacts = false;
    this.#nowMs = nowMs;
    this.#showing = showing;
    this.#inPlay = inPlay;
    for (const [at, memory] of this.#selections.entries()) this.#fill(memory, at);
    return this.#keepsViews ? this.#copy() : this.#view;
  }

  /** Brings the view of a selection up to date. */
  #fill(memory: SelectionMemory, at: number): void {
    const shown = this.#showing.selections[at] ?? NOTHING_SHOWN;
    memory.shown = shown;
    noteMid(memory.mids, midOf(shown), this.#nowMs);
    this.#dropOldFills(memory);
    const { market, sides } = memory;
    const ageMs = this.#nowMs - this.#showing.atMs;
    market.for = filled(sides.for, shown.for, ageMs);
    market.against = filled(sides.against, shown.against, ageMs);
  }

  #dropOldFills({ fills }: SelectionMemory): void {
    let old = 0;
    while (old < fills.length && this.#nowMs - (fills[old] as TimedFill).atMs > KEPT_FILLS_MS) old++;
    if (old > 0) fills.splice(0, old);
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

  /** The showing of the view, which is being asked for more than its prices. */
  #readFacts(): Showing {
    this.readsFacts = true;
    return this.#showing;
  }

  #readScore(): TapeScore | null {
    return this.#facts.score(this.#readFacts().atMs);
  }

  #readSourcePrices(at: number): SelectionView['sourcePrices'] {
    if (this.#sourcePrices === null) return NO_SOURCE_PRICES;
    this.#readFacts();
    return this.#sourcePrices.of(at, this.#readTime());
  }

  #newSelection(at: number): SelectionMemory {
    const { tape, grids, exposure, ordersOn } = this.#sources;
    const [facts, quotes, readFacts] = [this.#facts, this.#quotes, () => this.#readFacts()];
    const [mid, sourcePrices] = [
      () => midOf(this.#selections[at]?.shown ?? NOTHING_SHOWN),
      () => this.#readSourcePrices(at),
    ];
    const { selectionId, market, outcome, name } = tape.selections[at] as EventTape['selections'][number];
    const mids: number[] = [];
    const fills: TimedFill[] = [];
    const sides = { for: this.#newSide(at, 'for'), against: this.#newSide(at, 'against') };
    const prices: SelectionMemory['market'] = { for: null, against: null };
    const view: SelectionView = {
      selectionId,
      marketType: tape.markets[market]?.marketType ?? '',
      outcome,
      name,
      market: prices,
      grid: grids[at] ?? null,
      recentFills: fills,
      mids,
      betDelayModels: facts.betDelayModels(market),
      get position() {
        return { ifWinMicros: exposure.ifWinMicros(at), ifLoseMicros: exposure.ifLoseMicros(at) };
      },
      get quotes() {
        return quotes.of(ordersOn(at));
      },
      get mid() {
        return mid();
      },
      get sourcePrices() {
        return sourcePrices();
      },
      get lastTraded() {
        return facts.lastTraded(at, readFacts().row);
      },
      get tradedVolume() {
        return facts.tradedVolume(at, readFacts().row);
      },
      get betDelayMs() {
        return facts.betDelayMs(market, readFacts().row);
      },
      get suspension() {
        const { row, inGap } = readFacts();
        return facts.suspension(market, row, inGap[market] === true);
      },
    };
    return { mids, fills, shown: NOTHING_SHOWN, view, market: prices, sides };
  }

  #newSide(at: number, direction: Direction): Mutable<MarketSide> {
    const read = (): MarketSide['priceList'] => {
      this.readsLists = true;
      return this.#selections[at]?.shown[direction]?.list ?? EMPTY_PRICE_LIST;
    };
    return {
      source: 'quote',
      ageMs: 0,
      best: { price: 0, minMicros: null, maxMicros: 0 },
      get priceList() {
        return read();
      },
    };
  }

  #newView(): EventView {
    const { tape } = this.#sources;
    const [now, told, holdings, openMicros, inPlay, hasStarted] = [
      () => this.#readTime(),
      () => this.#readScore(),
      () => this.#holdings(),
      () => this.#openMicros(),
      () => this.#inPlay,
      () => this.#nowMs > tape.startMs,
    ];
    return {
      eventId: tape.event.eventId,
      sport: tape.event.sport,
      eventName: tape.eventName,
      competitionName: tape.competitionName,
      competitionId: tape.competitionId,
      home: tape.home,
      away: tape.away,
      budgets: null,
      selections: this.#selections.map(({ view }) => view),
      get score() {
        return told()?.score ?? null;
      },
      get redCards() {
        return told()?.redCards ?? null;
      },
      get matchClock() {
        return told()?.clock ?? null;
      },
      get inRunning() {
        return inPlay();
      },
      get nowMs() {
        return now();
      },
      get hasStarted() {
        return hasStarted();
      },
      get startsInMs() {
        return tape.startMs - now();
      },
      get holdings() {
        return holdings();
      },
      get profit() {
        return { realisedMicros: 0, openMicros: openMicros() };
      },
    };
  }

  /** The view as plain data. */
  #copy(): EventView {
    const nowMs = this.#nowMs;
    const { row, inGap } = this.#showing;
    // Each member by its name: a spread of getters is several times slower.
    const selections = this.#selections.map(({ view, mids, fills, market }, at) => ({
      selectionId: view.selectionId,
      marketType: view.marketType,
      outcome: view.outcome,
      name: view.name,
      grid: view.grid ?? null,
      sourcePrices: view.sourcePrices,
      position: view.position,
      ...this.#facts.of(at, row, inGap),
      mid: view.mid,
      quotes: view.quotes.map(({ direction, tick, unfilledMicros, phase, aheadMicros }) => ({
        direction,
        tick,
        unfilledMicros,
        phase,
        aheadMicros,
      })),
      market: { for: copyOf(market.for), against: copyOf(market.against) },
      mids: mids.slice(),
      recentFills: fills.map((fill) => ({ ...fill, ageMs: nowMs - fill.atMs })),
    }));
    return { ...this.#view, selections };
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
      const mid = midOf(this.#showing.selections[at] ?? NOTHING_SHOWN);
      if (mid === null) return null;
      total += mid * win + (1 - mid) * lose;
    }
    return Math.round(total);
  }
}

/** The side with what is shown; null without an offer. */
function filled(side: Mutable<MarketSide>, shown: ShownSide | null, ageMs: number): MarketSide | null {
  if (shown === null) return null;
  side.best = shown.best;
  side.ageMs = ageMs;
  return side;
}

function copyOf(side: MarketSide | null): MarketSide | null {
  if (side === null) return null;
  const { source, ageMs, priceList, best } = side;
  return best === undefined ? { source, ageMs, priceList } : { source, ageMs, priceList, best };
}

const NO_SOURCE_PRICES: SelectionView['sourcePrices'] = Object.freeze({});
