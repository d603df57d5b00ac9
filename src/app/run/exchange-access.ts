import { MODES } from '../../domain/mode.ts';
import type { KeyInForce, Secret } from '../../domain/secret.ts';
import type { ExchangePrices } from '../../domain/exchange-prices.ts';
import { seededRandom } from '../../lib/random.ts';
import type { RealExchange, RealObserver } from '../../paper/real-exchange.ts';
import type { Logger } from '../../ports/logger.ts';
import { type Metrics, noMetrics } from '../../ports/metrics.ts';
import { createVenue, type EarlierBudgets, type ExchangeVenue } from '../../venue/index.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { Config } from '../config/load.ts';
import { allottedBetslips, keepsRealBetslips, requestLimitsOf } from '../config/part-options.ts';
import { actingWires, observedExchange, type Wires } from '../exchange/wires.ts';
import type { RunRecording } from '../record/run-recording.ts';
import { openPaper, type PaperParts } from '../paper/open-paper.ts';
import type { PaperAccount } from '../paper/paper-account.ts';

/** What differs between the venue of a run and one that only checks a key. */
interface Access {
  readonly apiKey: Secret | KeyInForce;
  readonly wires: Wires;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly earlierBudgets?: EarlierBudgets;
}

/** The exchange as a run uses it. */
export interface TradedExchange {
  readonly venue: ExchangeVenue;
  /** A client of its own that tries a key. */
  probe(apiKey: Secret): ExchangeVenue;
  /** Null unless the run is on paper. */
  readonly paper: PaperAccount | null;
  /** Learns what the run knows of the exchange's prices by now. */
  onPrices(prices: ExchangePrices): void;
}

/** The recording holds all that passes, if the run has one. In paper mode the paper exchange alone gets the network. */
export function openTradedExchange(
  config: Config,
  keys: KeyInForce,
  recording: RunRecording,
  access: Pick<Access, 'logger' | 'metrics' | 'earlierBudgets'> & Pick<PaperParts, 'journal' | 'note'>,
): TradedExchange {
  const { logger } = access;
  const open = (wires: Wires): ExchangeVenue =>
    venueAt(config, { ...access, apiKey: keys, wires: recording.wires(wires, keys) });
  const trying = (apiKey: Secret, wires: Wires): ExchangeVenue =>
    venueAt(config, { apiKey, wires, logger, metrics: noMetrics });
  if (MODES[config.mode].actsOnExchange) {
    const wires = (): Wires => actingWires(config.exchange, systemClock);
    const venue = open(wires());
    return { venue, probe: (key) => trying(key, wires()), paper: null, onPrices: () => undefined };
  }
  const { exchange, account } = openPaper(config, {
    ...access,
    clock: systemClock,
    observe: (observer) => observing(config, keys, access, observer),
  });
  return {
    venue: open(exchange),
    paper: account,
    probe: (key) =>
      trying(key, { ...exchange, http: exchange.httpOver(observedExchange(config, key, systemClock)) }),
    onPrices: ({ convention }) => exchange.setConvention(convention),
  };
}

/** The real exchange as the run observes it. */
function observing(
  config: Config,
  keys: KeyInForce,
  { logger, earlierBudgets }: Pick<Access, 'logger' | 'earlierBudgets'>,
  observer: RealObserver,
): RealExchange {
  const keepsBetslips = keepsRealBetslips(config);
  const { openCap, perDay } = allottedBetslips(config);
  if (keepsBetslips) logger.info('paper betslips are real and count for the account', { openCap, perDay });
  // Only what counts in a day outlives a run: the rest of a share fills up within seconds.
  const earlier = { betslipsAtMs: earlierBudgets?.betslipsAtMs ?? [] };
  return observedExchange(config, keys, systemClock, { ...observer, keepsBetslips, earlierBudgets: earlier });
}

function venueAt(config: Config, { wires, ...access }: Access): ExchangeVenue {
  return createVenue({
    ...access,
    ...wires,
    kind: config.mode,
    clock: systemClock,
    requestTimeoutMs: config.exchange.requestTimeoutS * 1000,
    random: seededRandom(systemClock.wallMs(), 'backoff'),
    limits: requestLimitsOf(config),
  });
}
