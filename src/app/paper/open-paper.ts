import { toMicros } from '../../domain/money.ts';
import { seededRandom } from '../../lib/random.ts';
import { openPaperExchange, type PaperExchange } from '../../paper/paper-exchange.ts';
import { type RealExchange, type RealObserver, SENT_KINDS } from '../../paper/real-exchange.ts';
import { RequestTimes } from '../../paper/request-times.ts';
import { sharedCap } from '../../paper/share.ts';
import type { Clock } from '../../ports/clock.ts';
import { knownValues, type Metrics } from '../../ports/metrics.ts';
import type { Config } from '../config/load.ts';
import { allottedBetslips, keepsRealBetslips } from '../config/part-options.ts';
import { exchangeSettingsOf } from '../simulated/exchange-choices.ts';
import { PaperAccount } from './paper-account.ts';
import { PaperFills, type PaperFillsParts } from './paper-fills.ts';
import { earlierOrders, keepOrder } from './paper-orders.ts';
import { betTypesOn, eventResultOf, resultsIn } from './paper-results.ts';

export interface PaperParts extends Pick<PaperFillsParts, 'journal' | 'note' | 'logger'> {
  /** The way to the real exchange, which tells what passes. */
  readonly observe: (observer: RealObserver) => RealExchange;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** Opens the exchange of a paper run, with the account that its journal holds. */
export function openPaper(
  config: Pick<Config, 'mode' | 'paper' | 'orders'>,
  { observe, journal, note, clock, logger, metrics }: PaperParts,
): { readonly exchange: PaperExchange; readonly account: PaperAccount } {
  const { balanceUsdt, fills, share, registeredEvents, minOrderStakeUsdt, placementDelay } = config.paper;
  const results = resultsIn(journal);
  if (results.length > 0)
    logger.info('events whose result was told are not chosen', { events: results.length });
  const paperFills = new PaperFills({ journal, note, logger, results, account: fills });
  const seed = clock.wallMs();
  const times = new RequestTimes(seededRandom(seed, 'request times'));
  const kept = earlierOrders(journal, logger);
  const openBetslips = keepsRealBetslips(config) ? allottedBetslips(config).openCap : null;
  const exchange = openPaperExchange({
    times,
    clock,
    logger,
    metrics,
    real: observe({ onAnswer: (tookMs) => times.note(tookMs), onSent: sentCounter(metrics) }),
    balanceMicros: toMicros(balanceUsdt),
    settings: exchangeSettingsOf({
      minOrderStake: minOrderStakeUsdt,
      placementDelay,
      ...(openBetslips === null ? {} : { openBetslips }),
    }),
    fills,
    onFill: (fill) => paperFills.take(fill),
    kept,
    results: results.map(({ sport, eventId, told }) => {
      const betTypes = betTypesOn({ sport, eventId }, kept, []);
      return { sport, eventId, result: eventResultOf(told, betTypes) };
    }),
    onKept: (order) => keepOrder(order, journal, logger),
    mostRegistrations: sharedCap(registeredEvents, share),
    // Ids must not repeat after a restart: the journal remembers them.
    random: seededRandom(seed, `paper ids since ${seed}`),
  });
  return { exchange, account: new PaperAccount(exchange, paperFills, journal, results) };
}

/** The client's own counters have the requests of the paper account, too, which stay in this process. */
function sentCounter(metrics: Metrics): RealObserver['onSent'] {
  const sent = metrics.counter(
    'touchline_paper_sent_total',
    'Requests of a paper run that left for the real exchange: reads, and betslips where they are real',
    ['kind'],
    knownValues('kind', SENT_KINDS),
  );
  return (kind) => sent.inc({ kind });
}
