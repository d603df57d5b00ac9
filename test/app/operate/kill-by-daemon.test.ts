import { createServer } from 'node:http';
import { expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/app/adapters/system-clock.ts';
import { loadConfig } from '../../../src/app/config/load.ts';
import { isRiskAnswer, kill } from '../../../src/app/operate/kill.ts';
import { withServer } from '../../support/other-program.ts';

/** Kills by a daemon that reports these numbers of open orders, the last one for ever. Returns the report and what the daemon was sent. */
async function killBy(openOrders: readonly (number | null)[], reason = 'drill') {
  const asked: string[] = [];
  const bodies: string[] = [];
  let looks = 0;
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
    request.on('end', () => {
      const open = openOrders[Math.min(looks, openOrders.length - 1)];
      if (request.method === 'GET') looks++;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(request.method === 'GET' ? { openOrders: open, latchedIn: 'a file' } : {}));
    });
  });
  let report: unknown;
  await withServer(server, async (url) => {
    const config = () => loadConfig({ files: [], environment: {}, settings: {} }).values;
    report = await kill({ config, url }, reason);
  });
  return { report, asked, body: JSON.parse(bodies.join('')) as Record<string, unknown> };
}

it('waits until the daemon has closed its orders, and looks no further', async () => {
  const { report, asked, body } = await killBy([2, null, 0]);
  expect(report).toEqual({ by: 'daemon', openOrders: 0, latchedIn: 'a file' });
  expect(asked).toEqual(['POST /kill', 'GET /risk', 'GET /risk', 'GET /risk']);
  expect(body).toMatchObject({ reason: 'drill', by: expect.any(String) as string });
});

it.each([3, null])('reports %s open orders when they are not closed in 15 s', async (openOrders) => {
  // The first reading is the beginning, each later one a look.
  const readings = [0, 14_999, 15_000];
  const clock = vi.spyOn(systemClock, 'monotonicMs').mockImplementation(() => readings.shift() ?? 99_000);
  try {
    const { report, asked } = await killBy([openOrders]);
    expect(report).toEqual({ by: 'daemon', openOrders, latchedIn: 'a file' });
    expect(asked).toEqual(['POST /kill', 'GET /risk', 'GET /risk']);
  } finally {
    clock.mockRestore();
  }
});

it('cuts a reason that no daemon would accept', async () => {
  const { body } = await killBy([0], 'x'.repeat(501));
  expect(body['reason']).toBe('x'.repeat(500));
});

it.each<[answer: unknown, isOne: boolean]>([
  [{ openOrders: 0 }, true],
  [{ openOrders: null }, true],
  [{ openOrders: 3, latchedIn: null }, true],
  [{ openOrders: 3, latchedIn: 'journal', more: 1 }, true],
  [{ latchedIn: 'journal' }, false],
  [{ openOrders: '0' }, false],
  [{ openOrders: false }, false],
  [{ openOrders: 0, latchedIn: 5 }, false],
  [{}, false],
  [[], false],
  [null, false],
  ['openOrders', false],
])('takes %j for a report of risk: %s', (answer, isOne) => {
  expect(isRiskAnswer(answer)).toBe(isOne);
});
