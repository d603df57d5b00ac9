import type { SmallFile } from '../../ports/small-file.ts';
import type { KillRecord } from '../../risk/index.ts';

/** `withdrawn` without a record: the file cannot be read, so its author is not known. */
export type PermitState =
  | { readonly kind: 'granted' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'withdrawn'; readonly record: KillRecord | null };

const GRANTED = 'trading is permitted';

/**
 * The permit to trade, a file beside the journal. A kill withdraws it before anything else, by overwriting the file in place, or
 * else by removing it. Neither needs free space on the disk.
 */
export class Permit {
  readonly #file: SmallFile;

  constructor(file: SmallFile) {
    this.#file = file;
  }

  /** Never throws: an unreadable permit counts as withdrawn. */
  state(): PermitState {
    try {
      return stateOf(this.#file.read());
    } catch {
      return { kind: 'withdrawn', record: null };
    }
  }

  /** Throws the disk's error. */
  grant(): void {
    this.#file.write(GRANTED);
  }

  /** Replaces the reason of the kill that withdrew the permit. Throws the disk's error. */
  reword(record: KillRecord): void {
    this.#file.write(JSON.stringify(record));
  }

  /**
   * Durable on return; the record of an earlier kill stays. Throws the disk's error in two cases: the file can be neither
   * overwritten nor removed, or it was removed and `isNoted` is false. In the second case the next run would take the missing
   * permit for a first start.
   */
  withdraw(record: KillRecord, isNoted: () => boolean): void {
    const state = this.state();
    if (state.kind === 'withdrawn' && state.record !== null) return;
    try {
      this.#file.write(JSON.stringify(record));
    } catch (error) {
      this.#file.remove();
      if (!isNoted()) throw error;
    }
  }
}

function stateOf(text: string | null): PermitState {
  if (text === null) return { kind: 'absent' };
  return text === GRANTED ? { kind: 'granted' } : { kind: 'withdrawn', record: recordOf(text) };
}

/** A torn record proves only that a kill was written. */
function recordOf(text: string): KillRecord | null {
  try {
    const { by, reason, atMs } = JSON.parse(text) as Partial<KillRecord>;
    return by === undefined || reason === undefined || atMs === undefined ? null : { by, reason, atMs };
  } catch {
    return null;
  }
}
