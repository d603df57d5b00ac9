/** Which markets are of one event, and what the event is called. */
import { DAY_MS } from '../lib/time.ts';
import type { MarketDefinition } from './definition.ts';
import type { FoldedMarket } from './market-fold.ts';
import { type Roles, rolesOf } from './roles.ts';

/** A market as its event is found by it. */
export type GroupedMarket = Pick<FoldedMarket, 'marketId' | 'definition' | 'scheduledMs'>;

/** Event types in which one event id names a day at a course, so that each start is an event of its own. */
const RACING = new Set(['7', '4339']);

/** The markets of one race may name starts that differ by so much; races of one course are further apart. */
const TOLERANCE_MS = 180_000;

const isRacing = ({ sportCode }: MarketDefinition): boolean => RACING.has(sportCode);

/** The markets by event, each the most telling first: it names the event. */
export function groupedByEvent<M extends GroupedMarket>(markets: readonly M[]): readonly (readonly M[])[] {
  const byMatch = Map.groupBy(markets, ({ definition: { sportCode, matchId } }) => `${sportCode} ${matchId}`);
  return [...byMatch.values()]
    .flatMap((group) => (group[0] !== undefined && isRacing(group[0].definition) ? racesOf(group) : [group]))
    .map((group) => group.toSorted(byImportance));
}

/** The races of a meeting: markets with about the same start that share a runner. */
function racesOf<M extends GroupedMarket>(markets: readonly M[]): M[][] {
  const races: M[][] = [];
  for (const market of markets.toSorted((a, b) => a.scheduledMs - b.scheduledMs)) {
    const race = races.findLast(([first]) => first !== undefined && isOfRace(market, first));
    if (race === undefined) races.push([market]);
    else race.push(market);
  }
  return races;
}

function isOfRace(market: GroupedMarket, first: GroupedMarket): boolean {
  if (Math.abs(market.scheduledMs - first.scheduledMs) > TOLERANCE_MS) return false;
  const ids = new Set(first.definition.runners.map(({ runnerId }) => runnerId));
  return market.definition.runners.some(({ runnerId }) => ids.has(runnerId));
}

/** Match odds and winners first. */
const FIRST = ['MATCH_ODDS', 'MONEY_LINE', 'WIN'];

function byImportance(a: GroupedMarket, b: GroupedMarket): number {
  const placeOf = ({ definition: { marketType } }: GroupedMarket): number =>
    FIRST.includes(marketType) ? FIRST.indexOf(marketType) : FIRST.length;
  return placeOf(a) - placeOf(b) || (a.marketId < b.marketId ? -1 : 1);
}

export interface Identity {
  /** The numbers that follow the date in the id of the event: the teams, or the match and the second of the day. */
  readonly numbers: string;
  readonly eventName: string;
  /** Null where the first market has no two teams. */
  readonly teams: Roles | null;
  /** Scheduled start, wall-clock milliseconds. */
  readonly startMs: number;
}

/** The names of an event, by its most telling market. */
export function identityOf({ definition, scheduledMs }: GroupedMarket): Identity {
  const { matchId, eventName, startMs } = definition;
  const teams = rolesOf(definition);
  return {
    teams,
    startMs,
    numbers:
      teams === null
        ? `${matchId},${Math.floor((scheduledMs % DAY_MS) / 1000)}`
        : `${teams.home.runnerId},${teams.away.runnerId}`,
    eventName: eventName === '' ? versus(definition, teams) : eventName,
  };
}

function versus(definition: MarketDefinition, teams: Roles | null): string {
  if (teams !== null)
    return [teams.home, teams.away].map(({ name, runnerId }) => name ?? runnerId).join(' v ');
  const { matchId, startMs } = definition;
  return isRacing(definition) ? `Betfair ${matchId}@${startMs}` : `Betfair ${matchId}`;
}
