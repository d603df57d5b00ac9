/** A backtest as tables: every fill, event and sample, with its scenario, and the summary. */
import { priceOf } from '../domain/ladder.ts';
import { MARK_HORIZONS_S } from '../fair/marks.ts';
import type { ScenarioResult } from './result.ts';
import type { BacktestReport, Estimate, MarkoutSummary } from './summary.ts';
import type { Column, Table } from './tables.ts';
import { refusalCount } from './refusals.ts';

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
  ['hedge', 'string', ({ hedge }) => hedge],
  ['fair_at_fill', 'double', ({ fairAtFill }) => fairAtFill],
  ['worth_micros', 'integer', ({ worthMicros }) => worthMicros],
  ...MARK_HORIZONS_S.flatMap((horizonS, at): Columns<Of<'fills'>> => [
    [`fair_after_${horizonS}_s`, 'double', ({ fairLater }) => fairLater[at] ?? null],
    [`mark_after_${horizonS}_s`, 'string', ({ markKinds }) => markKinds[at] ?? null],
    [`worth_after_${horizonS}_s_micros`, 'integer', ({ markMicros }) => markMicros[at] ?? null],
  ]),
  ['fair_at_close', 'double', ({ fairAtClose }) => fairAtClose],
  ['closing_micros', 'integer', ({ closingMicros }) => closingMicros],
  ['no_closing', 'string', ({ noClosing }) => noClosing],
  ['starting_micros', 'integer', ({ startingMicros }) => startingMicros],
  ['last_micros', 'integer', ({ lastMicros }) => lastMicros],
  ['per_unpushed_stake', 'boolean', ({ perUnpushed }) => perUnpushed],
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
  ['surprise_micros', 'integer', ({ surpriseMicros }) => surpriseMicros],
  ['deviation_micros', 'double', ({ deviationMicros }) => deviationMicros],
  ['chance_commission_micros', 'double', ({ chanceCommissionMicros }) => chanceCommissionMicros],
  ['two_sided_ms', 'double', ({ twoSidedMs }) => twoSidedMs],
  ['open_ms', 'double', ({ openMs }) => openMs],
  ['orders', 'integer', ({ orders }) => orders],
  ['betslips', 'integer', ({ betslips }) => betslips],
  ['refusals', 'integer', ({ refusals }) => refusalCount(refusals)],
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
  [`${name}_edge`, 'double', (summary) => of(summary)?.edge ?? null],
  [`${name}_low`, 'double', (summary) => of(summary)?.interval?.[0] ?? null],
  [`${name}_high`, 'double', (summary) => of(summary)?.interval?.[1] ?? null],
];

/** The share of the risk whose marks are late, or were never recorded. */
const lateOf = (markout: MarkoutSummary | undefined): number | null =>
  markout === undefined ? null : markout.kinds.late + markout.kinds.none;

const SUMMARY_COLUMNS: Columns<Summary> = [
  ['scenario', 'string', ({ scenario }) => scenario],
  ['fills', 'integer', ({ fills }) => fills],
  ['stake_micros', 'integer', ({ stakeMicros }) => stakeMicros],
  ['decided_by_rule', 'double', ({ decidedByRule }) => decidedByRule],
  ...estimateColumns('closing_line', ({ closingLine }) => closingLine),
  ...estimateColumns('starting_price', ({ startingPrice }) => startingPrice),
  ...MARK_HORIZONS_S.flatMap((horizonS, at): Columns<Summary> => [
    ...estimateColumns(`after_${horizonS}_s`, ({ markouts }) => markouts[at]),
    [`after_${horizonS}_s_late`, 'double', ({ markouts }) => lateOf(markouts[at])],
  ]),
  ...(['before play', 'in play'] as const).map(
    (phase) =>
      [
        `verdict_${phase.replace(' ', '_')}`,
        'string',
        ({ verdicts }: Summary) => verdicts.find((it) => it.phase === phase)?.says ?? null,
      ] as const,
  ),
  ['settled_micros', 'integer', ({ profit }) => profit.settledMicros],
  ['after_commission_micros', 'integer', ({ profit }) => profit.afterCommissionMicros],
  ['open_events', 'integer', ({ profit }) => profit.open.events],
  ['open_marked_micros', 'integer', ({ profit }) => profit.open.markedMicros],
  ['with_open_micros', 'integer', ({ profit }) => profit.withOpenMicros],
  ['marked_micros', 'integer', ({ profit }) => profit.markedMicros],
  ['sigmas_from_luck', 'double', ({ settlement }) => settlement.sigmasFromLuck],
  ['break_even_edge', 'double', ({ breakEvenEdge }) => breakEvenEdge],
  ['spread_micros', 'integer', ({ split }) => split.spreadMicros],
  ['adverse_micros', 'integer', ({ split }) => split.adverseMicros],
  ['inventory_micros', 'integer', ({ split }) => split.inventoryMicros],
  ['settlement_micros', 'integer', ({ split }) => split.settlementMicros],
  ['hedges', 'integer', ({ hedges }) => hedges.count],
  ['hedge_stake_micros', 'integer', ({ hedges }) => hedges.stakeMicros],
  ['hedge_worth_micros', 'integer', ({ hedges }) => hedges.worthMicros],
  ['worst_micros', 'integer', ({ worstMicros }) => worstMicros],
  ['drawdown_micros', 'integer', ({ drawdownMicros }) => drawdownMicros],
  ['two_sided', 'double', ({ twoSided }) => twoSided],
];
