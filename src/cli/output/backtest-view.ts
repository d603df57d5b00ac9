import { TERMINAL } from '../../lib/formats.ts';
import { fromMicros, type Micros, usdtOf } from '../../domain/money.ts';
import { MARK_HORIZONS_S } from '../../fair/marks.ts';
import { PROFITS, settledEvents } from '../../research/report/figures.ts';
import { explainVerdict } from '../../research/report/words.ts';
import type {
  BacktestReport,
  Estimate,
  MarkoutSummary,
  ScenarioSummary,
  Speed,
} from '../../research/summary.ts';
import { renderTable, type Row } from './output.ts';
import { refusalCount } from '../../research/refusals.ts';

const DAY_MS = 86_400_000;

/** A backtest for people: what was tried, the figures by scenario, and what to be careful of. */
export function backtestLines(
  { result, summaries, tries, warnings }: BacktestReport,
  speed: Speed,
): string[] {
  const { coverage } = result;
  const days = (coverage.toMs - coverage.fromMs) / DAY_MS;
  return [
    `${result.strategy} on ${coverage.events} event${coverage.events === 1 ? '' : 's'}, ${coverage.selections} selections, ${coverage.updates} updates in ${TERMINAL.decimal(days, 1)} days`,
    `${result.engine} engine, ${speed.updatesPerS} updates/s, try ${tries} of this data`,
    '',
    ...renderTable(rowsOf(summaries)),
    '',
    'Percentages are of the filled stake, with their 95 % interval over match days;',
    'those of an edge and of late marks are of the risk.',
    ...summaries.flatMap(verdictLines),
    ...reasonsOf(summaries),
    ...warnings.map((warning) => `Warning: ${warning}`),
    ...coverage.remarks.map((remark) => `Data: ${remark}`),
  ];
}

/** One row for each figure, one column for each scenario. */
function rowsOf(summaries: readonly ScenarioSummary[]): Row[] {
  return FIGURES.map(([figure, value]) => ({
    figure,
    ...Object.fromEntries(summaries.map((summary) => [summary.scenario, value(summary)])),
  }));
}

const FIGURES: readonly (readonly [string, (summary: ScenarioSummary) => string])[] = [
  ['fills', ({ fills }) => String(fills)],
  ['stake', ({ stakeMicros }) => money(stakeMicros)],
  ['decided by the trade rule', ({ decidedByRule }) => TERMINAL.percent(decidedByRule)],
  ['closing line', ({ closingLine }) => estimate(closingLine)],
  ['edge at the closing line', ({ closingLine }) => edge(closingLine)],
  ['starting price', ({ startingPrice }) => estimate(startingPrice)],
  ...MARK_HORIZONS_S.map(
    (horizonS, at) =>
      [`after ${horizonS} s`, ({ markouts }: ScenarioSummary) => estimate(markouts[at])] as const,
  ),
  ...MARK_HORIZONS_S.map(
    (horizonS, at) =>
      [`edge after ${horizonS} s`, ({ markouts }: ScenarioSummary) => edge(markouts[at])] as const,
  ),
  ...MARK_HORIZONS_S.map(
    (horizonS, at) =>
      [`late after ${horizonS} s`, ({ markouts }: ScenarioSummary) => late(markouts[at])] as const,
  ),
  ['break-even edge', ({ breakEvenEdge }) => TERMINAL.percentGain(breakEvenEdge)],
  ['spread', ({ split }) => money(split.spreadMicros)],
  ['adverse selection', ({ split }) => money(split.adverseMicros)],
  ['inventory', ({ split }) => money(split.inventoryMicros)],
  ['settlement', ({ split }) => money(split.settlementMicros)],
  ['events settled, of those with bets', ({ profit }) => settledEvents(profit, TERMINAL)],
  ...PROFITS.map(([name, value]) => [name, ({ profit }: ScenarioSummary) => gain(value(profit))] as const),
  [
    'distance from luck',
    ({ settlement: { sigmasFromLuck: sigmas } }) =>
      sigmas === null ? TERMINAL.nothing : `${TERMINAL.decimal(sigmas, 1)} sd`,
  ],
  ['worst case', ({ worstMicros }) => money(worstMicros)],
  ['drawdown', ({ drawdownMicros }) => money(drawdownMicros)],
  ['two-sided', ({ twoSided }) => TERMINAL.percent(twoSided, 0)],
  ['orders', ({ budgets }) => String(budgets.orders)],
  ['betslips', ({ budgets }) => String(budgets.betslips)],
  ['refusals', ({ budgets }) => String(refusalCount(budgets.refusals))],
];

const money = (micros: Micros | null): string => TERMINAL.cents(usdtOf(micros));

const gain = (micros: Micros | null): string => TERMINAL.gainInCents(usdtOf(micros));

const edge = (of: Estimate | undefined): string => TERMINAL.percentGain(of?.edge ?? null);

/** The share of the risk whose marks are late, or were never recorded. */
const late = (of: MarkoutSummary | undefined): string =>
  TERMINAL.percent(of === undefined ? null : of.kinds.late + of.kinds.none, 0);

function estimate(of: Estimate | undefined): string {
  const mean = of?.mean ?? null;
  if (of === undefined || mean === null) return TERMINAL.nothing;
  if (of.interval === null) return TERMINAL.percentGain(mean);
  const [low, high] = of.interval;
  return `${TERMINAL.percentGain(mean)} [${TERMINAL.percentGain(low)}, ${TERMINAL.percentGain(high)}]`;
}

const verdictLines = ({ scenario, verdicts }: ScenarioSummary): string[] =>
  verdicts.map((verdict) => `Verdict, ${scenario}, ${verdict.phase}: ${explainVerdict(verdict, TERMINAL)}`);

function reasonsOf([first]: readonly ScenarioSummary[]): string[] {
  const reason = first?.closingLine.reason ?? null;
  return reason === null ? [] : [`There is no interval: ${reason}.`];
}

/** The last line of `--json`. Names are in the style of the admin interface. */
export function backtestJson({ result, summaries, tries, warnings }: BacktestReport, speed: Speed): object {
  const { scenarios, coverage, latencyMs, ...rest } = result;
  return {
    ...rest,
    latency_ms: latencyMs,
    scenarios_run: scenarios.map(({ scenario }) => scenario),
    data: {
      sources: coverage.sources,
      events: coverage.events,
      selections: coverage.selections,
      from: new Date(coverage.fromMs).toISOString(),
      to: new Date(coverage.toMs).toISOString(),
      updates: coverage.updates,
      trades: coverage.trades,
      gap_ms: coverage.gapMs,
      remarks: coverage.remarks,
      hash: coverage.dataHash,
    },
    speed: {
      updates: speed.updates,
      updates_per_s: speed.updatesPerS,
      market_s_per_cpu_s: speed.marketSPerCpuS,
    },
    scenarios: Object.fromEntries(summaries.map((summary) => [summary.scenario, scenarioJson(summary)])),
    tries,
    warnings,
  };
}

function scenarioJson(summary: ScenarioSummary): object {
  const { profit, split, settlement, budgets } = summary;
  return {
    fills: summary.fills,
    stake: fromMicros(summary.stakeMicros),
    decided_by_rule: summary.decidedByRule,
    profit: {
      settled: amount(profit.settledMicros),
      after_commission: amount(profit.afterCommissionMicros),
      events: profit.events,
      open: {
        events: profit.open.events,
        fills: profit.open.fills,
        marked: amount(profit.open.markedMicros),
      },
      with_open: amount(profit.withOpenMicros),
      marked: amount(profit.markedMicros),
    },
    split: {
      spread: amount(split.spreadMicros),
      adverse: amount(split.adverseMicros),
      inventory: amount(split.inventoryMicros),
      settlement: amount(split.settlementMicros),
    },
    verdicts: summary.verdicts.map(({ phase, says, estimate: of, lateShare, range }) => ({
      phase,
      says,
      late: lateShare,
      range,
      ...estimateJson(of),
    })),
    mark_outs: Object.fromEntries(
      summary.markouts.map((it) => [`${it.horizonS}`, { ...estimateJson(it), kinds: it.kinds }]),
    ),
    closing_line: estimateJson(summary.closingLine),
    starting_price: estimateJson(summary.startingPrice),
    settlement: { ...estimateJson(settlement), sigmas_from_luck: settlement.sigmasFromLuck },
    break_even_edge: summary.breakEvenEdge,
    worst_case: amount(summary.worstMicros),
    drawdown: amount(summary.drawdownMicros),
    two_sided: summary.twoSided,
    budgets,
  };
}

const amount = (micros: Micros | null): number | null => (micros === null ? null : fromMicros(micros));

const estimateJson = ({
  mean,
  edge: byRisk,
  interval,
  pValue,
  reason,
  fills,
  events,
  days,
}: Estimate): object => ({ mean, edge: byRisk, interval, p_value: pValue, reason, fills, events, days });
