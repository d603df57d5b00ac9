import { integerBetween, type Random } from '../../src/lib/random.ts';

/** The part of a daemon's life in which a point lies. */
export type Phase =
  /** From the first line on. */
  | 'run'
  /** As `run`, but everything of the last run has lapsed and must be looked up. */
  | 'late'
  /** After SIGTERM. */
  | 'drain';

export interface KillPoint {
  /** The name of the point in `kill-points.ts`. */
  readonly at: string;
  readonly phase: Phase;
  /** The greatest number of passes before it kills. */
  readonly most: number;
}

const around = (what: string, phase: Phase, most: number): KillPoint[] =>
  ['before', 'after'].map((side) => ({ at: `${side}-${what}`, phase, most }));

/** Every point at which a daemon is killed. Kills at any instant come in addition. */
export const KILL_POINTS: readonly KillPoint[] = [
  ...around('heartbeat-list', 'run', 0),
  ...around('updates', 'run', 0),
  ...around('listing', 'run', 1),
  ...around('lookup', 'late', 1),
  ...around('heartbeat', 'run', 0),
  ...around('heartbeat-refresh', 'run', 2),
  ...around('commit', 'run', 25),
  ...around('betslip', 'run', 3),
  ...around('intent', 'run', 6),
  ...around('create', 'run', 6),
  { at: 'at-answer', phase: 'run', most: 6 },
  ...around('close', 'run', 1),
  ...around('close', 'drain', 1),
  ...around('listing', 'drain', 0),
  ...around('heartbeat-delete', 'drain', 0),
  ...around('checkpoint', 'drain', 0),
];

export const nameOf = ({ at, phase }: KillPoint): string => (phase === 'drain' ? `drain/${at}` : at);

/** The share of the kills at any instant, without a point. */
const BY_TIMER = 0.1;

/**
 * Spreads kills over the points. The point with the fewest hits is next. A point that a run did not reach is tried
 * earlier in its next run.
 */
export class KillSchedule {
  readonly #random: Random;
  readonly #hits = new Map<string, number>(KILL_POINTS.map((point) => [nameOf(point), 0]));
  readonly #misses = new Map<string, number>();

  constructor(random: Random) {
    this.#random = random;
  }

  /**
   * The next point and the number of passes before its kill; null for a kill at any instant. Once the requested number
   * of kills is done, only neglected points are next.
   */
  next(done = 0, asked = Infinity): { readonly point: KillPoint; readonly after: number } | null {
    const isMakingUp = done >= asked;
    if (!isMakingUp && this.#random.next() < BY_TIMER) return null;
    const names = isMakingUp ? this.neglected(asked) : [];
    const among =
      names.length === 0 ? KILL_POINTS : KILL_POINTS.filter((point) => names.includes(nameOf(point)));
    const tries = (point: KillPoint): number =>
      (this.#hits.get(nameOf(point)) ?? 0) + 0.5 * (this.#misses.get(nameOf(point)) ?? 0);
    const least = Math.min(...among.map(tries));
    const open = among.filter((point) => tries(point) === least);
    const point = open[integerBetween(this.#random, 0, open.length - 1)] as KillPoint;
    const missed = this.#misses.has(nameOf(point));
    return { point, after: missed ? 0 : integerBetween(this.#random, 0, point.most) };
  }

  hit(point: KillPoint): void {
    this.#add(this.#hits, point);
  }

  missed(point: KillPoint): void {
    this.#add(this.#misses, point);
  }

  /** How often each point was hit. */
  hits(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#hits);
  }

  /** How often a run did not reach its point. */
  misses(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#misses);
  }

  /** Points with fewer hits than this number of kills should give. */
  neglected(kills: number): readonly string[] {
    const least = Math.floor(kills / (2 * KILL_POINTS.length));
    return [...this.#hits].filter(([, hits]) => hits < least).map(([name]) => name);
  }

  #add(counts: Map<string, number>, point: KillPoint): void {
    counts.set(nameOf(point), (counts.get(nameOf(point)) ?? 0) + 1);
  }
}
