/** Mark-outs of fills by group: side, distance from fair, time to the start. */
import { LAST_TICK, LADDER, floorTick } from '../../domain/ladder.ts';
import type { Tick } from '../../domain/ladder.ts';
import { MARK_HORIZONS_S } from '../../fair/marks.ts';
import type { ResearchFill } from '../result.ts';

/** One group of fills. Means are fractions of the stake that could be marked; null without any. */
export interface MarkoutGroup {
  readonly group: string;
  readonly fills: number;
  readonly stakeMicros: number;
  /** At each of MARK_HORIZONS_S, in that order. */
  readonly means: readonly (number | null)[];
  readonly closing: number | null;
}

/** A property that groups fills. `names` gives the order of the groups. */
export interface Grouping {
  readonly title: string;
  readonly names: readonly string[];
  readonly nameOf: (fill: ResearchFill) => string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const TIMES = [
  ['more than 6 h before', 6 * HOUR_MS],
  ['6 h to 1 h before', HOUR_MS],
  ['1 h to 10 min before', 10 * MINUTE_MS],
  ['last 10 min before', 0],
  ['after the scheduled start', -Infinity],
] as const;

const DISTANCES = [
  ['behind fair', -0.5],
  ['at fair', 0.5],
  ['1 tick', 1.5],
  ['2 ticks', 2.5],
  ['3 to 4 ticks', 4.5],
  ['5 ticks or more', Infinity],
] as const;
const UNKNOWN = 'no fair value at the fill';

export const GROUPINGS: readonly Grouping[] = [
  { title: 'Side', names: ['for', 'against'], nameOf: ({ direction }) => direction },
  {
    title: 'Distance from fair',
    names: [...DISTANCES.map(([name]) => name), UNKNOWN],
    nameOf: (fill) => {
      const ticks = ticksFromFair(fill);
      return ticks === null ? UNKNOWN : nameBelow(ticks);
    },
  },
  {
    title: 'Time to the start',
    names: ['in play', ...TIMES.map(([name]) => name)],
    nameOf: ({ inPlay, startsInMs }) => (inPlay ? 'in play' : nameAtLeast(startsInMs)),
  },
];

const nameBelow = (ticks: number): string =>
  DISTANCES.find(([, below]) => ticks < below)?.[0] ?? '5 ticks or more';

const nameAtLeast = (startsInMs: number): string =>
  TIMES.find(([, least]) => startsInMs >= least)?.[0] ?? 'after the scheduled start';

/**
 * How many ticks a fill's price was better for us than the fair value; negative if it was worse. Null without one. Parts of a tick count.
 */
export function ticksFromFair({ direction, tick, fairAtFill }: ResearchFill): number | null {
  if (fairAtFill === null || !(fairAtFill > 0)) return null;
  const ticks = tick - placeOf(1 / fairAtFill);
  return direction === 'for' ? ticks : 0 - ticks;
}

/** A price's place on the ladder with the part of a tick. Prices beyond an end are at that end. */
function placeOf(price: number): number {
  const below: Tick | null = floorTick(price);
  if (below === null) return 0;
  if (below === LAST_TICK) return LAST_TICK;
  const [low, high] = [LADDER[below] as number, LADDER[below + 1] as number];
  return below + (price - low) / (high - low);
}

/** Stake-weighted mark-outs of each group that has fills. */
export function groupMarkouts(fills: readonly ResearchFill[], { names, nameOf }: Grouping): MarkoutGroup[] {
  const groups = Map.groupBy(fills, nameOf);
  return names.flatMap((group) => {
    const members = groups.get(group);
    return members === undefined ? [] : [groupOf(group, members)];
  });
}

function groupOf(group: string, fills: readonly ResearchFill[]): MarkoutGroup {
  return {
    group,
    fills: fills.length,
    stakeMicros: fills.reduce((sum, { stakeMicros }) => sum + stakeMicros, 0),
    means: MARK_HORIZONS_S.map((_, at) => meanOf(fills, ({ markMicros }) => markMicros[at] ?? null)),
    closing: meanOf(fills, ({ closingMicros }) => closingMicros),
  };
}

function meanOf(
  fills: readonly ResearchFill[],
  worthOf: (fill: ResearchFill) => number | null,
): number | null {
  let worth = 0;
  let stake = 0;
  for (const fill of fills) {
    const micros = worthOf(fill);
    if (micros === null) continue;
    worth += micros;
    stake += fill.stakeMicros;
  }
  return stake > 0 ? worth / stake : null;
}
