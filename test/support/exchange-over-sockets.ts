import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { connect, type ExchangeClient } from '../../src/app/connect.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import type { Exchange } from '../../src/simulator/core/exchange.ts';
import { startSimulator, type RunningSimulator } from '../../src/simulator/server/start-simulator.ts';
import { exchangeWithMarket, SUBJECT_KEY } from '../contract/venue-subject.ts';

export interface ExchangeOverSockets {
  readonly core: Exchange;
  readonly simulator: RunningSimulator;
  readonly exchange: ExchangeClient;
  stop(): Promise<void>;
}

/** An exchange with one market behind real sockets, and a client that has its key. */
export async function exchangeOverSockets(): Promise<ExchangeOverSockets> {
  const core = exchangeWithMarket(systemClock);
  const simulator = await startSimulator({ core, clock: systemClock, logger: silentLogger, port: 0 });
  const exchange = connect({ baseUrl: simulator.rest, apiKey: SUBJECT_KEY, retry: { firstMs: 1 } });
  const stop = async (): Promise<void> => {
    await exchange.close();
    await simulator.close();
  };
  return { core, simulator, exchange, stop };
}
