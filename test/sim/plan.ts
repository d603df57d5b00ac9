import type { StrategySettings } from '../../src/app/config/tables.ts';
import { integerBetween, type Random, seededRandom, uniformBetween } from '../../src/lib/random.ts';
import { type Fault, faultSchema } from '../../src/simulator/faults/schema.ts';
import { drawLimits, type TightLimits } from './limits.ts';
import type { MarketPlan } from './markets.ts';

/** Everything that happens to a simulated day, as data: a seed draws it, a failure prints it, anybody replays it. */
export interface SimPlan {
  readonly seed: number;
  /** The arena of the draw; none for a random day. */
  readonly arena?: string;
  /** Faults and acts end here. The rest is time to come to rest. */
  readonly activeS: number;
  /** In a day of hours: instants, in seconds, by which everything earlier must have come to rest. */
  readonly restsS?: readonly number[];
  readonly world: WorldPlan;
  readonly daemon: DaemonPlan;
  readonly acts: readonly Act[];
  readonly faults: readonly Fault[];
  /** Time to come to rest after `activeS`. Default 240. */
  readonly restS?: number;
  /** The part of the unsynced writes that survives a death, oldest first. Default 1. */
  readonly unsyncedSurvive?: number;
}

export interface WorldPlan {
  readonly events: number;
  readonly speed: number;
  readonly latencyMs: readonly [low: number, high: number];
  readonly openBetslips: number;
  /** The betslips that the exchange allows in a rolling day. */
  readonly betslipsPerDay: number;
  /** Orders are placed, matched and confirmed within one instant; absent for the exchange's default times. */
  readonly placement?: 'at once';
  /** The most orders on a page of the exchange's list; absent for 1,000. */
  readonly ordersPerPage?: number;
  /** What the exchange's prices of `against` markets are; absent for `lay`. */
  readonly againstPrices?: 'odds' | 'lay';
  /** How the market trades; absent for the modelled market's default. */
  readonly market?: MarketPlan;
}

/** The settings of one strategy of several that differ from the defaults. */
export type StrategyTable = Partial<Omit<StrategySettings, 'match' | 'limits' | 'loss'>> & {
  readonly match?: Partial<StrategySettings['match']>;
  readonly limits?: Partial<StrategySettings['limits']>;
  readonly loss?: Partial<StrategySettings['loss']>;
};

export interface DaemonPlan {
  readonly strategy: string;
  /** Tables of several strategies, in order of precedence, in place of `strategy`. */
  readonly strategies?: readonly StrategyTable[];
  readonly durationS: number;
  readonly heartbeatS: number;
  readonly maxSelections: number;
  /** Families of quoted markets; absent for all. */
  readonly marketTypes?: readonly string[];
  readonly inPlay: boolean;
  /** The greatest loss of an event. */
  readonly eventLimitUsdt: number;
  /** Binding limits besides the event's; absent for those of the configuration. */
  readonly limits?: TightLimits;
}

/** The damaged record: one in the middle of those that recovery reads, or one that is read by its kind. */
export const DAMAGED = ['orders', 'limits', 'losses', 'results'] as const;
export type Damaged = (typeof DAMAGED)[number];

/** Acts of people and machines on the daemon. `atS` counts from the start. */
export type Act =
  | { readonly do: 'kill'; readonly atS: number; readonly downS: number }
  /** From then on, the process dies at its n-th crossing of the border to disk, network or clock. */
  | { readonly do: 'kill_at_point'; readonly atS: number; readonly point: number; readonly downS: number }
  | { readonly do: 'restart'; readonly atS: number; readonly downS: number }
  /** An orderly stop that is requested at the n-th such crossing. */
  | { readonly do: 'restart_at_point'; readonly atS: number; readonly point: number; readonly downS: number }
  | { readonly do: 'jump_wall'; readonly atS: number; readonly byS: number }
  /** The next append fails. The next start may find its entries all the same. */
  | { readonly do: 'disk_full'; readonly atS: number; readonly kept: boolean }
  /** The process dies, and one of its records becomes unreadable. A person repairs it later. */
  | {
      readonly do: 'damage_journal';
      readonly of: Damaged;
      readonly atS: number;
      readonly downS: number;
      readonly forS: number;
    }
  | { readonly do: 'stall'; readonly atS: number; readonly forS: number }
  /** A person stops everything, and resumes later. */
  | { readonly do: 'kill_switch'; readonly atS: number; readonly forS: number }
  /** A person places an order on the account: one that rests, or one that takes. */
  | { readonly do: 'order_by_hand'; readonly atS: number; readonly rests: boolean }
  /** A person starts another daemon on the same disk. */
  | { readonly do: 'start_second'; readonly atS: number }
  /** Another installation starts on the account, with its own disk, and is killed or stopped later. */
  | {
      readonly do: 'second_trader';
      readonly atS: number;
      readonly forS: number;
      readonly ends: 'kill' | 'stop';
    }
  /** The strategy wants only one side, this many ticks better for us than otherwise; worse below 0. */
  | {
      readonly do: 'misquote';
      readonly atS: number;
      readonly side: 'for' | 'against';
      readonly byTicks: number;
      readonly forS: number;
    }
  /** The engine makes no progress any more, while the rest of the process runs. A person restarts it later. */
  | { readonly do: 'wedge'; readonly atS: number; readonly forS: number };

/** The fewest orders that any client must expect on a page: as many as without a requested number. */
export const FEWEST_PER_PAGE = 25;

/** Draws a plan, swarm style: each run enables some kinds of faults and acts and not others. */
export function drawPlan(seed: number, activeS: number): SimPlan {
  const random = seededRandom(seed, 'plan');
  return {
    seed,
    activeS,
    world: {
      events: integerBetween(random, 3, 6),
      speed: pick(random, [1, 1, 5, 20]),
      latencyMs: pick(random, [
        [1, 5],
        [10, 60],
        [50, 400],
      ] as const),
      openBetslips: pick(random, [9, 9, 20, 50]),
      betslipsPerDay: pick(random, [2_000, 2_000, 100]),
      ordersPerPage: pick(seededRandom(seed, 'pages'), [1_000, 1_000, FEWEST_PER_PAGE]),
    },
    daemon: {
      strategy: pick(random, ['symmetric', 'symmetric', 'inventory', 'guarded-ladder']),
      durationS: pick(random, [10, 30, 60]),
      heartbeatS: pick(random, [15, 30, 60]),
      maxSelections: integerBetween(random, 1, 4),
      inPlay: random.next() < 0.5,
      eventLimitUsdt: pick(random, [4_000, 4_000, 400, 150]),
      limits: drawLimits(seed),
    },
    acts: drawActs(random, activeS),
    faults: [...drawFaults(random, activeS), ...drawLateRefreshes(seed, activeS)],
    unsyncedSurvive: pick(random, [0, 1]),
  };
}

/** Acts that are set up or attempted. They count as acts once they take effect. */
export const ATTEMPTS: ReadonlySet<Act['do']> = new Set([
  ...(['kill_at_point', 'restart_at_point', 'disk_full', 'damage_journal'] as const),
  ...(['kill_switch', 'order_by_hand', 'wedge', 'second_trader'] as const),
]);
/** These do nothing while no run is up. */
export const NEEDS_RUN: ReadonlySet<Act['do']> = new Set(['kill', 'restart', 'stall', 'start_second']);

export const pick = <T>(random: Random, items: readonly T[]): T =>
  items[integerBetween(random, 0, items.length - 1)] as T;

export type DrawAct = (random: Random, atS: number) => Act;

export const ACTS: readonly DrawAct[] = [
  (random, atS) => ({ do: 'kill', atS, downS: uniformBetween(random, 0.1, 90) }),
  (random, atS) => ({
    do: 'kill_at_point',
    atS,
    point: integerBetween(random, 1, 60),
    downS: uniformBetween(random, 0.1, 60),
  }),
  (random, atS) => ({ do: 'restart', atS, downS: uniformBetween(random, 0.1, 20) }),
  (random, atS) => ({ do: 'jump_wall', atS, byS: pick(random, [-3600, -5, 5, 3600]) }),
  (random, atS) => ({ do: 'disk_full', atS, kept: random.next() < 0.3 }),
  (random, atS) => ({ do: 'stall', atS, forS: uniformBetween(random, 1, 25) }),
  (random, atS) => ({ do: 'kill_switch', atS, forS: uniformBetween(random, 10, 90) }),
  (random, atS) => ({ do: 'order_by_hand', atS, rests: random.next() < 0.7 }),
  (random, atS) => ({
    do: 'damage_journal',
    atS,
    downS: uniformBetween(random, 0.1, 20),
    forS: uniformBetween(random, 20, 60),
    of: pick(random, DAMAGED),
  }),
  (random, atS) => ({ do: 'wedge', atS, forS: uniformBetween(random, 20, 100) }),
  (_, atS) => ({ do: 'start_second', atS }),
  (random, atS) => ({
    do: 'misquote',
    atS,
    forS: uniformBetween(random, 5, 30),
    side: pick(random, ['for', 'against']),
    byTicks: integerBetween(random, -60, 120),
  }),
  (random, atS) => ({
    do: 'restart_at_point',
    atS,
    point: integerBetween(random, 1, 60),
    downS: uniformBetween(random, 0.1, 20),
  }),
];

function drawActs(random: Random, activeS: number): Act[] {
  const enabled = ACTS.filter(() => random.next() < 0.3);
  const acts = enabled.flatMap((draw) =>
    Array.from({ length: integerBetween(random, 1, 2) }, () =>
      draw(random, uniformBetween(random, 5, activeS)),
    ),
  );
  return acts.sort((a, b) => a.atS - b.atS);
}

/** Requests that close: of one order, and of several. */
export const CLOSES = ['orders.close', 'orders.close_many'] as const;

/** Creates do the most harm, so they are hit most. */
const REQUESTS = [
  ...(['orders.create', 'orders.create', 'orders.create', ...CLOSES, 'orders.*'] as const),
  ...(['betslips.*', 'heartbeats.*', 'rest'] as const),
];

/** A fault of requests. Its target and frequency are drawn. */
export const REQUEST_FAULTS: readonly object[] = [
  { fault: 'request_lost' },
  { fault: 'answer_lost' },
  { fault: 'reset' },
  { fault: 'reset_after' },
  { fault: 'delayed', delay_ms: 2_500 },
  { fault: 'answer_delayed', delay_ms: 2_500 },
  { fault: 'late', delay_ms: 8_000 },
  { fault: 'applied_twice' },
  { fault: 'applied_twice', answer: 'first' },
  { fault: 'rejected', reasons: { non_field_errors: ['event_scores_dont_match'] } },
  { fault: 'rejected', reasons: { non_field_errors: ['event_stake_limit_reached'] } },
  { fault: 'rejected', reasons: { betslip_id: ['unknown'] } },
  { fault: 'stall' },
  { fault: 'cut_body' },
  { fault: 'invalid_body' },
  { fault: 'other_shape' },
  { fault: 'throttled', retry_after_s: 2 },
  { fault: 'throttled', retry_after_s: null },
  { fault: 'server_error' },
  { fault: 'server_error', applied: true },
  { fault: 'unavailable' },
  { fault: 'unavailable', applied: true },
];

export const OTHER_FAULTS: readonly object[] = [
  { target: 'stream', fault: 'raw_close' },
  { target: 'stream', fault: 'raw_close', mid_frame: true },
  { target: 'stream', fault: 'close', code: 1008 },
  { target: 'stream', fault: 'half_open' },
  // The old socket delivers its held-back data when the next one is up.
  { target: 'stream', fault: 'half_open', release: true, for_s: 20 },
  { target: 'stream', fault: 'junk_frame' },
  { target: 'stream', fault: 'huge_frame' },
  { target: 'stream', fault: 'unknown_tag' },
  { target: 'stream', fault: 'clear_events' },
  { target: 'handshake', fault: 'refused_upgrade', times: 3 },
  { target: 'handshake', fault: 'refused_upgrade', status: 400, times: 2 },
  { target: 'handshake', fault: 'refused_upgrade', status: 401, times: 1 },
  { target: 'handshake', fault: 'upgrade_stall', times: 1 },
  { target: 'handshake', fault: 'upgrade_reset', times: 2 },
  { target: 'stream.sync', fault: 'missing', times: 2 },
  { target: 'stream.order', fault: 'missing', times: 3 },
  { target: 'stream.bet', fault: 'missing', times: 3 },
  { target: 'stream.*', fault: 'duplicate', times: 10 },
  { target: 'stream.*', fault: 'reorder', times: 10 },
  { target: 'stream.order', fault: 'late_entry', delay_ms: 4_000, times: 3 },
  { target: 'stream.pmm', fault: 'not_numbers', times: 3 },
  { target: 'stream.offer', fault: 'numbers_as_strings', times: 20 },
  { target: 'betslips', fault: 'quote_never', for_s: 15 },
  { target: 'betslips', fault: 'quote_freezes', for_s: 15 },
  { target: 'orders.create', fault: 'betslip_gone', times: 1 },
  // A refused key stops a run until a person resumes.
  { target: 'orders.create', fault: 'answer', status: 401, code: 'auth_error', times: 1, skip: 40 },
  // The exchange acknowledges and does nothing.
  { target: 'orders.close', fault: 'close_ignored', probability: 0.7, for_s: 40 },
  { target: 'orders.close_many', fault: 'close_ignored', probability: 0.7, for_s: 40 },
  // The answer names none of them.
  {
    target: 'orders.close_many',
    fault: 'answer',
    status: 200,
    data: { closed: [[]], not_found: [[]] },
    times: 3,
  },
  { target: 'account', fault: 'heartbeats_deleted' },
  { target: 'account', fault: 'betslips_deleted' },
  { target: 'account', fault: 'foreign_heartbeat' },
  { target: 'account', fault: 'bets_voided', last: 3 },
  { target: 'market', fault: 'events_suspended', for_s: 20 },
  { target: 'exchange', fault: 'fill_after_close', delay_ms: 1_500, for_s: 30 },
  { target: 'exchange', fault: 'placement_delayed', delay_ms: 1_500, for_s: 30 },
  { target: 'exchange', fault: 'betslip_cap', cap: 3, for_s: 60 },
  { target: 'exchange', fault: 'betslip_cap', cap: 0, for_s: 40 },
  { target: 'exchange', fault: 'results_in_turn', over_s: 120, for_s: 300 },
  { target: 'exchange', fault: 'events_told_once', for_s: 300 },
  { target: 'exchange', fault: 'bets_in_danger', delay_ms: 20_000, for_s: 60 },
  { target: 'exchange', fault: 'bets_in_danger', delay_ms: 10_000, ends: 'void', for_s: 20 },
  { target: 'exchange', fault: 'betslips_short_lived', life_s: 3, for_s: 60 },
  { target: 'exchange', fault: 'pending_forever', for_s: 40 },
  { target: 'exchange', fault: 'quotes_late', delay_ms: 4_000, for_s: 40 },
  { target: 'network', fault: 'connect_refused', for_s: 20 },
  { target: 'commands', fault: 'command_fails', times: 10 },
  { target: 'commands', fault: 'command_fails', code: 'invalid_customer', for_s: 15 },
  { target: 'commands', fault: 'command_fails', code: 'customer_event_limit_exceeded', for_s: 15 },
  { target: 'commands', fault: 'command_fails', code: 'something_new', probability: 0.5 },
];

/** A fault of requests, with its target and frequency. */
export const aimed = (random: Random, fault: object): object => ({
  ...fault,
  target: pick(random, REQUESTS),
  times: integerBetween(random, 1, 4),
  probability: pick(random, [1, 0.5, 0.2]),
});

/** How long refreshes of the heartbeat are answered late before they fail. */
const LATE_ANSWERS_S = 15;

/**
 * Refreshes of the heartbeat are answered late, and later not at all. The proof of the last answer is nearly over on
 * arrival.
 */
export const lateRefreshes = (random: Random, atS: number, forS: number): readonly object[] => [
  {
    target: 'heartbeats.refresh',
    fault: 'answer_delayed',
    at: atS,
    for_s: LATE_ANSWERS_S,
    delay_ms: integerBetween(random, 1_000, 4_000),
  },
  {
    target: 'heartbeats.*',
    fault: pick(random, ['unavailable', 'request_lost', 'stall']),
    at: atS + LATE_ANSWERS_S,
    for_s: forS,
  },
];

/** Drawn in one day of three. */
function drawLateRefreshes(seed: number, activeS: number): Fault[] {
  const random = seededRandom(seed, 'late refreshes');
  if (random.next() > 1 / 3) return [];
  // Until the proof of the longest heartbeat is too short for a create.
  const faults = lateRefreshes(
    random,
    uniformBetween(random, 5, activeS / 2),
    uniformBetween(random, 50, 60),
  );
  return faults.map((fault) => faultSchema.parse(fault));
}

function drawFaults(random: Random, activeS: number): Fault[] {
  const requests = REQUEST_FAULTS.filter(() => random.next() < 0.25).map((fault) => aimed(random, fault));
  const others = OTHER_FAULTS.filter(() => random.next() < 0.2);
  return [...requests, ...others].map((fault) =>
    faultSchema.parse({ ...fault, at: uniformBetween(random, 3, activeS * 0.9) }),
  );
}
