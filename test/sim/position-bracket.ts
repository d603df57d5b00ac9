import { LOSS, WIN } from '../../src/domain/payoff.ts';
import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import { kindOf, profit } from './order-terms.ts';

/** Statuses of orders that the exchange has paid. */
export const PAID: ReadonlySet<string> = new Set(['reconciled', 'full_void', 'partial_void']);

/** The payoff of matched bets in micros when their selection wins, and when it loses. */
export interface Position {
  readonly winMicros: number;
  readonly loseMicros: number;
}

const FLAT: Position = { winMicros: 0, loseMicros: 0 };

/** The most and the least that the unsettled bets can be worth, whatever the prices, order by order. */
export class PositionBracket {
  leastMicros = 0;
  mostMicros = 0;
  readonly #nameOf: (order: InspectedOrder) => string;
  readonly #positions = new Map<string, Position>();
  readonly #counted = new Map<number, Position>();

  /** `nameOf` gives the selection of an order. */
  constructor(nameOf: (order: InspectedOrder) => string) {
    this.#nameOf = nameOf;
  }

  /** The present state of an order. */
  see(order: InspectedOrder): void {
    const before = this.#counted.get(order.orderId) ?? FLAT;
    const after = PAID.has(order.status) ? FLAT : positionOf(order);
    if (before.winMicros === after.winMicros && before.loseMicros === after.loseMicros) return;
    this.#counted.set(order.orderId, after);
    const name = this.#nameOf(order);
    const position = this.#positions.get(name) ?? FLAT;
    this.#count(position, -1);
    const changed = {
      winMicros: position.winMicros + after.winMicros - before.winMicros,
      loseMicros: position.loseMicros + after.loseMicros - before.loseMicros,
    };
    this.#positions.set(name, changed);
    this.#count(changed, 1);
  }

  /** A position without a price counts as nothing. */
  #count({ winMicros, loseMicros }: Position, sign: 1 | -1): void {
    this.leastMicros += sign * Math.min(0, winMicros, loseMicros);
    this.mostMicros += sign * Math.max(0, winMicros, loseMicros);
  }
}

/**
 * The payoff of an order's fills. Voided ones pay nothing once the order is closed. Until then their stake may be
 * matched again, and a reader that counts it errs on the safe side.
 */
export function positionOf(order: InspectedOrder): Position {
  const kind = kindOf(order) ?? 'odds-for';
  let [winMicros, loseMicros] = [0, 0];
  for (const { stakeMicros, price, voided } of order.fills) {
    if (voided && order.closed) continue;
    winMicros += profit(kind, stakeMicros, price, WIN);
    loseMicros += profit(kind, stakeMicros, price, LOSS);
  }
  return { winMicros, loseMicros };
}
