import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { TransportError } from '../../src/domain/errors.ts';
import { KeyInForce, Secret } from '../../src/domain/secret.ts';
import { realExchange } from '../../src/paper/real-exchange.ts';
import { ReadRequest } from '../../src/paper/requests.ts';
import { sharedLimits, sharedCap } from '../../src/paper/share.ts';
import { Budgets, DEFAULT_LIMITS } from '../../src/venue/index.ts';
import { FakeHttp, FakeSockets, ok } from '../venue/support/fake-transports.ts';

function sharing(share: number) {
  const clock = new VirtualClock();
  const sentMs: number[] = [];
  const http = new FakeHttp(() => (sentMs.push(clock.monotonicMs()), ok([])));
  const real = realExchange({
    wires: { http, sockets: new FakeSockets() },
    keys: new KeyInForce(new Secret('a-real-key')),
    budgets: new Budgets(clock, sharedLimits(share)),
    clock,
  });
  const read = (path: string, timeoutMs = 600_000): Promise<unknown> =>
    real.get(ReadRequest.of({ method: 'GET', path, headers: {}, body: null, timeoutMs }) as ReadRequest);
  return { clock, http, sentMs, read };
}

describe('a share of the account', () => {
  it.each([0.1, 0.25, 1])('of %d bounds the requests of any second and of a minute', async (share) => {
    const { clock, sentMs, read } = sharing(share);
    const { capacity, perSecond } = DEFAULT_LIMITS.general;
    for (let n = 0; n < 400; n++) void read('/v2/xrates/').catch(() => undefined);
    await clock.advance(60_000);
    const within = (ms: number): number =>
      Math.max(...sentMs.map((from) => sentMs.filter((at) => at >= from && at < from + ms).length));
    expect(within(1_000)).toBeLessThanOrEqual(Math.max(1, capacity * share) + perSecond * share + 1);
    expect(sentMs.length).toBeLessThanOrEqual(Math.max(1, capacity * share) + 60 * perSecond * share + 1);
    expect(sentMs.length).toBeGreaterThanOrEqual(Math.min(400, 60 * perSecond * share * 0.6));
  });

  it('lets at least one of everything through', () => {
    const { general, offersInFlight } = sharedLimits(0.001);
    expect([general.capacity, general.atStart, offersInFlight]).toEqual([1, 1, 1]);
    expect(sharedLimits(0.25)).toMatchObject({ betslipsPerDay: 495, betslipsPerDayReserve: 0 });
    expect([sharedCap(100, 0.25), sharedCap(3, 0.1)]).toEqual([25, 1]);
  });

  it.each([
    [0.25, 1],
    [0.5, 2],
    [1, 4],
  ])('of %d has %d requests for offers under way, and others beside them', async (share, most) => {
    const { clock, http, read } = sharing(share);
    const answers: (() => void)[] = [];
    http.answer = ({ path }) => {
      if (!path.startsWith('/v2/offers/')) return ok([]);
      return new Promise((resolve) => void answers.push(() => resolve(ok([]))));
    };
    for (let n = 0; n < 6; n++) void read(`/v2/offers/?sport=fb&n=${n}`);
    await clock.advance(10_000);
    expect(answers).toHaveLength(most);
    await read('/v2/events/');
    answers[0]?.();
    await clock.advance(10_000);
    expect(answers).toHaveLength(most + 1);
  });

  it('does not send a request that finds no room in its time', async () => {
    const { clock, http, read } = sharing(0.01);
    await read('/v2/xrates/');
    const late = read('/v2/xrates/', 100).catch((error: unknown) => error);
    await clock.advance(200);
    expect(await late).toBeInstanceOf(TransportError);
    expect(await late).toMatchObject({ outcome: 'not-sent' });
    expect(http.requests).toHaveLength(1);
  });
});

it('sends the path and the key, and nothing else of a request', async () => {
  const { http, read } = sharing(1);
  await read('/v2/offers/?sport=fb');
  expect(http.requests).toEqual([
    {
      method: 'GET',
      path: '/v2/offers/?sport=fb',
      body: null,
      timeoutMs: 600_000,
      headers: { 'x-api-key': 'a-real-key', accept: 'application/json' },
    },
  ]);
});

it('refuses a request that the table did not make', async () => {
  const real = realExchange({
    wires: { http: new FakeHttp(() => ok([])), sockets: new FakeSockets() },
    keys: new KeyInForce(new Secret('a-real-key')),
    budgets: new Budgets(new VirtualClock(), sharedLimits(1)),
    clock: new VirtualClock(),
  });
  const made = { path: '/v2/orders/close_all/', timeoutMs: 1, signal: undefined };
  expect(() => real.get(made as unknown as ReadRequest)).toThrow('was not read from the table');
});
