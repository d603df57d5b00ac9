import { toMicros } from '../../domain/money.ts';
import { MODES } from '../../domain/mode.ts';
import type { KeyInForce, Secret } from '../../domain/secret.ts';
import type { ExchangePrices } from '../../domain/exchange-prices.ts';
import { seededRandom } from '../../lib/random.ts';
import { openPaperExchange, type PaperExchange } from '../../paper/paper-exchange.ts';
import { RequestTimes } from '../../paper/request-times.ts';
import { sharedCap } from '../../paper/share.ts';
import type { Logger } from '../../ports/logger.ts';
import { type Metrics, noMetrics } from '../../ports/metrics.ts';
import { createVenue, type EarlierBudgets, type ExchangeVenue } from '../../venue/index.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { Config } from '../config/load.ts';
import { allottedBetslips, keepsRealBetslips, requestLimitsOf } from '../config/part-options.ts';
import { actingWires, observedExchange, type Wires } from '../exchange/wires.ts';
import type { RunRecording } from '../record/run-recording.ts';
import { PaperFills, type PaperFillsParts } from '../paper/paper-fills.ts';
import { earlierOrders, keepOrder } from '../paper/paper-orders.ts';
import { betTypesOn, eventResultOf, resultsIn } from '../paper/paper-results.ts';
import { exchangeSettingsOf } from '../simulated/exchange-choices.ts';

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
  /** The fills of the paper account; null unless the run is on paper. */
  readonly paperFills: PaperFills | null;
  /** Learns what the run knows of the exchange's prices by now. */
  onPrices(prices: ExchangePrices): void;
}

/** The recording holds all that passes, if the run has one. In paper mode the paper exchange alone gets the network. */
export function openTradedExchange(
  config: Config,
  keys: KeyInForce,
  recording: RunRecording,
  access: Pick<Access, 'logger' | 'metrics' | 'earlierBudgets'> & Pick<PaperFillsParts, 'journal' | 'note'>,
): TradedExchange {
  const { logger } = access;
  const open = (wires: Wires): ExchangeVenue =>
    venueAt(config, { ...access, apiKey: keys, wires: recording.wires(wires, keys) });
  const trying = (apiKey: Secret, wires: Wires): ExchangeVenue =>
    venueAt(config, { apiKey, wires, logger, metrics: noMetrics });
  if (MODES[config.mode].actsOnExchange) {
    const wires = (): Wires => actingWires(config.exchange, systemClock);
    const venue = open(wires());
    return { venue, probe: (key) => trying(key, wires()), paperFills: null, onPrices: () => undefined };
  }
  const results = resultsIn(access.journal);
  const paperFills = new PaperFills({ ...access, results, account: config.paper.fills });
  const paper = paperOf(config, keys, access, paperFills);
  return {
    venue: open(paper),
    paperFills,
    probe: (key) =>
      trying(key, { ...paper, http: paper.httpOver(observedExchange(config, key, systemClock)) }),
    onPrices: ({ convention }) => paper.setConvention(convention),
  };
}

function paperOf(
  config: Config,
  keys: KeyInForce,
  {
    logger,
    metrics,
    journal,
    earlierBudgets,
  }: Pick<Access, 'logger' | 'metrics' | 'earlierBudgets'> & Pick<PaperFillsParts, 'journal'>,
  paperFills: PaperFills,
): PaperExchange {
  const { balanceUsdt, fills, share, registeredEvents, minOrderStakeUsdt, placementDelay } = config.paper;
  const seed = systemClock.wallMs();
  const times = new RequestTimes(seededRandom(seed, 'request times'));
  const keepsBetslips = keepsRealBetslips(config);
  const { openCap, perDay } = allottedBetslips(config);
  if (keepsBetslips) logger.info('paper betslips are real and count for the account', { openCap, perDay });
  // Only what counts in a day outlives a run: the rest of a share fills up within seconds.
  const earlier = { betslipsAtMs: earlierBudgets?.betslipsAtMs ?? [] };
  const onAnswer = (tookMs: number): void => times.note(tookMs);
  const kept = earlierOrders(journal, logger);
  return openPaperExchange({
    times,
    clock: systemClock,
    logger,
    metrics,
    real: observedExchange(config, keys, systemClock, { onAnswer, keepsBetslips, earlierBudgets: earlier }),
    balanceMicros: toMicros(balanceUsdt),
    settings: exchangeSettingsOf({
      minOrderStake: minOrderStakeUsdt,
      placementDelay,
      ...(keepsBetslips ? { openBetslips: openCap } : {}),
    }),
    fills,
    onFill: (fill) => paperFills.take(fill),
    kept,
    results: resultsIn(journal).map(({ sport, eventId, told }) => {
      const betTypes = betTypesOn({ sport, eventId }, kept, []);
      return { sport, eventId, result: eventResultOf(told, betTypes) };
    }),
    onKept: (order) => keepOrder(order, journal, logger),
    mostRegistrations: sharedCap(registeredEvents, share),
    // Ids must not repeat after a restart: the journal remembers them.
    random: seededRandom(seed, `paper ids since ${seed}`),
  });
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
