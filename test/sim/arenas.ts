import { integerBetween, seededRandom, uniformBetween } from '../../src/lib/random.ts';
import { faultSchema } from '../../src/simulator/faults/schema.ts';
import { FAILING_EXCHANGE } from './failing-exchange.ts';
import { BUSY, type Draw, LIVELY, within } from './focus.ts';
import { WIDER_SCOPES } from './limits.ts';
import { IN_SMALL_BETS } from './markets.ts';
import {
  type Act,
  aimed,
  CLOSES,
  DAMAGED,
  drawPlan,
  FEWEST_PER_PAGE,
  lateRefreshes,
  OTHER_FAULTS,
  pick,
  REQUEST_FAULTS,
  type SimPlan,
} from './plan.ts';

const between = uniformBetween;

/** Most of the day's few betslips are used when the daemon restarts, again and again. */
const scarceBetslips: Draw = (random, activeS) => ({
  world: { betslipsPerDay: integerBetween(random, 65, 75), openBetslips: 20 },
  daemon: { maxSelections: 4, inPlay: true },
  acts: [0.12, 0.24, 0.36, 0.48, 0.6, 0.72, 0.84].map((part): Act => {
    const atS = within(random, activeS, part, part + 0.05);
    const downS = between(random, 1, 3);
    return random.next() < 0.5 ? { do: 'kill', atS, downS } : { do: 'restart', atS, downS };
  }),
  faults: [{ target: 'account', fault: 'betslips_deleted', at: 5, every_s: 2, for_s: activeS }],
});

/** More markets are wanted than betslips may be open, and the cap changes. */
const fewPlaces: Draw = (random, activeS) => ({
  world: { openBetslips: integerBetween(random, 3, 6), speed: 5 },
  daemon: { ...BUSY, maxSelections: 6 },
  faults: [
    { target: 'exchange', fault: 'betslip_cap', cap: 2, at: within(random, activeS, 0.3, 0.5), for_s: 30 },
  ],
});

/** Prices stay unchanged and unreported while quotes rest on them. */
const silentPrices: Draw = (random, activeS) => {
  const at = within(random, activeS, 0.25, 0.5);
  const forS = { for_s: between(random, 30, 45) };
  return {
    world: LIVELY,
    daemon: { ...BUSY, durationS: 60, heartbeatS: 60 },
    faults: ['stream.offer', 'stream.pmm', 'stream.remove_offer', 'offers'].map((target) => ({
      target,
      fault: target.startsWith('stream') ? 'missing' : 'unavailable',
      at,
      ...forS,
    })),
  };
};

/** Manual orders rest beside the daemon's while it replaces, drains and stops. */
const sharedAccount: Draw = (random, activeS) => {
  const atS = within(random, activeS, 0.25, 0.5);
  const stop = atS + between(random, 12, 30);
  return {
    acts: [
      { do: 'order_by_hand', atS, rests: true },
      { do: 'order_by_hand', atS: atS + 3, rests: random.next() < 0.5 },
      random.next() < 0.5
        ? { do: 'restart', atS: stop, downS: between(random, 1, 10) }
        : { do: 'kill_switch', atS: stop, forS: between(random, 10, 30) },
      { do: 'order_by_hand', atS: atS + 40, rests: true },
    ],
  };
};

/** The loop stalls for longer than the heartbeat lives, over orders that live even longer. */
const hungLoop: Draw = (random, activeS) => ({
  world: LIVELY,
  daemon: { ...BUSY, durationS: 60, heartbeatS: 15 },
  acts: [
    { do: 'wedge', atS: within(random, activeS, 0.2, 0.4), forS: between(random, 45, 90) },
    ...(random.next() < 0.5
      ? [{ do: 'stall', atS: within(random, activeS, 0.1, 0.2), forS: 20 } as const]
      : []),
  ],
});

/** Most creates are lost, so that some wait to be retried whenever the loop stalls until prices are stale. */
const stalledRepeats: Draw = (random, activeS) => ({
  world: LIVELY,
  daemon: { ...BUSY, maxSelections: 8, durationS: 60, heartbeatS: 60 },
  acts: [0.1, 0.22, 0.34, 0.46, 0.58, 0.7, 0.82].map((part): Act => ({
    do: 'stall',
    atS: within(random, activeS, part, part + 0.03),
    forS: between(random, 16, 22),
  })),
  faults: [
    {
      target: 'orders.create',
      fault: 'reset',
      probability: between(random, 0.3, 0.7),
      at: 5,
      for_s: activeS,
    },
  ],
});

/** The wall clock is set while proofs, budgets and durations run. */
const wallClock: Draw = (random, activeS) => ({
  world: LIVELY,
  daemon: { ...BUSY, heartbeatS: 15 },
  acts: Array.from({ length: integerBetween(random, 1, 3) }, (): Act => ({
    do: 'jump_wall',
    atS: within(random, activeS, 0.15, 0.8),
    byS: pick(random, [-3600, -120, -30, 3600]),
  })),
  faults: [
    {
      target: 'heartbeats.*',
      fault: 'unavailable',
      at: within(random, activeS, 0.3, 0.6),
      for_s: between(random, 20, 40),
    },
  ],
});

/** Connections end and stay away for some seconds, while quotes need renewal. */
const lostStream: Draw = (random, activeS) => ({
  world: LIVELY,
  daemon: { ...BUSY, durationS: 10 },
  faults: [0.15, 0.35, 0.55, 0.75].flatMap((part) => {
    const at = within(random, activeS, part, part + 0.1);
    const end = random.next() < 0.3 ? { fault: 'half_open' } : { fault: 'raw_close' };
    const isSilent = random.next() < 0.7;
    const backS = isSilent ? between(random, 0.3, 3) : between(random, 4, 12);
    return [
      { target: 'stream', ...end, at },
      { target: 'handshake', fault: 'refused_upgrade', at: at - 0.5, for_s: backS },
      ...['stream.offer', 'stream.pmm']
        .filter(() => isSilent)
        .map((target) => ({ target, fault: 'missing', at, for_s: backS + 8 })),
    ];
  }),
});

/** The heartbeats' endpoint is out of order, or heartbeats are deleted, while all else works. */
const lostHeartbeat: Draw = (random, activeS) => ({
  world: LIVELY,
  daemon: { ...BUSY, heartbeatS: 15 },
  faults: [0.2, 0.55].flatMap((part) => {
    const at = within(random, activeS, part, part + 0.2);
    return random.next() < 0.3
      ? [{ target: 'account', fault: 'heartbeats_deleted', at }]
      : lateRefreshes(random, at, between(random, 15, 30));
  }),
});

/** Creates reach the exchange long after their sender gave them up. */
const lateLandings: Draw = (random, activeS) => ({
  world: LIVELY,
  daemon: { ...BUSY, durationS: 60 },
  faults: [0.1, 0.4, 0.7].map((part) => ({
    target: 'orders.create',
    fault: 'late',
    delay_ms: between(random, 4_000, 12_000),
    at: within(random, activeS, part, part + 0.1),
    times: integerBetween(random, 2, 5),
    probability: 0.5,
  })),
});

/** Creates are applied or not, and the answer does not show which. */
const unclearAnswers: Draw = (random, activeS) => ({
  world: LIVELY,
  daemon: { durationS: 60, maxSelections: 4 },
  faults: UNCLEAR.map((fault) => ({
    target: 'orders.create',
    ...fault,
    probability: 0.5,
    at: within(random, activeS, 0.05, 0.8),
    times: integerBetween(random, 1, 3),
  })),
});

const UNCLEAR: readonly object[] = [
  ...[true, false].flatMap((applied) => [
    { fault: 'server_error', applied },
    { fault: 'unavailable', applied },
    { fault: 'conflict', applied: true, with_body: applied },
  ]),
  ...['answer_lost', 'reset_after', 'cut_body', 'invalid_body', 'other_shape'].map((fault) => ({ fault })),
];

/**
 * A person stops everything while creates of unknown outcome are in flight, and the process dies before anybody
 * resumes. Another person starts one daemon too many.
 */
const killedAndRestarted: Draw = (random, activeS) => {
  const atS = within(random, activeS, 0.2, 0.4);
  const diesS = atS + between(random, 0.1, 10);
  return {
    acts: [
      { do: 'start_second', atS: within(random, activeS, 0.1, 0.9) },
      { do: 'kill_switch', atS, forS: between(random, 40, 60) },
      random.next() < 0.5
        ? { do: 'kill', atS: diesS, downS: between(random, 0.5, 5) }
        : { do: 'restart', atS: diesS, downS: between(random, 0.5, 5) },
    ],
    faults: [{ target: 'orders.create', fault: 'request_lost', probability: 0.5, at: atS - 10, for_s: 11 }],
  };
};

/** Writes fail, and a person who sees it stops everything before anybody has made room. */
const brokenDisk: Draw = (random, activeS) => {
  const atS = within(random, activeS, 0.2, 0.4);
  return {
    acts: [
      { do: 'disk_full', atS, kept: random.next() < 0.5 },
      { do: 'kill_switch', atS: atS + between(random, 0.1, 0.9), forS: between(random, 20, 40) },
      { do: 'disk_full', atS: within(random, activeS, 0.7, 0.8), kept: random.next() < 0.5 },
    ],
  };
};

/** Processes die in the middle of a write, and the written data turns out to be unreadable. */
const badDisk: Draw = (random, activeS) => ({
  world: LIVELY,
  daemon: BUSY,
  unsyncedSurvive: 0,
  acts: [
    ...[0.2, 0.35, 0.75].map((part): Act => ({
      do: 'kill_at_point',
      atS: within(random, activeS, part, part + 0.1),
      point: integerBetween(random, 1, 100),
      downS: between(random, 0.5, 10),
    })),
    {
      do: 'damage_journal',
      atS: within(random, activeS, 0.5, 0.6),
      downS: between(random, 0.5, 5),
      forS: between(random, 15, 25),
      of: pick(random, DAMAGED),
    },
  ],
});

/** Much is matched, and the stream omits or delays its reports. */
const manyFills: Draw = (random, activeS) => ({
  world: LIVELY,
  daemon: { ...BUSY, durationS: 60 },
  faults: [
    { target: 'stream.order', fault: 'missing', at: within(random, activeS, 0.1, 0.3), for_s: 40 },
    { target: 'stream.bet', fault: 'missing', at: within(random, activeS, 0.6, 0.8), times: 5 },
    {
      target: 'exchange',
      fault: 'fill_after_close',
      delay_ms: 1_500,
      at: within(random, activeS, 0.3, 0.6),
      for_s: 30,
    },
  ],
});

/** Creates are answered late, and the stream reports only the bets of their orders. */
const betsBeforeOrders: Draw = (random, activeS) => ({
  world: { ...LIVELY, speed: pick(random, [1, 5]), market: IN_SMALL_BETS },
  daemon: { ...BUSY, strategy: pick(random, ['symmetric', 'guarded-ladder']), durationS: 30 },
  faults: [0.1, 0.4, 0.7].flatMap((part) => {
    const time = { at: within(random, activeS, part, part + 0.1), for_s: within(random, activeS, 0.1, 0.2) };
    const late = { fault: 'answer_delayed', delay_ms: Math.round(between(random, 1_500, 4_000)) };
    return [
      { target: 'orders.create', ...late, ...time },
      { target: 'stream.order', fault: 'missing', ...time },
    ];
  }),
});

/** More orders are open than the exchange lists at once. Manual ones are the oldest when the next run begins. */
const manyPages: Draw = (random, activeS) => ({
  world: { ...LIVELY, speed: 1, openBetslips: 50, betslipsPerDay: 2_000, ordersPerPage: FEWEST_PER_PAGE },
  daemon: { ...BUSY, maxSelections: 8, durationS: 60, heartbeatS: 60 },
  acts: [0.2, 0.5, 0.8].flatMap((part): Act[] => {
    const atS = within(random, activeS, part - 0.05, part);
    const endsS = atS + between(random, 20, 35);
    const end = random.next() < 0.7 ? 'kill' : 'restart';
    return [
      { do: 'order_by_hand', atS, rests: true },
      { do: 'order_by_hand', atS: atS + 3, rests: true },
      { do: end, atS: endsS, downS: between(random, 1, 3) },
    ];
  }),
});

/** Handicaps and totals, many of which are half won or half lost, are matched by one small bet after another. */
const halfOutcomes: Draw = (random) => ({
  world: {
    ...LIVELY,
    events: 5,
    speed: pick(random, [1, 5]),
    market: IN_SMALL_BETS,
    openBetslips: 50,
    betslipsPerDay: 2_000,
  },
  daemon: { ...BUSY, strategy: 'symmetric', maxSelections: 30, marketTypes: ['ah'], durationS: 60 },
});

/** Several events are quoted, and their common loss limit is soon reached. */
const narrowLimits: Draw = (random) => ({
  world: LIVELY,
  daemon: {
    ...BUSY,
    maxSelections: 8,
    durationS: 60,
    eventLimitUsdt: pick(random, [150, 250, 400]),
    limits: { scope: pick(random, WIDER_SCOPES) },
  },
});

/** The key loses its rights for a moment, in the middle of quoting. */
const refusedKey: Draw = (random, activeS) => {
  const at = within(random, activeS, 0.2, 0.6);
  return {
    world: LIVELY,
    daemon: BUSY,
    acts: [{ do: 'kill_switch', atS: at + between(random, 10, 30), forS: 10 }],
    faults: [{ target: 'orders.create', fault: 'answer', status: 401, code: 'auth_error', times: 1, at }],
  };
};

/** The exchange, or a proxy before it, shows orders other than the requested ones. */
const otherOrders: Draw = (random, activeS) => {
  const at = within(random, activeS, 0.2, 0.6);
  const differs = pick(random, ['price', 'stake', 'lifetime']);
  const shown = { fault: 'other_terms', differs, times: 1 };
  // The answer to a create shows it first; later, after a resume, a look-up does.
  const laterS = within(random, activeS, 0.8, 0.95);
  const byLookup = [
    { target: 'orders.create', fault: 'conflict', at: laterS, times: 1 },
    { target: 'orders.get', ...shown, at: laterS },
  ];
  return {
    world: LIVELY,
    daemon: { ...BUSY, durationS: 60 },
    // A person who resumes after the drill also releases the latches set meanwhile.
    acts: [{ do: 'kill_switch', atS: at + between(random, 20, 40), forS: 10 }],
    faults: [{ target: 'orders.create', ...shown, at }, ...(random.next() < 0.5 ? byLookup : [])],
  };
};

/** Strategies that are mistaken about prices. */
const mistakenStrategy: Draw = (random, activeS) => ({
  world: LIVELY,
  daemon: { ...BUSY, strategy: pick(random, ['symmetric', 'guarded-ladder']) },
  acts: [0.2, 0.4, 0.6, 0.8].map((part): Act => ({
    do: 'misquote',
    atS: within(random, activeS, part, part + 0.1),
    forS: between(random, 5, 15),
    side: pick(random, ['for', 'against']),
    byTicks: integerBetween(random, -60, 120),
  })),
});

/**
 * The exchange allows nothing of the general budget for some seconds, again and again, also when people stop
 * everything.
 */
const spentBudget: Draw = (random, activeS) => ({
  world: LIVELY,
  daemon: { ...BUSY, durationS: 60 },
  acts: [{ do: 'kill_switch', atS: within(random, activeS, 0.4, 0.5), forS: between(random, 20, 30) }],
  faults: Array.from({ length: 12 }, (_, index) => ({
    target: 'orders.position',
    fault: 'throttled',
    retry_after_s: 5,
    times: 1,
    at: ((index + 1) / 14) * activeS,
  })),
});

/** Closes and their retries fail until the caller learns that they failed. */
const failedCloses: Draw = (random, activeS) => ({
  world: LIVELY,
  daemon: { ...BUSY, durationS: 60 },
  faults: [0.2, 0.4, 0.6, 0.8].flatMap((part) => {
    const fault = pick(random, ['unavailable', 'server_error', 'cut_body']);
    const at = within(random, activeS, part, part + 0.1);
    const times = integerBetween(random, 16, 24);
    return CLOSES.map((target) => ({ target, fault, at, times }));
  }),
});

/** A second installation starts while the first trades, and the first dies or stops meanwhile. */
const secondTrader: Draw = (random, activeS) => {
  const atS = within(random, activeS, 0.1, 0.2);
  const forS = within(random, activeS, 0.4, 0.6);
  const during = (): number => atS + forS * between(random, 0.3, 0.8);
  const downS = between(random, 0.5, 5);
  const meanwhile: readonly Act[] = [
    { do: 'kill', atS: during(), downS },
    { do: 'restart', atS: during(), downS },
    { do: 'stall', atS: during(), forS: between(random, 5, 15) },
    { do: 'kill_switch', atS: during(), forS: between(random, 10, 20) },
  ];
  const faults = [...REQUEST_FAULTS, ...OTHER_FAULTS].filter(() => random.next() < 0.05);
  return {
    world: { openBetslips: 20, speed: pick(random, [1, 5]) },
    daemon: { ...BUSY, durationS: pick(random, [10, 30, 60]) },
    acts: [
      { do: 'second_trader', atS, forS, ends: pick(random, ['kill', 'stop']) },
      ...meanwhile.filter(() => random.next() < 0.3),
    ],
    faults: faults.map((fault) => ({
      ...('target' in fault ? fault : aimed(random, fault)),
      at: within(random, activeS, 0.1, 0.8),
    })),
  };
};

/** Combinations that random days meet too seldom. */
export const ARENAS: ReadonlyMap<string, Draw> = new Map([
  ['scarce betslips', scarceBetslips],
  ['few places', fewPlaces],
  ['silent prices', silentPrices],
  ['shared account', sharedAccount],
  ['hung loop', hungLoop],
  ['stalled repeats', stalledRepeats],
  ['wall clock', wallClock],
  ['lost stream', lostStream],
  ['lost heartbeat', lostHeartbeat],
  ['late landings', lateLandings],
  ['unclear answers', unclearAnswers],
  ['killed and restarted', killedAndRestarted],
  ['broken disk', brokenDisk],
  ['bad disk', badDisk],
  ['many fills', manyFills],
  ['bets before orders', betsBeforeOrders],
  ['many pages', manyPages],
  ['half outcomes', halfOutcomes],
  ['other orders', otherOrders],
  ['mistaken strategy', mistakenStrategy],
  ['spent budget', spentBudget],
  ['failed closes', failedCloses],
  ['narrow limits', narrowLimits],
  ['refused key', refusedKey],
  ['second trader', secondTrader],
  ...FAILING_EXCHANGE,
]);

/** The share of the day's own faults that remain beside an arena's. */
const KEPT_FAULTS = 0.15;

/** A day in one of the arenas. */
export function drawArena(name: string, seed: number, activeS: number): SimPlan {
  const draw = ARENAS.get(name);
  if (draw === undefined) throw new Error(`no arena ${name}: ${[...ARENAS.keys()].join(', ')}`);
  const day = drawPlan(seed, activeS);
  const random = seededRandom(seed, name);
  const { world, daemon, acts = [], faults = [], unsyncedSurvive } = draw(random, activeS);
  return {
    ...day,
    arena: name,
    ...(unsyncedSurvive === undefined ? {} : { unsyncedSurvive }),
    world: { ...day.world, ...world },
    // Tight limits would leave little of what the arena is about.
    daemon: { ...day.daemon, limits: {}, ...daemon },
    acts: [...acts].sort((a, b) => a.atS - b.atS),
    faults: [
      ...day.faults.filter(() => random.next() < KEPT_FAULTS),
      ...faults.map((fault) => faultSchema.parse(fault)),
    ],
  };
}

/** Of this many days, one is random. The others take one arena after another. */
const AT_LARGE_EVERY = 3;

/** The day of a seed. */
export function planOf(seed: number, activeS: number): SimPlan {
  if (seed % AT_LARGE_EVERY === 0) return drawPlan(seed, activeS);
  const names = [...ARENAS.keys()];
  const turn = seed - 1 - Math.floor(seed / AT_LARGE_EVERY);
  return drawArena(names[turn % names.length] as string, seed, activeS);
}
