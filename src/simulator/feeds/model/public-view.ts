/** Selections between about 5 % and 95 %: moves of the others matter little. */
const OPEN_LOG_ODDS = 3;

interface Snapshot {
  readonly atMs: number;
  readonly fair: Float64Array;
}

/** The public fair prices of an event: the truth as it was `lagMs` ago. */
export class PublicView {
  readonly #lagMs: number;
  #snapshots: Snapshot[] = [];
  #frozen: Float64Array | null = null;

  constructor(lagMs: number) {
    this.#lagMs = lagMs;
  }

  /** The truth becomes public at once, as after an announcement. */
  reset(nowMs: number, fair: Float64Array): void {
    this.#snapshots = [{ atMs: nowMs - this.#lagMs, fair }];
    this.#frozen = null;
  }

  /** Records a move of the truth, which becomes public after the lag. */
  push(nowMs: number, fair: Float64Array): void {
    this.#snapshots.push({ atMs: nowMs, fair });
    const known = this.#lastKnown(nowMs);
    if (known > 0) this.#snapshots.splice(0, known);
  }

  /** The public learns nothing more until the next `reset`. */
  freeze(nowMs: number): void {
    this.#frozen = this.at(nowMs);
  }

  /** Fair log-odds per outcome as publicly known. */
  at(nowMs: number): Float64Array {
    return this.#frozen ?? this.#snapshots[this.#lastKnown(nowMs)]?.fair ?? new Float64Array();
  }

  /** The true fair log-odds per outcome. */
  truth(): Float64Array {
    return this.#snapshots.at(-1)?.fair ?? new Float64Array();
  }

  /** How much likelier an outcome is than the public knows, in log-odds; 0 when it is publicly decided. */
  errorAt(index: number, nowMs: number): number {
    const truth = this.truth()[index] ?? NaN;
    const known = this.at(nowMs)[index] ?? NaN;
    // The difference of two infinities is NaN: no other error would compare as larger.
    return truth === known ? 0 : truth - known;
  }

  /** The largest move of a public price from an earlier one. Nearly decided selections are left out. */
  movedSince(earlier: Float64Array, nowMs: number): number {
    return this.at(nowMs).reduce((farthest, fair, i) => {
      const before = earlier[i] ?? NaN;
      const open = Math.abs(fair) < OPEN_LOG_ODDS && Math.abs(before) < OPEN_LOG_ODDS;
      return open ? Math.max(farthest, Math.abs(fair - before)) : farthest;
    }, 0);
  }

  #lastKnown(nowMs: number): number {
    let known = 0;
    while ((this.#snapshots[known + 1]?.atMs ?? Infinity) <= nowMs - this.#lagMs) known++;
    return known;
  }
}
