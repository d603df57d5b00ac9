/**
 * Matching under the convention `odds` in its simplest form: look at everything, sort, take. Prices are fractions of whole numbers and
 * stakes are whole micros. It is written from the published facts and takes nothing from the code that it checks.
 */

/** A fraction. */
export type Ratio = readonly [above: bigint, below: bigint];

/** What a price is: the bet type's direction, and whether it is a lay price. */
export interface Terms {
  readonly betType: 'for' | 'against';
  readonly lay: boolean;
  /** The limit in hundredths. */
  readonly hundredths: number;
}

export interface HandOrder extends Terms {
  readonly account: string;
  readonly stake: bigint;
  readonly takeOnly: boolean;
  readonly partial: boolean;
  readonly better: boolean;
  /** The smallest counterpart, in this order's own stake. */
  readonly minTaker: bigint;
  readonly forced: boolean;
}

export interface HandFill {
  readonly maker: number;
  readonly taker: number;
  readonly makerPrice: Ratio;
  readonly takerPrice: Ratio;
  readonly makerStake: bigint;
  readonly takerStake: bigint;
}

export interface HandLive extends HandOrder {
  readonly id: number;
  left: bigint;
  rests: boolean;
}

/** Whether a bet wins with the selection: a lay bet takes the other side of its bet type. */
export const isOnSelection = ({ betType, lay }: Terms): boolean => (betType === 'for') !== lay;

/** The price of the selection: that of a price of "it does not win" is p / (p - 1). */
export const ofSelection = ({ betType, hundredths }: Terms): Ratio =>
  betType === 'for' ? [BigInt(hundredths), 100n] : [BigInt(hundredths), BigInt(hundredths - 100)];

export const compare = ([a, b]: Ratio, [c, d]: Ratio): number => {
  const difference = a * d - c * b;
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
};

/** Half a unit is rounded up. */
const rounded = (above: bigint, below: bigint): bigint => (2n * above + below) / (2n * below);

/** The stake on the other bet type's terms at a price: s(p - 1), with the price on the terms of the bet type `of`. */
const converted = (stake: bigint, from: Terms, to: Terms, price: Terms): bigint => {
  if (from.betType === to.betType) return stake;
  const win = BigInt(price.hundredths - 100);
  return price.betType === from.betType ? rounded(stake * win, 100n) : rounded(stake * 100n, win);
};

const priceFor = (side: Terms, price: Terms): Ratio => {
  const h = BigInt(price.hundredths);
  return side.betType === price.betType ? [h, 100n] : [h, h - 100n];
};

/** Whether a taker is not worse off at the price of `maker` than at its own limit. */
export function crosses(taker: Terms, maker: Terms): boolean {
  const order = compare(ofSelection(maker), ofSelection(taker));
  return isOnSelection(taker) ? order >= 0 : order <= 0;
}

export class OddsByHand {
  readonly fills: HandFill[] = [];
  readonly live: HandLive[] = [];
  readonly #ladder: readonly number[];

  /** `ladder` holds every price in hundredths, ascending. */
  constructor(ladder: readonly number[]) {
    this.#ladder = ladder;
  }

  place(wanted: HandOrder, id: number): void {
    const order: HandLive = { ...wanted, id, left: wanted.stake, rests: false };
    this.#take(order);
    order.rests = !order.takeOnly && order.partial;
    if (order.left > 0n) this.live.push(order);
    if (!order.rests || order.left === 0n) return;
    for (const other of Array.from(this.live))
      if (!other.rests && isOnSelection(other) !== isOnSelection(order)) this.#take(other);
  }

  close(id: number): void {
    const place = this.live.findIndex((order) => order.id === id);
    if (place !== -1) this.live.splice(place, 1);
  }

  leftOf(id: number): bigint {
    return this.live.find((order) => order.id === id)?.left ?? 0n;
  }

  /** What a maker shows a taker: the first tick of the taker's ladder that is not better than the maker's price. */
  shown(maker: Terms, taker: Terms): number | undefined {
    const isHonoured = (hundredths: number): boolean => crosses({ ...taker, hundredths }, maker);
    return taker.lay ? this.#ladder.find(isHonoured) : this.#ladder.findLast(isHonoured);
  }

  #take(taker: HandLive): void {
    const makers = this.#makersFor(taker);
    const trades: { maker: HandLive; makerStake: bigint; takerStake: bigint }[] = [];
    let left = taker.left;
    for (const maker of makers) {
      if (left === 0n) break;
      const price = taker.forced ? taker : maker;
      const all = converted(maker.left, maker, taker, price);
      let [makerStake, takerStake] = [maker.left, all];
      if (all > left) {
        [makerStake, takerStake] = [converted(left, taker, maker, price), left];
        // A remainder that is worth nothing to anybody is not left behind.
        if (converted(maker.left - makerStake, maker, taker, price) === 0n) makerStake = maker.left;
      }
      if (makerStake === 0n || takerStake === 0n) continue;
      trades.push({ maker, makerStake, takerStake });
      left -= takerStake;
    }
    if (!taker.partial && left > 0n) return;
    for (const { maker, makerStake, takerStake } of trades) {
      maker.left -= makerStake;
      taker.left -= takerStake;
      const price = taker.forced ? taker : maker;
      const [makerPrice, takerPrice] = [priceFor(maker, price), priceFor(taker, price)];
      this.fills.push({ maker: maker.id, taker: taker.id, makerPrice, takerPrice, makerStake, takerStake });
    }
    for (const { maker } of trades) if (maker.left === 0n) this.close(maker.id);
    if (taker.left === 0n) this.close(taker.id);
  }

  #makersFor(taker: HandLive): HandLive[] {
    const sign = isOnSelection(taker) ? -1 : 1;
    return this.live
      .filter((maker) => maker.rests && maker.account !== taker.account)
      .filter((maker) => isOnSelection(maker) !== isOnSelection(taker) && crosses(taker, maker))
      .filter((maker) => taker.better || this.shown(maker, taker) === taker.hundredths)
      .filter((maker) => converted(taker.stake, taker, maker, maker) >= maker.minTaker)
      .sort((a, b) => sign * compare(ofSelection(a), ofSelection(b)) || a.id - b.id);
  }
}
