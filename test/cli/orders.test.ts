import { payoffNotes } from '../../src/cli/commands/exchange/account.ts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SUBJECT_KEY } from '../contract/venue-subject.ts';
import { adminServing } from '../support/admin-serving.ts';
import { commanded } from '../support/run-command.ts';
import {
  exchangeOverSockets,
  type ExchangeOverSockets,
  ordersPlaced,
} from '../support/exchange-over-sockets.ts';

let rig: ExchangeOverSockets;

beforeEach(async () => {
  vi.stubEnv('TOUCHLINE_API_KEY', SUBJECT_KEY);
  rig = await exchangeOverSockets();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rig.stop();
});

/** An exchange that lists orders in the opposite order. */
async function turnedRound(work: (rest: string) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => {
    const headers = { 'x-api-key': SUBJECT_KEY };
    void fetch(new URL(request.url ?? '', rig.simulator.rest), { headers }).then(async (answer) => {
      const body = (await answer.json()) as { data: unknown[] };
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...body, data: body.data.toReversed() }));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const at = (rest: string): readonly string[] =>
  [`exchange.restUrl=${rest}`, `exchange.streamUrl=${rig.simulator.stream}`].flatMap((each) => [
    '--set',
    each,
  ]);

describe('touchline exchange flatten', () => {
  it('reports what it has closed, and exits with an error, when the list can no longer be read', async () => {
    const placed = await ordersPlaced(rig.exchange, 2);
    const fault = { target: 'orders.list', fault: 'answer', skip: 1, status: 400, code: 'not_now' };
    await fetch(`${rig.simulator.control}faults`, { method: 'POST', body: JSON.stringify(fault) });
    const [code, stdout] = await commanded('exchange', 'flatten', '--json', ...at(rig.simulator.rest));
    expect(code).toBe(1);
    const rows = JSON.parse(stdout) as { order_id: number | null }[];
    expect(rows.map(({ order_id: id }) => id).toSorted()).toEqual([...placed, null].toSorted());
    expect(rows.at(-1)).toMatchObject({
      result: 'not known',
      why: expect.stringContaining('not_now') as string,
    });
  });
});

describe('what a position pays', () => {
  const teams = { home: 'Alfa', away: 'Beta' };

  it.each([
    [
      'is told by result, as a range where the score decides',
      [
        [0, -2],
        [3, 0.5],
      ],
      ['if Alfa: +3.00 USDT', 'if draw: 0.00 to +0.50 USDT, by the score', 'if Beta: -2.00 USDT'],
    ],
    ['leaves out a result that no score has', [[1.5]], ['if draw: +1.50 USDT']],
    ['is not told where the exchange has no grid', null, []],
  ])('%s', (_, grid, lines) => {
    expect(payoffNotes(grid, teams)).toEqual(lines);
  });

  it('names results of an event that is no longer described by their places', () => {
    expect(
      payoffNotes(
        [
          [0, 1],
          [2, 0],
        ],
        undefined,
      ),
    ).toEqual(['if home: +2.00 USDT', 'if draw: 0.00 USDT', 'if away: +1.00 USDT']);
  });
});

describe('touchline exchange flatten beside a daemon', () => {
  async function flattened(...more: readonly string[]) {
    const paused: string[] = [];
    const daemon = await adminServing({
      risk: () => ({ openOrders: 0 }),
      pause: (reason) => (paused.push(reason), { binding: 'halted', by: 'al', why: reason }),
    });
    const written: string[] = [];
    const spy = vi
      .spyOn(process.stderr, 'write')
      .mockImplementation((text) => written.push(String(text)) > 0);
    try {
      const port = ['--set', `admin.port=${new URL(daemon.url).port}`];
      const [code] = await commanded('exchange', 'flatten', ...more, ...port, ...at(rig.simulator.rest));
      return { code, paused, stderr: written.join('') };
    } finally {
      spy.mockRestore();
      await daemon.close();
    }
  }

  it('says that the daemon will quote again', async () => {
    const { code, paused, stderr } = await flattened();
    expect([code, paused]).toEqual([0, []]);
    expect(stderr).toContain('a daemon is running and will quote again: use --pause');
  });

  it('pauses it first on request', async () => {
    const { code, paused, stderr } = await flattened('--pause');
    expect([code, paused]).toEqual([0, ['flatten --pause']]);
    expect(stderr).toContain('touchline resume --reason TEXT lets it quote again');
  });
});

describe('touchline exchange orders', () => {
  it('calls a cancelled order cancelled, though the exchange says failed, and names its selection', async () => {
    const [cancelled = 0, open = 0] = await ordersPlaced(rig.exchange, 2);
    await commanded('exchange', 'close', String(cancelled), ...at(rig.simulator.rest));
    const table = async (...more: readonly string[]) =>
      (await commanded('exchange', 'orders', ...more, ...at(rig.simulator.rest)))[1];
    const lines = (await table()).split('\n');
    const rowOf = (id: number) => lines.find((line) => line.includes(String(id)));
    expect(rowOf(cancelled)).toMatch(/ cancelled /);
    expect(rowOf(open)).toMatch(/ (open|pending) /);
    expect(lines.join()).not.toContain('failed');
    expect(lines[0]).toMatch(/^ *order id +status +event +selection +direction +price/);
    expect(lines.join()).not.toMatch(/for,|\d{4}-\d\d-\d\d,/);
    expect(await table('--ids')).toMatch(/event id +market side +bet type +user data/);
    const [, one] = await commanded('exchange', 'order', String(cancelled), ...at(rig.simulator.rest));
    expect(one).toMatch(/^status +cancelled$/m);
    const [, json] = await commanded('exchange', 'orders', '--json', ...at(rig.simulator.rest));
    expect(JSON.parse(json)).toContainEqual(
      expect.objectContaining({ order_id: cancelled, status: 'failed', end: 'cancelled' }),
    );
  });

  it('have the direction of what is bet on, also where the exchange calls a lay an order for', async () => {
    await ordersPlaced(rig.exchange, 2);
    const [, json] = await commanded('exchange', 'orders', '--json', ...at(rig.simulator.rest));
    const all = JSON.parse(json) as Record<'side' | 'direction' | 'price_is', string>[];
    expect(all.length).toBeGreaterThan(1);
    for (const { side, direction, price_is: kind } of all)
      expect(direction).toBe(kind === 'lay price' ? { for: 'against', against: 'for' }[side] : side);
  });

  it('of an event are found by a part of its name', async () => {
    const placed = await ordersPlaced(rig.exchange, 1);
    const [, json] = await commanded('exchange', 'orders', '--json', ...at(rig.simulator.rest));
    const [{ event }] = JSON.parse(json) as [{ event: string }];
    const [code, found] = await commanded(
      'exchange',
      'orders',
      '--json',
      '--event',
      event.toLowerCase(),
      ...at(rig.simulator.rest),
    );
    expect([code, (JSON.parse(found) as unknown[]).length]).toEqual([0, placed.length]);
  });

  it('says how each order ended', async () => {
    const [cancelled = 0, open] = await ordersPlaced(rig.exchange, 2);
    await commanded('exchange', 'close', String(cancelled), ...at(rig.simulator.rest));
    const [, stdout] = await commanded('exchange', 'orders', '--json', ...at(rig.simulator.rest));
    const ends = (JSON.parse(stdout) as { order_id: number; end: string | null }[]).map(
      ({ order_id: id, end }) => [id, end],
    );
    expect(Object.fromEntries(ends)).toEqual({ [cancelled]: 'cancelled', [open ?? 0]: null });
  });

  it.each([
    [['exchange', 'orders', '--sport', 'soccer'], '--sport: "soccer" is not known; known are fb, fb_ht, '],
    [['exchange', 'events', '--sport', 'soccer'], '--sport: "soccer" is not known'],
    [
      ['exchange', 'offers', '2026-01-01,1,2', '--sport', 'fb', '--market-type', '1x2'],
      '--market-type: "1x2" is not known',
    ],
    [
      ['exchange', 'position', '--event', '2026-01-01,1,2', '--sport', 'soccer'],
      '--sport: "soccer" is not known',
    ],
  ])('an unknown code of %j is an error that names the known ones', async (args, message) => {
    const written: string[] = [];
    const spy = vi
      .spyOn(process.stderr, 'write')
      .mockImplementation((text) => written.push(String(text)) > 0);
    const [code] = await commanded(...args, ...at(rig.simulator.rest));
    spy.mockRestore();
    expect([code, written.join('')]).toEqual([2, expect.stringContaining(message)]);
  });

  const listed = async (rest: string): Promise<readonly number[]> => {
    const [code, stdout] = await commanded('exchange', 'orders', '--json', ...at(rest));
    expect(code).toBe(0);
    return (JSON.parse(stdout) as { order_id: number }[]).map(({ order_id: id }) => id);
  };

  it('warns of a status that the exchange does not publish, which it answers with an empty list', async () => {
    const written: string[] = [];
    const spy = vi
      .spyOn(process.stderr, 'write')
      .mockImplementation((text) => written.push(String(text)) > 0);
    const statuses = ['open', 'live'].flatMap((status) => ['--status', status]);
    const [code] = await commanded('exchange', 'orders', ...statuses, ...at(rig.simulator.rest));
    spy.mockRestore();
    expect(code).toBe(0);
    expect(written.join('')).toMatch(/^touchline: --status live: not a published one \(open, /);
  });

  it('lists the newest first, whatever order the exchange uses', async () => {
    const placed = await ordersPlaced(rig.exchange, 3);
    const newestFirst = placed.toReversed();
    expect(await listed(rig.simulator.rest)).toEqual(newestFirst);
    await turnedRound(async (rest) => expect(await listed(rest)).toEqual(newestFirst));
  });
});
