import { DAY_MS } from '../../../lib/time.ts';
import type { SimEvent, SimEventName, SimOutcome } from '../../core/api.ts';
import type { EventResult } from '../../../domain/bet-types/result.ts';
import type { MarketDefinition, RunnerDefinition } from './message.ts';

/** Betfair's event types by the exchange's sport codes. */
const SPORTS: ReadonlyMap<string, string> = new Map([
  ['1', 'fb'],
  ['2', 'tennis'],
  ['4', 'cricket'],
  ['5', 'ru'],
  ['7', 'horse'],
  ['7522', 'basket'],
  ['2378961', 'politics'],
  ['27454571', 'esports'],
]);

/** A recording does not say when an outright ends before it ends: a day after its start, at the latest. */
const OUTRIGHT_MS = DAY_MS;

/** The names of a recorded market on the exchange, fixed when the market is first seen. */
export interface MarketIdentity extends SimEventName {
  readonly marketId: string;
  /** Two runners of match odds play at home and away; any other market is an outright. */
  readonly twoWay: boolean;
  readonly homeId: number;
  readonly awayId: number;
  /** Number of runners that are paid. */
  readonly winners: number;
}

/** `startMs` is the start on the exchange's clock. Event ids are its date and two numbers of the recording. */
export function identify(marketId: string, definition: MarketDefinition, startMs: number): MarketIdentity {
  const twoWay = definition.runners.length === 2 && definition.marketType === 'MATCH_ODDS';
  const [homeId, awayId] = twoWay ? definition.runners.map((runner) => runner.runnerId) : [0, 0];
  const sport = SPORTS.get(definition.sportCode) ?? 'other';
  const date = new Date(startMs).toISOString().slice(0, 10);
  const numbers = twoWay ? `${homeId},${awayId}` : marketId.split('.').join(',');
  return {
    sport,
    eventId: /^[^,]+,[^,]+$/.test(numbers) ? `${date},${numbers}` : `${date},${marketId},0`,
    marketId,
    twoWay,
    homeId: homeId ?? 0,
    awayId: awayId ?? 0,
    winners: definition.winners,
  };
}

export function eventOf(identity: MarketIdentity, definition: MarketDefinition, startMs: number): SimEvent {
  const [first, second] = identity.twoWay ? definition.runners.map((runner) => runner.name) : ['', ''];
  const versus = identity.twoWay ? `${first} v ${second}` : `Market ${identity.marketId}`;
  return {
    sport: identity.sport,
    eventId: identity.eventId,
    eventType: identity.twoWay ? 'normal' : 'multirunner',
    eventName: definition.eventName === '' ? versus : definition.eventName,
    competitionId: 1,
    competitionName: 'Recorded market',
    competitionCountry: definition.country,
    home: first ?? '',
    away: second ?? '',
    homeId: identity.homeId,
    awayId: identity.awayId,
    teams: definition.runners.map(({ runnerId, name }) => ({ teamId: runnerId, name })),
    startTimeMs: startMs,
    endTimeMs: identity.twoWay ? null : startMs + OUTRIGHT_MS,
  };
}

export function outcomeOf(identity: MarketIdentity, runnerId: number): SimOutcome {
  return { sport: identity.sport, eventId: identity.eventId, outcome: outcomeName(identity, runnerId) };
}

function outcomeName(identity: MarketIdentity, runnerId: number): string {
  if (identity.twoWay) return runnerId === identity.homeId ? 'h' : 'a';
  return identity.winners === 1 ? `win,${runnerId}` : `top,${identity.winners},${runnerId}`;
}

/** The result of a closed market by its runners' statuses. Null voids it: no winner, or two in a two-way market. */
export function resultOf(identity: MarketIdentity, definition: MarketDefinition): EventResult | null {
  const winners = definition.runners.filter((runner) => runner.status === 'WINNER');
  if (winners.length === 0) return null;
  if (!identity.twoWay) return { kind: 'places', places: placesOf(identity, winners, definition.runners) };
  if (winners.length !== 1) return null;
  const homeWon = winners[0]?.runnerId === identity.homeId;
  return {
    kind: 'score',
    home: homeWon ? 1 : 0,
    away: homeWon ? 0 : 1,
    halfTimeHome: 0,
    halfTimeAway: 0,
  };
}

/**
 * Winners share the first place, so that more winners than paid places settle as a dead heat. Losers come behind the whole
 * field, because their places are not recorded. Removed runners have no place.
 */
function placesOf(
  identity: MarketIdentity,
  winners: readonly RunnerDefinition[],
  runners: readonly RunnerDefinition[],
): Map<number, number> {
  const beaten = Math.max(runners.length, identity.winners) + 1;
  const losers = runners.filter((runner) => runner.status === 'LOSER');
  return new Map([
    ...winners.map(({ runnerId }) => [runnerId, 1] as const),
    ...losers.map(({ runnerId }) => [runnerId, beaten] as const),
  ]);
}
