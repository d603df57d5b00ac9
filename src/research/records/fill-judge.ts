/** The worth of a fill at each of the fair values that judge it. */
import { priceOf, type Tick } from '../../domain/ladder.ts';
import type { Micros } from '../../domain/money.ts';
import { logOddsOf } from '../../domain/odds.ts';
import type { Direction } from '../../domain/selection.ts';
import { lineOfFill } from '../../fair/closing-line.ts';
import { MARK_HORIZONS_S, type Mark, VERDICT_HORIZON_S } from '../../fair/marks.ts';
import type { FairSeries } from '../../fair/series.ts';
import { probabilityAt, unpushedShare, worthMicros } from '../../fair/worth.ts';
import type { ResearchFill } from '../result.ts';
import { priceAfterRemovals } from '../removals.ts';
import type { EventTape } from '../tape.ts';

/** A fill as far as its worth depends on it. */
export interface JudgedFill {
  /** Position in `EventTape.selections`. */
  readonly selection: number;
  readonly direction: Direction;
  readonly tick: Tick;
  readonly stakeMicros: Micros;
  readonly atMs: number;
  readonly settledMicros: Micros | null;
}

/** The fields of a fill that fair values give. */
type Judged = Pick<
  ResearchFill,
  | 'fairAtFill'
  | 'worthMicros'
  | 'markKinds'
  | 'fairLater'
  | 'markMicros'
  | 'fairAtClose'
  | 'closingMicros'
  | 'noClosing'
  | 'startingMicros'
  | 'lastMicros'
  | 'perUnpushed'
>;

export class FillJudge {
  readonly #tape: EventTape;
  readonly #fair: FairSeries;
  /** The draw of the match odds, by its position; -1 without it. */
  readonly #draw: number;

  constructor(tape: EventTape, fair: FairSeries) {
    this.#tape = tape;
    this.#fair = fair;
    this.#draw = tape.selections.findIndex(({ outcome }) => outcome === 'd');
  }

  judged(fill: JudgedFill): Judged {
    const { selection, atMs } = fill;
    const { logOdds } = this.#fair.fairAt(selection, atMs);
    const marks = MARK_HORIZONS_S.map((horizonS) => this.#fair.markAfter(selection, atMs, horizonS));
    const line = lineOfFill(this.#fair.closingLine(selection), atMs);
    const worthAt = (fair: number | null, thenMs: number): Micros | null =>
      fair === null ? null : this.#worth(fill, fair, thenMs);
    const closingMicros = worthAt(line.logOdds, line.toMs);
    const last = this.#fair.lastAfter(selection, atMs);
    return {
      fairAtFill: probabilityOrNull(logOdds),
      worthMicros: worthAt(logOdds, atMs),
      markKinds: marks.map(({ kind }) => kind),
      fairLater: marks.map((mark) => probabilityOrNull(mark.logOdds)),
      markMicros: marks.map((mark) => this.#worthOfMark(fill, mark)),
      fairAtClose: probabilityOrNull(line.logOdds),
      closingMicros,
      noClosing: line.why,
      startingMicros: this.#atStart(fill, line.toMs),
      lastMicros: closingMicros ?? (last === null ? null : this.#worth(fill, last.logOdds, last.atMs)),
      perUnpushed: this.unpushed(selection, atMs) === null,
    };
  }

  /** The worth that a verdict counts: at the closing line, or else at the mark; null without both. */
  verdictMicros(fill: JudgedFill): Micros | null {
    const { selection, atMs } = fill;
    const line = lineOfFill(this.#fair.closingLine(selection), atMs);
    if (line.logOdds !== null) return this.#worth(fill, line.logOdds, line.toMs);
    return this.#worthOfMark(fill, this.#fair.markAfter(selection, atMs, VERDICT_HORIZON_S));
  }

  /** The share of the stake that is not expected to be returned; null where nothing tells. */
  unpushed(selection: number, atMs: number): number | null {
    const logOdds = this.#draw === -1 ? null : this.#fair.lastAt(this.#draw, atMs);
    return unpushedShare(this.#tape.selections[selection]?.outcome ?? '', probabilityOrNull(logOdds));
  }

  /** The starting price is one of takers at the beginning of play. */
  #atStart(fill: JudgedFill, startMs: number): Micros | null {
    const { startingPrice } = this.#tape.selections[fill.selection] ?? {};
    if (startingPrice === undefined || fill.atMs >= startMs) return null;
    return this.#worth(fill, logOddsOf(startingPrice), startMs);
  }

  #worthOfMark(fill: JudgedFill, mark: Mark): Micros | null {
    return mark.logOdds === null ? fill.settledMicros : this.#worth(fill, mark.logOdds, mark.atMs);
  }

  /** At a fair value of an instant, by the price that the bet has then. */
  #worth(
    { selection, direction, tick, stakeMicros, atMs }: JudgedFill,
    logOdds: number,
    thenMs: number,
  ): Micros {
    const price = priceAfterRemovals(this.#tape, selection, priceOf(tick), [atMs, thenMs]);
    const unpushed = this.unpushed(selection, thenMs) ?? 1;
    return worthMicros({ direction, price, stakeMicros }, probabilityAt(logOdds), unpushed);
  }
}

const probabilityOrNull = (logOdds: number | null): number | null =>
  logOdds === null ? null : probabilityAt(logOdds);
