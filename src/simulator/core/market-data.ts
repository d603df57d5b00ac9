import { fromMicros } from '../../domain/money.ts';
import { describedFor, type TeamNames, winLossGrid } from '../../domain/bet-types/index.ts';
import { type Catalogue, hasPrices } from './catalogue.ts';
import type { Account, EventRecord, NamedOffer } from './model.ts';
import { failure, ok, okText, type Reply } from './replies.ts';
import { type EventsQuery, isAmong, isWithin, type OffersQuery } from './schemas.ts';
import { sportName } from './sport-names.ts';
import { eventJson, irStatus } from './wire.ts';

/** `GET /v2/events/`: the events with prices, ordered by the cursor `<sport>,<event_id>`. */
export function eventsReply(catalogue: Catalogue, account: Account, query: EventsQuery): Reply {
  const chosen = [...catalogue.all()].filter(
    (event) => account.isEnabledFor(event.info.sport) && eventMatches(event, query) && hasPrices(event),
  );
  chosen.sort((a, b) => compareText(a.key, b.key));
  const { after } = query;
  const page = chosen.filter(({ key }) => after === undefined || key > after).slice(0, query.limit);
  return ok(page.map(eventJson));
}

function eventMatches(event: EventRecord, query: EventsQuery): boolean {
  const { info } = event;
  return (
    isAmong(info.sport, query.sport) &&
    isAmong(info.competitionId, query.competition_id) &&
    isAmong(info.eventId, query.event_id) &&
    isAmong(irStatus(event), query.ir_status && [query.ir_status]) &&
    isWithin(info.startTimeMs, query.start_time_from, query.start_time_to)
  );
}

/** An offer with its place in the order of the answer. */
interface ListedOffer extends NamedOffer {
  readonly eventId: string;
}

const OFFERS_HEADERS = { 'cache-control': 'private, max-age=2' };

/** `GET /v2/offers/`: the offers of the named events as `offersOf` shows them, ordered by event and bet type. */
export function offersReply(
  catalogue: Catalogue,
  account: Account,
  query: OffersQuery,
  offersOf: (event: EventRecord) => readonly NamedOffer[],
): Reply {
  const enabled = account.isEnabledFor(query.sport);
  const events = enabled
    ? [...new Set(query.event_id)].map((eventId) => catalogue.live({ sport: query.sport, eventId }))
    : [];
  const offers = events.flatMap((event) =>
    event === null ? [] : chosenOffers(event, query, offersOf(event)),
  );
  offers.sort((a, b) => compareText(a.eventId, b.eventId) || compareText(a.betType, b.betType));
  const page = offers.filter((offer) => isAfter(offer, query.after)).slice(0, query.limit);
  return okText(`[${page.map(({ text }) => text).join(',')}]`, 200, OFFERS_HEADERS);
}

function chosenOffers(
  { info: { eventId } }: EventRecord,
  query: OffersQuery,
  offers: readonly NamedOffer[],
): ListedOffer[] {
  return offers
    .filter(
      ({ betType, marketType, stakeMicros }) =>
        isAmong(betType, query.bet_type) &&
        isAmong(marketType, query.market_type) &&
        fromMicros(stakeMicros) >= query.min_liquidity,
    )
    .map((offer) => ({ ...offer, eventId }));
}

/** Whether an offer comes after the cursor `<event_id>,<bet_type>`. An event id contains two commas. */
function isAfter(offer: ListedOffer, cursor: string | undefined): boolean {
  if (cursor === undefined || cursor === '') return true;
  const parts = cursor.split(',');
  const byEvent = compareText(offer.eventId, parts.slice(0, 3).join(','));
  return byEvent > 0 || (byEvent === 0 && offer.betType > parts.slice(3).join(','));
}

const compareText = (a: string, b: string): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

/** `GET /v2/sports/{sport}/bet_types/{bet_type}/`: description and result grid of a bet type. */
export function betTypeReply(catalogue: Catalogue, sport: string, betType: string, teams: TeamNames): Reply {
  const parsed = catalogue.parse(sport, betType);
  if (parsed?.onGrid !== true) return failure(400, 'invalid_bet_type', { bet_type: betType });
  return ok({
    sport: sportName(sport),
    bet_type_description: describedFor(parsed.description, teams),
    winloss_grid: winLossGrid(parsed),
  });
}
