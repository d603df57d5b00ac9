import type { LiveFill } from '../../../read-model/live/message.ts';
import { type Line, type Stretch, stretchesOf } from '../../components/lines.ts';
import type { PricePoint } from '../stream/traces.ts';

const SECOND_MS = 1_000;

/** A fill stands at the first point after it. Fills from before the page looked are left out. */
export function linesOf(
  points: readonly PricePoint[],
  fills: readonly LiveFill[],
): { readonly atS: readonly number[]; readonly lines: readonly Line[]; readonly shades: readonly Stretch[] } {
  const placed = new Map<number, number>();
  for (const { atMs, price: at } of fills) {
    const index = points.findIndex((point) => point.atMs >= atMs);
    if (index > 0) placed.set(index, at);
  }
  const of = (name: string, value: (point: PricePoint) => number | null): Line => ({
    name,
    values: points.map(value),
  });
  const atS = points.map(({ atMs }) => atMs / SECOND_MS);
  return {
    atS,
    shades: stretchesOf(atS, (at) => points[at]?.isSuspended === true),
    lines: [
      of('ours for', (point) => point.for),
      of('ours against', ({ against }) => against),
      of('fair', ({ fair }) => fair),
      of('to back', ({ toBack }) => toBack),
      of('to lay', ({ toLay }) => toLay),
      { name: 'fills', values: points.map((_, index) => placed.get(index) ?? null), isMarks: true },
    ],
  };
}
