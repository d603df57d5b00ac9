import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountCloser, WATCHDOG_REQUESTS } from '../../../src/app/watchdog/account-closer.ts';
import { connect, type ExchangeClient, ids } from '../../../src/app/exchange/connect.ts';
import type { HeartbeatId } from '../../../src/domain/ids.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import { EVENT_ID, SUBJECT_KEY } from '../../contract/venue-subject.ts';
import { markedBy, OTHER, OWN } from '../../support/claims.ts';
import { exchangeOverSockets, type ExchangeOverSockets } from '../../support/exchange-over-sockets.ts';
import { hurriedClock } from '../../support/hurried-clock.ts';

const MARKET = { sport: ids.sport('fb'), eventId: ids.eventId(EVENT_ID), betType: ids.betType('for,h') };

let rig: ExchangeOverSockets;
let client: ExchangeClient;
beforeEach(async () => {
  rig = await exchangeOverSockets();
  const options = { baseUrl: rig.simulator.rest, apiKey: SUBJECT_KEY, clock: hurriedClock() };
  client = connect({ ...options, requests: WATCHDOG_REQUESTS });
});
afterEach(async () => {
  await client.close();
  await rig.stop();
});

const closerOf = (heartbeatId: HeartbeatId | null) =>
  accountCloser(client, OWN, heartbeatId, hurriedClock(), silentLogger);

async function place(userData: string | undefined, n: number): Promise<number> {
  const { betslipId } = await rig.exchange.betslips.create(MARKET);
  const requestUuid = ids.requestUuid(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`);
  const terms = { price: 2.26, stakeMicros: 10_000_000, durationS: 600 };
  const marked = userData === undefined ? {} : { userData };
  const { orderId } = await rig.exchange.orders.place({
    ...MARKET,
    ...terms,
    betslipId,
    requestUuid,
    ...marked,
  });
  return orderId;
}

const open = (): readonly number[] => rig.core.inspect().orders.flatMap((o) => (o.closed ? [] : [o.orderId]));

const addFault = (fault: object): Promise<Response> =>
  fetch(`${rig.simulator.control}faults`, { method: 'POST', body: JSON.stringify(fault) });

describe('the watchdog on the account', () => {
  it('closes the orders of its installation, of any run, and no others', async () => {
    await place(markedBy(OWN, '1', 'a'), 1);
    await place(markedBy(OWN, '2', 'b'), 2);
    const byHand = await place(undefined, 3);
    const ofAnother = await place(markedBy(OTHER, '1', 'c'), 4);
    expect(await closerOf(null).closeOurs()).toBe(0);
    expect(open()).toEqual([byHand, ofAnother]);
  });

  it('reports what stays open, and that the list could not be read', async () => {
    await place(markedBy(OWN, '1', 'a'), 1);
    await addFault({ target: 'orders.close_many', fault: 'close_ignored' });
    await addFault({ target: 'orders.close', fault: 'close_ignored' });
    expect(await closerOf(null).closeOurs()).toBe(1);
    await addFault({ target: 'orders.list', fault: 'answer', status: 400, code: 'not_now' });
    expect(await closerOf(null).closeOurs()).toBeNull();
  });

  it('refreshes and deletes the heartbeat; one that is gone counts as deleted', async () => {
    const { heartbeatId, expiryMs } = await rig.exchange.heartbeats.create(300);
    const closer = closerOf(heartbeatId);
    expect(await closer.refreshHeartbeat()).toBe(true);
    const [refreshed] = await rig.exchange.heartbeats.list();
    expect(refreshed?.expiryMs).toBeGreaterThanOrEqual(expiryMs ?? Infinity);
    expect(await closer.deleteHeartbeat()).toBe(true);
    expect(await rig.exchange.heartbeats.list()).toEqual([]);
    expect(await closer.deleteHeartbeat()).toBe(true);
    expect(await closerOf(null).deleteHeartbeat()).toBe(false);
  });

  it('cannot send any other request', async () => {
    await expect(client.betslips.create(MARKET)).rejects.toThrow('this program may not send it');
    await expect(client.orders.closeAll()).rejects.toThrow('this program may not send it');
  });
});
