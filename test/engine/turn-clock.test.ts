import { expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { TurnClock } from '../../src/engine/turn-clock.ts';
import { momentOf } from '../../src/lib/time.ts';

const START_MS = 1_700_000_000_000;
const NOW = { monotonicMs: 0, wallMs: START_MS };
const [A, B] = [
  { monotonicMs: 7, wallMs: 8 },
  { monotonicMs: 9, wallMs: 10 },
];

it('keeps its instant during the work, and runs again afterwards', async () => {
  const virtual = new VirtualClock(START_MS);
  const clock = new TurnClock(virtual);
  expect(clock.within(A, () => momentOf(clock))).toEqual(A);
  expect(momentOf(clock)).toEqual(NOW);
  await virtual.advance(5);
  expect(momentOf(clock)).toEqual({ monotonicMs: 5, wallMs: START_MS + 5 });
});

it('shows the inner work’s instant, and then the outer one’s again', () => {
  const clock = new TurnClock(new VirtualClock(START_MS));
  const seen = clock.within(A, () => [clock.within(B, () => momentOf(clock)), momentOf(clock)]);
  expect(seen).toEqual([B, A]);
});

it('runs again when the work throws', () => {
  const clock = new TurnClock(new VirtualClock(START_MS));
  const work = (): never => {
    throw new Error('a bug');
  };
  expect(() => clock.within(A, work)).toThrow('a bug');
  expect(momentOf(clock)).toEqual(NOW);
});
