/** Times of the markets of an event: without suspensions, and with quotes of ours on both sides. */
import type { EventTape } from '../tape.ts';

interface MarketTime {
  isOpen: boolean;
  sinceMs: number;
}

interface SelectionTime {
  isTwoSided: boolean;
  sinceMs: number;
}

export interface OpenTimesInput {
  readonly tape: EventTape;
  readonly startMs: number;
  /** Wall-clock milliseconds. Only what lies within counts. */
  readonly window: readonly [fromMs: number, toMs: number];
  /** Per market: whether it matches now. */
  readonly open: readonly boolean[];
  /** Whether the exchange holds orders of ours on both sides of a selection now, those in a delay included. */
  readonly isQuoted: (selection: number) => boolean;
}

export class OpenTimes {
  /** Within the window, summed over the selections. */
  twoSidedMs = 0;
  quotableMs = 0;
  readonly #tape: EventTape;
  readonly #open: OpenTimesInput['open'];
  readonly #isQuoted: OpenTimesInput['isQuoted'];
  readonly #window: OpenTimesInput['window'];
  readonly #markets: MarketTime[];
  readonly #selections: SelectionTime[];
  readonly #counts: number[];

  constructor({ tape, startMs, window, open, isQuoted }: OpenTimesInput) {
    [this.#tape, this.#open, this.#isQuoted, this.#window] = [tape, open, isQuoted, window];
    this.#markets = tape.markets.map(() => ({ isOpen: true, sinceMs: startMs }));
    this.#selections = tape.selections.map(() => ({ isTwoSided: false, sinceMs: startMs }));
    this.#counts = tape.markets.map(
      (_, market) => tape.selections.filter((selection) => selection.market === market).length,
    );
  }

  /** The state of a market may have changed at `nowMs`. */
  onState(market: number, nowMs: number): void {
    const time = this.#markets[market] as MarketTime;
    if (time.isOpen) this.quotableMs += (this.#counts[market] ?? 0) * this.#within(time.sinceMs, nowMs);
    time.sinceMs = nowMs;
    time.isOpen = this.#open[market] === true;
    for (const [at, selection] of this.#tape.selections.entries()) {
      if (selection.market === market) this.onQuotes(at, nowMs);
    }
  }

  /** Our orders on a selection, or the state of its market, may have changed at `nowMs`. */
  onQuotes(selection: number, nowMs: number): void {
    const time = this.#selections[selection] as SelectionTime;
    if (time.isTwoSided) this.twoSidedMs += this.#within(time.sinceMs, nowMs);
    time.sinceMs = nowMs;
    const market = this.#tape.selections[selection]?.market ?? -1;
    time.isTwoSided = this.#open[market] === true && this.#isQuoted(selection);
  }

  /** Counts up to the end. */
  finish(nowMs: number): void {
    for (const market of this.#markets.keys()) this.onState(market, nowMs);
  }

  #within(fromMs: number, toMs: number): number {
    return Math.max(0, Math.min(toMs, this.#window[1]) - Math.max(fromMs, this.#window[0]));
  }
}
