import { expect, it } from 'vitest';
import { JournalError } from '../../src/domain/errors.ts';
import { type Fault, faultSchema } from '../../src/simulator/faults/schema.ts';
import type { ChainedJournal } from '../../src/storage/chained-journal.ts';
import { patient } from '../support/patience.ts';
import type { MarketPlan } from './markets.ts';
import { type Act, CLOSES, type DaemonPlan, drawPlan, type SimPlan, type WorldPlan } from './plan.ts';
import type { Planted } from './planted/planted.ts';
import { simulate } from './simulate.ts';

/** Hardly anything is matched, and nothing is replaced. */
const ASLEEP: MarketPlan = {
  name: 'asleep',
  leadMinutes: 300,
  requoteMs: 300_000,
  requoteInPlayMs: 60_000,
  stepMs: 300_000,
  stepInPlayMs: 30_000,
  makers: 1,
  leastPopularity: 0.9,
  arrivalRate: 0.0005,
  informedRate: 0.001,
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

/**
 * Two stretches of a long day follow each other: the fault that refuses creates is still armed when the fault that
 * doubles them begins.
 */
it(
  'blames nobody for an order that the network reports as refused',
  async () => {
    const on = { target: 'orders.create', at: 30, for_s: 600 };
    const refused = { ...on, fault: 'rejected', reasons: { betslip_id: ['unknown'] }, times: 4 };
    const doubled = { ...on, fault: 'applied_twice', times: 2 };
    const daemon = { durationS: 30, heartbeatS: 30 };
    const { violations } = await simulate(dayWith(120, [refused, doubled], { daemon }));
    expect(violations).toEqual([]);
  },
  patient(60_000),
);

/** The heartbeat is deleted, and the answers to its next refreshes, all of them 404, cannot be read: each kind twice. */
it(
  'reads no close-out from a 404 with an invalid body, or with a body of another shape',
  async () => {
    const faults = ['invalid_body', 'other_shape', 'invalid_body', 'other_shape'].flatMap((fault, turn) => [
      { target: 'account', fault: 'heartbeats_deleted', at: 30 + turn * 40 },
      { target: 'heartbeats.*', fault, at: 30 + turn * 40, times: 2 },
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
  patient(120_000),
);

/** The judge asks for agreement just when the daemon, all of whose orders were closed, lists the open orders. */
it(
  'does not take for rest that a daemon checks its account anew after a close-out',
  async () => {
    const foreign = { target: 'account', fault: 'foreign_heartbeat', at: 55 };
    const day = dayWith(60, [foreign], {
      world: { latencyMs: [400, 400] },
      daemon: { durationS: 60, heartbeatS: 30 },
    });
    // The other heartbeat expires 30 s after it was armed.
    const { violations } = await simulate({ ...day, restS: 26.4 });
    expect(violations).toEqual([]);
  },
  patient(60_000),
);

/**
 * Its last refresh leaves just before the daemon knows that closes have failed for long, and holds for a minute more.
 */
it(
  'lets a kill whose closes fail wait for the heartbeat',
  async () => {
    const failing = CLOSES.map((target) => ({ target, fault: 'unavailable', at: 5, for_s: 140 }));
    const day = dayWith(150, failing, {
      world: { speed: 1, market: ASLEEP },
      daemon: { durationS: 300, heartbeatS: 60, maxSelections: 2 },
    });
    const { violations } = await simulate({ ...day, acts: [{ do: 'kill_switch', atS: 40, forS: 80 }] });
    expect(violations).toEqual([]);
  },
  patient(60_000),
);

/** Its create was not answered: the list of heartbeats shows it. While the daemon stops, no delete is answered. */
it(
  'lets a stop delete a heartbeat that only a listing has shown',
  async () => {
    const faults = [
      { target: 'heartbeats.create', fault: 'answer_lost', times: 1 },
      { target: 'heartbeats.delete', fault: 'request_lost', at: 30 },
    ];
    const day = dayWith(80, faults, { daemon: { durationS: 30, heartbeatS: 15 } });
    const { violations } = await simulate({ ...day, acts: [{ do: 'restart', atS: 40, downS: 5 }] });
    expect(violations).toEqual([]);
  },
  patient(60_000),
);

/**
 * The exchange closes orders at the next whole second, and reports at once that their heartbeat is gone. The next is
 * armed in between.
 */
it(
  'lets an expired heartbeat close its orders when the next one holds already',
  async () => {
    const failing = { target: 'heartbeats.*', fault: 'unavailable', at: 30, for_s: 13.4 };
    const day = dayWith(50, [failing], {
      world: { events: 4, speed: 1, market: ASLEEP, latencyMs: [1, 5], openBetslips: 20 },
      daemon: { strategy: 'symmetric', maxSelections: 2, inPlay: true, durationS: 300, heartbeatS: 15 },
    });
    const { violations, reached } = await simulate(day);
    expect(reached.get('path: closed by heartbeat')).toBeGreaterThan(0);
    expect(violations).toEqual([]);
  },
  patient(60_000),
);

/** Orders that never end are looked up every ten seconds. Sometimes the exchange allows no lookups for five. */
it(
  'lets a throttled daemon look up later the orders that stay open',
  async () => {
    const stuck = { target: 'exchange', fault: 'pending_forever', at: 20, for_s: 6 };
    const refused = [0, 1, 2, 3, 4].map((turn) => ({
      target: 'orders.position',
      fault: 'throttled',
      retry_after_s: 5,
      times: 1,
      at: 60 + turn * 43.1,
    }));
    const day = dayWith(300, [stuck, ...refused], {
      world: { events: 6, speed: 1, openBetslips: 20, latencyMs: [1, 5] },
      daemon: { durationS: 10, heartbeatS: 30, maxSelections: 1, strategy: 'symmetric' },
    });
    const { violations } = await simulate(day);
    expect(violations).toEqual([]);
  },
  patient(60_000),
);

/**
 * No order request works. Many orders are to be closed, as many creates have an unknown outcome, and each takes turns.
 */
it(
  'lets failed closes be repeated beside look-ups that fail',
  async () => {
    const failing = { target: 'orders.*', fault: 'server_error', at: 60, for_s: 80 };
    const day = dayWith(140, [failing], {
      world: { events: 4, speed: 1, latencyMs: [1, 5], openBetslips: 20, betslipsPerDay: 2_000 },
      daemon: {
        strategy: 'guarded-ladder',
        maxSelections: 4,
        inPlay: true,
        eventLimitUsdt: 4_000,
        durationS: 900,
        heartbeatS: 60,
        limits: {},
      },
    });
    const { violations } = await simulate(day);
    expect(violations).toEqual([]);
  },
  patient(60_000),
);

/** A create that was given up lands when the next run is up, which cannot read of it. */
it(
  'excuses a daemon until it receives an order that lands late and that a damaged journal lacks',
  async () => {
    const late = { target: 'orders.create', fault: 'late', delay_ms: 8_000, at: 30, for_s: 15 };
    const day = dayWith(60, [late], {
      world: { events: 4, speed: 5, latencyMs: [1, 5], openBetslips: 20, betslipsPerDay: 2_000 },
      daemon: { strategy: 'symmetric', maxSelections: 2, inPlay: true, durationS: 30, heartbeatS: 30 },
    });
    const damaged = { do: 'damage_journal', atS: 40, downS: 1, forS: 20, of: 'orders' } as const;
    const { violations } = await simulate({ ...day, acts: [damaged] });
    expect(violations).toEqual([]);
  },
  patient(60_000),
);

/** A disk refuses these records of orders and has stored them all the same. The requests never leave. */
function unsent(most: number): Planted {
  let left = most;
  const journal = (inner: ChainedJournal): ChainedJournal => ({
    ...inner,
    append: (entries) => {
      inner.append(entries);
      if (entries.every(({ kind }) => kind !== 'order_intended') || left-- <= 0) return;
      throw new JournalError('cannot append to the journal');
    },
  });
  return { name: 'a disk that refuses what it takes', journal };
}

/** Both sides of the only market are journalled and never sent. */
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
  'lets a daemon wait for orders that were journalled and never sent, %s',
  async (_, durationS, acts) => {
    const day = dayWith(acts.length === 0 ? 60 : 170, [], {
      world: { speed: 1, market: ASLEEP, openBetslips: 20, betslipsPerDay: 2_000 },
      daemon: { strategy: 'symmetric', durationS, heartbeatS: 60, maxSelections: 1, eventLimitUsdt: 4_000 },
    });
    const { violations } = await simulate({ ...day, acts }, unsent(2));
    expect(violations).toEqual([]);
  },
  patient(60_000),
);
