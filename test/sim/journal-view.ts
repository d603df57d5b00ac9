import type { Fact } from '../../src/orders/journal/records.ts';
import type { JournalRecord } from '../../src/ports/journal.ts';
import type { MemoryStore } from '../../src/storage/memory-journal.ts';
import { isOver, offeredKind } from './order-terms.ts';

/** The intended order, before it was sent. */
export type Intended = Extract<Fact, { kind: 'order_intended' }>;

export interface JournalViewHooks {
  /** The journal books a bet for a second time. */
  onBookedTwice(betId: number): void;
  /** The journal intends to send an order whose end it has recorded. */
  onMeantAgain(uuid: string): void;
  /** A path of recovery shows. */
  onPath(path: string): void;
}

interface Cursor {
  readonly seq: number;
  readonly toMs: number;
}

const MOST_CURSORS = 100;

/** The judge's reading of the journal, record by record. */
export class JournalView {
  /** By uuid. */
  readonly intended = new Map<string, Intended>();
  readonly booked = new Set<number>();
  /** Orders without an end in the journal, by uuid. */
  readonly unsettled = new Set<string>();
  /** Cursors, each by its record. A crash takes the last few at most. */
  #cursors: readonly Cursor[] = [];
  readonly #store: MemoryStore;
  readonly #hooks: JournalViewHooks;
  readonly #states = new Map<string, string>();
  readonly #intendedSeq = new Map<string, number>();
  readonly #bookedSeq = new Map<number, number>();
  readonly #settledSeq = new Map<string, number>();
  #readSeq = 0;

  constructor(store: MemoryStore, hooks: JournalViewHooks) {
    this.#store = store;
    this.#hooks = hooks;
  }

  /** The last cursor, null before the first. */
  get cursorMs(): number | null {
    return this.#cursors.at(-1)?.toMs ?? null;
  }

  /** Reads on to the last record. */
  read(): void {
    const { records, rootSeq } = this.#store;
    for (; this.#readSeq < rootSeq + records.length; this.#readSeq++) {
      const record = records[this.#readSeq - rootSeq];
      if (record !== undefined) this.#take(factOf(record), record.seq);
    }
  }

  /** A crash may have taken the last records: their content is forgotten. */
  rewind(): void {
    const lastSeq = this.#store.rootSeq + this.#store.records.length;
    this.#readSeq = Math.min(this.#readSeq, lastSeq);
    this.#cursors = this.#cursors.filter(({ seq }) => seq <= lastSeq);
    for (const [uuid, seq] of this.#settledSeq) if (seq > lastSeq) this.#unsettle(uuid);
    for (const [uuid, seq] of this.#intendedSeq) if (seq > lastSeq) this.#unknow(uuid);
    for (const [betId, seq] of this.#bookedSeq) if (seq > lastSeq) this.booked.delete(betId);
  }

  #take(fact: Fact, seq: number): void {
    if (fact.kind === 'order_intended') {
      if (this.intended.has(fact.uuid) && !this.unsettled.has(fact.uuid)) this.#hooks.onMeantAgain(fact.uuid);
      this.intended.set(fact.uuid, fact);
      keepFirst(this.#intendedSeq, fact.uuid, seq);
      this.unsettled.add(fact.uuid);
    }
    if (fact.kind === 'order_changed' && isOver(fact.state)) {
      this.unsettled.delete(fact.uuid);
      keepFirst(this.#settledSeq, fact.uuid, seq);
    }
    if (fact.kind === 'cursor')
      this.#cursors = [...this.#cursors.slice(1 - MOST_CURSORS), { seq, toMs: fact.updatesToMs }];
    if (fact.kind === 'fill_booked') {
      this.#book(fact.fill.betId);
      this.#bookedSeq.set(fact.fill.betId, seq);
    }
    this.#notePath(fact);
  }

  #unsettle(uuid: string): void {
    this.#settledSeq.delete(uuid);
    this.unsettled.add(uuid);
  }

  #unknow(uuid: string): void {
    this.#intendedSeq.delete(uuid);
    this.intended.delete(uuid);
    this.unsettled.delete(uuid);
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

/** A record names what a price is only where it is not the price of the selection. */
function factOf({ kind, data }: JournalRecord): Fact {
  const fact = { kind, ...(data as object) } as Fact;
  if (fact.kind !== 'order_intended') return fact;
  return {
    ...fact,
    place: { ...fact.place, priceKind: fact.place.priceKind ?? offeredKind(fact.direction, 'lay') },
  };
}

/** The first statement stays when a later record that repeats it is lost. */
function keepFirst(seqs: Map<string, number>, uuid: string, seq: number): void {
  if (!seqs.has(uuid)) seqs.set(uuid, seq);
}
