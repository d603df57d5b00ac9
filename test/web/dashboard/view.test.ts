import { describe, expect, it } from 'vitest';
import { afterMessage, ordersPerS, type View } from '../../../src/web/dashboard/stream/view.ts';
import { PIECES } from '../../../src/read-model/live/message.ts';

/** A message of so many seconds in, with the orders placed so far. */
const told = (view: View | null, atS: number, ordersPlaced: number, isFirst = false): View | null => {
  const atMs = 1_000 * atS;
  return afterMessage(
    view,
    { atMs, frameAtMs: null, isFirst, set: { [PIECES.quoting]: { ordersPlaced } } },
    atMs,
  );
};

function after(
  ...messages: readonly (readonly [atS: number, ordersPlaced: number, isFirst?: boolean])[]
): View {
  const view = messages.reduce<View | null>((before, message) => told(before, ...message), null);
  if (view === null) throw new Error('no message held everything');
  return view;
}

describe('orders per second', () => {
  it.each([
    { case: 'the first second', view: after([0, 7, true], [0.9, 9]), expected: null },
    {
      case: 'a page that has looked for two seconds',
      view: after([0, 7, true], [1, 9], [2, 13]),
      expected: 3,
    },
    {
      case: 'orders of more than ten seconds ago',
      view: after([0, 0, true], [4, 100], [9, 110], [14, 120]),
      expected: 2,
    },
    { case: 'no orders', view: after([0, 5, true], [5, 5]), expected: 0 },
    {
      case: 'a restart of the daemon',
      view: after([0, 50, true], [5, 60], [8, 0, true], [10, 4]),
      expected: 2,
    },
    {
      case: 'a gap in which nothing was heard',
      view: after([0, 50, true], [1, 52], [60, 90, true]),
      expected: null,
    },
  ])('$case', ({ view, expected }) => {
    expect(ordersPerS(view)).toBe(expected);
  });
});
