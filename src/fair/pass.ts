/** One pass over a tape, which computes the fair value of each selection at each instant at which it may change. */
import { type EventTape, type GapEdge, gapEdges, OP } from '../research/tape.ts';
import { groupFair } from './group-fair.ts';
import { type Group, groupsOf } from './groups.ts';
import { MarketState } from './market-state.ts';
import type { FairOptions } from './options.ts';
import { type BookState, RecordedBooks } from './recorded-books.ts';
import { type Reason, StepColumns } from './steps.ts';

/** The findings of a pass. */
export interface Passed {
  /** Of each selection. */
  readonly columns: readonly StepColumns[];
  /** Of each selection: the instants of its updates, without repeats. */
  readonly updatedMs: readonly (readonly number[])[];
  readonly markets: readonly MarketState[];
  readonly groups: readonly Group[];
}

/** Passes over a tape once. */
export function passOver(tape: EventTape, options: FairOptions): Passed {
  return new Pass(tape, options).run();
}

class Pass {
  readonly #tape: EventTape;
  readonly #edges: readonly GapEdge[];
  readonly #books: RecordedBooks;
  readonly #states: (BookState | null)[];
  readonly #markets: readonly MarketState[];
  readonly #groups: readonly Group[];
  readonly #groupOf: Uint16Array;
  readonly #columns: readonly StepColumns[];
  readonly #updatedMs: readonly number[][];
  readonly #isRemoved: boolean[];
  /** Selections with an update of this instant, and groups whose fair values may change at it. */
  readonly #touched = new Set<number>();
  readonly #dirty = new Set<number>();
  #at = 0;
  #edge = 0;
  #removal = 0;
  #settlesMs = Infinity;

  constructor(tape: EventTape, options: FairOptions) {
    const { selections, updates } = tape;
    this.#tape = tape;
    this.#edges = gapEdges(tape.gaps);
    this.#books = new RecordedBooks(selections.length, options);
    this.#states = selections.map(() => null);
    const startMs = updates.atMs[0] ?? tape.startMs;
    this.#markets = tape.markets.map(() => new MarketState(startMs, options.holdMs));
    this.#groups = groupsOf(tape);
    this.#groupOf = new Uint16Array(selections.length);
    for (const [group, { selections: members }] of this.#groups.entries())
      for (const selection of members) this.#groupOf[selection] = group;
    this.#columns = selections.map(() => new StepColumns());
    this.#updatedMs = selections.map(() => []);
    this.#isRemoved = selections.map(() => false);
  }

  run(): Passed {
    const { atMs, length } = this.#tape.updates;
    const endMs = atMs[length - 1] ?? -Infinity;
    for (let nowMs = this.#nextMs(); nowMs <= endMs; nowMs = this.#nextMs()) {
      this.#passEdges(nowMs);
      this.#remove(nowMs);
      while (this.#at < length && atMs[this.#at] === nowMs) this.#update(this.#at++, nowMs);
      this.#settle(nowMs);
      for (const selection of this.#touched) this.#readBook(selection);
      this.#touched.clear();
      for (const group of this.#dirty) this.#evaluate(this.#groups[group] as Group, nowMs);
      this.#dirty.clear();
    }
    return {
      columns: this.#columns,
      updatedMs: this.#updatedMs,
      markets: this.#markets,
      groups: this.#groups,
    };
  }

  #nextMs(): number {
    return Math.min(
      this.#tape.updates.atMs[this.#at] ?? Infinity,
      this.#edges[this.#edge]?.atMs ?? Infinity,
      this.#tape.removals[this.#removal]?.atMs ?? Infinity,
      this.#settlesMs,
    );
  }

  #passEdges(nowMs: number): void {
    for (let edge = this.#edges[this.#edge]; edge !== undefined && edge.atMs <= nowMs;) {
      for (const [market, state] of this.#markets.entries()) {
        if (edge.market !== null && edge.market !== market) continue;
        state.passGapEdge(edge.isBegin, nowMs);
        this.#touchMarket(market);
      }
      edge = this.#edges[++this.#edge];
    }
  }

  #remove(nowMs: number): void {
    const { removals } = this.#tape;
    for (let next = removals[this.#removal]; next !== undefined && next.atMs <= nowMs;) {
      if (next.selection !== null) this.#isRemoved[next.selection] = true;
      this.#markets[next.market]?.disturb(nowMs);
      this.#touchMarket(next.market);
      next = removals[++this.#removal];
    }
  }

  #update(at: number, nowMs: number): void {
    const { op, of, tick, micros } = this.#tape.updates;
    const subject = of[at] as number;
    if (op[at] === OP.state) {
      this.#markets[subject]?.setState(tick[at] as number, micros[at] as number, nowMs);
      return this.#touchMarket(subject);
    }
    const updated = this.#updatedMs[subject] as number[];
    if (updated.at(-1) !== nowMs) updated.push(nowMs);
    this.#books.apply(this.#tape.updates, at);
    this.#touched.add(subject);
  }

  /** Most updates leave what the book says as it was, and with it all fair values. */
  #readBook(selection: number): void {
    const before = this.#states[selection] ?? null;
    const state = this.#books.state(selection, before);
    if (state === before) return;
    this.#states[selection] = state;
    this.#dirty.add(this.#groupOf[selection] as number);
  }

  /** Markets whose prices have settled by now. */
  #settle(nowMs: number): void {
    if (this.#settlesMs <= nowMs)
      for (const [market, { settledMs }] of this.#markets.entries())
        if (settledMs <= nowMs) this.#touchMarket(market);
    this.#settlesMs = Infinity;
    for (const { settledMs } of this.#markets)
      if (settledMs > nowMs) this.#settlesMs = Math.min(this.#settlesMs, settledMs);
  }

  #touchMarket(market: number): void {
    for (const [at, group] of this.#groups.entries()) if (group.market === market) this.#dirty.add(at);
  }

  #evaluate({ market, selections, winners }: Group, nowMs: number): void {
    const stopped = this.#markets[market]?.why(nowMs) ?? null;
    if (stopped !== null) {
      for (const selection of selections) this.#note(selection, null, stopped, nowMs);
      return;
    }
    const taking = this.#removal === 0 ? selections : this.#taking(selections, nowMs);
    const states = taking.map(
      (selection) => (this.#states[selection] ??= this.#books.state(selection, null)),
    );
    for (const [at, { logOdds, why }] of groupFair(states, winners).entries())
      this.#note(taking[at] as number, logOdds, why, nowMs);
  }

  /** Those that still take part. */
  #taking(selections: readonly number[], nowMs: number): readonly number[] {
    const isGone = (selection: number): boolean => this.#isRemoved[selection] === true;
    for (const selection of selections) if (isGone(selection)) this.#note(selection, null, GONE, nowMs);
    return selections.filter((selection) => !isGone(selection));
  }

  #note(selection: number, logOdds: number | null, why: Reason | null, nowMs: number): void {
    (this.#columns[selection] as StepColumns).push(nowMs, logOdds, why);
  }
}

const GONE: Reason = 'the runner does not take part';
