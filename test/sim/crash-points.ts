import { type Act, type DaemonPlan, drawPlan, type SimPlan } from './plan.ts';
import { type SimResult, simulate } from './simulate.ts';

/** A short calm part of the daemon's life, to be cut at every crossing of its border. */
export interface Scenario {
  readonly name: string;
  readonly plan: SimPlan;
  /** The span that is cut, in seconds from the start. Its acts come a second later, or before it. */
  readonly fromS: number;
  readonly forS: number;
  /** A request or a fill that must occur in the span, otherwise it is not the scenario. */
  readonly shows: RegExp;
}

/** Deaths in one scenario, each as a plan of its own. */
export interface CrashPoints {
  readonly scenario: Scenario;
  readonly plans: readonly SimPlan[];
}

const DOWN_S = 1;
const REST_S = 75;
/** More crossings than any scenario has: the count continues, and no process dies. */
const NEVER = Number.MAX_SAFE_INTEGER;

const DAEMON: DaemonPlan = {
  strategy: 'symmetric',
  durationS: 10,
  heartbeatS: 15,
  maxSelections: 1,
  inPlay: true,
  eventLimitUsdt: 4_000,
};

interface Calm {
  readonly seed?: number;
  readonly acts?: readonly Act[];
  readonly activeS?: number;
  readonly speed?: number;
  readonly daemon?: Partial<DaemonPlan>;
}

const calm = ({ seed = 4, acts = [], activeS = 16, speed = 1, daemon = {} }: Calm): SimPlan => ({
  ...drawPlan(seed, activeS),
  world: { events: 3, speed, latencyMs: [1, 5], openBetslips: 9, betslipsPerDay: 2_000 },
  daemon: { ...DAEMON, ...daemon },
  acts,
  faults: [],
  restS: REST_S,
});

export const SCENARIOS: readonly Scenario[] = [
  { name: 'place', plan: calm({}), fromS: 4, forS: 5, shows: /^POST \/v2\/orders\/$/ },
  {
    name: 'replace',
    plan: calm({ speed: 5, daemon: { strategy: 'guarded-ladder' } }),
    fromS: 8,
    forS: 2,
    shows: /^POST \/v2\/orders\/$/,
  },
  {
    name: 'close',
    plan: calm({ acts: [{ do: 'kill_switch', atS: 9, forS: 6 }] }),
    fromS: 8,
    forS: 4,
    shows: /\/close(_many)?\/$/,
  },
  {
    name: 'fill',
    plan: calm({ seed: 5, speed: 5, activeS: 20, daemon: { maxSelections: 2 } }),
    fromS: 12,
    forS: 4,
    shows: /^fill$/,
  },
  {
    name: 'betslip refresh',
    plan: calm({ activeS: 50 }),
    fromS: 40,
    forS: 8,
    shows: /^POST \/v2\/betslips\/.*\/refresh\/$/,
  },
  {
    name: 'heartbeat renewal',
    plan: calm({}),
    fromS: 6,
    forS: 4,
    shows: /^POST \/v2\/heartbeats\/.*\/refresh\/$/,
  },
  {
    name: 'recovery',
    plan: calm({ acts: [{ do: 'kill', atS: 8, downS: DOWN_S }] }),
    fromS: 9,
    forS: 3,
    shows: /^POST \/v2\/heartbeats\/$/,
  },
  {
    name: 'drain',
    plan: calm({ acts: [{ do: 'restart', atS: 9, downS: DOWN_S }] }),
    fromS: 8,
    forS: 4,
    shows: /^DELETE \/v2\/heartbeats\//,
  },
];

/** Runs the scenario uncut. Throws when it does not show its subject, or breaks an invariant. */
export async function liveUncut({ name, plan, fromS, forS, shows }: Scenario): Promise<SimResult> {
  const result = await simulate(cutAt(plan, fromS, NEVER, 1));
  const [first] = result.violations;
  if (first !== undefined) throw new Error(`scenario ${name} breaks ${first.invariant}: ${first.seen}`);
  const happened = result.timeline.filter(({ atS }) => atS >= fromS && atS < fromS + forS);
  if (!happened.some(({ what }) => shows.test(what)))
    throw new Error(`scenario ${name} does not show ${shows.source}`);
  return result;
}

/**
 * Every crossing of the border in the span, in turn, as the place of death. A write without a sync is tried both kept
 * and lost.
 */
export async function crashPointsOf(scenario: Scenario): Promise<CrashPoints> {
  const { plan, fromS, forS } = scenario;
  const { crossings } = await liveUncut(scenario);
  const within = crossings.filter(({ atS }) => atS < fromS + forS);
  const plans = within.flatMap(({ crossing }, at) =>
    (crossing === 'written' ? [0, 1] : [1]).map((survive) => cutAt(plan, fromS, at + 1, survive)),
  );
  return { scenario, plans };
}

function cutAt(plan: SimPlan, atS: number, point: number, unsyncedSurvive: number): SimPlan {
  const cut: Act = { do: 'kill_at_point', atS, point, downS: DOWN_S };
  const acts = [...plan.acts, cut].sort((a, b) => a.atS - b.atS);
  return { ...plan, acts, unsyncedSurvive };
}
