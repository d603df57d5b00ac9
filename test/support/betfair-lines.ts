/** Lines of Betfair's stream format, written by a test. */
import { BetfairImport, type FileSummary } from '../../src/research/import/betfair.ts';
import type { ImportedEvent } from '../../src/research/import/event-import.ts';
import { MarketsInMemory } from '../../src/research/tapes/in-memory.ts';

export const START = '2026-01-03T15:00:00.000Z';
export const FIRST_MS = Date.parse('2026-01-03T14:00:00.000Z');

export interface GivenRunner {
  readonly id: number;
  readonly hc?: number;
  readonly name?: string;
  readonly status?: string;
}

export interface GivenMarket {
  readonly id: string;
  readonly type: string;
  readonly runners: readonly GivenRunner[];
  readonly eventId?: string;
  readonly sport?: string;
  readonly eventName?: string;
  readonly winners?: number;
  readonly start?: string;
}

/** The definition of a market; `more` replaces members. */
export const definitionOf = (market: GivenMarket, more: object = {}): object => ({
  eventId: market.eventId ?? '31',
  eventTypeId: market.sport ?? '1',
  marketType: market.type,
  marketTime: market.start ?? START,
  numberOfWinners: market.winners ?? 1,
  status: 'OPEN',
  inPlay: false,
  betDelay: 0,
  marketBaseRate: 5,
  eventName: market.eventName,
  runners: market.runners.map((runner, at) => ({ status: 'ACTIVE', sortPriority: at + 1, ...runner })),
  ...more,
});

export const line = (ms: number, ...changes: readonly object[]): string =>
  JSON.stringify({ op: 'mcm', pt: FIRST_MS + ms, mc: changes });

/** The first image of a market. */
export const opening = (market: GivenMarket, more: object = {}): string =>
  line(0, { id: market.id, img: true, marketDefinition: definitionOf(market, more) });

/** The last line of a market, with the results of its runners. */
export const closing = (market: GivenMarket, statuses: readonly string[]): string =>
  line(9_000_000, {
    id: market.id,
    marketDefinition: definitionOf(
      {
        ...market,
        runners: market.runners.map((runner, at) => ({ ...runner, status: statuses[at] ?? 'LOSER' })),
      },
      { status: 'CLOSED', inPlay: true },
    ),
  });

async function* portions(lines: readonly string[]): AsyncGenerator<readonly string[]> {
  yield lines.slice(0, 3);
  if (lines.length > 3) yield lines.slice(3);
}

/** Imports files, each with its lines. Rejects as the import does. */
export async function imported(
  files: readonly (readonly string[])[],
): Promise<{ readonly events: readonly ImportedEvent[]; readonly summaries: readonly FileSummary[] }> {
  const markets = new MarketsInMemory();
  const reading = new BetfairImport(markets);
  const summaries: FileSummary[] = [];
  for (const [at, lines] of files.entries())
    summaries.push(await reading.read({ file: `file ${at + 1}`, lines: portions(lines) }));
  return { events: markets.events(), summaries };
}
