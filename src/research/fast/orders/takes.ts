/** The takes of an event: each id has one order, and they go one by one, as in the order manager. */
import type { Micros } from '../../../domain/money.ts';
import { liabilityMicros, SELECTION_KINDS } from '../../../domain/odds.ts';
import type { TakeTerms } from '../../../domain/orders.ts';
import { priceOf } from '../../../domain/ladder.ts';
import { type QuoteIntent, takeOf } from '../../../domain/quote-intent.ts';
import { HOUR_MS } from '../../../lib/time.ts';
import type { EventCircumstances } from '../../../risk/index.ts';
import type { OwnOrder } from '../exchange/own-order.ts';

/** The most that a take may lose that did not certainly reduce risk. */
interface Taken {
  readonly sentMs: number;
  openMicros: Micros;
  filledMicros: Micros;
}

type TakenMicros = EventCircumstances['takenMicros'];

const NOTHING: TakenMicros = { event: 0, hour: 0 };

export class EventTakes {
  readonly #spent = new Set<string>();
  /** Selections with a take that has not ended, or that ended since the last decision. */
  readonly #busy = new Map<number, OwnOrder>();
  /** Those of them whose take has ended, as far as we know. */
  readonly #ended = new Set<number>();
  readonly #taken = new Map<number, Taken>();

  /** The strategy has decided: it saw the fills of what we knew to have ended. */
  decided(): void {
    for (const selection of this.#ended) this.#busy.delete(selection);
    this.#ended.clear();
  }

  blocks({ take }: Pick<QuoteIntent, 'take'>, selection: number): boolean {
    return take !== undefined && (this.#spent.has(take) || this.#busy.has(selection));
  }

  /** The terms of a take that is sent now. From here on its id is spent. `reduces`: whether it certainly reduces risk. */
  send(intent: QuoteIntent, reduces: () => boolean): TakeTerms | undefined {
    const { take } = takeOf(intent);
    if (take === undefined) return undefined;
    this.#spent.add(take.id);
    return { ...take, reduces: reduces() };
  }

  sent(order: OwnOrder, sentMs: number): void {
    if (order.take === undefined) return;
    // An offer of a hedge has an id, and rests.
    if (order.mode === 'take_only') this.#busy.set(order.selection, order);
    if (!order.take.reduces && order.take.hedge === undefined)
      this.#taken.set(order.id, { sentMs, openMicros: unfilledLoss(order), filledMicros: 0 });
  }

  onFill(order: OwnOrder, price: number, stakeMicros: Micros): void {
    const taken = this.#taken.get(order.id);
    if (taken === undefined) return;
    taken.filledMicros += liabilityMicros(SELECTION_KINDS[order.direction], stakeMicros, price);
    taken.openMicros = unfilledLoss(order);
  }

  onClosed(order: OwnOrder): void {
    if (this.#busy.get(order.selection) === order) this.#ended.add(order.selection);
    const taken = this.#taken.get(order.id);
    if (taken !== undefined) taken.openMicros = 0;
  }

  takenMicros(nowMs: number): TakenMicros {
    if (this.#taken.size === 0) return NOTHING;
    const sum = { event: 0, hour: 0 };
    for (const { sentMs, openMicros, filledMicros } of this.#taken.values()) {
      sum.event += openMicros + filledMicros;
      if (nowMs - sentMs < HOUR_MS) sum.hour += openMicros + filledMicros;
    }
    return sum;
  }
}

const unfilledLoss = ({ direction, tick, stakeMicros, knownFilledMicros }: OwnOrder): Micros =>
  liabilityMicros(SELECTION_KINDS[direction], stakeMicros - knownFilledMicros, priceOf(tick));
