import type { JSX } from 'preact';
import { instant, PAGE } from '../../lib/formats.ts';
import type { BacktestReport } from '../../research/summary.ts';
import { ThemeChoice, ThemeVersion, useTheme } from '../components/theme.tsx';
import { Warnings } from '../components/warnings.tsx';
import { About } from './about.tsx';
import { Equity } from './equity.tsx';
import { Fills } from './fills.tsx';
import { Headline } from './headline.tsx';
import { Markouts } from './markouts.tsx';
import { Money } from './money.tsx';
import { RealFills } from './real-fills.tsx';
import { Refusals } from './refusals.tsx';

interface ReportProps {
  readonly report: BacktestReport;
}

/** The report of one backtest. */
export function ReportPage({ report }: ReportProps): JSX.Element {
  const { theme, setTheme, version } = useTheme();
  return (
    <ThemeVersion.Provider value={version}>
      <header>
        <ReportTitle report={report} />
        <div class="bar">
          <ThemeChoice theme={theme} onChange={setTheme} />
        </div>
      </header>
      <main>
        <ReportBody report={report} />
      </main>
      <footer>
        <p class="quiet">Amounts are in the account's currency, times in UTC.</p>
      </footer>
    </ThemeVersion.Provider>
  );
}

/** What was tested. */
export function ReportTitle({ report: { result } }: ReportProps): JSX.Element {
  const { coverage } = result;
  return (
    <div>
      <h1>Backtest of {result.strategy}</h1>
      <p class="quiet">
        {PAGE.whole(coverage.events)} {coverage.events === 1 ? 'event' : 'events'},{' '}
        {PAGE.whole(coverage.selections)} selections, {instant(coverage.fromMs)} to {instant(coverage.toMs)}{' '}
        UTC, {result.engine} engine
      </p>
    </div>
  );
}

/** Everything below the title. */
export function ReportBody({ report }: ReportProps): JSX.Element {
  const { result, warnings, real } = report;
  return (
    <div class="report">
      <Warnings warnings={warnings} />
      <Equity report={report} />
      <Headline report={report} />
      <Markouts scenarios={result.scenarios} />
      <Money report={report} />
      <Refusals summaries={report.summaries} />
      {real === undefined ? null : <RealFills report={report} real={real} />}
      <Fills scenarios={result.scenarios} />
      <About report={report} />
    </div>
  );
}
