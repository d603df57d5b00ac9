import { LAST_TICK, priceOf, type Tick } from '../domain/ladder.ts';
import type { Micros } from '../domain/money.ts';
import {
  betterBy,
  contractsMicros,
  COUNTERPARTS,
  directionOfKind,
  type PricedTick,
  type PriceKind,
  ticksBetter,
} from '../domain/odds.ts';
import type { Direction } from '../domain/selection.ts';
import { inWholeCents } from './legs.ts';

/** When hedges are made without a person. Null: never. All of them are off by default. */
export interface HedgeRules {
  /** After a fill, the other side is offered this many ticks better. */
  readonly offsetTicks: number | null;
  /** A position that has moved this many ticks against us is flattened. */
  readonly stopTicks: number | null;
  /** A market is equalised so long before the start. */
  readonly greenUpBeforeMs: number | null;
  /** A market is equalised in this minute of play. */
  readonly greenUpMinute: number | null;
  /** An event is bounded when its worst case uses this share of its limit, from 0 to 1. */
  readonly boundAtShare: number | null;
}

export const NO_RULES: HedgeRules = {
  offsetTicks: null,
  stopTicks: null,
  greenUpBeforeMs: null,
  greenUpMinute: null,
  boundAtShare: null,
};

/** A bet of ours that was matched, in the exchange's own terms. */
export interface FilledBet {
  readonly priceKind: PriceKind;
  readonly tick: Tick;
  readonly stakeMicros: Micros;
}

/** An offer that would close a bet at a profit. */
export interface OffsetOffer extends FilledBet {
  readonly direction: Direction;
}

/**
 * The offer so many ticks better than a fill, with the same contracts: if it is matched, the profit is the same whatever the outcome. Null
 * beyond the end of the ladder, and for less than a cent.
 */
export function offsetOf({ priceKind, tick, stakeMicros }: FilledBet, ticks: number): OffsetOffer | null {
  const other = COUNTERPARTS[priceKind];
  const offered = betterBy(other, tick, ticks);
  if (offered < 0 || offered > LAST_TICK) return null;
  const stake = inWholeCents(contractsMicros(stakeMicros, priceOf(tick)) / priceOf(offered));
  return stake > 0
    ? { direction: directionOfKind(other), priceKind: other, tick: offered, stakeMicros: stake }
    : null;
}

/** Whether a position must be given up: the other side can be had only at a price so many ticks worse than the entry, or worse still. */
export function isStopped(entry: PricedTick, closing: PricedTick, ticks: number): boolean {
  const other = COUNTERPARTS[entry.priceKind];
  return closing.priceKind === other && ticksBetter(other, entry.tick, closing.tick) >= ticks;
}

/** When an event is. */
export interface EventMoment {
  /** Until the start, negative afterwards; null when not known. */
  readonly startsInMs: number | null;
  readonly isInPlay: boolean;
  /** The minute of play; null before the start, and while it is not known. */
  readonly minute: number | null;
}

/** Whether the markets of an event are to be equalised now. */
export function isGreenUpDue(
  { greenUpBeforeMs, greenUpMinute }: Pick<HedgeRules, 'greenUpBeforeMs' | 'greenUpMinute'>,
  { startsInMs, isInPlay, minute }: EventMoment,
): boolean {
  const isBefore =
    greenUpBeforeMs !== null &&
    !isInPlay &&
    startsInMs !== null &&
    startsInMs > 0 &&
    startsInMs <= greenUpBeforeMs;
  return isBefore || (greenUpMinute !== null && isInPlay && minute !== null && minute >= greenUpMinute);
}

/** Whether an event is to be bounded: its worst case uses more than a share of its limit. */
export const isBoundDue = (worstMicros: Micros, limitMicros: Micros, share: number | null): boolean =>
  share !== null && 0 - worstMicros > share * limitMicros;
