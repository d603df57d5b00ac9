import { expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { TransportError } from '../../src/domain/errors.ts';
import { startDeadMan } from '../../src/notify/dead-man.ts';
import { type LogFields, silentLogger } from '../../src/ports/logger.ts';
import type { HttpAnswer, HttpRequest } from '../../src/ports/transport.ts';

function pinging(send: (request: HttpRequest) => Promise<HttpAnswer>) {
  const clock = new VirtualClock();
  const requests: HttpRequest[] = [];
  const warnings: LogFields[] = [];
  const state = { isHealthy: true };
  const stop = startDeadMan({
    http: { send: (request) => (requests.push(request), send(request)), close: () => Promise.resolve() },
    path: '/canary-path',
    intervalMs: 10_000,
    clock,
    isHealthy: () => state.isHealthy,
    logger: { ...silentLogger, warn: (_, fields?: LogFields) => void warnings.push(fields ?? {}) },
  });
  return { clock, requests, warnings, state, stop };
}

const OK: HttpAnswer = { status: 200, headers: {}, body: '' };

it('pings at each interval while the daemon is healthy', async () => {
  const { clock, requests, state, stop } = pinging(() => Promise.resolve(OK));
  await clock.advance(30_000);
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(Array(3).fill('GET /canary-path'));
  state.isHealthy = false;
  await clock.advance(30_000);
  expect(requests).toHaveLength(3);
  state.isHealthy = true;
  await clock.advance(10_000);
  expect(requests).toHaveLength(4);
  await stop();
  await clock.advance(30_000);
  expect(requests).toHaveLength(4);
});

it('has one ping in flight at most', async () => {
  const { clock, requests } = pinging(() => new Promise(() => undefined));
  await clock.advance(60_000);
  expect(requests).toHaveLength(1);
});

it('logs a failure at most once a minute, without the address', async () => {
  const error = new TransportError('not-sent', 'GET /canary-path failed: ECONNREFUSED', {
    why: 'ECONNREFUSED',
  });
  const { clock, requests, warnings } = pinging(() => Promise.reject(error));
  await clock.advance(60_000);
  expect(requests).toHaveLength(6);
  expect(warnings).toEqual([{ reason: 'ECONNREFUSED' }]);
});
