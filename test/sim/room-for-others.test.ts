import { expect, it } from 'vitest';
import type { Border, Court } from './judges/judge.ts';
import { roomForOthers } from './judges/room-for-others.ts';

/** The judge's report on a run that looks up this many orders in a minute, each this often. */
function saidOf(orders: number, times: number): readonly string[] {
  const said: string[] = [];
  const fail = (_: string, seen: string): void => void said.push(seen);
  const world = { wires: { host: { isNetworkDown: false } } };
  const { onSent } = roomForOthers({ world, fail } as unknown as Court);
  const border = { received: {} } as Border;
  for (let time = 0; time < times; time++)
    for (let order = 0; order < orders; order++) {
      const path = `/v2/orders/${order}/${time % 2 === 0 ? '' : 'close/'}`;
      const what = `${time % 2 === 0 ? 'GET' : 'POST'} ${path}`;
      onSent?.({ what, path, body: null, atMs: (50_000 * time) / times }, border);
    }
  return said;
}

it('lets many orders that get stuck at the same moment each be looked up at once', () => {
  expect(saidOf(250, 3)).toEqual([]);
});

it('notices when few are looked up all the time', () => {
  expect(saidOf(30, 40)).not.toEqual([]);
});
