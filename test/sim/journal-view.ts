import { factOf } from '../../src/orders/records.ts';
import type { Fact } from '../../src/orders/records.ts';
import type { JournalRecord } from '../../src/ports/journal.ts';

/** What an order was meant to be, before it was sent. */
export type Intended = Extract<Fact, { kind: 'order_intended' }>;

export interface JournalViewHooks {
  /** The journal books a bet that it had booked before. */
  onBookedTwice(betId: number): void;
  /** A path of recovery shows. */
  onPath(path: string): void;
}

/** What the judge reads in the journal, record by record. */
export class JournalView {
  /** By uuid. */
  readonly intended = new Map<string, Intended>();
  readonly booked = new Set<number>();
  /** The last cursor, null before the first. */
  cursorMs: number | null = null;
  readonly #records: readonly JournalRecord[];
  readonly #hooks: JournalViewHooks;
  readonly #states = new Map<string, string>();
  #read = 0;

  constructor(records: readonly JournalRecord[], hooks: JournalViewHooks) {
    this.#records = records;
    this.#hooks = hooks;
  }

  /** Reads on to the last record. */
  read(): void {
    for (; this.#read < this.#records.length; this.#read++) {
      const fact = factOf(this.#records[this.#read] as JournalRecord);
      if (fact.kind === 'order_intended') this.intended.set(fact.uuid, fact);
      if (fact.kind === 'cursor') this.cursorMs = fact.updatesToMs;
      if (fact.kind === 'fill_booked') this.#book(fact.fill.betId);
      this.#notePath(fact);
    }
  }

  #book(betId: number): void {
    if (this.booked.has(betId)) this.#hooks.onBookedTwice(betId);
    this.booked.add(betId);
  }

  #notePath(fact: Fact): void {
    const { onPath } = this.#hooks;
    if (fact.kind === 'heartbeat_ended' && fact.how === 'of an earlier run')
      onPath('heartbeat of an earlier run removed');
    if (fact.kind !== 'order_changed') return;
    const before = this.#states.get(fact.uuid);
    this.#states.set(fact.uuid, fact.state);
    if (fact.state === before) return;
    if (fact.state === 'unknown') onPath('order unknown');
    if (fact.state === 'refused') onPath('order refused');
    if (fact.state === 'absent') onPath('unknown order proven absent');
    if (before === 'unknown' && fact.orderId !== null) onPath('unknown order found');
  }
}
