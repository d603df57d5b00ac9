import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { PAGE } from '../../lib/formats.ts';
import { fromMicros } from '../../domain/money.ts';
import {
  compared,
  type ComparedRow,
  differentEntries,
  differentRuns,
} from '../../research/report/compared.ts';
import { align } from '../../research/report/series.ts';
import type { BacktestReport } from '../../research/summary.ts';
import { Chart } from '../components/chart.tsx';
import { toneOf } from '../components/figure.tsx';
import { type Column, Table } from '../components/table.tsx';
import { ThemeChoice, ThemeVersion, useTheme } from '../components/theme.tsx';
import { Warnings } from '../components/warnings.tsx';

interface ComparePageProps {
  readonly a: BacktestReport;
  readonly b: BacktestReport;
}

const COLUMNS: readonly Column<ComparedRow>[] = [
  { title: 'figure', cell: ({ name }) => name },
  { title: 'A', number: true, cell: ({ a }) => a },
  { title: 'B', number: true, cell: ({ b }) => b },
  {
    title: 'B − A',
    number: true,
    cell: ({ difference, sign }) => <span class={toneOf(sign)}>{difference}</span>,
  },
];

type Entry = readonly [string, string, string];

const ENTRIES: readonly Column<Entry>[] = [
  { title: 'name', cell: ([name]) => name },
  { title: 'A', text: 'wraps', cell: ([, a]) => a },
  { title: 'B', text: 'wraps', cell: ([, , b]) => b },
];

/** Two backtests side by side. */
export function ComparePage({ a, b }: ComparePageProps): JSX.Element {
  const { theme, setTheme, version } = useTheme();
  const entries = useMemo(() => differentEntries(a, b), [a, b]);
  return (
    <ThemeVersion.Provider value={version}>
      <header>
        <h1>
          Comparison of {a.result.strategy} and {b.result.strategy}
        </h1>
        <div class="bar">
          <ThemeChoice theme={theme} onChange={setTheme} />
        </div>
      </header>
      <main class="report">
        <Warnings warnings={warningsOf(a, b)} />
        <section aria-labelledby="differences">
          <h2 id="differences">What was run differently</h2>
          {entries.length === 0 ? (
            <p>Nothing: both runs have the same strategy, parameters and data.</p>
          ) : (
            <Table caption="Settings that differ" columns={ENTRIES} rows={entries} />
          )}
        </section>
        {useMemo(() => compared(a, b), [a, b]).map(({ scenario, rows }) => (
          <section aria-labelledby={`compare-${scenario}`}>
            <h2 id={`compare-${scenario}`}>{scenario}</h2>
            <Table caption={`Figures under ${scenario}`} columns={COLUMNS} rows={rows} />
            <ProfitChart a={a} b={b} scenario={scenario} />
          </section>
        ))}
      </main>
      <footer>
        <p class="quiet">Amounts are in the account's currency, times in UTC.</p>
      </footer>
    </ThemeVersion.Provider>
  );
}

function warningsOf(a: BacktestReport, b: BacktestReport): string[] {
  const isSameData = a.result.coverage.dataHash === b.result.coverage.dataHash;
  return [
    ...(isSameData
      ? []
      : ['The runs used different data: a difference of figures says little about the strategies.']),
    ...differentRuns(a, b),
    ...a.warnings.map((warning) => `A: ${warning}`),
    ...b.warnings.map((warning) => `B: ${warning}`),
  ];
}

function ProfitChart({ a, b, scenario }: ComparePageProps & { readonly scenario: string }): JSX.Element {
  const { atS, lines } = useMemo(() => {
    const series = [a, b].map(
      ({ result }) => result.scenarios.find((it) => it.scenario === scenario)?.equity ?? [],
    );
    const aligned = align(series, ({ markedMicros }) => fromMicros(markedMicros));
    const named = ['A', 'B'].map((name, at) => ({ name, values: aligned.values[at] ?? [] }));
    return { atS: aligned.atS, lines: named };
  }, [a, b, scenario]);
  return (
    <Chart
      title={`Profit with open bets at the fair value, ${scenario}`}
      atS={atS}
      lines={lines}
      format={PAGE.money}
    />
  );
}
