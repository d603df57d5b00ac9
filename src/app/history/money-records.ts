import type { Deposit, Reconciliation } from '../../history/facts.ts';
import type { MoneyPoint } from '../../history/money.ts';
import type { Journal, Json } from '../../ports/journal.ts';

/** Journal record of money that a person moved into the account or out of it. Each counts for good. */
export const DEPOSITED = 'money_deposited';
/** Journal record of a reconciliation; only the last one matters. */
export const RECONCILED = 'money_reconciled';

/** The last reconciliation, and the instant from which the next one counts. */
export interface MoneyState {
  readonly last: Reconciliation;
  readonly base: MoneyPoint;
}

/** The records of the account's money in the journal. Throws JournalError as the journal does. */
export class MoneyRecords {
  readonly #journal: Pick<Journal, 'append' | 'last' | 'ofKind'>;

  constructor(journal: Pick<Journal, 'append' | 'last' | 'ofKind'>) {
    this.#journal = journal;
  }

  /** Null before the first reconciliation, and before the first after another account was accepted. */
  state(): MoneyState | null {
    const record = this.#journal.last(RECONCILED);
    // Safe because the journal verifies its checksums, and only this class writes this kind.
    return (record?.data ?? null) as object | null as MoneyState | null;
  }

  /** Begins anew: the next reconciliation has nothing to compare with. Durable on return. */
  restarted(): void {
    this.#journal.append([{ kind: RECONCILED, uuid: null, data: null }]);
  }

  /** Durable on return. */
  reconciled(state: MoneyState): void {
    this.#journal.append([{ kind: RECONCILED, uuid: null, data: jsonOf(state) }]);
  }

  deposits(): readonly Deposit[] {
    return Array.from(this.#journal.ofKind(DEPOSITED), ({ data }) => data as object as Deposit);
  }

  /** Durable on return. */
  deposited(deposit: Deposit): void {
    this.#journal.append([{ kind: DEPOSITED, uuid: null, data: jsonOf(deposit) }]);
  }
}

const jsonOf = (value: object): Json => JSON.parse(JSON.stringify(value)) as Json;
