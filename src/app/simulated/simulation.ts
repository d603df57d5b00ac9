import { toMicros } from '../../domain/money.ts';
import { seededRandom } from '../../lib/random.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Feed } from '../../simulator/core/api.ts';
import { parseBetType } from '../../simulator/core/bet-types/index.ts';
import { createExchange } from '../../simulator/core/exchange.ts';
import type { AccountSpec, ExchangeSettings } from '../../simulator/core/settings.ts';
import type { Fault } from '../../simulator/faults/schema.ts';
import { createBetfairFeed, loadBetfairRecording } from '../../simulator/feeds/betfair/index.ts';
import { createModelFeed } from '../../simulator/feeds/model/index.ts';
import { openApiDocuments } from '../../simulator/openapi/documents.ts';
import { type RunningSimulator, startSimulator } from '../../simulator/server/start-simulator.ts';
import { cadenceAt } from './market-time.ts';

export { loadAccounts, loadFaults } from '../../simulator/load-files.ts';

/** Where the market of the simulated exchange comes from. */
export interface MarketChoice {
  readonly feed: { readonly kind: 'model' } | { readonly kind: 'betfair'; readonly file: string };
  /** Instant of the recording at which it starts; null: an hour before the scheduled start. */
  readonly feedFromMs: number | null;
  /** The market's life runs this many times faster; account timers and limits stay in real time. */
  readonly speed: number;
  readonly seed: number;
}

export interface SimulatorChoice extends MarketChoice {
  readonly port: number;
  readonly accounts: readonly AccountSpec[];
  /** What goes wrong; nothing by default. */
  readonly faults?: readonly Fault[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings?: Partial<ExchangeSettings>;
  /** Makers of the modelled market take bets of this many times their usual minimum; 1 by default, 0 for none. */
  readonly makerMinimums?: number;
}

/** Starts the embedded exchange on loopback. Throws ConfigError for a recording that cannot be used. */
export async function openSimulator(choice: SimulatorChoice): Promise<RunningSimulator> {
  const { clock, accounts, seed } = choice;
  const cadence = choice.feed.kind === 'model' ? {} : cadenceAt(choice.speed);
  const settings = { ...cadence, ...choice.settings };
  const startMs = clock.wallMs();
  const core = createExchange({
    accounts,
    feeds: [await openFeed(choice)],
    parseBetType,
    // Ids must not come again when an exchange is restarted: a client may remember them.
    random: seededRandom(seed, `ids since ${startMs}`),
    startMs,
    settings,
  });
  const { logger, port, faults = [] } = choice;
  const documents = openApiDocuments(core.endpoints);
  return startSimulator({ core, clock, logger, port, documents, faults, faultSeed: seed });
}

/** Accounts of the same balance, one for each key. */
export function accountsOf(keys: readonly string[], balanceUsdt: number): readonly AccountSpec[] {
  return keys.map((key, i) => ({
    accountId: `account-${i + 1}`,
    keys: [key],
    balanceMicros: toMicros(balanceUsdt),
  }));
}

async function openFeed(choice: SimulatorChoice): Promise<Feed> {
  const { feed, feedFromMs, speed, seed, clock, makerMinimums = 1 } = choice;
  const startWallMs = clock.wallMs();
  if (feed.kind === 'model') return createModelFeed({ seed, speed, startWallMs, makerMinimums });
  const { messages } = await loadBetfairRecording(feed.file);
  return createBetfairFeed({ messages, fromMs: feedFromMs, speed, startWallMs });
}
