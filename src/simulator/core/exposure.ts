/** The possible loss of an account's unsettled bets, and the credit for bets that offset each other. */
import type { Micros } from '../../domain/money.ts';
import { type PriceKind, profitMicros } from '../../domain/odds.ts';
import { LOSS, WIN } from '../../domain/payoff.ts';
import { addPayoffs, CELLS, liabilityMicros, type PayoffGrid } from './payoff-grids.ts';

export interface ExposedBet {
  readonly eventKey: string;
  readonly outcome: string;
  readonly priceKind: PriceKind;
  readonly price: number;
  readonly stakeMicros: Micros;
  /** The bet's grid, null if final scores do not decide the bet. It then offsets only bets on the same outcome. */
  readonly grid: PayoffGrid | null;
}

/** The bets of one event. */
class EventExposure {
  liabilityMicros: Micros = 0;
  readonly #cells = new Float64Array(CELLS);
  readonly #offGrid = new Map<string, { winMicros: Micros; lossMicros: Micros }>();

  /** Adds (1) or removes (-1) a bet. */
  change(bet: ExposedBet, sign: 1 | -1): void {
    const { priceKind, stakeMicros, price } = bet;
    this.liabilityMicros += sign * liabilityMicros(priceKind, stakeMicros, price);
    if (bet.grid === null) this.#changeOffGrid(bet, sign);
    else addPayoffs(this.#cells, bet.grid, bet, sign);
  }

  /** The loss in the worst outcome. */
  worstLossMicros(): Micros {
    let worst = 0 - this.#cells.reduce((least, cell) => Math.min(least, cell), 0);
    for (const { winMicros, lossMicros } of this.#offGrid.values()) {
      worst += Math.max(0, 0 - Math.min(winMicros, lossMicros));
    }
    return worst;
  }

  #changeOffGrid({ outcome, priceKind, stakeMicros, price }: ExposedBet, sign: 1 | -1): void {
    const sums = this.#offGrid.get(outcome) ?? { winMicros: 0, lossMicros: 0 };
    sums.winMicros += sign * profitMicros(priceKind, stakeMicros, price, WIN);
    sums.lossMicros += sign * profitMicros(priceKind, stakeMicros, price, LOSS);
    this.#offGrid.set(outcome, sums);
  }
}

/** The unsettled bets of one account. */
export class Exposure {
  readonly #events = new Map<string, EventExposure>();
  readonly #credits = new Map<string, Micros>();
  #liabilityMicros: Micros = 0;
  #creditMicros: Micros = 0;

  /** The sum of the largest loss of each bet alone. */
  get liabilityMicros(): Micros {
    return this.#liabilityMicros;
  }

  /** The part of the liability that no outcome can cost, summed over events. */
  get creditMicros(): Micros {
    return this.#creditMicros;
  }

  add(bet: ExposedBet): void {
    this.#change(bet, 1);
  }

  remove(bet: ExposedBet): void {
    this.#change(bet, -1);
  }

  #change(bet: ExposedBet, sign: 1 | -1): void {
    const event = this.#events.get(bet.eventKey) ?? new EventExposure();
    this.#events.set(bet.eventKey, event);
    const before = event.liabilityMicros;
    event.change(bet, sign);
    this.#liabilityMicros += event.liabilityMicros - before;
    this.#updateCredit(bet.eventKey, event);
  }

  #updateCredit(key: string, event: EventExposure): void {
    const credit = event.liabilityMicros - event.worstLossMicros();
    this.#creditMicros += credit - (this.#credits.get(key) ?? 0);
    this.#credits.set(key, credit);
    if (event.liabilityMicros > 0) return;
    this.#creditMicros -= credit;
    this.#events.delete(key);
    this.#credits.delete(key);
  }
}
