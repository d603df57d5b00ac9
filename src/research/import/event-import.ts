/** The markets of one match, as events of the exchange. */
import { eventId, sport as sportCode } from '../../domain/ids.ts';
import { selectionId } from '../../domain/selection.ts';
import { joined, type Part } from '../columns.ts';
import { type EventTape, OP, type TapeMarket, type TapeSelection, type Updates } from '../tape.ts';
import type { RunnerDefinition } from './definition.ts';
import { groupOf, type Mapped, mapMarket } from './mapping.ts';
import type { ImportedMarket } from './market-import.ts';
import type { Liberties } from './runner-book.ts';
import { type Ended, settle } from './results.ts';

/** What an import left out, by market type and reason. */
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

interface MappedMarket {
  readonly market: WholeMarket;
  readonly mapped: Mapped;
  /** By the `of` of the market's updates. */
  readonly outcomes: readonly (string | null)[];
}

/** Joins the markets of one match (`groupOf` is the same). */
export function eventOf(markets: readonly WholeMarket[]): ImportedEvent {
  const leftOut = new Map<string, LeftOut>();
  const bySport = new Map<string, MappedMarket[]>();
  for (const market of markets.toSorted(byImportance)) {
    const mapped = mapMarket(market.definition);
    if ('why' in mapped) count(leftOut, market, mapped.why, market.runners.length);
    else add(bySport, mapped.sport, { market, mapped, outcomes: outcomesOf(market, mapped) });
  }
  const remarks: string[] = [];
  const tapes = Array.from(bySport, ([sport, mapped]) => tapeOf(sport, mapped, markets, leftOut, remarks));
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

/** Match odds first: they name the teams. */
const byImportance = (a: ImportedMarket, b: ImportedMarket): number =>
  Number(b.definition.marketType === 'MATCH_ODDS') - Number(a.definition.marketType === 'MATCH_ODDS') ||
  (a.marketId < b.marketId ? -1 : 1);

/** The definition lists the runners by priority, the updates by appearance. */
function outcomesOf({ definition, runners }: ImportedMarket, { outcomes }: Mapped): (string | null)[] {
  const byRunner = new Map(
    definition.runners.map(({ runnerId, handicap }, at) => [`${runnerId}:${handicap}`, outcomes[at] ?? null]),
  );
  return runners.map(({ runnerId, handicap }) => byRunner.get(`${runnerId}:${handicap}`) ?? null);
}

function tapeOf(
  sport: string,
  mapped: readonly MappedMarket[],
  all: readonly ImportedMarket[],
  leftOut: Map<string, LeftOut>,
  remarks: string[],
): EventTape {
  const names = namesOf(all, sport);
  const { listed, parts } = selectionsOf(mapped, leftOut);
  const settled = settle(
    sport,
    listed.map(({ ended }) => ended),
  );
  if (settled.score !== null)
    remarks.push(`${names.eventName}: the results agree on ${settled.score.join('-')} alone`);
  for (const remark of settled.remarks) remarks.push(`${names.eventName}: ${remark}`);
  const inPlay = mapped.flatMap(({ market }) => market.inPlayMs ?? []);
  return {
    event: { sport: names.sport, eventId: names.eventId },
    eventName: names.eventName,
    home: names.home,
    away: names.away,
    competitionId: 1,
    competitionName: 'Betfair',
    startMs: names.startMs,
    inPlayMs: inPlay.length === 0 ? null : Math.min(...inPlay),
    markets: mapped.map(tapeMarketOf),
    selections: listed.map(({ market, name, ended: { outcome } }, at) => ({
      selectionId: selectionId(names.sport, names.eventId, outcome),
      outcome,
      market,
      name,
      settlement: settled.settlements[at] ?? null,
    })),
    removals: [],
    updates: joined(parts, (op) => op === OP.state),
    hasTrades: mapped.some(({ market }) => market.counts.trades > 0),
    gaps: mapped.flatMap(({ market }) => market.gaps).toSorted((a, b) => a.fromMs - b.fromMs),
  };
}

interface Listed extends Omit<TapeSelection, 'selectionId' | 'settlement' | 'outcome'> {
  readonly ended: Ended;
}

/** The selections of an event's markets, each once, and where the markets' updates find them. */
function selectionsOf(
  mapped: readonly MappedMarket[],
  leftOut: Map<string, LeftOut>,
): { readonly listed: readonly Listed[]; readonly parts: readonly Part[] } {
  const taken = new Set<string>();
  const listed: Listed[] = [];
  const parts = mapped.map(({ market, outcomes }, index): Part => {
    const places = outcomes.map((outcome, at) => {
      if (outcome === null || taken.has(outcome)) return -1;
      taken.add(outcome);
      const name = market.runners[at]?.name ?? outcome;
      return listed.push({ market: index, name, ended: endOf(market, at, outcome) }) - 1;
    });
    countRunners(leftOut, market, outcomes, places);
    return { updates: market.updates, selections: places, markets: [index] };
  });
  return { listed, parts };
}

const tapeMarketOf = ({ market, mapped }: MappedMarket): TapeMarket => ({
  marketId: market.marketId,
  marketType: mapped.family,
  commissionRate: market.definition.commissionRate,
  winners: market.definition.winners,
  otherRunners: market.definition.runners.filter(
    ({ status }, at) => status !== 'REMOVED' && mapped.outcomes[at] === null,
  ).length,
  betDelayModels: [],
});

function endOf({ definition, runners }: ImportedMarket, at: number, outcome: string): Ended {
  const winners = definition.runners.filter(({ status }) => status === 'WINNER').length;
  const isPlaced = outcome.startsWith('win,') || outcome.startsWith('top,');
  return {
    outcome,
    status: runners[at]?.status ?? 'ACTIVE',
    ended: definition.status === 'CLOSED',
    winners,
    paid: isPlaced ? Math.max(1, definition.winners) : Infinity,
  };
}

interface Names {
  readonly sport: ReturnType<typeof sportCode>;
  readonly eventId: ReturnType<typeof eventId>;
  readonly eventName: string;
  readonly home: string | null;
  readonly away: string | null;
  readonly startMs: number;
}

/** The event's names, from its match odds if it has them. */
function namesOf(markets: readonly ImportedMarket[], sport: string): Names {
  const first = markets.toSorted(byImportance)[0] as ImportedMarket;
  const { startMs, matchId, eventName } = first.definition;
  const date = new Date(startMs).toISOString().slice(0, 10);
  const teams = teamsOf(first);
  const numbers =
    teams === null ? `${matchId},${startOfDayS(startMs)}` : teams.map(({ runnerId }) => runnerId).join(',');
  const [home = null, away = null] =
    teams?.map(({ name }, at) => name ?? named(eventName.split(' v ')[at])) ?? [];
  const versus =
    teams?.map(({ name, runnerId }) => name ?? runnerId).join(' v ') ??
    `Betfair ${groupOf(first.definition)}`;
  return {
    sport: sportCode(sport),
    eventId: eventId(`${date},${numbers}`),
    eventName: named(eventName) ?? versus,
    home,
    away,
    startMs,
  };
}

const named = (name: string | undefined): string | null => (name === undefined || name === '' ? null : name);

const startOfDayS = (startMs: number): number => Math.floor((startMs % 86_400_000) / 1000);

/** Home and away of a market that names both first: match odds, or a handicap. */
function teamsOf({ definition }: ImportedMarket): readonly RunnerDefinition[] | null {
  const { marketType, runners } = definition;
  const isMatch =
    marketType === 'MATCH_ODDS' || marketType === 'ASIAN_HANDICAP' || marketType === 'DRAW_NO_BET';
  return isMatch && runners.length >= 2 ? runners.slice(0, 2) : null;
}

function countRunners(
  leftOut: Map<string, LeftOut>,
  market: ImportedMarket,
  outcomes: readonly (string | null)[],
  places: readonly number[],
): void {
  const unnamed = outcomes.filter((outcome) => outcome === null).length;
  const repeated = places.filter((place) => place < 0).length - unnamed;
  if (unnamed > 0) count(leftOut, market, 'these runners have no bet type on the exchange', unnamed);
  if (repeated > 0) count(leftOut, market, 'another market of the event has the same bet types', repeated);
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

function add<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
