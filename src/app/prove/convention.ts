import { ceilTick, floorTick, priceOf } from '../../domain/ladder.ts';
import {
  honouringTick,
  kindsOf,
  otherStakeMicros,
  PRICE_CONVENTIONS,
  type PriceConvention,
  type PricedTick,
  type PriceKind,
  shownTick,
  takerStakeMicros,
} from '../../domain/odds.ts';
import { levelsOf, type PriceList } from '../../domain/price-list.ts';
import type { Micros } from '../../domain/money.ts';

/** The least `for` price at which the prices of a selection can tell the conventions apart. */
export const LEAST_PRICE = 2.2;
/** The limit of the orders: off the ladder, and passive under both readings on a selection from `LEAST_PRICE` on. */
export const OFF_TICK = 2.05;

/** Which conventions an honoured price of the order against a selection speaks for: one, or none for an unmoved or odd price. */
export const conventionOfTick = (price: number): PriceConvention | null =>
  PRICE_CONVENTIONS.find((convention) => honoured(kindsOf(convention).against) === price) ?? null;

/** The price on the ladder that honours `OFF_TICK`. */
export function honoured(kind: PriceKind): number | null {
  const tick = honouringTick(kind, OFF_TICK);
  return tick === null ? null : priceOf(tick);
}

/** How a resting order of ours shows to takers of the selection, seen as a change of the public offers. */
export interface Shown {
  readonly price: number;
  readonly stakeMicros: Micros;
  /** What our price is, by the place where it shows. */
  readonly kind: PriceKind;
  /** Our price on the ladder, by the place where it shows. */
  readonly ownPrice: number;
  /** `taker`: the stake with which takers match all of ours. */
  readonly stake: 'taker' | 'own' | 'other side' | 'neither';
}

/** Rounding of an exchange that shows stakes in cents. */
const CENT = 10_000;

/**
 * The level of the `for` offers that grew where an order of ours can show: an order of one of the kinds, at the tick on either side of
 * `OFF_TICK`. Null if none did.
 */
export function shownIn(
  before: PriceList,
  after: PriceList,
  kinds: readonly PriceKind[],
  stakeMicros: Micros,
): Shown | null {
  const grown = places(kinds).flatMap((resting): Shown[] => {
    const tick = shownTick(resting, 'odds-for');
    if (tick === null) return [];
    const [price, ownPrice] = [priceOf(tick), priceOf(resting.tick)];
    const micros = stakeAt(after, price) - stakeAt(before, price);
    if (micros <= 0) return [];
    const stake = whichStake(resting, stakeMicros, micros);
    return [{ price, stakeMicros: micros, kind: resting.priceKind, ownPrice, stake }];
  });
  // The stake of others may change meanwhile, so a stake that is ours goes first.
  return grown.find(({ stake }) => stake !== 'neither') ?? grown[0] ?? null;
}

/** Every place at which an order can rest. */
const places = (kinds: readonly PriceKind[]): readonly PricedTick[] =>
  kinds.flatMap((priceKind) =>
    [floorTick(OFF_TICK), ceilTick(OFF_TICK)].flatMap((tick) => (tick === null ? [] : [{ priceKind, tick }])),
  );

function whichStake(resting: PricedTick, ownMicros: Micros, shownMicros: Micros): Shown['stake'] {
  const is = (micros: Micros): boolean => Math.abs(micros - shownMicros) < CENT;
  if (is(takerStakeMicros(resting, ownMicros, 'odds-for'))) return 'taker';
  if (is(ownMicros)) return 'own';
  return is(otherStakeMicros(ownMicros, priceOf(resting.tick))) ? 'other side' : 'neither';
}

const stakeAt = (list: PriceList, price: number): Micros =>
  levelsOf(list).find((level) => level.price === price)?.maxMicros ?? 0;

/** The kinds that an order on the `against` bet type may have. */
export const AGAINST_KINDS: readonly PriceKind[] = PRICE_CONVENTIONS.map((each) => kindsOf(each).against);

/** Votes of the selections by reading. */
export type Votes = Readonly<Record<PriceConvention, number>>;

export interface ConventionEvidence {
  readonly votes: Votes;
  /** The price that the exchange reports of the order; null if it reported none. */
  readonly reported: number | null;
  readonly shown: Shown | null;
}

export interface Conclusion {
  readonly convention: PriceConvention | null;
  /** What contradicts, or what is missing; null with a convention. */
  readonly why: string | null;
}

/** Votes that agree without an order's evidence. */
const ENOUGH = 10;
const SHARE = 0.95;

/** The convention on which all evidence agrees. */
export function concluded({ votes, reported, shown }: ConventionEvidence): Conclusion {
  const words = [byVotes(votes), byReport(reported), byBook(shown)];
  const conflict = words.find((word) => word?.convention === null);
  if (conflict?.why !== undefined) return { convention: null, why: conflict.why };
  const [first, ...others] = words.flatMap((word) => word?.convention ?? []);
  const isEnough = words.some((word) => word?.isEnough === true);
  if (first === undefined || !isEnough) return { convention: null, why: 'there is too little evidence' };
  return others.every((each) => each === first)
    ? { convention: first, why: null }
    : { convention: null, why: 'the selections and the order disagree' };
}

/** What one kind of evidence says; null where it says nothing. */
interface Word {
  /** Null: it contradicts every convention. */
  readonly convention: PriceConvention | null;
  readonly why?: string;
  /** Whether it suffices by itself. */
  readonly isEnough?: boolean;
}

function byVotes({ odds, lay }: Votes): Word | null {
  const total = odds + lay;
  if (total === 0) return null;
  if (Math.max(odds, lay) < SHARE * total) return { convention: null, why: 'the selections disagree' };
  return { convention: odds > lay ? 'odds' : 'lay', isEnough: total >= ENOUGH };
}

function byReport(reported: number | null): Word | null {
  if (reported === null || reported === OFF_TICK) return null;
  const why = `an order at ${OFF_TICK} does not move to ${reported}`;
  return { convention: conventionOfTick(reported), why, isEnough: true };
}

function byBook(shown: Shown | null): Word | null {
  if (shown === null) return null;
  const convention = conventionOfTick(shown.ownPrice);
  const isPlace = convention !== null && kindsOf(convention).against === shown.kind;
  const why = `the order shows at ${shown.price}, where no convention puts it`;
  return { convention: isPlace ? convention : null, why, isEnough: true };
}
