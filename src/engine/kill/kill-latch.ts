import { JournalError } from '../../domain/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Logger, silentLogger } from '../../ports/logger.ts';
import type { SmallFile } from '../../ports/small-file.ts';
import type { KillRecord } from '../../risk/index.ts';
import type { RiskMemory } from '../risk-inputs/risk-memory.ts';
import type { Permit, PermitState } from './permit.ts';

/** Places where a kill can be latched without the journal. */
export interface LatchPlaces {
  /** Null if the journal is not a file. */
  readonly permit: Permit | null;
  /** Whether the next run knows from the journal that a permit must exist. Must not throw. */
  readonly permitIsNoted: () => boolean;
  /** The operator's kill file, which may lie on another disk; null if none is configured. */
  readonly killFile: SmallFile | null;
  readonly logger: Logger;
}

/** The place of a kill if the journal ends with the process: no later run finds it. */
export const IN_MEMORY = 'memory';

/** The places that keep a kill across restarts. */
export const JOURNAL = 'journal';
export const PERMIT = 'permit';
export const KILL_FILE = 'kill file';
export type LatchPlace = typeof JOURNAL | typeof PERMIT | typeof KILL_FILE;

/** The author of a kill without a record: the permit is missing or unreadable. */
export const BY_PERMIT = 'permit';

export interface KillLatchParts extends Omit<LatchPlaces, 'permitIsNoted'> {
  readonly permit: Permit;
  readonly memory: RiskMemory;
  /** Whether the journal ends with this process. Default: no. */
  readonly inMemory?: boolean;
  readonly wallMs: () => number;
}

/** Number of retries between two log messages; one retry a second. */
const LOG_EVERY = 60;

/**
 * Keeps a kill across restarts, in two places of which either is enough. The permit is withdrawn first, whatever happens to the
 * journal; then the kill is written to the journal. If neither takes it, the kill file is made. If all three fail, the latch
 * retries each second, and the exit code says that a person must look before the next start.
 *
 * A permit that could not be withdrawn is retried, too: the journal may lose its last records, and the permit must not let the
 * next run trade then.
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

  /** Where the present kill is kept; null if there is none, or if no place took it. */
  get place(): string | null {
    return this.#place;
  }

  /** A kill that a restart would lose now; null if there is none. */
  get unlatched(): KillRecord | null {
    return this.#place === null ? this.#kill : null;
  }

  /** The reason besides the journal why this run may not trade; null if there is none. Grants the first permit. */
  earlier(): KillRecord | null {
    const state = this.#parts.permit.state();
    const withheld = this.#withheld(state);
    return withheld !== null || state.kind === 'granted' ? withheld : this.#first();
  }

  /** The reason besides the journal why a run could not trade; null if there is none. Grants nothing. */
  withheld(): KillRecord | null {
    return this.#withheld(this.#parts.permit.state());
  }

  /** The kill of a person or process that took the permit away during this run; null while the permit is there. */
  taken(): KillRecord | null {
    const state = this.#parts.permit.state();
    if (state.kind === 'absent') return this.#record('it was taken away');
    return state.kind === 'withdrawn' ? state.record : null;
  }

  /** Withdraws the permit, then calls `journal`, which writes the kill and returns whether that worked. */
  keep(kill: KillRecord, journal: () => boolean): void {
    [this.#kill, this.#retries] = [kill, 0];
    const { logger } = this.#parts;
    this.#isWithdrawn = withdraw(kill, this.#places(logger));
    this.#place = journal() ? this.#journal : this.#placeBeside(kill, logger);
    this.#logPlace(logger);
  }

  /** Replaces the reason of a kept kill. If the journal cannot take the new reason, the kill stays with the first. */
  explain(record: KillRecord, journalled: boolean): void {
    if (!journalled && this.#place === this.#journal) return;
    this.#kill = record;
    if (this.#isWithdrawn) this.#reword(record);
    if (journalled) this.#place = this.#journal;
    else if (this.#place === KILL_FILE) makeKillFile(record, this.#places(this.#parts.logger));
  }

  /** If the disk refuses the new reason, the first one stays. The permit is withdrawn either way. */
  #reword(record: KillRecord): void {
    try {
      this.#parts.permit.reword(record);
    } catch (error) {
      this.#parts.logger.warn('the permit keeps the first reason of the kill', { error });
    }
  }

  /** Call it every second. Logs once a minute, because a disk may stay broken for hours. */
  retry(): void {
    const kill = this.#kill;
    if (kill === null || (this.#isWithdrawn && this.#place !== null)) return;
    this.#retries++;
    const logger = this.#retries % LOG_EVERY === 0 ? this.#parts.logger : silentLogger;
    this.#isWithdrawn ||= withdraw(kill, this.#places(logger));
    if (this.#place !== null) return;
    this.#place = this.#placeBeside(kill, logger);
    this.#logPlace(this.#place === null ? logger : this.#parts.logger);
  }

  /** Where a kill is kept that the journal does not hold. */
  #placeBeside(kill: KillRecord, logger: Logger): string | null {
    if (this.#isWithdrawn) return PERMIT;
    return makeKillFile(kill, this.#places(logger)) ? KILL_FILE : null;
  }

  #places(logger: Logger): LatchPlaces {
    return { ...this.#parts, permitIsNoted: () => isPermitNoted(this.#parts.memory), logger };
  }

  #logPlace(logger: Logger): void {
    if (this.#place === null)
      logger.error('the kill is latched nowhere: a restart would trade', { ...this.#kill });
    else if (this.#place !== this.#journal)
      logger.warn('the kill is latched outside the journal', { place: this.#place });
  }

  get #journal(): string {
    return this.#parts.inMemory === true ? IN_MEMORY : JOURNAL;
  }

  /** A person resumed, and the journal holds it. Throws the disk's error if the permit cannot be granted again. */
  release(): void {
    if (this.#parts.permit.state().kind !== 'granted') this.#parts.permit.grant();
    [this.#kill, this.#place, this.#isWithdrawn] = [null, null, false];
  }

  /** Whether the kill file exists and would kill again at once. An unreadable file counts as existing. */
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

  /** A damaged journal cannot say. Requiring the permit is then the safe choice. */
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
      this.#parts.logger.error(
        'the permit to trade cannot be created beside the journal: this run starts killed',
        { error },
      );
      return this.#record('none could be put beside the journal');
    }
  }

  #record(what: string): KillRecord {
    return { by: BY_PERMIT, reason: `no permit to trade: ${what}`, atMs: this.#parts.wallMs() };
  }
}

/** If the journal cannot be read now, the next run may not find the note either. */
export function isPermitNoted(memory: RiskMemory): boolean {
  try {
    return memory.wantsPermit();
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return false;
  }
}

/** Withdraws the permit, so that the next run starts killed. Returns whether it will. */
export function withdraw(kill: KillRecord, { permit, permitIsNoted, logger }: LatchPlaces): boolean {
  if (permit === null) return false;
  return isLatched(PERMIT, () => permit.withdraw(kill, permitIsNoted), logger);
}

/** Makes the operator's kill file. Returns whether it exists. */
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

/** Closing takes about a second. Orders still open after this long count as a failed close. */
const CLOSE_WITHIN_MS = 10_000;

/**
 * Detects that orders stay open after a kill. The heartbeat must then no longer be refreshed: when it expires, the exchange
 * closes them.
 */
export class ClosingWatch {
  readonly #clock: Clock;
  #sinceMs: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Call it often. `openOrders` is null while their number is not known. */
  see(killed: boolean, openOrders: number | null): void {
    if (!killed || openOrders === 0) this.#sinceMs = null;
    else this.#sinceMs ??= this.#clock.monotonicMs();
  }

  get failed(): boolean {
    return this.#sinceMs !== null && this.#clock.monotonicMs() - this.#sinceMs > CLOSE_WITHIN_MS;
  }
}
