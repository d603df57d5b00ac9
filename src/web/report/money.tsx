import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { PAGE } from '../../lib/formats.ts';
import { usdtOf } from '../../domain/money.ts';
import type { EventOutcome, ScenarioResult } from '../../research/result.ts';
import type { BacktestReport, ScenarioSummary } from '../../research/summary.ts';
import { toneOf } from '../components/figure.tsx';
import { LongTable } from '../components/long-table.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Charts, riskCharts } from './charts.tsx';
import { ScenarioChoice } from './scenario-choice.tsx';
import { refusalCount } from '../../research/refusals.ts';

/** Where the profit comes from, what was at risk, and each event. */
export function Money({ report }: { readonly report: BacktestReport }): JSX.Element {
  const { scenarios } = report.result;
  return (
    <section aria-labelledby="money">
      <h2 id="money">Profit and risk</h2>
      <Table caption="Where the profit comes from" columns={SPLIT} rows={report.summaries} />
      <p class="quiet">
        The spread is what fills earned at once against the fair value. Adverse selection is what the fair
        value did to them in the next 60 s of open time, and inventory what it did from then until the closing
        line, or in play until its last value. The rest is settlement. They add up to the settled profit
        before commission; where some events have a result, the others are left out.
      </p>
      <Charts charts={useMemo(() => riskCharts(scenarios), [scenarios])} />
      <Events scenarios={scenarios} />
    </section>
  );
}

const toned = (micros: number | null): JSX.Element => (
  <span class={toneOf(micros)}>{PAGE.gainInCents(usdtOf(micros))}</span>
);

const SPLIT: readonly Column<ScenarioSummary>[] = [
  { title: 'scenario', cell: ({ scenario }) => scenario },
  { title: 'spread earned', number: true, cell: ({ split }) => toned(split.spreadMicros) },
  { title: 'adverse selection', number: true, cell: ({ split }) => toned(split.adverseMicros) },
  { title: 'inventory', number: true, cell: ({ split }) => toned(split.inventoryMicros) },
  { title: 'settlement', number: true, cell: ({ split }) => toned(split.settlementMicros) },
  { title: 'settled profit', number: true, cell: (summary) => toned(summary.profit.settledMicros) },
  {
    title: 'after commission',
    number: true,
    cell: (summary) => toned(summary.profit.afterCommissionMicros),
  },
];

const EVENTS: readonly Column<EventOutcome>[] = [
  { title: 'event', text: 'cut', cell: ({ eventName }) => eventName, sortBy: ({ eventName }) => eventName },
  { title: 'day', cell: ({ day }) => day, sortBy: ({ startMs }) => startMs },
  { title: 'fills', number: true, cell: ({ fills }) => PAGE.whole(fills), sortBy: ({ fills }) => fills },
  {
    title: 'stake',
    number: true,
    cell: ({ stakeMicros }) => PAGE.cents(usdtOf(stakeMicros)),
    sortBy: ({ stakeMicros }) => stakeMicros,
  },
  {
    title: 'closing line',
    number: true,
    cell: (event) => PAGE.percentGain(closingOf(event)),
    sortBy: (event) => closingOf(event) ?? -Infinity,
  },
  {
    title: 'settled',
    number: true,
    cell: ({ settledMicros }) => toned(settledMicros),
    sortBy: ({ settledMicros }) => settledMicros ?? -Infinity,
  },
  {
    title: 'after commission',
    number: true,
    cell: ({ afterCommissionMicros }) => toned(afterCommissionMicros),
    sortBy: ({ afterCommissionMicros }) => afterCommissionMicros ?? -Infinity,
  },
  {
    title: 'at the last fair value',
    number: true,
    cell: ({ markedMicros }) => toned(markedMicros),
    sortBy: ({ markedMicros }) => markedMicros,
  },
  {
    title: 'worst case',
    number: true,
    cell: ({ worstMicros }) => toned(worstMicros),
    sortBy: ({ worstMicros }) => worstMicros,
  },
  {
    title: 'two-sided',
    number: true,
    cell: (event) => PAGE.percent(twoSidedOf(event)),
    sortBy: (event) => twoSidedOf(event),
  },
  { title: 'orders', number: true, cell: ({ orders }) => PAGE.whole(orders), sortBy: ({ orders }) => orders },
  {
    title: 'betslips',
    number: true,
    cell: ({ betslips }) => PAGE.whole(betslips),
    sortBy: ({ betslips }) => betslips,
  },
  {
    title: 'refusals',
    number: true,
    cell: ({ refusals }) => PAGE.whole(refusalCount(refusals)),
    sortBy: ({ refusals }) => refusalCount(refusals),
  },
];

const closingOf = ({ closingMicros, closedStakeMicros }: EventOutcome): number | null =>
  closedStakeMicros > 0 ? closingMicros / closedStakeMicros : null;

const twoSidedOf = ({ twoSidedMs, openMs }: EventOutcome): number => (openMs > 0 ? twoSidedMs / openMs : 0);

function Events({ scenarios }: { readonly scenarios: readonly ScenarioResult[] }): JSX.Element {
  const [at, setAt] = useState(Math.min(1, scenarios.length - 1));
  const events = scenarios[at]?.events ?? [];
  return (
    <>
      <h3>Events</h3>
      <div class="bar">
        <ScenarioChoice scenarios={scenarios} at={at} onChange={setAt} label="Events under" />
        <span class="quiet">
          {PAGE.whole(events.length)} {events.length === 1 ? 'event' : 'events'}
        </span>
      </div>
      <LongTable caption="Table of events" columns={EVENTS} rows={events} />
    </>
  );
}
