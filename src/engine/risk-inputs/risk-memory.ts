import { JournalDamage, JournalError } from '../../domain/errors.ts';
import type { BetId, SelectionId } from '../../domain/ids.ts';
import type { EventTotal, OrderResult } from '../../domain/settlement.ts';
import type { Journal, JournalRecord, Json } from '../../ports/journal.ts';
import type { KillRecord, RiskSnapshot } from '../../risk/index.ts';

export type FairOfSelection = readonly [SelectionId, number];

/** Bets that the exchange has settled, as they are remembered. */
export interface SettledBets extends OrderResult {
  readonly betIds: readonly BetId[];
  /** All of the order's were taken back; or they are settled no more, since some of those stand after all. */
  readonly now?: 'taken back' | 'reopened';
}

/** The same, as an earlier run has written it down. */
export interface RememberedBets extends SettledBets {
  /** Wall-clock milliseconds of writing. */
  readonly toldMs: number;
}

/** Whether a bet stands. */
interface Standing {
  readonly betId: BetId;
  readonly stands: boolean;
}

/** What was known at one instant. */
export interface RiskMemorySnapshot extends RiskSnapshot {
  /**
   * Fair probabilities by which open bets were valued. Results go on from there: valued at nothing until the market
   * speaks, a loss that is part of the results already would count once more.
   */
  readonly fairs?: readonly FairOfSelection[];
  /** What events with open bets were judged by. Absent in what earlier versions wrote, null where that is still missing. */
  readonly eventTotals?: readonly EventTotal[] | null;
}

/** A snapshot as it is written. */
interface SavedSnapshot extends RiskMemorySnapshot {
  /** Records of settled bets before it: one that the journal hides is missed by its number. */
  readonly settledRecords?: number;
}

export interface Remembered {
  readonly snapshot: RiskMemorySnapshot | null;
  readonly settled: readonly RememberedBets[];
  /** Bets whose orders are not settled that were taken back, or stand all the same; the last word on each. */
  readonly standing: ReadonlyMap<BetId, boolean>;
}

export const EMPTY_SNAPSHOT: RiskMemorySnapshot = { kill: null, states: [], results: [] };

/** Only the last of them matters. */
export const SNAPSHOT = 'risk_snapshot';
/** All of them matter, for as long as their bets do. */
export const SETTLED = 'bets_settled';
/** All of them matter, likewise; without one a bet counts until its order is settled. */
const STANDING = 'bet_standing';
const PERMIT = 'permit_granted';

/** What risk and ledger have to know after a restart, kept in the journal beside the orders. */
export class RiskMemory {
  readonly #journal: Journal;
  /** Why what earlier runs left could not be read. */
  #unread: JournalError | null = null;
  /** Records of settled bets so far; null until those of earlier runs were counted. */
  #settledRecords: number | null = null;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Durable on return. Throws JournalError when that cannot be promised, or would hide what could not be read. */
  save(snapshot: RiskMemorySnapshot): void {
    if (this.#unread !== null)
      throw new JournalError('a kill that cannot be read must not be written over', {}, this.#unread);
    const count = this.#settledRecords === null ? {} : { settledRecords: this.#settledRecords };
    this.#journal.append([{ kind: SNAPSHOT, uuid: null, data: jsonOf({ ...snapshot, ...count }) }]);
  }

  /** Durable on return. Throws JournalError when that cannot be promised. */
  saveSettled(settled: SettledBets): void {
    this.#journal.append([{ kind: SETTLED, uuid: null, data: jsonOf(settled) }]);
    if (this.#settledRecords !== null) this.#settledRecords++;
  }

  /** Durable on return. Throws JournalError when that cannot be promised. */
  saveStanding(standing: Standing): void {
    this.#journal.append([{ kind: STANDING, uuid: null, data: jsonOf(standing) }]);
  }

  /** Notes once that a permit lies beside the journal from now on. Durable on return. Throws JournalError. */
  notePermit(): void {
    if (!this.wantsPermit()) this.#journal.append([{ kind: PERMIT, uuid: null, data: {} }]);
  }

  /** Whether there must be a permit. Throws JournalError on damage. */
  wantsPermit(): boolean {
    const [noted] = this.#journal.ofKind(PERMIT);
    // A damaged index may hide it: the last of a kind is looked for without, which takes long where it is the first record.
    return noted !== undefined || this.#journal.last(PERMIT) !== null;
  }

  /** What earlier runs left. Throws JournalError on damage. */
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
      settled: settled.map(({ data, atMs }) => ({ ...settledOf(data), toldMs: atMs })),
      standing: new Map(Array.from(this.#journal.ofKind(STANDING), ({ data }) => standingOf(data))),
    };
  }
}

const jsonOf = (value: object): Json => JSON.parse(JSON.stringify(value)) as Json;

/** The journal checks its records' sums, and no one but `save` writes these kinds. */
const readAs = <T>(data: Json): T => data as T;

/** Earlier versions did not write down the sport. */
const settledOf = (data: Json): SettledBets =>
  readAs({ sport: null, ...readAs<Readonly<Record<string, Json>>>(data) });

function standingOf(data: Json): [BetId, boolean] {
  const { betId, stands } = readAs<Standing>(data);
  return [betId, stands];
}

function snapshotOf({ data }: JournalRecord): RiskMemorySnapshot {
  const { settledRecords: _, ...snapshot } = readAs<SavedSnapshot>(data);
  return snapshot;
}

/** The kill that a record of what was known then tells of. */
export const killIn = (record: JournalRecord): KillRecord | null => snapshotOf(record).kill;

/** At least so many as were there then: a snapshot tells of what its own run found, or, of an earlier version, nothing. */
function mustBeComplete({ seq, data }: JournalRecord, settled: readonly JournalRecord[]): void {
  const found = settled.filter((record) => record.seq < seq).length;
  const { settledRecords: written = found } = readAs<SavedSnapshot>(data);
  if (found < written) throw new JournalDamage('records of settled bets are missing', { found, written });
}
