import type { JSX } from 'preact';
import { instant, PAGE } from '../../lib/formats.ts';
import type { BacktestReport } from '../../research/summary.ts';
import { type Column, Table } from '../components/table.tsx';

type Entry = readonly [string, string];

const COLUMNS: readonly Column<Entry>[] = [
  { title: 'name', cell: ([name]) => name },
  { title: 'value', text: 'wraps', cell: ([, value]) => value },
];

/** What was run on which data. */
export function About({ report }: { readonly report: BacktestReport }): JSX.Element {
  const { coverage } = report.result;
  return (
    <section aria-labelledby="about">
      <h2 id="about">Parameters and data</h2>
      <div class="charts">
        <Table caption="Parameters of the strategy" columns={COLUMNS} rows={parametersOf(report)} />
        <Table caption="The run" columns={COLUMNS} rows={runOf(report)} />
        <Table caption="Coverage of the data" columns={COLUMNS} rows={coverageOf(report)} />
      </div>
      <h3>Sources</h3>
      <ul>
        {coverage.sources.map((source) => (
          <li style={{ overflowWrap: 'anywhere' }}>{source}</li>
        ))}
      </ul>
      <h3>Remarks on the data</h3>
      {coverage.remarks.length === 0 ? <p>None.</p> : null}
      <ul>
        {coverage.remarks.map((remark) => (
          <li>{remark}</li>
        ))}
      </ul>
    </section>
  );
}

/** Parameters by name, as JSON unless they are text. */
export function parametersOf({ result }: BacktestReport): Entry[] {
  return Object.entries(result.parameters).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
}

function runOf({ result, tries }: BacktestReport): Entry[] {
  const { strategy, engine, seed, latencyMs, commission } = result;
  return [
    ['strategy', strategy],
    ['engine', engine],
    ['seed', String(seed)],
    ['latency', typeof latencyMs === 'number' ? PAGE.lasting(latencyMs) : 'drawn'],
    ['commission', commission === 'recorded' ? 'as recorded' : String(commission)],
    ['tries of this data set', PAGE.whole(tries)],
  ];
}

function coverageOf({ result: { coverage } }: BacktestReport): Entry[] {
  return [
    ['from (UTC)', instant(coverage.fromMs)],
    ['to (UTC)', instant(coverage.toMs)],
    ['events', PAGE.whole(coverage.events)],
    ['selections', PAGE.whole(coverage.selections)],
    ['updates', PAGE.whole(coverage.updates)],
    ['trades', PAGE.whole(coverage.trades)],
    ['gaps', PAGE.lasting(coverage.gapMs)],
    ['hash of the data set', coverage.dataHash],
  ];
}
