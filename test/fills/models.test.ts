import { describe, expect, it } from 'vitest';
import { type Level, recordedTaker, type Resting } from '../../src/fills/fill-model.ts';
import { powerQueue, QUEUE, shareAhead } from '../../src/fills/power-queue.ts';
import { FILL_MODELS } from '../../src/fills/scenarios.ts';

const FEED = 'feed:recorded';
const AT_WHOLE_SIZE = { atTrade: 'queue' } as const;

/** Stake of the recording (`null`) or of an order. The side is `for`: takers are `against`, and lower ticks are better for them. */
const rests = (orderId: number | null, remainingMicros: number, tick = 100): Resting => ({
  owner: orderId === null ? FEED : 'a',
  orderId,
  priceKind: 'odds-for',
  tick,
  hidden: false,
  minTakerMicros: 0,
  minBetMicros: 0,
  remainingMicros,
});

const level = (...queue: Resting[]): Level => ({ priceKind: 'odds-for', tick: queue[0]?.tick ?? 0, queue });

/** What each model gives: pairs of order id and micros. */
const given = (scenario: keyof typeof FILL_MODELS, levels: readonly Level[], tick: number, micros: number) =>
  FILL_MODELS[scenario]
    .match(levels, recordedTaker(AT_WHOLE_SIZE, 'feed:taker', { priceKind: 'lay-for', tick }, micros))
    .map(({ resting, stakeMicros }) => [resting.orderId, stakeMicros]);

describe('a trade at the price of an order', () => {
  const book = [level(rests(null, 50), rests(1, 20), rests(null, 30), rests(2, 20), rests(null, 10))];

  it('fills it before any recorded stake under touch', () => {
    expect(given('touch', book, 100, 15)).toEqual([[1, 15]]);
    expect(given('touch', book, 100, 60)).toEqual([
      [1, 20],
      [2, 20],
      [null, 20],
    ]);
  });

  it('fills it after the stake ahead under queue', () => {
    expect(given('queue', book, 100, 60)).toEqual([
      [null, 50],
      [1, 10],
    ]);
    expect(given('queue', book, 100, 110)).toEqual([
      [null, 50],
      [1, 20],
      [null, 30],
      [2, 10],
    ]);
  });

  it('does not fill it under through', () => {
    expect(given('through', book, 100, 500)).toEqual([
      [null, 50],
      [null, 30],
      [null, 10],
    ]);
  });
});

describe('a trade beyond the price of an order', () => {
  const book = [level(rests(null, 50), rests(1, 20)), level(rests(null, 40, 101), rests(2, 20, 101))];

  it('fills it first in every scenario, and leaves the recorded stake at the better price', () => {
    expect(given('touch', book, 101, 30)).toEqual([
      [1, 20],
      [2, 10],
    ]);
    expect(given('queue', book, 101, 70)).toEqual([
      [1, 20],
      [null, 40],
      [2, 10],
    ]);
    expect(given('through', book, 101, 70)).toEqual([
      [1, 20],
      [null, 40],
    ]);
  });

  it('fills it one tick beyond its price, wherever the ticks are as close as a hundredth', () => {
    // The ticks 40, 100 and 300 are 1.41, 2.02 and 510.
    for (const tick of [40, 100, 300])
      expect(given('through', [level(rests(1, 20, tick))], tick + 1, 5)).toEqual([[1, 5]]);
  });

  it('does not reach an order at a worse price', () => {
    expect(given('touch', book, 100, 500)).toEqual([
      [1, 20],
      [null, 50],
    ]);
  });
});

describe('a cancellation under queue', () => {
  const taken = (queue: readonly Resting[], micros: number, model = QUEUE): number[] => {
    const shares = model.withdraw({ priceKind: 'odds-for', tick: 100, queue }, FEED, micros);
    return queue.map((entry) =>
      shares.filter(({ resting }) => resting === entry).reduce((sum, share) => sum + share.stakeMicros, 0),
    );
  };

  it('takes the share of the power law from before an order', () => {
    expect(shareAhead(10, 10, 3)).toBe(0.5);
    expect(shareAhead(20, 10, 3)).toBeCloseTo(8 / 9);
    expect(shareAhead(20, 10, 1)).toBeCloseTo(2 / 3);
    expect([shareAhead(0, 10, 3), shareAhead(10, 0, 3), shareAhead(0, 0, 3)]).toEqual([0, 1, 0]);
    expect(taken([rests(null, 200), rests(1, 50), rests(null, 100)], 90)).toEqual([80, 0, 10]);
    expect(taken([rests(null, 200), rests(1, 50), rests(null, 100)], 90, powerQueue(1))).toEqual([60, 0, 30]);
  });

  it('rounds the share to the nearest micro', () => {
    const queue = [rests(null, 200), rests(1, 50), rests(null, 100)];
    // 8/9 of 91 is 80.9, of 92 81.8, and of 88 78.2.
    expect([91, 92, 88].map((micros) => taken(queue, micros)[0])).toEqual([81, 82, 78]);
  });

  it('takes from before an order what is missing behind it', () => {
    expect(taken([rests(null, 30), rests(1, 50), rests(null, 90)], 110)).toEqual([20, 0, 90]);
    expect(taken([rests(null, 90), rests(1, 50), rests(null, 10)], 98)).toEqual([90, 0, 8]);
  });

  it('gives each of several orders its own share', () => {
    // Before the first order 100 of 300, before the second 200 of 300: 1/9 and 8/9 of 90.
    const queue = [rests(null, 100), rests(1, 5), rests(null, 100), rests(2, 5), rests(null, 100)];
    expect(taken(queue, 90)).toEqual([10, 0, 70, 0, 10]);
  });

  it('takes the newest stake where no order waits', () => {
    expect(taken([rests(null, 40), rests(null, 60)], 70)).toEqual([10, 60]);
  });
});
