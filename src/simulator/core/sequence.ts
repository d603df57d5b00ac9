import type { Random } from '../../lib/random.ts';

const FIRST_ORDER_ID = 10_000_001;
const FIRST_BET_ID = 50_000_001;
/** The number of id blocks. Ids start at a random block, so that a restarted exchange does not repeat ids. */
const BLOCKS = 1_000_000;
const BLOCK_SIZE = 1_000_000;

/** New ids: order, bet and trade ids count up; opaque tokens are drawn from the seed. */
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
