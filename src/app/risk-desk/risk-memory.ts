import type { BetId, EventId } from '../../domain/ids.ts';
import { JournalError } from '../../domain/errors.ts';
import type { Settlement } from '../../ledger/index.ts';
import type { Journal, Json } from '../../ports/journal.ts';
import type { RiskSnapshot } from '../../risk/index.ts';
import type { FairOfSelection } from './market-watch.ts';

/** Bets that the exchange has settled, as they are remembered. */
export interface SettledBets extends Settlement {
  readonly eventId: EventId;
  readonly betIds: readonly BetId[];
}

/** What was known at one instant. */
export interface DeskSnapshot extends RiskSnapshot {
  /**
   * Fair probabilities by which open bets were valued. Results go on from there: valued at nothing until the market
   * speaks, a loss that is part of the results already would count once more.
   */
  readonly fairs?: readonly FairOfSelection[];
}

export interface Remembered {
  readonly snapshot: DeskSnapshot | null;
  readonly settled: readonly SettledBets[];
}

export const EMPTY_SNAPSHOT: DeskSnapshot = { kill: null, states: [], results: [] };

/** Only the last of them matters. */
export const SNAPSHOT = 'risk_snapshot';
/** All of them matter, for as long as their bets do. */
export const SETTLED = 'bets_settled';
const PERMIT = 'permit_granted';

/** What risk and ledger have to know after a restart, kept in the journal beside the orders. */
export class RiskMemory {
  readonly #journal: Journal;
  /** Why what earlier runs left could not be read. */
  #unread: JournalError | null = null;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Durable on return. Throws JournalError when that cannot be promised, or would hide what could not be read. */
  save(snapshot: DeskSnapshot): void {
    if (this.#unread !== null)
      throw new JournalError('a kill that cannot be read must not be written over', {}, this.#unread);
    this.#journal.append([{ kind: SNAPSHOT, uuid: null, data: jsonOf(snapshot) }]);
  }

  /** Durable on return. Throws JournalError when that cannot be promised. */
  saveSettled(settled: SettledBets): void {
    this.#journal.append([{ kind: SETTLED, uuid: null, data: jsonOf(settled) }]);
  }

  /** Notes once that a permit lies beside the journal from now on. Durable on return. Throws JournalError. */
  notePermit(): void {
    if (!this.wantsPermit()) this.#journal.append([{ kind: PERMIT, uuid: null, data: {} }]);
  }

  /** Whether there must be a permit. Throws JournalError on damage. */
  wantsPermit(): boolean {
    return this.#journal.last(PERMIT) !== null;
  }

  /** What earlier runs left. Throws JournalError on damage. */
  load(): Remembered {
    try {
      const last = this.#journal.last(SNAPSHOT);
      const settled = Array.from(this.#journal.ofKind(SETTLED), ({ data }) => readAs<SettledBets>(data));
      return { snapshot: last === null ? null : readAs<DeskSnapshot>(last.data), settled };
    } catch (error) {
      if (error instanceof JournalError) this.#unread = error;
      throw error;
    }
  }
}

const jsonOf = (value: object): Json => JSON.parse(JSON.stringify(value)) as Json;

/** The journal checks its records' sums, and no one but `save` writes these kinds. */
const readAs = <T>(data: Json): T => data as T;
