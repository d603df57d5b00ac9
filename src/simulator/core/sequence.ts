import type { Random } from '../../lib/random.ts';

const FIRST_ORDER_ID = 10_000_001;
const FIRST_BET_ID = 50_000_001;
/** Counting starts at one of so many blocks, so that a restarted exchange does not give out the same ids again. */
const BLOCKS = 1_000_000;
const BLOCK_SIZE = 1_000_000;

/** Names for what the exchange makes: counted where people count, drawn from the seed where they are opaque. */
export class Sequence {
  readonly #random: Random;
  #orderId: number;
  #betId: number;
  #tradeId = 1;

  constructor(random: Random) {
    this.#random = random;
    const block = Math.floor(random.next() * BLOCKS) * BLOCK_SIZE;
    this.#orderId = FIRST_ORDER_ID + block;
    this.#betId = FIRST_BET_ID + block;
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
