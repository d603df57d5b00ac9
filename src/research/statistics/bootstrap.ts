/**
 * Intervals and p-values of a ratio of sums, such as profit by stake, over match days.
 *
 * Fills of one match depend on each other, and matches of one day may: so whole days are drawn (a block bootstrap; Künsch 1989, "The
 * jackknife and the bootstrap for general stationary observations"). Each draw is studentised by its own standard error (Hall 1992,
 * "The Bootstrap and Edgeworth Expansion", section 3.6, the symmetric percentile-t method): with a few dozen days, a plain
 * percentile interval is too narrow.
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

/** The 95 % interval of the ratio, and the two-sided p-value of a ratio of zero. Null if the days do not differ. */
export function intervalOf(days: readonly DaySums[], random: Random): Interval | null {
  const worths = Float64Array.from(days, ({ worth }) => worth);
  const stakes = Float64Array.from(days, ({ stake }) => stake);
  const all = Int32Array.from(days, (_, at) => at);
  const { ratio, error } = studentised(worths, stakes, all);
  if (!(error > 0)) return null;
  const drawn = new Int32Array(days.length);
  const distances = new Float64Array(DRAWS);
  for (let draw = 0; draw < DRAWS; draw++) {
    for (let at = 0; at < drawn.length; at++) drawn[at] = Math.floor(random.next() * days.length);
    const again = studentised(worths, stakes, drawn);
    // A draw of equal days has no error of its own: it is as far away as can be.
    distances[draw] = again.error > 0 ? Math.abs(again.ratio - ratio) / again.error : Infinity;
  }
  distances.sort();
  const width = (distances[Math.ceil(CONFIDENCE * (DRAWS + 1)) - 1] as number) * error;
  const beyond = distances.filter((distance) => distance >= Math.abs(ratio) / error).length;
  return { interval: [ratio - width, ratio + width], pValue: (1 + beyond) / (DRAWS + 1) };
}

/** The ratio over the drawn days, and its standard error by linearisation. */
function studentised(
  worths: Float64Array,
  stakes: Float64Array,
  drawn: Int32Array,
): { readonly ratio: number; readonly error: number } {
  let worth = 0;
  let stake = 0;
  for (const at of drawn) {
    worth += worths[at] as number;
    stake += stakes[at] as number;
  }
  if (stake === 0) return { ratio: 0, error: 0 };
  const ratio = worth / stake;
  let squares = 0;
  for (const at of drawn) squares += ((worths[at] as number) - ratio * (stakes[at] as number)) ** 2;
  const days = drawn.length;
  return { ratio, error: Math.sqrt((squares * days) / (days - 1)) / stake };
}
