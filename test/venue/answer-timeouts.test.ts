import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { undiciTransport } from '../../src/venue/transport/undici.ts';

// This test has its own file: the HTTP library keeps the timers that it met first.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** An exchange that begins its answer on request, and continues it on request. */
async function slow() {
  const asked = Promise.withResolvers<ServerResponse>();
  const server = createServer((_incoming, outgoing) => asked.resolve(outgoing));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const http = undiciTransport({ baseUrl: `http://127.0.0.1:${port}/v2/`, clock: systemClock });
  const close = (): Promise<void> => (server.closeAllConnections(), server.close(), http.close());
  return { http, asked: asked.promise, close };
}

it('waits for an answer as long as the request says, whether it is slow to begin or slow to continue', async () => {
  const { http, asked, close } = await slow();
  const headers = { 'x-api-key': 'k' };
  const answer = http.send({ method: 'GET', path: '/v2/xrates/', headers, body: null, timeoutMs: 120_000 });
  const outgoing = await asked;
  vi.advanceTimersByTime(50_000);
  await new Promise<void>((resolve) => void outgoing.write('slow', () => resolve()));
  await new Promise((resolve) => void setImmediate(resolve));
  vi.advanceTimersByTime(50_000);
  outgoing.end('ly');
  expect(await answer).toMatchObject({ status: 200, body: 'slowly' });
  await close();
});
