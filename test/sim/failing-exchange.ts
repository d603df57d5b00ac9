import { integerBetween, type Random, uniformBetween } from '../../src/lib/random.ts';
import { BUSY, type Draw, LIVELY, within } from './focus.ts';
import { type Act, CLOSES, pick } from './plan.ts';

/** 20 minutes to 3 hours; in a shorter day most of it. */
const OUTAGE_S = [1_200, 10_800] as const;
const MOST_OF_A_DAY = 0.6;

/**
 * The requests that can fail alone, and the ways. Refreshes of the heartbeat are omitted: without them the daemon must
 * stop.
 */
export const ENDPOINTS = [
  ...([...CLOSES, 'orders.get', 'orders.tracked', 'orders.list', 'orders.updates'] as const),
  ...([
    'orders.create',
    'orders.position',
    'betslips.create',
    'betslips.refresh',
    'betslips.delete',
  ] as const),
  ...(['bet_type', 'offers', 'orders.*', 'betslips.*', 'heartbeats.list', 'heartbeats.delete'] as const),
];
const OUTAGES = ['unavailable', 'server_error', 'request_lost', 'answer_lost'] as const;

/** The time to come to rest is less than a day, so that everything is paid by then. */
const MOST_RESULTS_S = 150;

/** The acts of people during a long outage: they restart the daemon, or stop everything. */
const peopleMeanwhile = (random: Random, atS: number, forS: number): readonly Act[] => [
  { do: 'restart', atS: atS + within(random, forS, 0.1, 0.4), downS: uniformBetween(random, 1, 10) },
  { do: 'kill', atS: atS + within(random, forS, 0.1, 0.9), downS: uniformBetween(random, 1, 30) },
  { do: 'kill_switch', atS: atS + within(random, forS, 0.5, 0.8), forS: uniformBetween(random, 20, 60) },
];

/** A person stops everything while a run after a death starts. */
function stopAtStart(random: Random, atS: number, forS: number): readonly Act[] {
  const diesS = atS + within(random, forS, 0.1, 0.9);
  const downS = uniformBetween(random, 1, 30);
  const stopsS = diesS + downS + uniformBetween(random, 0, 5);
  return [
    { do: 'kill', atS: diesS, downS },
    { do: 'kill_switch', atS: stopsS, forS: uniformBetween(random, 2, 60) },
  ];
}

/** The length of an outage in a day of this many seconds. */
function outageS(random: Random, activeS: number): number {
  const [least, most] = OUTAGE_S.map((seconds) => Math.min(seconds, MOST_OF_A_DAY * activeS));
  return uniformBetween(random, least as number, most as number);
}

const outageOf = (random: Random, at: number, forS: number): object => ({
  target: pick(random, ENDPOINTS),
  fault: pick(random, OUTAGES),
  at,
  for_s: forS,
});

/** Everything works except some requests. */
const WORKS_ELSE = {
  world: { speed: 1, openBetslips: 20, betslipsPerDay: 2_000 },
  daemon: { inPlay: true, eventLimitUsdt: 4_000 },
} as const;

/** A single endpoint is out of order for long while all else works. */
const oneEndpoint: Draw = (random, activeS) => {
  const at = within(random, activeS, 0.05, 0.3);
  const forS = outageS(random, activeS);
  const acts = peopleMeanwhile(random, at, forS);
  return {
    world: { ...WORKS_ELSE.world, events: integerBetween(random, 2, 4) },
    daemon: WORKS_ELSE.daemon,
    acts: acts.filter(() => random.next() < 0.4),
    faults: [outageOf(random, at, forS)],
  };
};

/** Two or three endpoints are out of order, for some of the time together. */
const endpointsTogether: Draw = (random, activeS) => {
  const at = within(random, activeS, 0.05, 0.2);
  const forS = outageS(random, activeS);
  const acts = peopleMeanwhile(random, at, forS);
  const faults = Array.from({ length: integerBetween(random, 2, 3) }, () =>
    outageOf(random, at + within(random, forS, 0, 0.2), within(random, forS, 0.5, 1)),
  );
  return {
    world: { ...WORKS_ELSE.world, events: integerBetween(random, 2, 4) },
    daemon: WORKS_ELSE.daemon,
    acts: [
      ...acts.filter(() => random.next() < 0.4),
      ...(random.next() < 0.5 ? stopAtStart(random, at, forS) : []),
    ],
    faults,
  };
};

/** Closes are acknowledged and not carried out: orders end when their time is over, or by a later close. */
const idleCloses: Draw = (random, activeS) => ({
  world: LIVELY,
  daemon: { ...BUSY, durationS: 60 },
  acts: ([0.3, 0.7] as const)
    .filter(() => random.next() < 0.5)
    .map((part) => ({
      do: 'kill_switch',
      atS: within(random, activeS, part, part + 0.1),
      forS: uniformBetween(random, 20, 80),
    })),
  faults: [0.1, 0.3, 0.5, 0.7].flatMap((part) => {
    const idle = { fault: 'close_ignored', probability: pick(random, [1, 0.7, 0.4]) };
    const at = within(random, activeS, part, part + 0.1);
    const forS = uniformBetween(random, 20, 0.15 * activeS);
    return CLOSES.map((target) => ({ target, ...idle, at, for_s: forS }));
  }),
});

/** There is no place for a betslip for a while, at the start or later, and while daemons restart. */
const noPlaces: Draw = (random, activeS) => {
  const at = random.next() < 0.3 ? 0 : within(random, activeS, 0.1, 0.3);
  const forS = within(random, activeS, 0.05, 0.3);
  const again = within(random, activeS, 0.65, 0.75);
  const none = { target: 'exchange', fault: 'betslip_cap', cap: 0 };
  return {
    world: { openBetslips: integerBetween(random, 3, 20), speed: 5 },
    daemon: { ...BUSY, maxSelections: 6 },
    acts: [
      {
        do: 'restart',
        atS: at + within(random, forS, 0.2, 0.8),
        downS: uniformBetween(random, 1, 10),
      } as const,
      {
        do: 'kill',
        atS: again + uniformBetween(random, -5, 15),
        downS: uniformBetween(random, 1, 10),
      } as const,
    ].filter(() => random.next() < 0.5),
    faults: [
      { ...none, at, for_s: forS },
      { ...none, at: again, for_s: uniformBetween(random, 15, 60) },
    ],
  };
};

/** Bets are in doubt for a while, then confirmed or voided, while daemons restart. */
const doubtfulBets: Draw = (random, activeS) => ({
  world: LIVELY,
  daemon: { ...BUSY, durationS: 60, eventLimitUsdt: pick(random, [400, 4_000]) },
  acts: ([0.35, 0.75] as const)
    .filter(() => random.next() < 0.5)
    .map((part) => ({
      do: 'kill',
      atS: within(random, activeS, part, part + 0.1),
      downS: uniformBetween(random, 1, 30),
    })),
  faults: [0.05, 0.35, 0.65].map((part) => ({
    target: 'exchange',
    fault: 'bets_in_danger',
    ends: pick(random, ['success', 'void']),
    at: within(random, activeS, part, part + 0.1),
    for_s: within(random, activeS, 0.1, 0.2),
    delay_ms: uniformBetween(random, 2_000, 90_000),
  })),
});

/** Events end one after another, and their orders are paid one by one, under tight loss limits. */
const slowResults: Draw = (random, activeS) => ({
  world: { ...LIVELY, speed: 20 },
  daemon: { ...BUSY, durationS: 30, limits: { lossUsdt: Math.round(uniformBetween(random, 50, 300)) } },
  acts: [
    { do: 'kill', atS: within(random, activeS, 0.4, 0.9), downS: uniformBetween(random, 1, 30) } as const,
  ].filter(() => random.next() < 0.5),
  faults: [
    {
      target: 'exchange',
      fault: 'results_in_turn',
      over_s: uniformBetween(random, 20, MOST_RESULTS_S),
      at: 1,
    },
  ],
});

/** The exchange fails in ways that only time or its own report can show. */
export const FAILING_EXCHANGE: ReadonlyMap<string, Draw> = new Map([
  ['one endpoint', oneEndpoint],
  ['endpoints together', endpointsTogether],
  ['idle closes', idleCloses],
  ['no places', noPlaces],
  ['doubtful bets', doubtfulBets],
  ['slow results', slowResults],
]);
