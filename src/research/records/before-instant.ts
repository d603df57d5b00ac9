/** What was known of each selection before the updates of the present instant: a fill that they cause rested on that. */
export class BeforeInstant {
  readonly #mid: (selection: number) => number | null;
  /** Per selection: the instant of its last update, and of the last one at an earlier instant. */
  readonly #updatedMs: Float64Array;
  readonly #earlierMs: Float64Array;
  readonly #mids: (number | null)[];
  readonly #touched: number[] = [];

  /** `mid` gives the present mid of a selection. Before its first update a selection is as old as `startMs`. */
  constructor(selections: number, startMs: number, mid: (selection: number) => number | null) {
    this.#mid = mid;
    this.#updatedMs = new Float64Array(selections).fill(startMs);
    this.#earlierMs = new Float64Array(selections).fill(startMs);
    this.#mids = Array.from({ length: selections }, () => null);
  }

  /** An update of a selection is about to be applied. Only the first one of an instant matters. */
  touch(selection: number, nowMs: number): void {
    const lastMs = this.#updatedMs[selection] as number;
    if (lastMs === nowMs && this.#touched.includes(selection)) return;
    this.#touched.push(selection);
    this.#earlierMs[selection] = lastMs;
    this.#updatedMs[selection] = nowMs;
    this.#mids[selection] = this.#mid(selection);
  }

  /** The mid of a selection, and the instant of the update that it is from. */
  of(selection: number): { readonly dataMs: number; readonly mid: number | null } {
    if (this.#touched.includes(selection))
      return { dataMs: this.#earlierMs[selection] as number, mid: this.#mids[selection] ?? null };
    return { dataMs: this.#updatedMs[selection] as number, mid: this.#mid(selection) };
  }

  /** Ends the instant; `each` gets every selection that it touched. */
  end(each: (selection: number) => void): void {
    for (const selection of this.#touched) each(selection);
    this.#touched.length = 0;
  }
}
