import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { usdtOf } from '../../domain/money.ts';
import { PAGE } from '../../lib/formats.ts';
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

/** The end of the line of a scenario: what was settled, or else what open bets are worth. */
function Earned({ summary }: { readonly summary: ScenarioSummary }): JSX.Element {
  const { scenario, profit, drawdownMicros, worstMicros } = summary;
  const { afterCommissionMicros, markedMicros } = profit;
  const isSettled = afterCommissionMicros !== null;
  const earned = isSettled ? afterCommissionMicros : markedMicros;
  return (
    <Figure
      name={`profit ${isSettled ? 'after commission' : 'at the last fair value'}, ${scenario}`}
      value={PAGE.gainInCents(usdtOf(earned))}
      sign={earned}
    >
      drawdown {PAGE.cents(usdtOf(drawdownMicros))}, worst case {PAGE.cents(usdtOf(worstMicros))}
    </Figure>
  );
}
