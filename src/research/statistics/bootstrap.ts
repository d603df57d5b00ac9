/**
 * Intervals and p-values of a ratio of sums, such as profit by stake, over match days.
 *
 * Fills of one match depend on each other, and matches of one day may: so whole days are drawn (a block bootstrap; Künsch 1989, "The
 * jackknife and the bootstrap for general stationary observations"). Each draw is studentised by its own standard error (Hall 1992,
 * "The Bootstrap and Edgeworth Expansion", section 3.6, the symmetric percentile-t method): with a few dozen days, a plain
 * percentile interval is too narrow.
 *
 * The days seen do not show how bad a day can be. Of n days and one more, each is the farthest from the mean with the same chance, so one
 * unseen day beyond the farthest must be expected. The interval holds one such day in either direction, at the median of a cubic tail
 * beyond it (Gopikrishnan et al. 1998, "Inverse cubic law for the distribution of stock price variations").
 */
import type { Random } from '../../lib/random.ts';

/** The sums of one day: the ratio's numerator and denominator. */
export interface DaySums {
  readonly worth: number;
  readonly stake: number;
}

export interface Interval {
  readonly interval: readonly [number, number];
  readonly pValue: number;
}

const DRAWS = 4_000;
const CONFIDENCE = 0.95;
/** Half of the days beyond a distance are beyond this multiple of it, where the tail is cubic. */
const UNSEEN = Math.cbrt(2);

/** The ratio of the sums; null without stake. */
export function ratioOf(days: readonly DaySums[]): number | null {
  let worth = 0;
  let stake = 0;
  for (const day of days) {
    worth += day.worth;
    stake += day.stake;
  }
  return stake > 0 ? worth / stake : null;
}

/** The 95 % interval of the ratio, and the two-sided p-value of a ratio of zero. Null if too few of the days differ. */
export function intervalOf(days: readonly DaySums[], random: Random): Interval | null {
  const seen = studentised(days);
  if (!(seen.error > 0)) return null;
  const distances = drawnDistances(days, seen, random);
  const width = distances[Math.ceil(CONFIDENCE * (DRAWS + 1)) - 1] as number;
  const [worse, better] = withUnseenDay(days, seen.ratio);
  const low = Math.min(seen.ratio - width * seen.error, worse.ratio - width * worse.error);
  const high = Math.max(seen.ratio + width * seen.error, better.ratio + width * better.error);
  // Where few days differ, most drawn histories have no error, and their distance is infinite.
  if (!Number.isFinite(low) || !Number.isFinite(high)) return null;
  const pValueOf = (distance: number): number =>
    (1 + distances.filter((each) => each >= distance).length) / (DRAWS + 1);
  const nearer = seen.ratio > 0 ? worse : better;
  const isBeyond = nearer.ratio * seen.ratio > 0;
  const distance = Math.min(Math.abs(seen.ratio) / seen.error, Math.abs(nearer.ratio) / nearer.error);
  return { interval: [low, high], pValue: isBeyond ? pValueOf(distance) : 1 };
}

/** How far the ratio of days drawn with replacement is from that of all, in its own standard errors; ascending. */
function drawnDistances(days: readonly DaySums[], { ratio }: Studentised, random: Random): Float64Array {
  const distances = new Float64Array(DRAWS);
  const drawn: DaySums[] = [...days];
  for (let draw = 0; draw < DRAWS; draw++) {
    for (let at = 0; at < drawn.length; at++)
      drawn[at] = days[Math.floor(random.next() * days.length)] as DaySums;
    const again = studentised(drawn);
    // A draw of equal days has no error of its own: it is as far away as can be.
    distances[draw] = again.error > 0 ? Math.abs(again.ratio - ratio) / again.error : Infinity;
  }
  return distances.sort();
}

/** The days with one more of mean stake, as far below the ratio as the farthest day and a little more; and the same above. */
function withUnseenDay(
  days: readonly DaySums[],
  ratio: number,
): readonly [worse: Studentised, better: Studentised] {
  const stake = days.reduce((sum, day) => sum + day.stake, 0) / days.length;
  const farthest = Math.max(...days.map((day) => Math.abs(day.worth - ratio * day.stake)));
  const unseen = (sign: 1 | -1): Studentised =>
    studentised([...days, { stake, worth: ratio * stake + sign * UNSEEN * farthest }]);
  return [unseen(-1), unseen(1)];
}

interface Studentised {
  readonly ratio: number;
  readonly error: number;
}

/** The ratio over days, and its standard error by linearisation. */
function studentised(days: readonly DaySums[]): Studentised {
  let [worth, stake] = [0, 0];
  for (const day of days) {
    worth += day.worth;
    stake += day.stake;
  }
  if (stake === 0) return { ratio: 0, error: 0 };
  const ratio = worth / stake;
  let squares = 0;
  for (const day of days) squares += (day.worth - ratio * day.stake) ** 2;
  return { ratio, error: Math.sqrt((squares * days.length) / (days.length - 1)) / stake };
}
