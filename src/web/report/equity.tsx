import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { usdtOf } from '../../domain/money.ts';
import { PAGE } from '../../lib/formats.ts';
import { explainResults } from '../../research/report/words.ts';
import type { BacktestReport, ScenarioSummary } from '../../research/summary.ts';
import { Figure } from '../components/figure.tsx';
import { Charts, equityCharts } from './charts.tsx';

/** What the run earned, and how it went there: the first that a reader wants to see. */
export function Equity({ report: { result, summaries } }: { readonly report: BacktestReport }): JSX.Element {
  const charts = useMemo(() => equityCharts(result.scenarios), [result]);
  return (
    <section aria-labelledby="equity">
      <h2 id="equity">Equity</h2>
      <div class="figures">
        {summaries.map((summary) => (
          <Earned summary={summary} />
        ))}
      </div>
      <Charts charts={charts} />
    </section>
  );
}

/** The end of the line of a scenario. Where bets are open, their worth is part of it, and the remark says how much. */
function Earned({ summary }: { readonly summary: ScenarioSummary }): JSX.Element {
  const { scenario, profit, drawdownMicros, worstMicros } = summary;
  const { withOpenMicros, open } = profit;
  return (
    <Figure
      name={`profit ${open.events === 0 ? 'after commission' : 'with open bets'}, ${scenario}`}
      value={PAGE.gainInCents(usdtOf(withOpenMicros))}
      sign={withOpenMicros}
    >
      {explainResults(profit, PAGE)}; drawdown {PAGE.cents(usdtOf(drawdownMicros))}, worst case{' '}
      {PAGE.cents(usdtOf(worstMicros))}
    </Figure>
  );
}
