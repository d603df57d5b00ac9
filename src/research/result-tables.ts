/** A backtest as tables: every fill, event and sample, with its scenario, and the summary. */
import { priceOf } from '../domain/ladder.ts';
import { RESEARCH_HORIZONS_S, type ScenarioResult } from './result.ts';
import type { BacktestReport, Estimate } from './summary.ts';
import type { Column, Table } from './tables.ts';

/** Tables of rows: the columns by their types, each with how a row gives its value. */
type Columns<Row> = readonly (
  | readonly [name: string, type: 'string', value: (row: Row) => string | null]
  | readonly [name: string, type: 'double' | 'integer' | 'timestamp', value: (row: Row) => number | null]
  | readonly [name: string, type: 'boolean', value: (row: Row) => boolean | null]
)[];

function tableOf<Row>(name: string, rows: readonly Row[], columns: Columns<Row>): Table {
  // The type of each column is that of its values: the union above pairs them.
  return {
    name,
    columns: columns.map(
      ([column, type, value]) => ({ name: column, type, values: rows.map((row) => value(row)) }) as Column,
    ),
  };
}

type Of<K extends 'fills' | 'events' | 'equity'> = ScenarioResult[K][number] &
  Pick<ScenarioResult, 'scenario'>;

const rowsOf = <K extends 'fills' | 'events' | 'equity'>(
  results: readonly ScenarioResult[],
  what: K,
): Of<K>[] =>
  results.flatMap((result) => result[what].map((row) => ({ ...row, scenario: result.scenario }) as Of<K>));

/** `fills`, `events`, `equity` and `summary`. Amounts are micros; prices are decimal. */
export function tablesOf({ result, summaries }: BacktestReport): Table[] {
  return [
    tableOf('fills', rowsOf(result.scenarios, 'fills'), FILL_COLUMNS),
    tableOf('events', rowsOf(result.scenarios, 'events'), EVENT_COLUMNS),
    tableOf('equity', rowsOf(result.scenarios, 'equity'), EQUITY_COLUMNS),
    tableOf('summary', summaries, SUMMARY_COLUMNS),
  ];
}

const FILL_COLUMNS: Columns<Of<'fills'>> = [
  ['scenario', 'string', ({ scenario }) => scenario],
  ['sport', 'string', ({ event }) => event.sport],
  ['event_id', 'string', ({ event }) => event.eventId],
  ['selection', 'string', ({ selectionId }) => selectionId],
  ['market', 'string', ({ marketId }) => marketId],
  ['direction', 'string', ({ direction }) => direction],
  ['price', 'double', ({ tick }) => priceOf(tick)],
  ['stake_micros', 'integer', ({ stakeMicros }) => stakeMicros],
  ['at', 'timestamp', ({ atMs }) => atMs],
  ['starts_in_ms', 'double', ({ startsInMs }) => startsInMs],
  ['in_play', 'boolean', ({ inPlay }) => inPlay],
  ['rested_from', 'timestamp', ({ restedFromMs }) => restedFromMs],
  ['queue_ahead_micros', 'integer', ({ queueAheadMicros }) => queueAheadMicros],
  ['traded_micros', 'integer', ({ tradedMicros }) => tradedMicros],
  ['cause', 'string', ({ cause }) => cause],
  ['fair_at_fill', 'double', ({ fairAtFill }) => fairAtFill],
  ...RESEARCH_HORIZONS_S.map(
    (horizonS, at) =>
      [`fair_after_${horizonS}_s`, 'double', ({ fairLater }: Of<'fills'>) => fairLater[at] ?? null] as const,
  ),
  ['fair_at_close', 'double', ({ fairAtClose }) => fairAtClose],
  ['data_age_ms', 'double', ({ dataAgeMs }) => dataAgeMs],
  ['settled_micros', 'integer', ({ settledMicros }) => settledMicros],
];

const EVENT_COLUMNS: Columns<Of<'events'>> = [
  ['scenario', 'string', ({ scenario }) => scenario],
  ['sport', 'string', ({ event }) => event.sport],
  ['event_id', 'string', ({ event }) => event.eventId],
  ['event', 'string', ({ eventName }) => eventName],
  ['day', 'string', ({ day }) => day],
  ['start', 'timestamp', ({ startMs }) => startMs],
  ['fills', 'integer', ({ fills }) => fills],
  ['stake_micros', 'integer', ({ stakeMicros }) => stakeMicros],
  ['settled_micros', 'integer', ({ settledMicros }) => settledMicros],
  ['after_commission_micros', 'integer', ({ afterCommissionMicros }) => afterCommissionMicros],
  ['marked_micros', 'integer', ({ markedMicros }) => markedMicros],
  ['closing_micros', 'integer', ({ closingMicros }) => closingMicros],
  ['closed_stake_micros', 'integer', ({ closedStakeMicros }) => closedStakeMicros],
  ['two_sided_ms', 'double', ({ twoSidedMs }) => twoSidedMs],
  ['open_ms', 'double', ({ openMs }) => openMs],
  ['orders', 'integer', ({ orders }) => orders],
  ['betslips', 'integer', ({ betslips }) => betslips],
  ['refusals', 'integer', ({ refusals }) => refusals],
  ['worst_micros', 'integer', ({ worstMicros }) => worstMicros],
];

const EQUITY_COLUMNS: Columns<Of<'equity'>> = [
  ['scenario', 'string', ({ scenario }) => scenario],
  ['at', 'timestamp', ({ atMs }) => atMs],
  ['settled_micros', 'integer', ({ settledMicros }) => settledMicros],
  ['marked_micros', 'integer', ({ markedMicros }) => markedMicros],
  ['worst_micros', 'integer', ({ worstMicros }) => worstMicros],
  ['inventory_micros', 'integer', ({ inventoryMicros }) => inventoryMicros],
];

type Summary = BacktestReport['summaries'][number];

const estimateColumns = (name: string, of: (summary: Summary) => Estimate | undefined): Columns<Summary> => [
  [name, 'double', (summary) => of(summary)?.mean ?? null],
  [`${name}_low`, 'double', (summary) => of(summary)?.interval?.[0] ?? null],
  [`${name}_high`, 'double', (summary) => of(summary)?.interval?.[1] ?? null],
];

const SUMMARY_COLUMNS: Columns<Summary> = [
  ['scenario', 'string', ({ scenario }) => scenario],
  ['fills', 'integer', ({ fills }) => fills],
  ['stake_micros', 'integer', ({ stakeMicros }) => stakeMicros],
  ...estimateColumns('closing_line', ({ closingLine }) => closingLine),
  ...RESEARCH_HORIZONS_S.flatMap((horizonS) =>
    estimateColumns(`after_${horizonS}_s`, ({ markouts }) => markouts.find((it) => it.horizonS === horizonS)),
  ),
  ['settled_micros', 'integer', ({ profit }) => profit.settledMicros],
  ['after_commission_micros', 'integer', ({ profit }) => profit.afterCommissionMicros],
  ['marked_micros', 'integer', ({ profit }) => profit.markedMicros],
  ['sigmas_from_luck', 'double', ({ settlement }) => settlement.sigmasFromLuck],
  ['spread_micros', 'integer', ({ split }) => split.spreadMicros],
  ['adverse_micros', 'integer', ({ split }) => split.adverseMicros],
  ['settlement_micros', 'integer', ({ split }) => split.settlementMicros],
  ['worst_micros', 'integer', ({ worstMicros }) => worstMicros],
  ['drawdown_micros', 'integer', ({ drawdownMicros }) => drawdownMicros],
  ['two_sided', 'double', ({ twoSided }) => twoSided],
];
