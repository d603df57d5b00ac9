import { describe, expect, it } from 'vitest';
import { type ComparedFill, compareModel, Trades } from '../../../scripts/worlds/compare.ts';

const fill = (change: Partial<ComparedFill> = {}): ComparedFill => ({
  event: 'fb|one',
  betType: 'for,h',
  price: 2,
  stake: 10,
  cause: 'queue ahead traded',
  atMs: 100_000,
  marks: [0.01, 0.02],
  ...change,
});

/** Takers against the selection take stake for it, at these instants. */
const tradesAt = (...timesMs: readonly number[]): Trades =>
  new Trades(timesMs.map((atMs) => ({ key: 'fb|one|h', taker: 'against', atMs })));

const compare = (live: readonly ComparedFill[], paper: readonly ComparedFill[], trades = tradesAt()) =>
  compareModel('queue', live, paper, trades, 1);

describe('fills of two worlds', () => {
  it.each([
    ['at the same time', 0, 1],
    ['a second before', -1_000, 1],
    ['more than a second before', -1_001, 0],
    ['a broadcast and a second later', 3_000, 1],
    ['later than that', 3_001, 0],
  ])('are the same %s', (_when, laterMs, part) => {
    const { recall, precision } = compare([fill()], [fill({ atMs: 100_000 + laterMs })]);
    expect([recall.value, precision.value]).toEqual([part, part]);
  });

  it.each([
    ['the price', { price: 2.02 }],
    ['the side', { betType: 'against,h' }],
    ['the selection', { betType: 'for,a' }],
    ['the event', { event: 'fb|two' }],
  ])('are others if %s differs', (_what, change) => {
    const { recall, precision, missed, extra } = compare([fill()], [fill(change)]);
    expect([recall.value, precision.value]).toEqual([0, 0]);
    expect([missed, extra]).toEqual([{ 'queue ahead traded': 1 }, { 'queue ahead traded': 1 }]);
  });

  it('are the same with one trade between them, and others with two, however long it takes', () => {
    const [live, paper] = [fill(), fill({ atMs: 160_000 })];
    const recallOf = (trades: Trades) => compare([live], [paper], trades).recall.value;
    expect(recallOf(tradesAt(100_000, 130_000, 160_000))).toBe(1);
    expect(recallOf(tradesAt(100_000, 130_000, 140_000, 160_000))).toBe(0);
    expect(compare([live], [paper], tradesAt(130_000)).recallInTime.value).toBe(0);
  });

  it('are counted by their causes, and their stake is compared', () => {
    const live = [fill(), fill({ price: 3, cause: 'price crossed' })];
    const paper = [fill({ stake: 5 }), fill({ betType: 'for,d', stake: 3, cause: 'book jumped' })];
    const { missed, extra, recall, precision, stakeDifference } = compare(live, paper);
    expect([missed, extra]).toEqual([{ 'price crossed': 1 }, { 'book jumped': 1 }]);
    expect([recall.value, precision.value, stakeDifference.value]).toEqual([0.5, 0.5, -0.6]);
  });

  it('have an interval that holds the value, and none wider than what one event can change', () => {
    const events = Array.from({ length: 30 }, (_, at) => `fb|${at}`);
    const live = events.map((event) => fill({ event }));
    const paper = live.filter((_, at) => at % 3 > 0);
    const { recall, precision } = compare(live, paper);
    expect(recall.value).toBeCloseTo(2 / 3);
    expect(recall.low).toBeGreaterThan(0.4);
    expect(recall.low).toBeLessThan(2 / 3);
    expect(recall.high).toBeGreaterThan(2 / 3);
    expect(precision).toEqual({ value: 1, low: 1, high: 1 });
  });
});
