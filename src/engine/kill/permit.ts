import type { SmallFile } from '../../ports/small-file.ts';
import type { KillRecord } from '../../risk/states/kill-switch.ts';

/** `withdrawn` without a record: it cannot be read, so nobody knows who withdrew it. */
export type PermitState =
  | { readonly kind: 'granted' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'withdrawn'; readonly record: KillRecord | null };

const GRANTED = 'trading is permitted';

/**
 * Leave to trade, in a file beside the journal. A kill withdraws it before anything else: by writing over it in place, else by
 * removing it, neither of which needs room on the disk.
 */
export class Permit {
  readonly #file: SmallFile;

  constructor(file: SmallFile) {
    this.#file = file;
  }

  /** Never throws: what cannot be read is withdrawn. */
  state(): PermitState {
    try {
      return stateOf(this.#file.read());
    } catch {
      return { kind: 'withdrawn', record: null };
    }
  }

  /** Throws what the disk says. */
  grant(): void {
    this.#file.write(GRANTED);
  }

  /** Other words for the kill that has withdrawn it. Throws what the disk says. */
  reword(record: KillRecord): void {
    this.#file.write(JSON.stringify(record));
  }

  /**
   * Durable on return; an earlier kill's word stays. Throws what the disk says when it can be neither written over nor removed, or when it was removed and
   * nobody will miss it: a journal that has never noted a permit takes its absence for a first start.
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

/** A record that was torn in writing says no more than that there was one. */
function recordOf(text: string): KillRecord | null {
  try {
    const { by, reason, atMs } = JSON.parse(text) as Partial<KillRecord>;
    return by === undefined || reason === undefined || atMs === undefined ? null : { by, reason, atMs };
  } catch {
    return null;
  }
}
