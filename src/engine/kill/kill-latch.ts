import { JournalError } from '../../domain/errors.ts';
import { type Logger, silentLogger } from '../../ports/logger.ts';
import type { SmallFile } from '../../ports/small-file.ts';
import type { KillRecord } from '../../risk/states/kill-switch.ts';
import type { RiskMemory } from '../risk-inputs/risk-memory.ts';
import type { Permit, PermitState } from './permit.ts';

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

/** Where a kill can be kept over restarts. */
export const JOURNAL = 'journal';
export const PERMIT = 'permit';
export const KILL_FILE = 'kill file';
export type LatchPlace = typeof JOURNAL | typeof PERMIT | typeof KILL_FILE;

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
 * Keeps a kill over restarts, in two places of which either is enough: the permit is withdrawn first, whatever becomes of the journal,
 * then the journal has it. Where neither takes it the kill file is made. Where all three fail it is tried again each second, and
 * the process says with its exit code that a person has to look before the next start. So is a permit that could not be withdrawn:
 * the journal alone may lose its last records, and the permit must not let the next run trade then.
 */
export class KillLatch {
  readonly #parts: KillLatchParts;
  /** The present kill, null when there is none. */
  #kill: KillRecord | null = null;
  #isWithdrawn = false;
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
    return this.#place === null ? this.#kill : null;
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

  /** Keeps a kill. `journal` writes it down, and answers whether that worked; the permit is withdrawn before. */
  keep(kill: KillRecord, journal: () => boolean): void {
    [this.#kill, this.#retries] = [kill, 0];
    const { logger } = this.#parts;
    this.#isWithdrawn = withdraw(kill, this.#places(logger));
    this.#place = journal() ? this.#journal : this.#placeBeside(kill, logger);
    this.#tell(logger);
  }

  /** A kill that is kept has other words. A journal that does not take them keeps the kill with its first ones. */
  explain(record: KillRecord, journalled: boolean): void {
    if (!journalled && this.#place === this.#journal) return;
    this.#kill = record;
    if (this.#isWithdrawn) this.#reword(record);
    if (journalled) this.#place = this.#journal;
    else if (this.#place === KILL_FILE) makeKillFile(record, this.#places(this.#parts.logger));
  }

  /** The first words stay where the disk does not take others: the permit is withdrawn all the same. */
  #reword(record: KillRecord): void {
    try {
      this.#parts.permit.reword(record);
    } catch (error) {
      this.#parts.logger.warn('the permit keeps the first words of the kill', { error });
    }
  }

  /** Every second; a disk may be broken for hours, so it is told once a minute. */
  retry(): void {
    const kill = this.#kill;
    if (kill === null || (this.#isWithdrawn && this.#place !== null)) return;
    this.#retries++;
    const logger = this.#retries % TELL_EVERY === 0 ? this.#parts.logger : silentLogger;
    this.#isWithdrawn ||= withdraw(kill, this.#places(logger));
    if (this.#place !== null) return;
    this.#place = this.#placeBeside(kill, logger);
    this.#tell(this.#place === null ? logger : this.#parts.logger);
  }

  /** Where a kill is kept that the journal does not have. */
  #placeBeside(kill: KillRecord, logger: Logger): string | null {
    if (this.#isWithdrawn) return PERMIT;
    return makeKillFile(kill, this.#places(logger)) ? KILL_FILE : null;
  }

  #places(logger: Logger): LatchPlaces {
    return { ...this.#parts, permitIsNoted: () => isPermitNoted(this.#parts.memory), logger };
  }

  #tell(logger: Logger): void {
    if (this.#place === null)
      logger.error('the kill is latched nowhere: a restart would trade', { ...this.#kill });
    else if (this.#place !== this.#journal)
      logger.warn('the kill is latched outside the journal', { place: this.#place });
  }

  get #journal(): string {
    return this.#parts.inMemory === true ? IN_MEMORY : JOURNAL;
  }

  /** A person resumed, and the journal knows it. Throws what the disk says when the permit cannot be granted again. */
  release(): void {
    if (this.#parts.permit.state().kind !== 'granted') this.#parts.permit.grant();
    [this.#kill, this.#place, this.#isWithdrawn] = [null, null, false];
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

/** Withdraws the permit, so that the next run is killed. Answers whether it will be. */
export function withdraw(kill: KillRecord, { permit, permitIsNoted, logger }: LatchPlaces): boolean {
  if (permit === null) return false;
  return isLatched(PERMIT, () => permit.withdraw(kill, permitIsNoted), logger);
}

/** Makes the operator's kill file. Answers whether it is there. */
export function makeKillFile(kill: KillRecord, { killFile, logger }: LatchPlaces): boolean {
  return killFile !== null && isLatched(KILL_FILE, () => killFile.write(kill.reason), logger);
}

function isLatched(place: string, write: () => void, logger: Logger): boolean {
  try {
    write();
    return true;
  } catch (error) {
    logger.error(`the kill could not be latched in the ${place}`, { error });
    return false;
  }
}
