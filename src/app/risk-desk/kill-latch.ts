import { JournalError } from '../../domain/errors.ts';
import { silentLogger } from '../../ports/logger.ts';
import type { Logger } from '../../ports/logger.ts';
import type { SmallFile } from '../../ports/small-file.ts';
import type { KillRecord } from '../../risk/index.ts';
import type { Permit, PermitState } from './permit.ts';
import type { RiskMemory } from './risk-memory.ts';

/** Where a kill can be latched without the journal. */
export interface LatchPlaces {
  /** Null where the journal is no file. */
  readonly permit: Permit | null;
  /** Whether the next run knows from the journal that there must be a permit; it must not throw. */
  readonly permitIsNoted: () => boolean;
  /** The operator's kill file, which may lie on another disk; null when none is configured. */
  readonly killFile: SmallFile | null;
  readonly logger: Logger;
}

/** What stands for the journal where that ends with the process: no later run finds the kill. */
export const IN_MEMORY = 'memory';

/** Who has killed where there is no permit, and nobody has said so. */
export const BY_PERMIT = 'permit';

export interface KillLatchParts extends Omit<LatchPlaces, 'permitIsNoted'> {
  readonly permit: Permit;
  readonly memory: RiskMemory;
  /** Whether the journal ends with this process. Default: no. */
  readonly inMemory?: boolean;
  readonly wallMs: () => number;
}

/** Retries, of which there is one a second. */
const TELL_EVERY = 60;

/**
 * Keeps a kill over restarts when the journal cannot: the permit is withdrawn, or, when even that fails, the kill file
 * is made. Where all three fail it is tried again each second, and the process says with its exit code that a person
 * has to look before the next start.
 */
export class KillLatch {
  readonly #parts: KillLatchParts;
  #unlatched: KillRecord | null = null;
  #place: string | null = null;
  #retries = 0;

  constructor(parts: KillLatchParts) {
    this.#parts = parts;
  }

  /** Where the present kill is kept; null when there is none, or it is kept nowhere. */
  get place(): string | null {
    return this.#place;
  }

  /** A kill that would be forgotten by a restart now, null when there is none. */
  get unlatched(): KillRecord | null {
    return this.#unlatched;
  }

  /** What keeps this run from trading besides the journal, null when nothing does. Grants the first permit. */
  earlier(): KillRecord | null {
    const state = this.#parts.permit.state();
    const withheld = this.#withheld(state);
    return withheld !== null || state.kind === 'granted' ? withheld : this.#first();
  }

  /** What would keep a run from trading besides the journal, null when nothing would. Grants nothing. */
  withheld(): KillRecord | null {
    return this.#withheld(this.#parts.permit.state());
  }

  /** Somebody took the permit away while we run; null while it is there. */
  taken(): KillRecord | null {
    const state = this.#parts.permit.state();
    if (state.kind === 'absent') return this.#record('it was taken away');
    return state.kind === 'withdrawn' ? state.record : null;
  }

  /** Keeps a kill: in the journal if that took it, else in the first other place that does. */
  keep(record: KillRecord, journalled: boolean): void {
    this.#retries = 0;
    this.#latch(record, journalled, this.#parts.logger);
  }

  /** A kill that is kept has other words. A journal that does not take them keeps the kill with its first ones. */
  explain(record: KillRecord, journalled: boolean): void {
    if (journalled || this.#place !== this.#journal) this.keep(record, journalled);
  }

  /** Every second; a disk may be broken for hours, so it is told once a minute. */
  retry(): void {
    if (this.#unlatched === null) return;
    this.#retries++;
    const isTold = this.#retries % TELL_EVERY === 0;
    this.#latch(this.#unlatched, false, isTold ? this.#parts.logger : silentLogger);
  }

  #latch(record: KillRecord, journalled: boolean, logger: Logger): void {
    const places = { ...this.#parts, permitIsNoted: () => isPermitNoted(this.#parts.memory), logger };
    this.#place = journalled ? this.#journal : latchBesideJournal(record, places);
    this.#unlatched = this.#place === null ? record : null;
    if (this.#place === null)
      logger.error('the kill is latched nowhere: a restart would trade', { ...record });
    else if (!journalled)
      this.#parts.logger.warn('the kill is latched outside the journal', { place: this.#place });
  }

  get #journal(): string {
    return this.#parts.inMemory === true ? IN_MEMORY : 'journal';
  }

  /** A person resumed, and the journal knows it. Throws what the disk says when the permit cannot be granted again. */
  release(): void {
    if (this.#parts.permit.state().kind !== 'granted') this.#parts.permit.grant();
    this.#place = null;
    this.#unlatched = null;
  }

  /** Whether the kill file is there: it kills again at once. One that cannot be read is there. */
  get killFileExists(): boolean {
    try {
      return this.#parts.killFile !== null && this.#parts.killFile.read() !== null;
    } catch {
      return true;
    }
  }

  #withheld(state: PermitState): KillRecord | null {
    if (state.kind === 'granted') return null;
    if (state.kind === 'withdrawn') return state.record ?? this.#record('it cannot be read');
    return this.#wantsPermit() ? this.#record('it was taken away') : null;
  }

  /** In a damaged journal it cannot be found; then it is safe to want it. */
  #wantsPermit(): boolean {
    try {
      return this.#parts.memory.wantsPermit();
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      return true;
    }
  }

  #first(): KillRecord | null {
    try {
      this.#parts.permit.grant();
      return null;
    } catch (error) {
      this.#parts.logger.error('no permit to trade could be put beside the journal', { error });
      return this.#record('none could be put beside the journal');
    }
  }

  #record(what: string): KillRecord {
    return { by: BY_PERMIT, reason: `no permit to trade: ${what}`, atMs: this.#parts.wallMs() };
  }
}

/** Where the journal cannot be read now, nobody knows what the next run will find there. */
export function isPermitNoted(memory: RiskMemory): boolean {
  try {
    return memory.wantsPermit();
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return false;
  }
}

/** Latches a kill in the first place that takes it. Answers which, null when none does. */
export function latchBesideJournal(record: KillRecord, places: LatchPlaces): string | null {
  const { permit, permitIsNoted, killFile, logger } = places;
  const attempts = [
    ...(permit === null ? [] : [['permit', () => permit.withdraw(record, permitIsNoted)] as const]),
    ...(killFile === null ? [] : [['kill file', () => killFile.write(record.reason)] as const]),
  ];
  for (const [place, write] of attempts) {
    try {
      write();
      return place;
    } catch (error) {
      logger.error(`the kill could not be latched in the ${place}`, { error });
    }
  }
  return null;
}
