import { expect, it } from 'vitest';
import { JournalError } from '../../src/domain/errors.ts';
import type { Journal } from '../../src/ports/journal.ts';
import type { Fault } from '../../src/simulator/faults/schema.ts';
import { faultSchema } from '../../src/simulator/faults/schema.ts';
import type { MarketPlan } from './markets.ts';
import type { Act, DaemonPlan, SimPlan, WorldPlan } from './plan.ts';
import { drawPlan } from './plan.ts';
import type { Planted } from './planted/planted.ts';
import { simulate } from './simulate.ts';

/** Hardly anything is matched, and nothing is replaced. */
const ASLEEP: MarketPlan = {
  ...{ name: 'asleep', leadMinutes: 300, requoteMs: 300_000, requoteInPlayMs: 60_000, stepMs: 300_000 },
  ...{ stepInPlayMs: 30_000, makers: 1, leastPopularity: 0.9, arrivalRate: 0.0005, informedRate: 0.001 },
};

interface Part {
  readonly world?: Partial<WorldPlan>;
  readonly daemon?: Partial<DaemonPlan>;
}

function dayWith(activeS: number, faults: readonly unknown[], { world, daemon }: Part): SimPlan {
  const day = drawPlan(5, activeS);
  return {
    ...day,
    acts: [],
    faults: faults.map((fault): Fault => faultSchema.parse(fault)),
    world: { ...day.world, ...world },
    daemon: { ...day.daemon, ...daemon },
  };
}

/** As two stretches of a long day follow each other: what refuses creates is armed still when what doubles them begins. */
it('nobody is to blame for an order of which the network says that it was refused', async () => {
  const on = { target: 'orders.create', at: 30, for_s: 600 };
  const refused = { ...on, fault: 'rejected', reasons: { betslip_id: ['unknown'] }, times: 4 };
  const doubled = { ...on, fault: 'applied_twice', times: 2 };
  const daemon = { durationS: 30, heartbeatS: 30 };
  const { violations } = await simulate(dayWith(120, [refused, doubled], { daemon }));
  expect(violations).toEqual([]);
}, 60_000);

/** Somebody deletes the heartbeat, and the answers to its next refreshes, all of them 404, cannot be read. */
it.each(['invalid_body', 'other_shape'])(
  'a 404 with %s tells of no close-out',
  async (fault) => {
    const faults = [30, 70, 110, 150].flatMap((at) => [
      { target: 'account', fault: 'heartbeats_deleted', at },
      { target: 'heartbeats.*', fault, at, times: 2 },
    ]);
    const world = {
      events: 6,
      speed: 5,
      latencyMs: [50, 400],
      openBetslips: 20,
      betslipsPerDay: 2_000,
    } as const;
    const terms = { strategy: 'guarded-ladder', durationS: 10, heartbeatS: 15, maxSelections: 4 } as const;
    const daemon = { ...terms, inPlay: true, eventLimitUsdt: 4_000 };
    const { violations } = await simulate(dayWith(180, faults, { world, daemon }));
    expect(violations).toEqual([]);
  },
  120_000,
);

/** The loop is asked whether it agrees just when the daemon, all of whose orders were closed, lists what is open. */
it('a daemon that looks at its account anew after a close-out has not come to rest', async () => {
  const foreign = { target: 'account', fault: 'foreign_heartbeat', at: 55 };
  const day = dayWith(60, [foreign], {
    world: { latencyMs: [400, 400] },
    daemon: { durationS: 60, heartbeatS: 30 },
  });
  // The other heartbeat runs out 30 s after it was armed.
  const { violations } = await simulate({ ...day, restS: 26.4 });
  expect(violations).toEqual([]);
}, 60_000);

/** Its last refresh leaves just before the daemon knows that closes have failed for long, and holds for a minute more. */
it('a kill whose closes fail waits for the heartbeat', async () => {
  const failing = { target: 'orders.close', fault: 'unavailable', at: 5, for_s: 140 };
  const day = dayWith(150, [failing], {
    world: { speed: 1, market: ASLEEP },
    daemon: { durationS: 300, heartbeatS: 60, maxSelections: 2 },
  });
  const { violations } = await simulate({ ...day, acts: [{ do: 'kill_switch', atS: 40, forS: 80 }] });
  expect(violations).toEqual([]);
}, 60_000);

/** A disk that refuses these records of orders and has taken them all the same: the requests never leave. */
function unsent(most: number): Planted {
  let left = most;
  const journal = (inner: Journal): Journal => ({
    ...inner,
    append: (entries) => {
      inner.append(entries);
      if (entries.every(({ kind }) => kind !== 'order_intended') || left-- <= 0) return;
      throw new JournalError('cannot append to the journal');
    },
  });
  return { name: 'a disk that refuses what it takes', journal };
}

/** Both sides of the only market are written down and never sent. */
it.each<[string, number, readonly Act[]]>([
  ['for as long as they could live', 3_600, []],
  [
    'anew after a start with a clock that was set back',
    300,
    [
      { do: 'jump_wall', atS: 150, byS: -3_600 },
      { do: 'kill', atS: 160, downS: 5 },
    ],
  ],
])(
  'a daemon may wait for orders that were written down and never sent, %s',
  async (_, durationS, acts) => {
    const day = dayWith(acts.length === 0 ? 60 : 170, [], {
      world: { speed: 1, market: ASLEEP, openBetslips: 20, betslipsPerDay: 2_000 },
      daemon: { strategy: 'symmetric', durationS, heartbeatS: 60, maxSelections: 1, eventLimitUsdt: 4_000 },
    });
    const { violations } = await simulate({ ...day, acts }, unsent(2));
    expect(violations).toEqual([]);
  },
  60_000,
);
