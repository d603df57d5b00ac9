import { connect, type ExchangeClient, ids } from '../../src/app/exchange/connect.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import type { Exchange } from '../../src/simulator/core/exchange.ts';
import { type RunningSimulator, startSimulator } from '../../src/simulator/server/start-simulator.ts';
import { EVENT_ID, exchangeWithMarket, SUBJECT_KEY } from '../contract/venue-subject.ts';
import { markedBy, OWN } from './claims.ts';
import { hurriedClock } from './hurried-clock.ts';

export interface ExchangeOverSockets {
  readonly core: Exchange;
  readonly simulator: RunningSimulator;
  readonly exchange: ExchangeClient;
  stop(): Promise<void>;
}

/** An exchange with one market behind real sockets, and a client that has its key; both are in a hurry. */
export async function exchangeOverSockets(): Promise<ExchangeOverSockets> {
  const clock = hurriedClock();
  const core = exchangeWithMarket(clock);
  const simulator = await startSimulator({ core, clock, logger: silentLogger, port: 0 });
  const exchange = connect({ baseUrl: simulator.rest, apiKey: SUBJECT_KEY, clock, retry: { firstMs: 1 } });
  const stop = async (): Promise<void> => {
    await exchange.close();
    await simulator.close();
  };
  return { core, simulator, exchange, stop };
}

const MARKET = { sport: ids.sport('fb'), eventId: ids.eventId(EVENT_ID), betType: ids.betType('for,h') };

/** Places this many orders with our mark. Returns their ids, oldest first. */
export async function ordersPlaced(exchange: ExchangeClient, count: number): Promise<readonly number[]> {
  const { betslipId } = await exchange.betslips.create(MARKET);
  const orders = [];
  for (let n = 0; n < count; n++) {
    const requestUuid = ids.requestUuid(`00000000-0000-4000-8000-00000000000${n}`);
    const terms = { price: 2.26, stakeMicros: 10_000_000, durationS: 60 };
    const userData = markedBy(OWN, '1', requestUuid);
    orders.push(await exchange.orders.place({ ...MARKET, ...terms, betslipId, requestUuid, userData }));
  }
  return orders.map(({ orderId }) => orderId);
}
