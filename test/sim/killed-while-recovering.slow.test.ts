import { expect, it } from 'vitest';
import { Closing } from '../../src/orders/outcomes/closing.ts';
import { Adoption } from '../../src/orders/recovery/adoption.ts';
import { type Fault, faultSchema } from '../../src/simulator/faults/schema.ts';
import { patient } from '../support/patience.ts';
import { drawPlan, type SimPlan } from './plan.ts';
import { type Planted, replace } from './planted/planted.ts';
import { simulate } from './simulate.ts';

/** The daemon dies with creates in flight. The next run cannot list orders, and a person stops everything meanwhile. */
function killedPlan(): SimPlan {
  const day = drawPlan(5, 90);
  const faults = [
    { target: 'orders.list', fault: 'request_lost', at: 30, for_s: 50 },
    { target: 'orders.create', fault: 'late', delay_ms: 14_000, at: 25, for_s: 10 },
  ];
  return {
    ...day,
    acts: [
      { do: 'kill', atS: 35, downS: 1 },
      { do: 'kill_switch', atS: 36.7, forS: 30 },
    ],
    faults: faults.map((fault): Fault => faultSchema.parse(fault)),
    world: { events: 4, speed: 5, latencyMs: [1, 5], openBetslips: 20, betslipsPerDay: 2_000 },
    daemon: {
      strategy: 'guarded-ladder',
      maxSelections: 4,
      inPlay: true,
      eventLimitUsdt: 4_000,
      limits: {},
      durationS: 60,
      heartbeatS: 60,
    },
  };
}

/** An order that shows as open after its close request is left to the end of recovery. */
const leavesIt: Planted = {
  name: 'what lands before recovery is done is not closed',
  patch: () => {
    const undo = [
      replace(Adoption.prototype, 'sweep', () => () => undefined),
      replace(Closing.prototype, 'changed', () => () => undefined),
    ];
    return () => undo.forEach((each) => each());
  },
};

it(
  'lets a person stop everything, and resume, while a run still recovers',
  async () => {
    const { violations, reached } = await simulate(killedPlan());
    expect(violations).toEqual([]);
    expect(reached.get('path: killed while recovering')).toBe(1);
  },
  patient(60_000),
);

it(
  'closes orders that are reported open then before recovery is done',
  async () => {
    const { violations } = await simulate(killedPlan(), leavesIt);
    expect(new Set(violations.map(({ invariant }) => invariant))).toEqual(new Set(['19 closes at once']));
    expect(violations[0]?.atS).toBeLessThan(60);
  },
  patient(60_000),
);
