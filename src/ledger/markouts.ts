import type { SelectionId } from '../domain/ids.ts';
import type { Fill } from '../domain/live-order.ts';
import type { Micros } from '../domain/money.ts';
import { selectionStakeMicros } from '../domain/odds.ts';
import { expectedMicros, outcomesOf } from './positions.ts';

/** Seconds after a fill at which it is marked. */
export const HORIZONS_S = [1, 10, 60] as const;

export type HorizonS = (typeof HORIZONS_S)[number];

/** The stake that a mark-out is a share of: the stake at the price of the selection, which is equal for both sides of a bet. */
export const markedStakeMicros = ({
  priceKind,
  price,
  stakeMicros,
}: Pick<Fill, 'priceKind' | 'price' | 'stakeMicros'>): Micros =>
  selectionStakeMicros(priceKind, price, stakeMicros);

/** The worth of fills some time later, at the fair probability of that time. */
export interface Markout {
  readonly horizonS: HorizonS;
  /** Fills that could be marked. */
  readonly fills: number;
  readonly micros: Micros;
  /** As `markedStakeMicros`. */
  readonly stakeMicros: Micros;
  /** Fills without a fair probability in time. With prices every two seconds, most fills have none in the first second. */
  readonly notObservable: number;
}

interface Observation {
  readonly atMs: number;
  readonly probability: number;
}

interface Pending {
  readonly fill: Fill;
  due: readonly HorizonS[];
  seen: Observation | null;
}

const MS_PER_S = 1_000;
const LAST_HORIZON_MS = Math.max(...HORIZONS_S) * MS_PER_S;

/** Learns the worth of a fill some seconds after it. */
export type OnMarked = (fill: Fill, horizonS: HorizonS, micros: Micros) => void;

/** Marks each fill at fixed times after it. All instants are on one clock, ascending. */
export class Markouts {
  readonly #onMarked: OnMarked;
  readonly #pending = new Map<SelectionId, Pending[]>();
  readonly #sums = new Map<HorizonS, Markout>(
    HORIZONS_S.map((horizonS) => [
      horizonS,
      { horizonS, fills: 0, micros: 0, stakeMicros: 0, notObservable: 0 },
    ]),
  );

  constructor(onMarked: OnMarked = () => undefined) {
    this.#onMarked = onMarked;
  }

  /** Ignores a fill that is reported after its last horizon. */
  onFill(fill: Fill, nowMs: number): void {
    if (nowMs - fill.atMs > LAST_HORIZON_MS) return;
    const waiting = this.#pending.get(fill.selectionId) ?? [];
    waiting.push({ fill, due: HORIZONS_S, seen: null });
    this.#pending.set(fill.selectionId, waiting);
  }

  /** Takes each new fair probability of a selection. Horizons that passed before it are marked at the previous one. */
  onFair(selectionId: SelectionId, probability: number, atMs: number): void {
    this.#settleSelection(selectionId, atMs);
    for (const pending of this.#pending.get(selectionId) ?? []) {
      if (atMs > pending.fill.atMs) pending.seen = { atMs, probability };
    }
  }

  /** Marks the fills that are due. Call regularly. */
  advance(nowMs: number): void {
    for (const selectionId of this.#pending.keys()) this.#settleSelection(selectionId, nowMs);
  }

  results(): readonly Markout[] {
    return [...this.#sums.values()];
  }

  #settleSelection(selectionId: SelectionId, nowMs: number): void {
    const waiting = this.#pending.get(selectionId) ?? [];
    for (const pending of waiting) {
      const over = pending.due.filter((horizonS) => pending.fill.atMs + horizonS * MS_PER_S < nowMs);
      for (const horizonS of over) this.#mark(pending, horizonS);
      pending.due = pending.due.filter((horizonS) => !over.includes(horizonS));
    }
    const left = waiting.filter(({ due }) => due.length > 0);
    if (left.length > 0) this.#pending.set(selectionId, left);
    else this.#pending.delete(selectionId);
  }

  #mark({ fill, seen }: Pending, horizonS: HorizonS): void {
    const sum = this.#sums.get(horizonS) as Markout;
    if (seen === null) {
      this.#sums.set(horizonS, { ...sum, notObservable: sum.notObservable + 1 });
      return;
    }
    const worthMicros = Math.round(expectedMicros(outcomesOf(fill), seen.probability));
    const micros = sum.micros + worthMicros;
    const stakeMicros = sum.stakeMicros + markedStakeMicros(fill);
    this.#sums.set(horizonS, { ...sum, fills: sum.fills + 1, micros, stakeMicros });
    this.#onMarked(fill, horizonS, worthMicros);
  }
}
