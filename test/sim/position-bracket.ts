import type { InspectedOrder } from '../../src/simulator/core/api.ts';

/** Statuses of orders that the exchange has paid. */
export const PAID: ReadonlySet<string> = new Set(['reconciled', 'full_void', 'partial_void']);

/** What matched bets pay in micros if their selection wins, and if it loses. */
export interface Position {
  readonly winMicros: number;
  readonly loseMicros: number;
}

const FLAT: Position = { winMicros: 0, loseMicros: 0 };

/** Between what the bets that are not settled can be worth at most and at least, whatever the prices: order by order. */
export class PositionBracket {
  leastMicros = 0;
  mostMicros = 0;
  readonly #nameOf: (order: InspectedOrder) => string;
  readonly #positions = new Map<string, Position>();
  readonly #counted = new Map<number, Position>();

  /** `nameOf` tells the selection that an order is on. */
  constructor(nameOf: (order: InspectedOrder) => string) {
    this.#nameOf = nameOf;
  }

  /** An order as it is now. */
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

  /** A position that nobody can price counts as nothing. */
  #count({ winMicros, loseMicros }: Position, sign: 1 | -1): void {
    this.leastMicros += sign * Math.min(0, winMicros, loseMicros);
    this.mostMicros += sign * Math.max(0, winMicros, loseMicros);
  }
}

/**
 * What the fills of an order pay; those that were taken back pay nothing once it is closed: until then their stake may be
 * matched again, and whoever counts it errs on the safe side.
 */
export function positionOf({ betType, fills, closed }: InspectedOrder): Position {
  const sign = betType.startsWith('for,') ? 1 : -1;
  let [winMicros, loseMicros] = [0, 0];
  for (const { stakeMicros, price, voided } of fills) {
    if (voided && closed) continue;
    winMicros += sign * stakeMicros * (price - 1);
    loseMicros -= sign * stakeMicros;
  }
  return { winMicros, loseMicros };
}
