import { integerBetween, type Random, seededRandom, uniformBetween } from '../../src/lib/random.ts';
import { type Fault, faultSchema } from '../../src/simulator/faults/schema.ts';
import { ARENAS, drawArena, planOf } from './arenas.ts';
import { drawMarket, type DrawnMarket } from './markets.ts';
import {
  type Act,
  ACTS,
  aimed,
  type DaemonPlan,
  type DrawAct,
  drawPlan,
  OTHER_FAULTS,
  pick,
  REQUEST_FAULTS,
  type SimPlan,
  type WorldPlan,
} from './plan.ts';

/** Longer days are drawn as days of hours. */
export const LONGEST_SHORT_S = 1_800;
/** Faults and acts are drawn anew for each stretch of this length. */
const STRETCH_S = 600;
/** This many stretches follow one another, then the day must come to rest. */
const STRETCHES = 5;
/** From the last act and fault to the check at rest. */
export const REST_S = 240;
/** Acts take up to this long. Their effects are over before the rest begins. */
const LAST_ACT_S = 120;
/** From then on a market has enough matches that have not begun. */
const LEAST_LEAD_MINUTES = 120;
/** Of this many days, one stays in one arena, and is shorter: arenas are crowded. */
const ARENA_EVERY = 8;
const ARENA_SHARE = 0.15;
/** Of this many days, one has an outage. */
const [OUTAGE_TURN, OUTAGE_S] = [5, 3 * 3_600];
/** In one day in this many, one endpoint alone is out of order, or two or three together. */
const ENDPOINT_TURN = 3;
const ENDPOINT_ARENAS = ['one endpoint', 'endpoints together'] as const;
/** In one day in this many, nothing can be quoted for long. */
const SHORT_LIVED_ARENA = 'scarce betslips';

/** The kinds of a day, swarm style: others never happen in it, and the judge need not allow for them. */
interface Kinds {
  /** The probability of each in a stretch. */
  readonly chance: number;
  readonly acts: readonly DrawAct[];
  readonly requests: readonly object[];
  readonly others: readonly object[];
}

interface Stretch {
  readonly acts: readonly Act[];
  readonly faults: readonly Fault[];
}

/** The day of a seed, short or of hours. */
export function dayOf(seed: number, activeS: number): SimPlan {
  if (activeS <= LONGEST_SHORT_S) return planOf(seed, activeS);
  if (seed % ARENA_EVERY === OUTAGE_TURN) return outageDay(seed, activeS);
  if (seed % ARENA_EVERY === ENDPOINT_TURN) return endpointDay(seed, activeS);
  return seed % ARENA_EVERY === 1 ? arenaDay(seed, activeS * ARENA_SHARE) : openDay(seed, activeS);
}

/** A stretch, then hours without any connection, then another stretch. */
function outageDay(seed: number, hoursS: number): SimPlan {
  const outageS = Math.min(OUTAGE_S, hoursS - STRETCH_S);
  const day = drawPlan(seed, STRETCH_S);
  const after = drawPlan(seed + 1, STRETCH_S);
  const laterS = STRETCH_S + outageS;
  const outage = { target: 'network', fault: 'connect_refused', at: STRETCH_S, for_s: outageS };
  return {
    ...day,
    activeS: laterS + STRETCH_S,
    world: { ...day.world, speed: 1 },
    acts: [...day.acts, ...after.acts.map((act) => ({ ...act, atS: act.atS + laterS }))],
    faults: [
      ...day.faults,
      faultSchema.parse(outage),
      ...after.faults.map((fault) => laterBy(fault, laterS)),
    ],
  };
}

/** Hours in one market, in which one or more endpoints are out of order for long. */
function endpointDay(seed: number, hoursS: number): SimPlan {
  const random = seededRandom(seed, 'endpoint day');
  const drawn = drawMarket(random);
  // A quiet week would show no more of it than a day.
  const day = drawArena(pick(random, ENDPOINT_ARENAS), seed, hoursS * Math.min(1, drawn.share));
  return {
    ...day,
    world: worldOf(random, day.world, drawn),
    daemon: daemonOf(random, day.daemon, drawn),
  };
}

/** Hours in one world, with acts and faults throughout, and a rest each hour in which it must settle. */
function openDay(seed: number, hoursS: number): SimPlan {
  const random = seededRandom(seed, 'long day');
  const drawn = drawMarket(random);
  const base = drawPlan(seed, STRETCH_S);
  const kinds: Kinds = {
    chance: drawn.chance,
    acts: ACTS.filter(() => random.next() < 0.3),
    requests: REQUEST_FAULTS.filter(() => random.next() < 0.25),
    others: OTHER_FAULTS.filter(() => random.next() < 0.2),
  };
  const day = {
    ...base,
    world: worldOf(random, base.world, drawn),
    daemon: daemonOf(random, base.daemon, drawn),
  };
  return inStretches(day, hoursS * drawn.share, (_, fromS) => drawStretch(random, kinds, fromS));
}

function arenaDay(seed: number, hoursS: number): SimPlan {
  const names = [...ARENAS.keys()].filter((each) => each !== SHORT_LIVED_ARENA);
  const name = names[Math.floor(seed / ARENA_EVERY) % names.length] as string;
  const day = drawArena(name, seed, STRETCH_S);
  const known = new Set(day.faults.map(({ fault }) => fault));
  return inStretches(day, hoursS, (index, fromS) => {
    const { acts, faults } = drawArena(name, seed * 1_000 + index, STRETCH_S);
    return {
      acts: acts.map((act) => ({ ...act, atS: act.atS + fromS })),
      faults: faults.filter(({ fault }) => known.has(fault)).map((fault) => laterBy(fault, fromS)),
    };
  });
}

/** Blocks of stretches, each followed by a rest. */
function inStretches(
  day: SimPlan,
  lengthS: number,
  draw: (index: number, fromS: number) => Stretch,
): SimPlan {
  const blockS = STRETCHES * STRETCH_S + REST_S;
  const blocks = Math.max(1, Math.round(lengthS / blockS));
  const stretches = Array.from({ length: blocks * STRETCHES }, (_, index) => {
    const block = Math.floor(index / STRETCHES);
    return endingBy((block + 1) * blockS - REST_S, draw(index, block * REST_S + index * STRETCH_S));
  });
  return {
    ...day,
    activeS: blocks * blockS - REST_S,
    restsS: Array.from({ length: blocks - 1 }, (_, block) => (block + 1) * blockS),
    acts: stretches.flatMap(({ acts }) => acts).sort((a, b) => a.atS - b.atS),
    faults: stretches.flatMap(({ faults }) => faults),
  };
}

/** No effect of a stretch is left at the end of its block. */
function endingBy(endS: number, { acts, faults }: Stretch): Stretch {
  return {
    acts: acts.filter(({ atS }) => atS < endS),
    faults: faults
      .filter(({ at }) => Number(at) < endS)
      .map((fault) => ({ ...fault, for_s: Math.min(fault.for_s ?? STRETCH_S, endS - Number(fault.at)) })),
  };
}

function drawStretch(random: Random, { chance, acts, requests, others }: Kinds, fromS: number): Stretch {
  const at = (): number => fromS + uniformBetween(random, 3, STRETCH_S - LAST_ACT_S);
  const happening = <T>(kinds: readonly T[]): T[] => kinds.filter(() => random.next() < chance);
  const faults = [...happening(requests).map((fault) => aimed(random, fault)), ...happening(others)];
  return {
    acts: happening(acts).flatMap((draw) => setRight(random, draw(random, at()))),
    faults: faults.map((fault) => faultSchema.parse({ ...fault, at: at() })),
  };
}

/** Over hours, a wall clock that was set wrong is corrected. */
function setRight(random: Random, act: Act): Act[] {
  if (act.do !== 'jump_wall') return [act];
  return [act, { do: 'jump_wall', atS: act.atS + uniformBetween(random, 5, LAST_ACT_S), byS: 0 - act.byS }];
}

const laterBy = (fault: Fault, seconds: number): Fault => ({ ...fault, at: Number(fault.at) + seconds });

/** Betslips have to last for the day, and matches keep their own pace. */
function worldOf(random: Random, world: WorldPlan, { market, speeds }: DrawnMarket): WorldPlan {
  return {
    ...world,
    market,
    events: integerBetween(random, 2, 4),
    speed: pick(random, speeds),
    betslipsPerDay: pick(random, [2_000, 2_000, 500]),
  };
}

function daemonOf(random: Random, daemon: DaemonPlan, drawn: DrawnMarket): DaemonPlan {
  const { market, durationsS, mostSelections } = drawn;
  return {
    ...daemon,
    maxSelections: Math.min(daemon.maxSelections, mostSelections),
    durationS: pick(random, durationsS),
    // A daemon that stays out of running matches needs some that have not begun.
    inPlay: daemon.inPlay || market.leadMinutes < LEAST_LEAD_MINUTES,
  };
}
