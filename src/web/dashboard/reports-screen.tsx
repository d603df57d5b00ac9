import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { RESULT_HEAD } from '../../research/result.ts';
import type { BacktestReport } from '../../research/summary.ts';
import { ReportBody, ReportTitle } from '../report/report-page.tsx';

/** Opens the result of a backtest, or the report of a recorded session, in this page. The file goes to no server. */
export function ReportsScreen(): JSX.Element {
  const [report, setReport] = useState<BacktestReport | null>(null);
  const [problem, setProblem] = useState('');
  const open = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const read = readReport(await file.text());
    setReport(read);
    setProblem(read === null ? `${file.name} is not the result of a backtest of this version` : '');
  };
  return (
    <div class="reports">
      <h1>Reports</h1>
      <p class="quiet">
        <code>touchline backtest --out FOLDER</code> and <code>touchline replay RECORDING --out FOLDER</code>{' '}
        write <code>backtest.json</code>. It is read here and sent nowhere.
      </p>
      <div class="bar">
        <label>
          Open backtest.json
          <input
            type="file"
            accept=".json,application/json"
            onChange={(event) => void open(event.currentTarget.files?.[0])}
          />
        </label>
        <span role="alert">{problem}</span>
      </div>
      {report === null ? null : (
        <section aria-label="Report">
          <ReportTitle report={report} />
          <ReportBody report={report} />
        </section>
      )}
    </div>
  );
}

/** Null if the text is no result of this version. */
function readReport(text: string): BacktestReport | null {
  try {
    const value = JSON.parse(text) as {
      readonly result?: Partial<Record<keyof typeof RESULT_HEAD, unknown>>;
    };
    const { format, version } = value.result ?? {};
    const isOurs = format === RESULT_HEAD.format && version === RESULT_HEAD.version;
    return isOurs ? (value as BacktestReport) : null;
  } catch {
    return null;
  }
}
