import { kindsText } from '../../betfair/file-reading.ts';
import { toMicros } from '../../domain/money.ts';
import { seededRandom } from '../../lib/random.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Feed } from '../../simulator/core/api.ts';
import { parseBetType } from '../../domain/bet-types/index.ts';
import { createExchange } from '../../simulator/core/exchange.ts';
import type { AccountSpec, ExchangeSettings } from '../../simulator/core/settings.ts';
import type { Fault } from '../../simulator/faults/schema.ts';
import { createBetfairFeed } from '../../simulator/feeds/betfair/index.ts';
import { createModelFeed } from '../../simulator/feeds/model/index.ts';
import { openApiDocuments } from '../../simulator/openapi/document.ts';
import { type RunningSimulator, startSimulator } from '../../simulator/server/start-simulator.ts';
import { cadenceAt } from './market-time.ts';
import { loadBetfairRecording } from './recorded-market.ts';

export { loadAccounts, loadFaults } from '../../simulator/load-files.ts';

/** The source of the simulated exchange's market. */
export interface MarketChoice {
  readonly feed: { readonly kind: 'model' } | { readonly kind: 'betfair'; readonly file: string };
  /** Instant of the recording to start at; null: an hour before the scheduled start. */
  readonly feedFromMs: number | null;
  /** Factor on the speed of the market; account timers and limits stay in real time. */
  readonly speed: number;
  readonly seed: number;
}

export interface SimulatorChoice extends MarketChoice {
  readonly port: number;
  readonly accounts: readonly AccountSpec[];
  /** Injected faults; none by default. */
  readonly faults?: readonly Fault[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings?: Partial<ExchangeSettings>;
  /** Factor on the usual minimum bet of the modelled market's makers; 1 by default, 0 for no minimum. */
  readonly makerMinimums?: number;
}

/**
 * The settings of the exchange on a market. Recorded books are lay prices, exactly on the ladder: the exchange keeps them, whatever was
 * chosen.
 */
export function marketSettings({
  feed,
  speed,
  settings,
}: Pick<SimulatorChoice, 'feed' | 'speed' | 'settings'>): Partial<ExchangeSettings> {
  if (feed.kind === 'model') return { ...settings };
  return { ...cadenceAt(speed), ...settings, priceConvention: 'lay' };
}

/** Starts the embedded exchange on loopback. Throws ConfigError if the recording is unusable. */
export async function openSimulator(choice: SimulatorChoice): Promise<RunningSimulator> {
  const { clock, accounts, seed } = choice;
  const startMs = clock.wallMs();
  const core = createExchange({
    accounts,
    feeds: [await openFeed(choice)],
    parseBetType,
    // Ids must not repeat after a restart of the exchange: a client may remember them.
    random: seededRandom(seed, `ids since ${startMs}`),
    startMs,
    settings: marketSettings(choice),
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
  const recording = await loadBetfairRecording(feed.file);
  if (recording.otherLines.size > 0)
    choice.logger.warn('the recorded market has lines that are no changes of a market', {
      file: feed.file,
      lines: kindsText(recording.otherLines),
    });
  return createBetfairFeed({ recording, fromMs: feedFromMs, speed, startWallMs });
}
