import { describe, expect, it } from 'vitest';
import type { OwnQuote } from '../../../src/domain/event-view.ts';
import { tickOf } from '../../../src/domain/ladder.ts';
import { logit } from '../../../src/domain/odds.ts';
import {
  edgeOf,
  eventEstimator,
  type EventReading,
  fillsAtFair,
  type OwnFillSample,
  type Tick,
  type ViewSample,
} from '../../../src/strategy/sdk.ts';
import { eventView, selectionView } from '../support.ts';

const START_MS = 1_700_000_000_000;
const { selectionId } = selectionView(null, null);

/** A view of a market with equal stakes, so that the weighted mid lies near the middle. */
function viewAt(second: number, low: number, high: number, quotes: readonly OwnQuote[] = []): ViewSample {
  const selection = { ...selectionView([[low, 100]], [[high, 100]]), quotes };
  const view = eventView([selection], { nowMs: START_MS + second * 1000 });
  return { kind: 'view', view, maxWidth: 0.6 };
}

const ownFor = (price: number): OwnQuote => ({
  direction: 'for',
  tick: tickOf(price) as Tick,
  unfilledMicros: 1e6,
  phase: 'resting',
  aheadMicros: null,
});

const fillFor = (price: number, changes: Partial<OwnFillSample> = {}): OwnFillSample => ({
  kind: 'fill',
  selectionId,
  direction: 'for',
  price,
  role: 'maker',
  share: 1,
  ...changes,
});

function read(samples: readonly (ViewSample | OwnFillSample)[]): EventReading {
  const { reduce, seed, read: reading } = eventEstimator({ intensity: { halfLifeS: 1e15 } });
  return reading(samples.reduce(reduce, seed));
}

/** Seconds that were quoted, all distances together. */
const quotedS = ({ intensity }: EventReading): number => fillsAtFair(intensity, 0).hours * 3600;

const filled = ({ intensity }: EventReading): number =>
  intensity.fills.reduce((sum, fills) => sum + fills, 0);

describe('the quoting time of an event', () => {
  it('counts each own quote at its distance from fair in the view before', () => {
    const quotes = [ownFor(2.1)];
    const { intensity } = read([viewAt(0, 1.9, 2.1, quotes), viewAt(6, 2.5, 2.7, quotes)]);
    const [bucket] = intensity.quotedS.flatMap((time, i) => (time > 0 ? [i] : []));
    // (2.1 × 1/1.9 + 1.9 × 1/2.1) / (1.9 + 2.1): contracts weigh the sides.
    const fair = logit((2.1 / 1.9 + 1.9 / 2.1) / 4);
    const distance = edgeOf('for', tickOf(2.1) as Tick, fair);
    expect((intensity.distanceS[bucket as number] as number) / 6).toBeCloseTo(distance, 12);
  });

  it('is counted at looks that are at least five seconds apart', () => {
    const quotes = [ownFor(2.1), ownFor(2.12)];
    const views = [0, 2, 4, 6, 8, 11].map((second) => viewAt(second, 1.9, 2.1, quotes));
    expect(quotedS(read(views))).toBeCloseTo(22, 9);
  });

  it('leaves out gaps, clocks that run backwards, and markets without a mid', () => {
    const quotes = [ownFor(2.1)];
    expect(quotedS(read([viewAt(0, 1.9, 2.1, quotes), viewAt(31, 1.9, 2.1, quotes)]))).toBe(0);
    expect(quotedS(read([viewAt(9, 1.9, 2.1, quotes), viewAt(0, 1.9, 2.1, quotes)]))).toBe(0);
    expect(quotedS(read([viewAt(0, 1.2, 9, quotes), viewAt(6, 1.2, 9, quotes)]))).toBe(0);
  });
});

describe('the fills of an event', () => {
  const quotes = [ownFor(2.1)];
  const quoted = [viewAt(0, 1.9, 2.1, quotes), viewAt(10, 1.9, 2.1, quotes)];

  it('count where they were quoted, by the part that was filled', () => {
    const reading = read([...quoted, fillFor(2.1, { share: 0.25 }), fillFor(2.1)]);
    expect(reading.fills).toBe(2);
    expect(filled(reading)).toBeCloseTo(1.25, 12);
    expect(fillsAtFair(reading.intensity, 0)).toEqual({ fills: 1.25, hours: expect.closeTo(10 / 3600, 12) });
  });

  it.each<[string, Partial<OwnFillSample>]>([
    ['taking', { role: 'taker' }],
    ['of a selection without a mid', { selectionId: 'another' }],
  ])('are counted but say nothing about the rate when %s', (_, changes) => {
    const reading = read([...quoted, fillFor(2.1, changes)]);
    expect(reading.fills).toBe(1);
    expect(filled(reading)).toBe(0);
  });
});

describe('the hours at fair that fills needed', () => {
  it('are those of the quoting time, discounted by the distance', () => {
    const quotes = [ownFor(2.1)];
    const { intensity } = read([viewAt(0, 1.9, 2.1, quotes), viewAt(10, 1.9, 2.1, quotes)]);
    const fair = logit((2.1 / 1.9 + 1.9 / 2.1) / 4);
    const distance = edgeOf('for', tickOf(2.1) as Tick, fair);
    const { hours } = fillsAtFair(intensity, 40);
    expect(hours).toBeCloseTo((10 / 3600) * Math.exp(-40 * distance), 12);
  });
});

describe('the volatility of a selection', () => {
  it('is that of the plain mid, which sizes do not move', () => {
    const sized = (second: number, size: number): ViewSample => {
      const selection = selectionView([[1.9, size]], [[2.1, 100]]);
      const view = eventView([selection], { nowMs: START_MS + second * 1000 });
      return { kind: 'view', view, maxWidth: 0.6 };
    };
    const flicker = Array.from({ length: 100 }, (_, i) => sized(i, i % 2 === 0 ? 1 : 1000));
    expect(read(flicker).volatility).toEqual({ [selectionId]: null });
    const moved = read([viewAt(0, 1.9, 2.1), viewAt(20, 1.95, 2.15)]);
    expect(moved.volatility[selectionId]?.hours).toBeCloseTo(20 / 3600, 12);
  });
});
