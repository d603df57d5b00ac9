import { describe, expect, it } from 'vitest';
import { TransportError } from '../../../src/domain/errors.ts';
import type { HttpRequest } from '../../../src/ports/transport.ts';
import { allowRequests } from '../../../src/ports/transport/allow.ts';
import { FakeHttp, ok } from '../../venue/support/fake-transports.ts';

const request = (method: HttpRequest['method'], path: string): HttpRequest => ({
  method,
  path,
  headers: {},
  body: null,
  timeoutMs: 1_000,
});

function restricted() {
  const http = new FakeHttp(() => ok('answered'));
  const allowed = allowRequests(http, [
    'GET /v2/balance/',
    'GET /v2/sports/{sport}/bet_types/{bet_type}/',
    'DELETE /v2/heartbeats/{heartbeat_id}/',
  ]);
  return { http, allowed };
}

describe('allowed requests', () => {
  it.each([
    ['GET', '/v2/balance/'],
    ['GET', '/v2/balance/?a=/v2/orders/'],
    ['GET', '/v2/sports/fb/bet_types/for%2Ch/'],
    ['DELETE', '/v2/heartbeats/0b..1/'],
  ] as const)('passes %s %s unchanged', async (method, path) => {
    const { http, allowed } = restricted();
    const sent = request(method, path);
    expect(await allowed.send(sent)).toEqual(ok('answered'));
    expect(http.requests).toEqual([sent]);
    expect(allowed.refusedCount).toBe(0);
  });

  it.each([
    ['POST', '/v2/balance/'],
    ['GET', '/v2/balance'],
    ['GET', '/v2/Balance/'],
    ['GET', '/v2/balance/x/'],
    ['GET', '/v2/orders/?p=/v2/balance/'],
    ['POST', '/v2/orders/'],
    ['DELETE', '/v2/heartbeats/'],
    ['DELETE', '/v2/heartbeats//'],
    ['DELETE', '/v2/heartbeats/../'],
    ['DELETE', '/v2/heartbeats/%2e%2E/'],
    ['DELETE', '/v2/heartbeats/./'],
    ['DELETE', '/v2/heartbeats/1%2F2/'],
    ['DELETE', '/v2/heartbeats/1\\2/'],
    ['DELETE', '/v2/heartbeats/%/'],
    ['DELETE', '/v2/heartbeats/1/refresh/'],
    ['DELETE', '/v2/betslips/1/'],
  ] as const)('blocks %s %s', async (method, path) => {
    const { http, allowed } = restricted();
    const error = await allowed.send(request(method, path)).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TransportError);
    const endpoint = `${method} ${path.split('?')[0]}`;
    expect(error).toMatchObject({ outcome: 'not-sent', details: { endpoint } });
    expect((error as TransportError).message).toContain(endpoint);
    expect(http.requests).toEqual([]);
    expect(allowed.refusedCount).toBe(1);
  });
});
