import type { Updates } from './tape.ts';

const FIRST_CAPACITY = 64;

/** Collects updates in columns that grow. */
export class UpdateColumns {
  #length = 0;
  #atMs = new Float64Array(FIRST_CAPACITY);
  #op = new Uint8Array(FIRST_CAPACITY);
  #of = new Uint16Array(FIRST_CAPACITY);
  #tick = new Uint16Array(FIRST_CAPACITY);
  #micros = new Float64Array(FIRST_CAPACITY);

  get length(): number {
    return this.#length;
  }

  push(atMs: number, op: number, of: number, tick: number, micros: number): void {
    const at = this.#length++;
    if (at === this.#op.length) this.#grow();
    this.#atMs[at] = atMs;
    this.#op[at] = op;
    this.#of[at] = of;
    this.#tick[at] = tick;
    this.#micros[at] = micros;
  }

  /** The updates so far, in columns of exactly their length. */
  updates(): Updates {
    const length = this.#length;
    return {
      length,
      atMs: this.#atMs.slice(0, length),
      op: this.#op.slice(0, length),
      of: this.#of.slice(0, length),
      tick: this.#tick.slice(0, length),
      micros: this.#micros.slice(0, length),
    };
  }

  clear(): void {
    this.#length = 0;
  }

  #grow(): void {
    const capacity = this.#op.length * 2;
    this.#atMs = grown(this.#atMs, new Float64Array(capacity));
    this.#op = grown(this.#op, new Uint8Array(capacity));
    this.#of = grown(this.#of, new Uint16Array(capacity));
    this.#tick = grown(this.#tick, new Uint16Array(capacity));
    this.#micros = grown(this.#micros, new Float64Array(capacity));
  }
}

function grown<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** Updates of one source of an event, with the positions of its selections and markets among the event's; -1 leaves out. */
export interface Part {
  readonly updates: Updates;
  /** By the `of` of the part's own updates: of a level, a trade or a clear. */
  readonly selections: readonly number[];
  /** By the `of` of a state. */
  readonly markets: readonly number[];
}

/** Joins parts in the order of their instants; at one instant in the order of the parts. `isState` tells which `of` counts markets. */
export function joined(parts: readonly Part[], isState: (op: number) => boolean): Updates {
  const columns = new UpdateColumns();
  const at = parts.map(() => 0);
  for (let next = earliest(parts, at); next >= 0; next = earliest(parts, at)) {
    const { updates, selections, markets } = parts[next] as Part;
    const row = (at[next] as number)++;
    const op = updates.op[row] as number;
    const of = updates.of[row] as number;
    const place = (isState(op) ? markets : selections)[of] as number;
    if (place >= 0)
      columns.push(
        updates.atMs[row] as number,
        op,
        place,
        updates.tick[row] as number,
        updates.micros[row] as number,
      );
  }
  return columns.updates();
}

/** The part whose next update is the earliest; -1 at the end. */
function earliest(parts: readonly Part[], at: readonly number[]): number {
  let best = -1;
  let bestMs = Infinity;
  for (const [index, { updates }] of parts.entries()) {
    const row = at[index] as number;
    if (row < updates.length && (updates.atMs[row] as number) < bestMs) {
      best = index;
      bestMs = updates.atMs[row] as number;
    }
  }
  return best;
}
