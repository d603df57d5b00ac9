/** The events of a recorded file on the exchange, with what became of them. */
import { listedSelections, type MappedMarket, mappedEvent } from '../../../betfair/event.ts';
import { groupedByEvent, type Identity, identityOf } from '../../../betfair/identity.ts';
import { sportOf } from '../../../betfair/mapping.ts';
import type { FoldedMarket } from '../../../betfair/market-fold.ts';
import { type Ended, settle } from '../../../betfair/results.ts';
import { parseBetType } from '../../../domain/bet-types/index.ts';
import type { EventResult } from '../../../domain/bet-types/result.ts';
import type { Settlement } from '../../../domain/payoff.ts';
import type { Recording } from './recording.ts';

/** A runner of an event. */
interface Competitor {
  readonly teamId: number;
  readonly name: string;
}

export interface RecordedEvent {
  readonly sport: string;
  readonly identity: Identity;
  readonly country: string;
  /** The names of the teams; empty where the event has no two. */
  readonly home: string;
  readonly away: string;
  readonly competitors: readonly Competitor[];
  readonly selections: readonly { readonly outcome: string; readonly market: number }[];
  /** In the order of `selections.market`. */
  readonly markets: readonly RecordedEventMarket[];
  /** Null: every bet is void. */
  readonly result: EventResult | null;
}

export interface RecordedEventMarket {
  /** Position in `Recording.markets`. */
  readonly at: number;
  /** The family on the exchange. */
  readonly family: string;
  /** The selection of each runner; -1 for runners that are none. */
  readonly selectionOf: readonly number[];
}

/** The events of the file's markets: those with the bet types of the exchange, and others as outrights of their runners. */
export function eventsIn({ markets }: Recording): RecordedEvent[] {
  const places = new Map(
    markets.flatMap((market, at) => (market === null ? [] : [[market.folded, at] as const])),
  );
  const groups = groupedByEvent([...places.keys()]);
  return groups.flatMap((group) => {
    const { bySport, unmapped } = mappedEvent(group);
    const [first] = group;
    const identity = first === undefined ? null : identityOf(first);
    if (identity === null) return [];
    return [
      ...Array.from(bySport, ([sport, mapped]) => eventOf(sport, identity, mapped, places)),
      ...unmapped.map(({ market }) => outrightOf(market, places)),
    ];
  });
}

type Places = ReadonlyMap<FoldedMarket, number>;

/** Any other market is an outright of its runners without a handicap. */
function outrightOf(market: FoldedMarket, places: Places): RecordedEvent {
  const { definition, runners, marketId } = market;
  const { winners } = definition;
  const family = winners > 1 ? 'top' : 'win';
  const named = ({ runnerId, handicap }: FoldedMarket['runners'][number]): string | null => {
    if (handicap !== 0) return null;
    return winners > 1 ? `top,${winners},${runnerId}` : `win,${runnerId}`;
  };
  const sport = sportOf(definition);
  const outcomes = runners.map(named);
  const identity = {
    ...identityOf(market),
    teams: null,
    numbers: /^\d+[.]\d+$/.test(marketId) ? marketId.replace('.', ',') : `${marketId},0`,
  };
  return eventOf(sport, identity, [{ market, outcomes, mapped: { sport, family, outcomes } }], places);
}

function eventOf(
  sport: string,
  identity: Identity,
  mapped: readonly MappedMarket<FoldedMarket>[],
  at: Places,
): RecordedEvent {
  const { selections, places } = listedSelections(mapped);
  const ended = selections.map((selection) => selection.ended);
  const competitors = competitorsOf(mapped);
  const { teams } = identity;
  const named = (id: number | undefined): string =>
    competitors.find(({ teamId }) => teamId === id)?.name ?? '';
  return {
    sport,
    identity,
    competitors,
    country: mapped[0]?.market.definition.country ?? '',
    home: teams?.homeName ?? named(teams?.home.runnerId),
    away: teams?.awayName ?? named(teams?.away.runnerId),
    selections: selections.map(({ outcome, market }) => ({ outcome, market })),
    markets: mapped.map(({ market, mapped: { family } }, index) => ({
      at: at.get(market) ?? -1,
      family,
      selectionOf: places[index] ?? [],
    })),
    result: resultOf(sport, ended, mapped),
  };
}

function competitorsOf(mapped: readonly MappedMarket<FoldedMarket>[]): Competitor[] {
  const runners = mapped[0]?.market.definition.runners ?? [];
  const byId = new Map(runners.map(({ runnerId, name }) => [runnerId, name ?? `Runner ${runnerId}`]));
  return Array.from(byId, ([teamId, name]) => ({ teamId, name }));
}

/** The result as the exchange shows results, if one settles everything as recorded; else the settlements alone. */
function resultOf(
  sport: string,
  ended: readonly Ended[],
  mapped: readonly MappedMarket<FoldedMarket>[],
): EventResult | null {
  const { settlements, score } = settle(sport, ended);
  if (settlements.every((each) => each === null || (each.won === 0 && each.lost === 0))) return null;
  const bySelection = new Map(ended.map(({ outcome }, at) => [outcome, settlements[at] ?? null]));
  const scores = [...(score === null ? [] : [score]), [1, 0], [0, 1], [0, 0]] as const;
  const shown: EventResult[] = [
    ...scores.map(([home, away]) => {
      return { kind: 'score', home, away, halfTimeHome: 0, halfTimeAway: 0 } as const;
    }),
    placesOf(ended, mapped),
  ];
  return (
    shown.find((result) => settlesAs(sport, result, bySelection)) ?? {
      kind: 'settled',
      settlements: bySelection,
    }
  );
}

function settlesAs(
  sport: string,
  result: EventResult,
  settlements: ReadonlyMap<string, Settlement | null>,
): boolean {
  return [...settlements].every(([outcome, recorded]) => {
    const shown = parseBetType(sport, `for,${outcome}`)?.settle(result) ?? null;
    return recorded !== null && shown?.won === recorded.won && shown.lost === recorded.lost;
  });
}

/**
 * Winners share the first place, so that more winners than paid places settle as a dead heat, and placed runners the next. Losers come behind the
 * whole field, because their places are not recorded. Removed runners have no place.
 */
function placesOf(ended: readonly Ended[], mapped: readonly MappedMarket<FoldedMarket>[]): EventResult {
  const places = new Map<number, number>();
  const beaten =
    Math.max(...mapped.map(({ market }) => Math.max(market.runners.length, market.definition.winners))) + 1;
  const hasWinner = ended.some(({ outcome, status }) => outcome.startsWith('win,') && status === 'WINNER');
  for (const { outcome, status } of ended) {
    const id = Number(outcome.split(',').at(-1));
    const place = status !== 'WINNER' ? beaten : hasWinner && !outcome.startsWith('win,') ? 2 : 1;
    if (status !== 'REMOVED') places.set(id, Math.min(places.get(id) ?? beaten, place));
  }
  return { kind: 'places', places };
}
