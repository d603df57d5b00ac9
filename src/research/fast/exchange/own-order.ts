/** An order of ours in the fast engine: what the exchange holds of it, and what we know. */
import type { Resting } from '../../../fills/fill-model.ts';
import type { Micros } from '../../../domain/money.ts';
import type { Tick } from '../../../domain/ladder.ts';
import { type PriceKind, SELECTION_KINDS } from '../../../domain/odds.ts';
import type { ExchangeMode, MatchingTerms, TakeTerms } from '../../../domain/orders.ts';
import type { IntentKey } from '../../../domain/quote-intent.ts';
import type { Direction } from '../../../domain/selection.ts';

/** The owner of our orders, and of the recorded stake. */
export const OURS = 'account';
export const RECORDED = 'recorded';
/** The owner of recorded trades. */
export const TAKER = 'taker';

export interface OwnOrder {
  readonly id: number;
  /** Position in `EventTape.selections`. */
  readonly selection: number;
  readonly direction: Direction;
  /** The kind of the price: recorded markets have lay prices. */
  readonly priceKind: PriceKind;
  /** A removal of a runner lowers it. */
  tick: Tick;
  readonly stakeMicros: Micros;
  readonly key: IntentKey;
  readonly level: number;
  readonly mode: ExchangeMode;
  readonly take?: TakeTerms | undefined;
  /** The terms that it asks for beside price and stake. A recorded market has no sources and no bets in danger. */
  readonly matching: MatchingTerms;
  /** When the request left, wall-clock milliseconds. */
  readonly sentMs: number;
  /** When the answer to the request is here. */
  readonly answeredMs: number;
  expiryMs: number;
  filledMicros: Micros;
  /** When it reached its book, and how many rows of the recording were applied by then; null before. */
  restedFromMs: number | null;
  restedFromRow: number | null;
  /** The recorded stake before it when it began to rest. */
  queueAheadMicros: Micros;
  /** The recorded stake that traded at its price or beyond while it rests. */
  tradedMicros: Micros;
  /** Its place in the book, while it rests. */
  resting: OwnResting | null;
  /** The exchange has closed it: filled, cancelled, lapsed, or by the market. */
  closed: boolean;
  /** The exchange did not accept it. */
  refused: boolean;
  /** The fills that we know of. */
  knownFilledMicros: Micros;
  closeWanted: boolean;
}

type Terms = Pick<OwnOrder, 'id' | 'selection' | 'direction' | 'tick' | 'stakeMicros' | 'key' | 'level'> &
  Partial<Pick<OwnOrder, 'mode' | 'take' | 'matching'>>;
type Times = Pick<OwnOrder, 'sentMs' | 'answeredMs' | 'expiryMs'>;

const NO_TERMS: MatchingTerms = {};

/** An order that is on its way. Written out: an engine makes many, and spreading costs it more than the rest of an order. */
export const newOrder = (terms: Terms, times: Times): OwnOrder => ({
  id: terms.id,
  selection: terms.selection,
  direction: terms.direction,
  priceKind: SELECTION_KINDS[terms.direction],
  tick: terms.tick,
  stakeMicros: terms.stakeMicros,
  key: terms.key,
  level: terms.level,
  mode: terms.mode ?? 'make_and_take',
  take: terms.take,
  matching: terms.matching ?? NO_TERMS,
  sentMs: times.sentMs,
  answeredMs: times.answeredMs,
  expiryMs: times.expiryMs,
  filledMicros: 0,
  restedFromMs: null,
  restedFromRow: null,
  queueAheadMicros: 0,
  tradedMicros: 0,
  resting: null,
  closed: false,
  refused: false,
  knownFilledMicros: 0,
  closeWanted: false,
});

/** Our stake in the queue of a price. */
export interface OwnResting extends Resting {
  readonly order: OwnOrder;
}

/** The exchange's clock gives the order no further match. */
export const unfilledOf = (order: OwnOrder): Micros => order.stakeMicros - order.filledMicros;

/** Recorded stake in the queue of a price. */
export const recordedStake = (direction: Direction, tick: Tick, remainingMicros: Micros): Resting => ({
  owner: RECORDED,
  orderId: null,
  priceKind: SELECTION_KINDS[direction],
  tick,
  hidden: false,
  minTakerMicros: 0,
  minBetMicros: 0,
  remainingMicros,
});

export const ownStake = (order: OwnOrder): OwnResting => ({
  owner: OURS,
  orderId: order.id,
  priceKind: order.priceKind,
  tick: order.tick,
  hidden: order.mode === 'dark',
  minTakerMicros: order.matching.minTakerWantStakeMicros ?? 0,
  minBetMicros: 0,
  remainingMicros: unfilledOf(order),
  order,
});
