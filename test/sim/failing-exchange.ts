import { integerBetween, uniformBetween } from '../../src/lib/random.ts';
import { BUSY, LIVELY, within } from './focus.ts';
import type { Draw } from './focus.ts';
import type { Act } from './plan.ts';
import { pick } from './plan.ts';

/** From 20 minutes to 3 hours; of a shorter day the most part of it. */
const OUTAGE_S = [1_200, 10_800] as const;
const MOST_OF_A_DAY = 0.6;

/** What can fail alone, and how; not the refreshes of its heartbeat, without which the daemon has to stop. */
export const ENDPOINTS = [
  ...(['orders.close', 'orders.get', 'orders.tracked', 'orders.list', 'orders.updates'] as const),
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

/** Less than a day has to come to rest, so that all is paid by then. */
const MOST_RESULTS_S = 150;

/** One endpoint is out of order for long while all else works, and people start anew or stop everything meanwhile. */
const oneEndpoint: Draw = (random, activeS) => {
  const at = within(random, activeS, 0.05, 0.3);
  const [least, most] = OUTAGE_S.map((seconds) => Math.min(seconds, MOST_OF_A_DAY * activeS));
  const forS = uniformBetween(random, least as number, most as number);
  const acts: readonly Act[] = [
    { do: 'restart', atS: at + within(random, forS, 0.1, 0.4), downS: uniformBetween(random, 1, 10) },
    { do: 'kill', atS: at + within(random, forS, 0.1, 0.9), downS: uniformBetween(random, 1, 30) },
    { do: 'kill_switch', atS: at + within(random, forS, 0.5, 0.8), forS: uniformBetween(random, 20, 60) },
  ];
  return {
    world: { events: integerBetween(random, 2, 4), speed: 1, openBetslips: 20, betslipsPerDay: 2_000 },
    daemon: { inPlay: true, eventLimitUsdt: 4_000 },
    acts: acts.filter(() => random.next() < 0.4),
    faults: [{ target: pick(random, ENDPOINTS), fault: pick(random, OUTAGES), at, for_s: forS }],
  };
};

/** Closes are acknowledged and nothing is done: orders end when their time is over, or by a later close. */
const idleCloses: Draw = (random, activeS) => ({
  world: LIVELY,
  daemon: { ...BUSY, durationS: 60 },
  acts: ([0.3, 0.7] as const)
    .filter(() => random.next() < 0.5)
    .map((part) => ({
      ...{ do: 'kill_switch', atS: within(random, activeS, part, part + 0.1) },
      forS: uniformBetween(random, 20, 80),
    })),
  faults: [0.1, 0.3, 0.5, 0.7].map((part) => ({
    ...{ target: 'orders.close', fault: 'answer', status: 200, probability: pick(random, [1, 0.7, 0.4]) },
    ...{ at: within(random, activeS, part, part + 0.1), for_s: uniformBetween(random, 20, 0.15 * activeS) },
  })),
});

/** There is no place for a betslip for a while, at the start or later, and while daemons start anew. */
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

/** Bets are in doubt for a while, and then confirmed or taken back, while daemons start anew. */
const doubtfulBets: Draw = (random, activeS) => ({
  world: LIVELY,
  daemon: { ...BUSY, durationS: 60, eventLimitUsdt: pick(random, [400, 4_000]) },
  acts: ([0.35, 0.75] as const)
    .filter(() => random.next() < 0.5)
    .map((part) => ({
      ...{ do: 'kill', atS: within(random, activeS, part, part + 0.1) },
      downS: uniformBetween(random, 1, 30),
    })),
  faults: [0.05, 0.35, 0.65].map((part) => ({
    ...{ target: 'exchange', fault: 'bets_in_danger', ends: pick(random, ['success', 'void']) },
    ...{ at: within(random, activeS, part, part + 0.1), for_s: within(random, activeS, 0.1, 0.2) },
    delay_ms: uniformBetween(random, 2_000, 90_000),
  })),
});

/** Events end one after the other, and their orders are paid one by one, while little may be lost. */
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

/** The exchange itself fails in what only time or its own word can tell. */
export const FAILING_EXCHANGE: ReadonlyMap<string, Draw> = new Map([
  ['one endpoint', oneEndpoint],
  ['idle closes', idleCloses],
  ['no places', noPlaces],
  ['doubtful bets', doubtfulBets],
  ['slow results', slowResults],
]);
