/** The samples of a Prometheus text exposition, by the name of the series with its labels as written. */
export function parseExposition(text: string): ReadonlyMap<string, number> {
  const samples = new Map<string, number>();
  for (const line of text.split('\n')) {
    const match = SAMPLE.exec(line);
    if (match !== null) samples.set(match[1] as string, numberOf(match[2] as string));
  }
  return samples;
}

/** A series, a value, and perhaps the instant of the sample. A label's value may hold spaces. */
const SAMPLE = /^([a-zA-Z_:][\w:]*(?:\{.*\})?) (\S+)(?: -?\d+)?$/;

const numberOf = (text: string): number =>
  text === '+Inf' ? Infinity : text === '-Inf' ? -Infinity : Number(text);

/** The value of one series. Throws when it is missing, because a figure of 0 would pass every check. */
export function sample(samples: ReadonlyMap<string, number>, series: string): number {
  const value = samples.get(series);
  if (value === undefined) throw new Error(`the daemon's metrics have no series ${series}`);
  return value;
}

/** The sum over all labels of a metric. Throws without any series, for the same reason. */
export function total(samples: ReadonlyMap<string, number>, metric: string): number {
  const found = [...samples].filter(([series]) => series === metric || series.startsWith(`${metric}{`));
  if (found.length === 0) throw new Error(`the daemon's metrics have no series of ${metric}`);
  return found.reduce((sum, [, value]) => sum + value, 0);
}
