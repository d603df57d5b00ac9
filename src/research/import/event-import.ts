/** The markets of one match, as events of the exchange. */
import {
  listedSelections,
  type ListedSelections,
  type MappedMarket,
  mappedEvent,
} from '../../betfair/event.ts';
import { type Identity, identityOf } from '../../betfair/identity.ts';
import { settle } from '../../betfair/results.ts';
import type { Liberties } from '../../betfair/runner-book.ts';
import { eventId, sport as sportCode } from '../../domain/ids.ts';
import { selectionId } from '../../domain/selection.ts';
import { joined } from '../columns.ts';
import { type EventTape, OP, type Removal, type TapeMarket, type Updates } from '../tape.ts';
import { type ImportedMarket, withLastEnd } from './market-import.ts';

/** The markets that an import left out, by market type and reason. */
export interface LeftOut {
  readonly marketType: string;
  readonly why: string;
  readonly markets: number;
  readonly selections: number;
}

export interface ImportedEvent {
  /** One for each sport of the match: a half is an event of its own (`fb_ht`). */
  readonly tapes: readonly EventTape[];
  readonly leftOut: readonly LeftOut[];
  readonly remarks: readonly string[];
  /** Over all its markets, those that were left out included; null for what an exchange itself sent. */
  readonly counts: EventCounts | null;
}

export interface EventCounts extends Liberties {
  /** Images after the first. */
  readonly newImages: number;
  /** Markets of which only the best levels were recorded. */
  readonly rankedMarkets: number;
  /** Markets without any level, which may have last prices. */
  readonly marketsWithoutDepth: number;
}

/** A market with its updates. */
export interface WholeMarket extends ImportedMarket {
  readonly updates: Updates;
}

/** Joins the markets of one event (`groupedByEvent`), of which the first names it. */
export function eventOf(markets: readonly WholeMarket[]): ImportedEvent {
  const leftOut = new Map<string, LeftOut>();
  const { bySport, unmapped } = mappedEvent(markets);
  for (const { market, why } of unmapped) count(leftOut, market, why, market.runners.length);
  const remarks: string[] = [];
  const [first] = markets;
  const identity = first === undefined ? null : identityOf(first);
  const tapes =
    identity === null
      ? []
      : Array.from(bySport, ([sport, mapped]) => tapeOf(sport, mapped, identity, leftOut, remarks));
  return { tapes, leftOut: [...leftOut.values()], remarks, counts: countsOf(markets) };
}

function countsOf(markets: readonly ImportedMarket[]): EventCounts {
  const sumOf = (value: (counts: ImportedMarket['counts']) => number): number =>
    markets.reduce((sum, { counts }) => sum + value(counts), 0);
  return {
    offLadder: sumOf(({ offLadder }) => offLadder),
    outside: sumOf(({ outside }) => outside),
    corrections: sumOf(({ corrections }) => corrections),
    newImages: sumOf(({ newImages }) => newImages),
    rankedMarkets: sumOf(({ ranked }) => Number(ranked)),
    marketsWithoutDepth: sumOf(({ levels }) => Number(levels === 0)),
  };
}

function tapeOf(
  sport: string,
  mapped: readonly MappedMarket<WholeMarket>[],
  identity: Identity,
  leftOut: Map<string, LeftOut>,
  remarks: string[],
): EventTape {
  const { eventName, teams, startMs, numbers } = identity;
  const event = {
    sport: sportCode(sport),
    eventId: eventId(`${new Date(startMs).toISOString().slice(0, 10)},${numbers}`),
  };
  const { selections, places } = listedSelections(mapped);
  countRunners(leftOut, mapped, places);
  const settled = settle(
    sport,
    selections.map(({ ended }) => ended),
  );
  if (settled.score !== null)
    remarks.push(`${eventName}: the results agree on ${settled.score.join('-')} alone`);
  for (const remark of settled.remarks) remarks.push(`${eventName}: ${remark}`);
  const inPlay = mapped.flatMap(({ market }) => market.inPlayMs ?? []);
  return {
    event,
    eventName,
    home: teams?.homeName ?? null,
    away: teams?.awayName ?? null,
    startMs,
    competitionId: 1,
    competitionName: 'Betfair',
    inPlayMs: inPlay.length === 0 ? null : Math.min(...inPlay),
    markets: mapped.map(tapeMarketOf),
    selections: selections.map(({ market, name, outcome, startingPrice }, at) => ({
      selectionId: selectionId(event.sport, event.eventId, outcome),
      outcome,
      market,
      name: name ?? outcome,
      settlement: settled.settlements[at] ?? null,
      ...(startingPrice === null ? {} : { startingPrice }),
    })),
    removals: removalsOf(mapped, places),
    updates: joined(
      mapped.map(({ market }, index) => ({
        updates: withLastEnd(market.updates),
        selections: places[index] ?? [],
        markets: [index],
      })),
      (op) => op === OP.state,
    ),
    hasTrades: mapped.some(({ market }) => market.counts.trades > 0),
    gaps: gapsOf(mapped),
  };
}

/** A gap of one market: the others go on. */
const gapsOf = (mapped: readonly MappedMarket<WholeMarket>[]): EventTape['gaps'] =>
  mapped
    .flatMap(({ market }, index) => market.gaps.map((gap) => ({ ...gap, market: index })))
    .toSorted((a, b) => a.fromMs - b.fromMs);

const removalsOf = (
  mapped: readonly MappedMarket<WholeMarket>[],
  places: ListedSelections['places'],
): Removal[] =>
  mapped
    .flatMap(({ market }, index) =>
      market.removals.map(({ atMs, of, factor }) => {
        const selection = places[index]?.[of] ?? -1;
        return { atMs, market: index, selection: selection < 0 ? null : selection, factor };
      }),
    )
    .toSorted((a, b) => a.atMs - b.atMs);

const tapeMarketOf = ({ market, mapped }: MappedMarket<WholeMarket>): TapeMarket => ({
  marketId: market.marketId,
  marketType: mapped.family,
  commissionRate: market.definition.commissionRate,
  winners: market.definition.winners,
  otherRunners: market.definition.runners.filter(
    ({ status }, at) => status !== 'REMOVED' && mapped.outcomes[at] === null,
  ).length,
  betDelayModels: market.definition.betDelayModels,
});

function countRunners(
  leftOut: Map<string, LeftOut>,
  mapped: readonly MappedMarket<WholeMarket>[],
  places: ListedSelections['places'],
): void {
  for (const [index, { market, outcomes }] of mapped.entries()) {
    const unnamed = outcomes.filter((outcome) => outcome === null).length;
    const repeated = (places[index] ?? []).filter((place) => place < 0).length - unnamed;
    if (unnamed > 0) count(leftOut, market, 'these runners have no bet type on the exchange', unnamed);
    if (repeated > 0) count(leftOut, market, 'another market of the event has the same bet types', repeated);
  }
}

function count(leftOut: Map<string, LeftOut>, market: ImportedMarket, why: string, selections: number): void {
  const { marketType } = market.definition;
  const key = `${marketType}: ${why}`;
  const before = leftOut.get(key);
  leftOut.set(key, {
    marketType,
    why,
    markets: (before?.markets ?? 0) + 1,
    selections: (before?.selections ?? 0) + selections,
  });
}
