import { expect, it } from 'vitest';
import { faultSchema } from '../../src/simulator/faults/schema.ts';
import { knownAfterMs } from './allowance.ts';
import { drawPlan } from './plan.ts';

const HOURS_S = 3 * 3_600;

/** The extra seconds until the daemon knows the state of a bet, for a fault that lasts for hours. */
function laterByS(fault: object): number {
  const day = { ...drawPlan(5, 600), acts: [], faults: [] };
  const faults = [faultSchema.parse({ fault: 'unavailable', for_s: HOURS_S, ...fault })];
  return (knownAfterMs({ ...day, faults }) - knownAfterMs(day)) / 1000;
}

it.each(['orders.updates', 'orders.*'])(
  'excuses a daemon that lacks news while %s is out of order',
  (target) => {
    expect(laterByS({ target })).toBe(HOURS_S);
    expect(laterByS({ target, times: 3 })).toBe(0);
    expect(laterByS({ target: 'orders.close' })).toBe(0);
  },
);
