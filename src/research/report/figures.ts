/** The figures of a scenario, as text and as the number that decides colour and difference. */
import { MARK_HORIZONS_S } from '../../fair/marks.ts';
import type { Estimate, ScenarioSummary } from '../summary.ts';
import { amount, count, NOTHING, percent, profit, share } from './formats.ts';

/** A figure of every scenario. */
export interface FigureRow {
  readonly name: string;
  readonly text: (summary: ScenarioSummary) => string;
  /** Null where there is no value. */
  readonly value: (summary: ScenarioSummary) => number | null;
  /** Shows the difference of two values. */
  readonly difference: (value: number) => string;
  /** Whether the sign is good or bad news. */
  readonly signed: boolean;
}

/** A mean with its interval, such as `+1.20 % [+0.40 %, +2.00 %]`. */
export function estimateText({ mean, interval }: Estimate): string {
  if (mean === null) return NOTHING;
  if (interval === null) return percent(mean);
  return `${percent(mean)} [${percent(interval[0])}, ${percent(interval[1])}]`;
}

const estimate = (name: string, of: (summary: ScenarioSummary) => Estimate | undefined): FigureRow => ({
  name,
  text: (summary) => {
    const found = of(summary);
    return found === undefined ? NOTHING : estimateText(found);
  },
  value: (summary) => of(summary)?.mean ?? null,
  difference: (value) => percent(value),
  signed: true,
});

/** The same by risk in place of stake. */
const edge = (name: string, of: (summary: ScenarioSummary) => Estimate | undefined): FigureRow => ({
  name,
  text: (summary) => percent(of(summary)?.edge ?? null),
  value: (summary) => of(summary)?.edge ?? null,
  difference: (value) => percent(value),
  signed: true,
});

const money = (name: string, value: (summary: ScenarioSummary) => number | null): FigureRow => ({
  name,
  text: (summary) => profit(value(summary)),
  value,
  difference: profit,
  signed: true,
});

const number = (name: string, value: (summary: ScenarioSummary) => number): FigureRow => ({
  name,
  text: (summary) => count(value(summary)),
  value,
  difference: count,
  signed: false,
});

/** The share of the risk whose marks are late, or were never recorded. */
function late(name: string, at: number): FigureRow {
  const value = ({ markouts }: ScenarioSummary): number | null => {
    const kinds = markouts[at]?.kinds;
    return kinds === undefined ? null : kinds.late + kinds.none;
  };
  const text = (summary: ScenarioSummary): string => {
    const found = value(summary);
    return found === null ? NOTHING : share(found);
  };
  return { name, text, value, difference: (each) => percent(each, 1), signed: false };
}

const sigmas = (value: number): string => `${value.toFixed(1)} sd`.replace('-', '−');

/** All figures: closing line and mark-outs first, because they need few fills. */
export const FIGURES: readonly FigureRow[] = [
  estimate('closing-line value', ({ closingLine }) => closingLine),
  edge('edge at the closing line', ({ closingLine }) => closingLine),
  estimate('value at the starting price', ({ startingPrice }) => startingPrice),
  ...MARK_HORIZONS_S.flatMap((horizonS, at) => [
    estimate(`mark-out after ${horizonS} s`, ({ markouts }) => markouts[at]),
    edge(`edge after ${horizonS} s`, ({ markouts }) => markouts[at]),
    late(`late marks after ${horizonS} s, of risk`, at),
  ]),
  estimate('settled, of stake', ({ settlement }) => settlement),
  {
    name: 'distance from luck',
    text: ({ settlement: { sigmasFromLuck } }) =>
      sigmasFromLuck === null ? NOTHING : sigmas(sigmasFromLuck),
    value: ({ settlement: { sigmasFromLuck } }) => sigmasFromLuck,
    difference: sigmas,
    signed: false,
  },
  money('profit settled', (summary) => summary.profit.settledMicros),
  money('profit after commission', (summary) => summary.profit.afterCommissionMicros),
  money('profit at the last fair value', (summary) => summary.profit.markedMicros),
  {
    name: 'break-even edge, of risk',
    text: ({ breakEvenEdge }) => percent(breakEvenEdge),
    value: ({ breakEvenEdge }) => breakEvenEdge,
    difference: percent,
    signed: false,
  },
  money('worst case', ({ worstMicros }) => worstMicros),
  {
    ...money('drawdown', ({ drawdownMicros }) => drawdownMicros),
    text: ({ drawdownMicros }) => amount(drawdownMicros),
    signed: false,
  },
  number('fills', ({ fills }) => fills),
  {
    ...money('stake', ({ stakeMicros }) => stakeMicros),
    text: ({ stakeMicros }) => amount(stakeMicros),
    signed: false,
  },
  {
    name: 'decided by the rule for trades, of stake',
    text: ({ decidedByRule }) => share(decidedByRule),
    value: ({ decidedByRule }) => decidedByRule,
    difference: (value) => percent(value, 1),
    signed: false,
  },
  {
    name: 'two-sided time',
    text: ({ twoSided }) => share(twoSided),
    value: ({ twoSided }) => twoSided,
    difference: (value) => percent(value, 1),
    signed: false,
  },
  number('hedges', ({ hedges }) => hedges.count),
  {
    ...money('stake of hedges', ({ hedges }) => hedges.stakeMicros),
    text: ({ hedges }) => amount(hedges.stakeMicros),
    signed: false,
  },
  money('worth of hedges at fair', ({ hedges }) => hedges.worthMicros),
  number('orders', ({ budgets }) => budgets.orders),
  number('betslips', ({ budgets }) => budgets.betslips),
  number('refusals', ({ budgets }) => budgets.refusals),
];
