import type { Command } from 'commander';
import type { Config } from '../../../app/config/load.ts';
import type { ExchangeClient } from '../../../app/exchange/connect.ts';
import { describedEvents, eventIdsNamed } from '../../../app/exchange/event-names.ts';
import type { SportEvent } from '../../../domain/events.ts';
import type { BetType, EventId, Sport } from '../../../domain/ids.ts';
import { type ExchangePrices, reportedTerms } from '../../../domain/exchange-prices.ts';
import { isBetter } from '../../../domain/odds.ts';
import { levelsOf } from '../../../domain/price-list.ts';
import { selectionName } from '../../../domain/selection-name.ts';
import { splitBetType } from '../../../domain/selection.ts';
import type { Offer } from '../../../domain/stream.ts';
import { checkSpan, parseInstantMs, parseInteger, parsePositive, parseText } from '../../input/arguments.ts';
import {
  exchangeCommand,
  IDS,
  type ExchangeOptions,
  type PriceOptions,
  report,
  type Report,
  withPriceOption,
} from '../../input/exchange-command.ts';
import { checkCodes, instant, parseSport, priceIs, several, usdt } from '../../input/values.ts';
import type { Row } from '../../output/output.ts';

interface EventsOptions extends ExchangeOptions {
  readonly sport?: readonly Sport[];
  readonly from?: number;
  readonly to?: number;
  readonly inPlay?: boolean;
  readonly limit: number;
}

/** `touchline exchange events`: the events that have prices now. */
export function eventsCommand(): Command {
  return exchangeCommand('events', 'list the events that have prices')
    .option('--sport <code>', 'only this sport; repeatable', several(parseSport))
    .option('--from <instant>', 'only events that start at this instant or later', parseInstantMs)
    .option('--to <instant>', 'only events that start before this instant', parseInstantMs)
    .option('--in-play', 'only events in play')
    .option('--limit <n>', 'list at most this many events', parseInteger(1, 100_000), 500)
    .action((options: EventsOptions) =>
      report(options, (exchange, config) => listEvents(exchange, options, config)),
    );
}

async function listEvents(exchange: ExchangeClient, options: EventsOptions, config: Config): Promise<Report> {
  checkSpan(options);
  checkCodes('--sport', options.sport, config.exchange.otherCodes);
  const filter = {
    ...(options.sport === undefined ? {} : { sports: options.sport }),
    ...(options.from === undefined ? {} : { startFromMs: options.from }),
    ...(options.to === undefined ? {} : { startToMs: options.to }),
    ...(options.inPlay === true ? { irStatuses: ['in_running'] } : {}),
  };
  const rows: Row[] = [];
  for await (const event of exchange.allEvents(filter)) {
    if (rows.push(eventRow(event)) >= options.limit) break;
  }
  return { rows, none: 'no event has prices' };
}

const eventRow = (event: SportEvent): Row => ({
  event_id: event.eventId,
  sport: event.sport,
  start: instant(event.startTimeMs),
  status: event.irStatus,
  event: event.eventName,
  competition: event.competitionName,
  country: event.competitionCountry,
});

interface OffersOptions extends ExchangeOptions, PriceOptions {
  readonly ids?: boolean;
  readonly sport: Sport;
  readonly minLiquidity?: number;
  readonly marketType?: readonly string[];
}

/** `touchline exchange offers`: the prices of events, as the exchange has them. */
export function offersCommand(): Command {
  return withPriceOption(exchangeCommand('offers', 'show the prices of events'))
    .argument('<event...>', 'names of events, unique parts of them, or ids', several(parseText))
    .requiredOption('--sport <code>', 'the sport of the events', parseSport)
    .option('--ids', IDS)
    .option(
      '--market-type <type>',
      'only this family of markets, for example ah; repeatable',
      several(String),
    )
    .option('--min-liquidity <usdt>', 'only markets that offer at least this stake', parsePositive)
    .action((events: readonly string[], options: OffersOptions) =>
      report(options, async (exchange, config) => {
        const { pricesFor } = await import('../../../app/exchange/price-convention.ts');
        checkCodes('--sport', [options.sport], config.exchange.otherCodes);
        checkCodes('--market-type', options.marketType, config.exchange.otherCodes);
        const ids = await eventIdsNamed(exchange, events, [options.sport]);
        return listOffers(exchange, ids, options, pricesFor(config, options.againstPrices));
      }),
    );
}

async function listOffers(
  exchange: ExchangeClient,
  eventIds: readonly EventId[],
  { sport, minLiquidity, marketType, ids }: OffersOptions,
  prices: ExchangePrices,
): Promise<Report> {
  const filter = {
    sport,
    eventIds,
    ...(minLiquidity === undefined ? {} : { minLiquidity }),
    ...(marketType === undefined ? {} : { marketTypes: marketType }),
  };
  const offers: Offer[] = [];
  for await (const offer of exchange.allOffers(filter)) offers.push(offer);
  const events = await describedEvents(exchange, [sport], eventIds);
  const json = offers.map((offer) => offerJson(offer, prices, events.get(offer.eventId)));
  const rows = offers.map((offer) => {
    const { event_id, bet_type, ...row } = offerRow(offer, prices, events.get(offer.eventId));
    return ids === true ? { ...row, event_id, bet_type } : row;
  });
  return { rows, json, none: 'no prices' };
}

/** The name of a market's selection, and its side. */
function sideOf(betType: BetType, event: SportEvent | undefined): Row {
  const parts = splitBetType(betType);
  if (parts === null) return { selection: betType, side: null };
  const who = event ?? { home: '', away: '', teams: [] };
  return { selection: selectionName(parts.outcome, who), side: parts.direction };
}

/** The best price is the one that pays a taker most: the highest odds, the lowest lay price. */
export function offerRow(offer: Offer, prices: ExchangePrices, event?: SportEvent): Row {
  const terms = reportedTerms(offer.betType, 'normal', prices);
  const kind = terms?.priceKind ?? 'odds-for';
  const levels = levelsOf(offer.priceList);
  const [best] = levels.toSorted((a, b) => (isBetter(kind, a.price, b.price) ? -1 : 1));
  return {
    event: event?.eventName ?? offer.eventId,
    ...sideOf(offer.betType, event),
    event_id: offer.eventId,
    bet_type: offer.betType,
    market: offer.marketType,
    in_play: offer.inRunning,
    best_price: best?.price ?? null,
    price_is: priceIs(terms?.priceKind),
    up_to_usdt: usdt(best?.maxMicros ?? null),
    levels: levels.length,
  };
}

const offerJson = (offer: Offer, prices: ExchangePrices, event: SportEvent | undefined) => ({
  ...offerRow(offer, prices, event),
  sport: offer.sport,
  price_list: levelsOf(offer.priceList).map(({ price, minMicros, maxMicros }) => ({
    price,
    min_usdt: usdt(minMicros),
    max_usdt: usdt(maxMicros),
  })),
});
