import { JournalDamage, JournalError } from '../../domain/errors.ts';
import type { BetId, SelectionId } from '../../domain/ids.ts';
import type { EventTotal, OrderResult } from '../../domain/settlement.ts';
import type { Journal, JournalRecord, Json } from '../../ports/journal.ts';
import type { KillRecord, RiskSnapshot } from '../../risk/index.ts';

export type FairOfSelection = readonly [SelectionId, number];

/** Bets settled by the exchange, as they are saved. */
export interface SettledBets extends OrderResult {
  readonly betIds: readonly BetId[];
  /**
   * `taken back`: all bets of the order were voided. `reopened`: the order is no longer settled, because some of its bets count
   * after all.
   */
  readonly now?: 'taken back' | 'reopened';
}

/** Settled bets as an earlier run saved them. */
export interface RememberedBets extends SettledBets {
  /** Wall-clock milliseconds of writing. */
  readonly reportedMs: number;
}

/** Whether a bet counts. */
interface Standing {
  readonly betId: BetId;
  readonly stands: boolean;
}

/** The part of a snapshot that depends on open bets. Only a daemon knows it. */
export interface AboutBets extends Pick<RiskSnapshot, 'places' | 'winnerMarkets'> {
  /**
   * Fair probabilities by which open bets were valued. Results continue from them: if bets were valued at nothing until the
   * market reports again, a loss that the results already contain would count twice.
   */
  readonly fairs: readonly FairOfSelection[];
  /** The totals of events with open bets. */
  readonly eventTotals: readonly EventTotal[];
}

/**
 * A snapshot of what risk and ledger know. A command that finds no snapshot of a daemon writes one without `AboutBets`.
 */
export interface RiskMemorySnapshot extends Omit<RiskSnapshot, keyof AboutBets>, Partial<AboutBets> {}

/** A snapshot as it is saved. */
interface SavedSnapshot extends RiskMemorySnapshot {
  /** Number of settled-bets records before this one. It reveals a record that the journal hides. */
  readonly settledRecords?: number;
}

export interface Remembered {
  readonly snapshot: RiskMemorySnapshot | null;
  readonly settled: readonly RememberedBets[];
  /** Bets of unsettled orders that were voided or count after all: the last report on each. */
  readonly standing: ReadonlyMap<BetId, boolean>;
}

export const EMPTY_SNAPSHOT: RiskMemorySnapshot = { kill: null, states: [], results: [] };

/** Journal record of a snapshot; only the last one counts. */
export const SNAPSHOT = 'risk_snapshot';
/** Journal record of settled bets; each counts for as long as its bets do. */
export const SETTLED = 'bets_settled';
/**
 * Journal record of a bet that was voided or counts after all; each counts. Without one a bet counts until its order is settled.
 */
const STANDING = 'bet_standing';
const PERMIT = 'permit_granted';

/** The state that risk and ledger need after a restart, kept in the journal beside the orders. */
export class RiskMemory {
  readonly #journal: Journal;
  /** Why the state of earlier runs could not be read. */
  #unread: JournalError | null = null;
  /** Number of settled-bets records so far; null until those of earlier runs are counted. */
  #settledRecords: number | null = null;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /**
   * Durable on return. Throws JournalError if durability is not certain, or if the snapshot would hide an earlier one that could
   * not be read.
   */
  save(snapshot: RiskMemorySnapshot): void {
    if (this.#unread !== null)
      throw new JournalError('a kill that cannot be read must not be written over', {}, this.#unread);
    const count = this.#settledRecords === null ? {} : { settledRecords: this.#settledRecords };
    this.#journal.append([{ kind: SNAPSHOT, uuid: null, data: jsonOf({ ...snapshot, ...count }) }]);
  }

  /** Durable on return. Throws JournalError if durability is not certain. */
  saveSettled(settled: SettledBets): void {
    this.#journal.append([{ kind: SETTLED, uuid: null, data: jsonOf(settled) }]);
    if (this.#settledRecords !== null) this.#settledRecords++;
  }

  /** Durable on return. Throws JournalError if durability is not certain. */
  saveStanding(standing: Standing): void {
    this.#journal.append([{ kind: STANDING, uuid: null, data: jsonOf(standing) }]);
  }

  /**
   * Records once that a permit now lies beside the journal. Durable on return. Throws JournalError if durability is not certain.
   */
  notePermit(): void {
    if (!this.wantsPermit()) this.#journal.append([{ kind: PERMIT, uuid: null, data: {} }]);
  }

  /** Whether a permit must exist. Throws JournalError on damage. */
  wantsPermit(): boolean {
    const [noted] = this.#journal.ofKind(PERMIT);
    // A damaged index may hide the record. `last` searches without the index, which takes long if it is the first record.
    return noted !== undefined || this.#journal.last(PERMIT) !== null;
  }

  /** The state that earlier runs left. Throws JournalError on damage. */
  load(): Remembered {
    try {
      return this.#load();
    } catch (error) {
      if (error instanceof JournalError) this.#unread = error;
      throw error;
    }
  }

  #load(): Remembered {
    const last = this.#journal.last(SNAPSHOT);
    const settled = [...this.#journal.ofKind(SETTLED)];
    if (last !== null) mustBeComplete(last, settled);
    this.#settledRecords = settled.length;
    return {
      snapshot: last && snapshotOf(last),
      settled: settled.map(({ data, atMs }) => ({ ...readAs<SettledBets>(data), reportedMs: atMs })),
      standing: new Map(Array.from(this.#journal.ofKind(STANDING), ({ data }) => standingOf(data))),
    };
  }
}

const jsonOf = (value: object): Json => JSON.parse(JSON.stringify(value)) as Json;

/** Safe because the journal verifies its checksums, and only this class writes these kinds. */
const readAs = <T>(data: Json): T => data as T;

function standingOf(data: Json): [BetId, boolean] {
  const { betId, stands } = readAs<Standing>(data);
  return [betId, stands];
}

function snapshotOf({ data }: JournalRecord): RiskMemorySnapshot {
  const { settledRecords: _, ...snapshot } = readAs<SavedSnapshot>(data);
  return snapshot;
}

/** The kill in a snapshot record; null if there was none. */
export const killIn = (record: JournalRecord): KillRecord | null => snapshotOf(record).kill;

/**
 * The journal must hold at least as many settled-bets records as the snapshot counted. A snapshot counts what its own run found;
 * a run that has not counted yet writes no number.
 */
function mustBeComplete({ seq, data }: JournalRecord, settled: readonly JournalRecord[]): void {
  const found = settled.filter((record) => record.seq < seq).length;
  const { settledRecords: written = found } = readAs<SavedSnapshot>(data);
  if (found < written) throw new JournalDamage('records of settled bets are missing', { found, written });
}
