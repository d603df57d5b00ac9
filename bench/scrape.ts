import { systemClock } from '../src/app/adapters/system-clock.ts';
import { parseExposition, sample, total } from '../scripts/soak/exposition.ts';
import type { Place } from './daemon.ts';

/** The daemon's metrics at one instant. */
export class Scrape {
  readonly atMs: number;
  readonly #series: ReadonlyMap<string, number>;

  private constructor(text: string, atMs: number) {
    this.atMs = atMs;
    this.#series = parseExposition(text);
  }

  static async of({ metrics }: Pick<Place, 'metrics'>): Promise<Scrape> {
    const text = await (await fetch(`${metrics}/metrics`)).text();
    return new Scrape(text, systemClock.monotonicMs());
  }

  /** The value of a series. Throws when it is missing. */
  value(series: string): number {
    return sample(this.#series, series);
  }

  /** The sum of a metric over all its labels. Throws when it is missing. */
  total(metric: string): number {
    return total(this.#series, metric);
  }

  /** The counts of a histogram's observations up to each of its bounds. */
  bucketsOf(histogram: string): ReadonlyMap<number, number> {
    const start = `${histogram}_bucket`;
    const buckets = new Map<number, number>();
    for (const [series, count] of this.#series) {
      const bound = series.startsWith(start) ? /le="([^"]+)"/.exec(series)?.[1] : undefined;
      if (bound !== undefined) buckets.set(bound === '+Inf' ? Infinity : Number(bound), count);
    }
    return buckets;
  }
}

/** The share of a core that the daemon used between two scrapes, all its threads together. */
export function processorShare(before: Scrape, after: Scrape): number {
  const cpuS = 'process_cpu_seconds_total';
  return (1_000 * (after.value(cpuS) - before.value(cpuS))) / (after.atMs - before.atMs);
}

/** The observations of a histogram between two scrapes; NaN where there are none. */
export interface Observed {
  readonly count: number;
  readonly mean: number;
  /** A quantile, interpolated within its bucket. The last bucket has no upper bound, so its lower one is given. */
  quantile(share: number): number;
}

export function secondsBetween(before: Scrape, after: Scrape, histogram: string): Observed {
  const grown = (suffix: string): number =>
    after.value(`${histogram}_${suffix}`) - before.value(`${histogram}_${suffix}`);
  const [earlier, later] = [before.bucketsOf(histogram), after.bucketsOf(histogram)];
  const count = grown('count');
  return {
    count,
    mean: grown('sum') / count,
    quantile: (share) => quantileOf(earlier, later, share),
  };
}

function quantileOf(
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
  share: number,
): number {
  const bounds = [...after.keys()].sort((a, b) => a - b);
  const counts = bounds.map((bound) => (after.get(bound) ?? 0) - (before.get(bound) ?? 0));
  const all = counts.at(-1) ?? 0;
  if (all === 0) return NaN;
  const at = counts.findIndex((upTo) => upTo >= share * all);
  const [low, high] = [bounds[at - 1] ?? 0, bounds[at] ?? 0];
  if (high === Infinity) return low;
  const [below, upTo] = [counts[at - 1] ?? 0, counts[at] ?? 0];
  return upTo === below ? high : low + ((high - low) * (share * all - below)) / (upTo - below);
}
