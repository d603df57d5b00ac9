import { describe, expect, it } from 'vitest';
import { isEmbedded, ReadRequest, WAYS } from '../../src/paper/requests.ts';
import type { HttpRequest } from '../../src/ports/transport.ts';
import { createExchange } from '../../src/simulator/core/exchange.ts';
import { parseBetType } from '../../src/domain/bet-types/index.ts';
import { seededRandom } from '../../src/lib/random.ts';
import { ENDPOINTS } from '../../src/venue/rest/endpoints.ts';

const request = (method: string, path: string, body: string | null = null): HttpRequest => ({
  method: method as HttpRequest['method'],
  path,
  headers: {},
  body,
  timeoutMs: 1_000,
});

const wayOf = (method: string, path: string): 'real' | 'embedded' | 'refused' => {
  if (ReadRequest.of(request(method, path)) !== null) return 'real';
  return isEmbedded(request(method, path)) ? 'embedded' : 'refused';
};

/** Every endpoint of the specification, with the way that it must go. */
const SPECIFIED = [
  ['GET', '/v2/betslips/', 'embedded'],
  ['POST', '/v2/betslips/', 'embedded'],
  ['GET', '/v2/betslips/b1/', 'embedded'],
  ['DELETE', '/v2/betslips/b1/', 'embedded'],
  ['POST', '/v2/betslips/b1/refresh/', 'embedded'],
  ['GET', '/v2/orders/', 'embedded'],
  ['POST', '/v2/orders/', 'embedded'],
  ['GET', '/v2/orders/17/', 'embedded'],
  ['GET', '/v2/orders/updates/?updated_at_from=a&updated_at_to=b', 'embedded'],
  ['GET', '/v2/orders/tracked/6f9619ff-8b86-d011-b42d-00cf4fc964ff/', 'embedded'],
  ['POST', '/v2/orders/17/close/', 'embedded'],
  ['POST', '/v2/orders/close_many/', 'embedded'],
  ['POST', '/v2/orders/close_all/', 'embedded'],
  ['GET', '/v2/orders/position/?event_id=x', 'embedded'],
  ['POST', '/v2/orders/position/', 'embedded'],
  ['GET', '/v2/balance/', 'embedded'],
  ['GET', '/v2/xrates/', 'real'],
  ['GET', '/v2/heartbeats/', 'embedded'],
  ['POST', '/v2/heartbeats/', 'embedded'],
  ['GET', '/v2/heartbeats/h1/', 'embedded'],
  ['DELETE', '/v2/heartbeats/h1/', 'embedded'],
  ['POST', '/v2/heartbeats/h1/refresh/', 'embedded'],
  ['GET', '/v2/events/?sport=fb', 'real'],
  ['GET', '/v2/offers/?sport=fb&event_id=2026-03-01%2C1%2C2', 'real'],
  ['GET', '/v2/sports/fb/bet_types/for%2Cah%2Ch%2C-4/', 'real'],
] as const;

it.each(SPECIFIED)('lets %s %s go to the %s exchange', (method, path, way) => {
  expect(wayOf(method, path)).toBe(way);
});

it('names every endpoint that the client calls, and every endpoint of an exchange', () => {
  const exchange = createExchange({
    accounts: [],
    feeds: [],
    parseBetType,
    random: seededRandom(1),
    startMs: 0,
  });
  const served = exchange.endpoints.map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(WAYS).sort()).toEqual([...new Set([...served, ...Object.keys(ENDPOINTS)])].sort());
});

it('lets nothing but GETs of market data reach the real exchange', () => {
  const real = Object.entries(WAYS).flatMap(([pattern, way]) => (way === 'real' ? [pattern] : []));
  expect(real.every((pattern) => pattern.startsWith('GET '))).toBe(true);
  expect(real.filter((pattern) => /order|betslip|heartbeat|balance|position/.test(pattern))).toEqual([]);
});

describe('a request that the table does not name', () => {
  it.each([
    ['GET', '/v2/'],
    ['GET', '/v2/stream'],
    ['GET', '/v2/openapi.json'],
    ['GET', '/v2/account/'],
    ['GET', '/v2/events'],
    ['GET', '/v2/Events/'],
    ['GET', '/v2/events/1/'],
    ['GET', '/v2/events/../orders/'],
    ['GET', '/v2/sports/fb/bet_types/..%2F..%2Forders/'],
    ['GET', '/v2/sports/%2e%2e/bet_types/x/'],
    ['GET', '/v3/events/'],
    ['GET', '/magic-api/v2/events/'],
    ['GET', 'https://elsewhere.example/v2/events/'],
    ['POST', '/v2/events/'],
    ['DELETE', '/v2/offers/'],
    ['PUT', '/v2/events/'],
    ['PATCH', '/v2/xrates/'],
    ['POST', '/v2/orders'],
    ['DELETE', '/v2/orders/1/'],
    ['POST', '/v2/keys/'],
  ])('is refused: %s %s', (method, path) => {
    expect(wayOf(method, path)).toBe('refused');
  });

  it('is refused when a GET of market data has a body', () => {
    expect(ReadRequest.of(request('GET', '/v2/events/', '{"price":2}'))).toBeNull();
  });
});

it('makes nothing that could be sent but the path', () => {
  const read = ReadRequest.of({
    ...request('GET', '/v2/xrates/'),
    headers: { 'x-http-method-override': 'POST' },
  });
  expect({ ...read }).toEqual({ path: '/v2/xrates/', timeoutMs: 1_000, signal: undefined });
});
