/** The time in which a market was open: without suspensions and gaps of the recording. */

interface Stretch {
  readonly fromMs: number;
  toMs: number;
  /** Open time before the stretch. */
  readonly beforeMs: number;
}

/** Stretches in which a market was open, in their order. */
export class OpenClock {
  readonly #stretches: Stretch[] = [];
  #isOpen = false;

  /** The market opens or stops at an instant; instants ascend. */
  set(isOpen: boolean, nowMs: number): void {
    if (isOpen === this.#isOpen) return;
    this.#isOpen = isOpen;
    const last = this.#stretches.at(-1);
    if (isOpen) this.#stretches.push({ fromMs: nowMs, toMs: Infinity, beforeMs: openThrough(last) });
    else if (last !== undefined) last.toMs = nowMs;
  }

  /** Open time until an instant. */
  openMs(atMs: number): number {
    const stretch = this.#stretches.findLast(({ fromMs }) => fromMs <= atMs);
    return stretch === undefined ? 0 : stretch.beforeMs + Math.min(atMs, stretch.toMs) - stretch.fromMs;
  }

  /** The first instant with so much open time; Infinity without one. */
  instantOf(openMs: number): number {
    const stretch = this.#stretches.find((each) => openThrough(each) >= openMs);
    return stretch === undefined ? Infinity : stretch.fromMs + Math.max(0, openMs - stretch.beforeMs);
  }
}

const openThrough = (stretch: Stretch | undefined): number =>
  stretch === undefined ? 0 : stretch.beforeMs + stretch.toMs - stretch.fromMs;
