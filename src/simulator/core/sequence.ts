import type { Random } from '../../lib/random.ts';

const FIRST_ORDER_ID = 10_000_001;
const FIRST_BET_ID = 50_000_001;

/** Names for what the exchange makes: counted where people count, drawn from the seed where they are opaque. */
export class Sequence {
  readonly #random: Random;
  #orderId = FIRST_ORDER_ID;
  #betId = FIRST_BET_ID;
  #tradeId = 1;

  constructor(random: Random) {
    this.#random = random;
  }

  nextOrderId(): number {
    return this.#orderId++;
  }

  nextBetId(): number {
    return this.#betId++;
  }

  nextTradeId(): number {
    return this.#tradeId++;
  }

  /** 32 hexadecimal digits. */
  nextToken(): string {
    const word = (): string =>
      Math.floor(this.#random.next() * 2 ** 32)
        .toString(16)
        .padStart(8, '0');
    return word() + word() + word() + word();
  }
}
