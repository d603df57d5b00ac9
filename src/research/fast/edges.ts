import { type EventTape, gapEdgeMs } from '../tape.ts';

/** An instant between the updates at which something changes. */
export interface Edge {
  /** Wall-clock milliseconds. */
  readonly atMs: number;
  /** A gap of the recording begins or ends; null: a score or a price of a source arrives. */
  readonly inGap: boolean | null;
}

/** Where gaps begin and end, in their order, and between them what the tape tells beside prices to take. */
export function edgesOf({ gaps, scores = [], sourcePrices = [] }: EventTape): readonly Edge[] {
  const arrivals = [...scores.map(({ atMs }) => atMs), ...sourcePrices.map(({ arrivedMs }) => arrivedMs)];
  const told = [...new Set(arrivals)].sort((a, b) => a - b);
  const edges: Edge[] = [];
  let next = 0;
  for (let edge = 0; edge <= 2 * gaps.length; edge++) {
    const gapMs = gapEdgeMs(gaps, edge);
    for (; (told[next] ?? Infinity) < gapMs; next++) edges.push({ atMs: told[next] as number, inGap: null });
    if (edge < 2 * gaps.length) edges.push({ atMs: gapMs, inGap: edge % 2 === 0 });
  }
  return edges;
}
