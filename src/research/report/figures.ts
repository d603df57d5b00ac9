/** The figures of a scenario, as text and as the number that decides colour and difference. */
import { usdtOf } from '../../domain/money.ts';
import { type Formats, PAGE } from '../../lib/formats.ts';
import { MARK_HORIZONS_S } from '../../fair/marks.ts';
import type { Estimate, ProfitSummary, ScenarioSummary } from '../summary.ts';
import { refusalCount } from '../refusals.ts';

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
  /** Whether it is of events with a result alone: two runs may have others. */
  readonly ofSettled?: boolean;
}

/** A mean with its interval, such as `+1.20 % [+0.40 %, +2.00 %]`. */
export function estimateText({ mean, interval }: Estimate): string {
  if (mean === null) return PAGE.nothing;
  if (interval === null) return PAGE.percentGain(mean);
  return `${PAGE.percentGain(mean)} [${PAGE.percentGain(interval[0])}, ${PAGE.percentGain(interval[1])}]`;
}

const estimate = (name: string, of: (summary: ScenarioSummary) => Estimate | undefined): FigureRow => ({
  name,
  text: (summary) => {
    const found = of(summary);
    return found === undefined ? PAGE.nothing : estimateText(found);
  },
  value: (summary) => of(summary)?.mean ?? null,
  difference: (value) => PAGE.percentGain(value),
  signed: true,
});

/** The same by risk in place of stake. */
const edge = (name: string, of: (summary: ScenarioSummary) => Estimate | undefined): FigureRow => ({
  name,
  text: (summary) => PAGE.percentGain(of(summary)?.edge ?? null),
  value: (summary) => of(summary)?.edge ?? null,
  difference: (value) => PAGE.percentGain(value),
  signed: true,
});

const money = (name: string, value: (summary: ScenarioSummary) => number | null): FigureRow => ({
  name,
  text: (summary) => PAGE.gainInCents(usdtOf(value(summary))),
  value,
  difference: (micros) => PAGE.gainInCents(usdtOf(micros)),
  signed: true,
});

const number = (name: string, value: (summary: ScenarioSummary) => number): FigureRow => ({
  name,
  text: (summary) => PAGE.whole(value(summary)),
  value,
  difference: (each) => PAGE.whole(each),
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
    return found === null ? PAGE.nothing : PAGE.percent(found);
  };
  return { name, text, value, difference: (each) => PAGE.percentGain(each, 1), signed: false };
}

/** Profits under the names that every surface uses. The second and the third add up to the fourth, at which the equity ends. */
export const PROFITS: readonly (readonly [string, (profit: ProfitSummary) => number | null])[] = [
  ['profit settled', ({ settledMicros }) => settledMicros],
  ['profit after commission', ({ afterCommissionMicros }) => afterCommissionMicros],
  ['open bets at the last fair value', ({ open }) => open.markedMicros],
  ['profit with open bets', ({ withOpenMicros }) => withOpenMicros],
  ['profit at fair value, results ignored', ({ markedMicros }) => markedMicros],
];

/** Such as `2 of 5`. */
export const settledEvents = ({ events, open }: ProfitSummary, formats: Formats): string =>
  `${formats.whole(events - open.events)} of ${formats.whole(events)}`;

const sigmas = (value: number): string => `${PAGE.decimal(value, 1)} sd`;

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
  { ...estimate('settled, of stake', ({ settlement }) => settlement), ofSettled: true },
  {
    name: 'distance from luck',
    text: ({ settlement: { sigmasFromLuck } }) =>
      sigmasFromLuck === null ? PAGE.nothing : sigmas(sigmasFromLuck),
    value: ({ settlement: { sigmasFromLuck } }) => sigmasFromLuck,
    difference: sigmas,
    signed: false,
    ofSettled: true,
  },
  {
    name: 'events settled, of those with bets',
    text: ({ profit }) => settledEvents(profit, PAGE),
    value: ({ profit: { events, open } }) => events - open.events,
    difference: (value) => PAGE.whole(value),
    signed: false,
  },
  ...PROFITS.map(([name, value]): FigureRow => ({
    ...money(name, ({ profit }) => value(profit)),
    ofSettled: name === 'profit settled' || name === 'profit after commission',
  })),
  {
    name: 'break-even edge, of risk',
    text: ({ breakEvenEdge }) => PAGE.percentGain(breakEvenEdge),
    value: ({ breakEvenEdge }) => breakEvenEdge,
    difference: (edgeBy) => PAGE.percentGain(edgeBy),
    signed: false,
  },
  money('worst case', ({ worstMicros }) => worstMicros),
  {
    ...money('drawdown', ({ drawdownMicros }) => drawdownMicros),
    text: ({ drawdownMicros }) => PAGE.cents(usdtOf(drawdownMicros)),
    signed: false,
  },
  number('fills', ({ fills }) => fills),
  {
    ...money('stake', ({ stakeMicros }) => stakeMicros),
    text: ({ stakeMicros }) => PAGE.cents(usdtOf(stakeMicros)),
    signed: false,
  },
  {
    name: 'decided by the rule for trades, of stake',
    text: ({ decidedByRule }) => PAGE.percent(decidedByRule),
    value: ({ decidedByRule }) => decidedByRule,
    difference: (value) => PAGE.percentGain(value, 1),
    signed: false,
  },
  {
    name: 'two-sided time',
    text: ({ twoSided }) => PAGE.percent(twoSided),
    value: ({ twoSided }) => twoSided,
    difference: (value) => PAGE.percentGain(value, 1),
    signed: false,
  },
  number('hedges', ({ hedges }) => hedges.count),
  {
    ...money('stake of hedges', ({ hedges }) => hedges.stakeMicros),
    text: ({ hedges }) => PAGE.cents(usdtOf(hedges.stakeMicros)),
    signed: false,
  },
  money('worth of hedges at fair', ({ hedges }) => hedges.worthMicros),
  number('orders', ({ budgets }) => budgets.orders),
  number('betslips', ({ budgets }) => budgets.betslips),
  number('refusals', ({ budgets }) => refusalCount(budgets.refusals)),
];
