import { ACCOUNT, type EffectiveState } from './trading-states.ts';

/** Who stopped everything, why and when (wall-clock milliseconds). */
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

  /** Answers whether it was not killed before. */
  kill(record: KillRecord): boolean {
    if (this.#record !== null) return false;
    this.#record = record;
    return true;
  }

  /** Replaces the words of a kill that is in force still. Answers the record as it is then, null where it is not in force. */
  explain(kill: KillRecord, reason: string, by: string): KillRecord | null {
    if (this.#record !== kill) return null;
    this.#record = { ...kill, reason, by };
    return this.#record;
  }

  /** What an earlier run remembered; null when it was not killed. */
  restore(record: KillRecord | null): void {
    this.#record ??= record;
  }

  /** Answers whether it was killed. */
  resume(): boolean {
    const was = this.#record !== null;
    this.#record = null;
    return was;
  }

  /** As a trading state of the whole account, or null when not killed. */
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
