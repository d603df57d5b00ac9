import { ACCOUNT, type EffectiveState } from './trading-states.ts';

/** A kill: who stopped everything, why, and when (wall-clock milliseconds). */
export interface KillRecord {
  readonly by: string;
  readonly reason: string;
  readonly atMs: number;
}

/** Latched: stays until a person resumes. The first reason is kept, later kills change nothing. */
export class KillSwitch {
  #record: KillRecord | null = null;

  get record(): KillRecord | null {
    return this.#record;
  }

  /** Returns false, and changes nothing, if a kill is already in force. */
  kill(record: KillRecord): boolean {
    if (this.#record !== null) return false;
    this.#record = record;
    return true;
  }

  /** Replaces reason and author of a kill. Returns the new record, or null when this kill is not in force. */
  explain(kill: KillRecord, reason: string, by: string): KillRecord | null {
    if (this.#record !== kill) return null;
    this.#record = { ...kill, reason, by };
    return this.#record;
  }

  /** Takes over the kill of an earlier run; null when there was none. */
  restore(record: KillRecord | null): void {
    this.#record ??= record;
  }

  /** Returns whether a kill was in force. */
  resume(): boolean {
    const was = this.#record !== null;
    this.#record = null;
    return was;
  }

  /** The kill as a trading state of the whole account; null when there is none. */
  asState(): EffectiveState | null {
    if (this.#record === null) return null;
    const { by, reason, atMs } = this.#record;
    const record = {
      scope: ACCOUNT,
      state: 'halted',
      by,
      why: `killed: ${reason}`,
      atMs,
      latched: true,
    } as const;
    return { state: 'halted', record };
  }
}
