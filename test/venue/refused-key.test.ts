import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../src/ports/transport.ts';
import { betslipId, heartbeatId, orderId } from '../../src/domain/ids.ts';
import { AuthError } from '../../src/venue/index.ts';
import { ok, refused, script } from './support/fake-transports.ts';
import { makeRig, type Rig, settled } from './support/make-venue.ts';
import { placeOrder } from './support/samples.ts';

const REFUSAL = refused(401, 'auth_error', { detail: 'Authentication credentials were not provided.' });
const CLOSED = ok({ closed: [[5]], not_found: [[]] });
const isClose = ({ path }: HttpRequest): boolean => path.includes('close_many');

async function refusedRig(): Promise<Rig> {
  const rig = makeRig((request) => (isClose(request) ? CLOSED : REFUSAL));
  await expect(settled(rig.clock, rig.venue.balance())).rejects.toBeInstanceOf(AuthError);
  expect(rig.venue.keyRefusal).toBeInstanceOf(AuthError);
  expect(rig.http.requests).toHaveLength(1);
  return rig;
}

describe('after an answer 401', () => {
  it.each<[string, (rig: Rig) => Promise<unknown>]>([
    ['a read', ({ venue }: Rig) => venue.balance()],
    ['an order', ({ venue }: Rig) => venue.placeOrder(placeOrder())],
    ['a betslip', ({ venue }: Rig) => venue.refreshBetslip(betslipId('b'))],
    ['a heartbeat', ({ venue }: Rig) => venue.createHeartbeat(30)],
    ['a refresh', ({ venue }: Rig) => venue.refreshHeartbeat(heartbeatId('h'))],
    ['a close of one order', ({ venue }: Rig) => venue.closeOrder(orderId(5))],
    ['a close of the account', ({ venue }: Rig) => venue.closeAll()],
    ['a look-up', ({ venue }: Rig) => venue.order(orderId(5))],
  ])('%s is not sent, and rejects with the refusal', async (_, call) => {
    const rig = await refusedRig();
    await expect(settled(rig.clock, call(rig))).rejects.toBe(rig.venue.keyRefusal);
    expect(rig.http.requests).toHaveLength(1);
  });

  it('a close of several orders is sent, and does not end the refusal', async () => {
    const rig = await refusedRig();
    expect(await settled(rig.clock, rig.venue.closeMany([orderId(5)]))).toEqual({
      closed: [5],
      notFound: [],
    });
    expect(rig.venue.keyRefusal).toBeInstanceOf(AuthError);
  });

  it('a request that waits for its budget does not leave, and costs none of it', async () => {
    const rig = makeRig(() => REFUSAL);
    const before: unknown[] = [];
    const beforeSend = (): void => void before.push(1);
    const calls = Array.from({ length: 60 }, () => rig.venue.balance({ beforeSend }));
    const outcomes = await settled(rig.clock, Promise.allSettled(calls));
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']));
    // The first ones leave together.
    expect(rig.http.requests.length).toBeLessThan(60);
    expect(before.length).toBe(rig.http.requests.length);
    await rig.clock.advance(10_000);
    expect(rig.venue.budgets().generalNow).toBeGreaterThan(40);
  });

  it('a request that waits for a connection does not leave', async () => {
    const rig = makeRig(() => REFUSAL);
    const { send } = rig.http;
    let connected: (() => void) | undefined;
    rig.http.send = (request) => {
      if (request.path.includes('xrates')) connected = request.whenConnected;
      return send.call(rig.http, request);
    };
    const xrates = rig.venue.xrates().catch((error: unknown) => error);
    await settled(
      rig.clock,
      rig.venue.balance().catch(() => undefined),
    );
    await settled(rig.clock, xrates);
    expect(() => connected?.()).toThrow(AuthError);
  });

  it('requests leave again once the key is tried again, until the next refusal', async () => {
    const rig = makeRig(
      script(REFUSAL, ok({ balance: ['USDT', 7], open_stake: null, smart_credit: null }), REFUSAL),
    );
    await settled(
      rig.clock,
      rig.venue.balance().catch(() => undefined),
    );
    rig.venue.retryKey();
    expect(rig.venue.keyRefusal).toBeNull();
    expect(await settled(rig.clock, rig.venue.balance())).toMatchObject({ balanceMicros: 7_000_000 });
    await settled(
      rig.clock,
      rig.venue.balance().catch(() => undefined),
    );
    await settled(
      rig.clock,
      rig.venue.balance().catch(() => undefined),
    );
    expect(rig.http.requests).toHaveLength(3);
  });

  it.each([403, 400, 404, 429, 500, 503])('an answer %i is no refusal of the key', async (status) => {
    const rig = makeRig(() => refused(status, 'forbidden'));
    await settled(
      rig.clock,
      rig.venue.balance().catch(() => undefined),
    );
    expect(rig.venue.keyRefusal).toBeNull();
  });

  it('a refusal without an envelope, as of a proxy, counts as well', async () => {
    const rig = makeRig(() => ({ status: 401, headers: {}, body: '<html>auth</html>' }));
    await settled(
      rig.clock,
      rig.venue.balance().catch(() => undefined),
    );
    expect(rig.venue.keyRefusal).toMatchObject({ status: 401, code: 'auth_error' });
  });
});
