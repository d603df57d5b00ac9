import { expect, it } from 'vitest';
import { PerSecond } from '../../src/lib/per-second.ts';

it('lets pass what the limit of each second allows, and tells the first one beyond it apart', () => {
  const limit = new PerSecond(2);
  expect([0, 10, 20, 30].map((nowMs) => limit.at(nowMs))).toEqual(['passes', 'passes', 'first over', 'over']);
  expect([limit.restMs(30), limit.restMs(999)]).toEqual([970, 1]);
  expect([999, 1_000, 1_001, 1_002].map((nowMs) => limit.at(nowMs))).toEqual([
    'over',
    'passes',
    'passes',
    'first over',
  ]);
});
