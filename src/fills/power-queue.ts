/**
 * The scenario between the two others: price-time priority, in which a part of each recorded cancellation stands before an order.
 *
 * A recording shows how much stake leaves a price, but not from where in its queue. The model takes the probability that a
 * cancellation stood before an order as f(front) / (f(front) + f(back)) with f(x) = x^exponent, where `front` and `back` are the
 * stakes of the background before and behind the order. The probability is used as a share, without chance. Source of the
 * function: the power-law queue models of hftbacktest (`PowerProbQueueFunc`).
 */
import type { Micros } from '../domain/money.ts';
import { type FillModel, isBackground, type Resting, type Share } from './fill-model.ts';
import { PRICE_TIME } from './price-time.ts';

/** The exponent of the `queue` scenario. A larger one takes more from the longer part of the queue. */
export const QUEUE_EXPONENT = 3;

/** A queue model with this exponent, a positive number. */
export function powerQueue(exponent: number): FillModel {
  const queue: Pick<FillModel, 'name' | 'match' | 'withdraw'> = {
    name: 'queue',
    match: (levels, taker) => PRICE_TIME.match(levels, taker),
    withdraw: (level, owner, stakeMicros) => withdrawShares(level.queue, owner, stakeMicros, exponent),
  };
  return { ...queue, atTrade: 'nothing', atWholeSize: { ...queue, atTrade: 'queue' } };
}

export const QUEUE: FillModel = powerQueue(QUEUE_EXPONENT);

/**
 * The part of a cancellation that stood before an order, between 0 and 1. Nothing before the order gives 0, and nothing behind it 1.
 */
export function shareAhead(frontMicros: Micros, backMicros: Micros, exponent: number): number {
  if (frontMicros <= 0) return 0;
  return 1 / (1 + (backMicros / frontMicros) ** exponent);
}

/** A stretch of the queue between two orders, with the stake of the participant in it and before it. */
interface Stretch {
  readonly entries: Resting[];
  frontMicros: Micros;
  micros: Micros;
}

/**
 * Walks from the last stretch to the first. Of the stake that is still to be cancelled, the part before a stretch is the model's
 * share; the stretch gives the rest, as far as it has as much.
 */
function withdrawShares(
  queue: readonly Resting[],
  owner: string,
  stakeMicros: Micros,
  exponent: number,
): Share[] {
  const stretches = stretchesOf(queue, owner);
  const last = stretches.at(-1);
  const totalMicros = last === undefined ? 0 : last.frontMicros + last.micros;
  const askedMicros = Math.min(stakeMicros, totalMicros);
  const shares: Share[] = [];
  let leftMicros = askedMicros;
  for (const { entries, frontMicros, micros } of stretches.toReversed()) {
    const share = shareAhead(frontMicros, totalMicros - frontMicros, exponent);
    const leastMicros = Math.max(0, leftMicros - micros);
    const mostMicros = Math.min(leftMicros, frontMicros);
    const aheadMicros = Math.min(Math.max(Math.round(askedMicros * share), leastMicros), mostMicros);
    takeNewest(entries, leftMicros - aheadMicros, shares);
    leftMicros = aheadMicros;
  }
  return shares;
}

function stretchesOf(queue: readonly Resting[], owner: string): Stretch[] {
  let stretch: Stretch = { entries: [], frontMicros: 0, micros: 0 };
  const stretches = [stretch];
  for (const entry of queue) {
    if (isBackground(entry, owner)) {
      stretch.entries.push(entry);
      stretch.micros += entry.remainingMicros;
    } else if (entry.orderId !== null) {
      stretch = { entries: [], frontMicros: stretch.frontMicros + stretch.micros, micros: 0 };
      stretches.push(stretch);
    }
  }
  return stretches;
}

/** Takes stake from the newest entries of a stretch. */
function takeNewest(entries: readonly Resting[], stakeMicros: Micros, shares: Share[]): void {
  let leftMicros = stakeMicros;
  for (const resting of entries.toReversed()) {
    if (leftMicros <= 0) return;
    const takenMicros = Math.min(leftMicros, resting.remainingMicros);
    shares.push({ resting, stakeMicros: takenMicros });
    leftMicros -= takenMicros;
  }
}
