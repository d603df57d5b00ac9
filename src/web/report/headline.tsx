import type { JSX } from 'preact';
import { PAGE, significant } from '../../lib/formats.ts';
import { FIGURES, type FigureRow } from '../../research/report/figures.ts';
import { explainLuck, explainVerdict } from '../../research/report/words.ts';
import type { BacktestReport, ScenarioSummary } from '../../research/summary.ts';
import { Figure, toneOf } from '../components/figure.tsx';
import { type Column, Table } from '../components/table.tsx';

/** What matters first: the closing line by scenario, then every figure, then how far they can be trusted. */
export function Headline({ report }: { readonly report: BacktestReport }): JSX.Element {
  const { summaries } = report;
  return (
    <section aria-labelledby="result">
      <h2 id="result">Result</h2>
      <div class="figures">
        {summaries.map(({ scenario, closingLine, fills }) => (
          <Figure
            name={`closing-line value, ${scenario}`}
            value={PAGE.percentGain(closingLine.mean)}
            sign={closingLine.mean}
          >
            {closingLine.interval === null
              ? 'no interval'
              : `95 %: ${PAGE.percentGain(closingLine.interval[0])} to ${PAGE.percentGain(closingLine.interval[1])}`}
            , {PAGE.whole(closingLine.fills)} of {PAGE.whole(fills)} fills
          </Figure>
        ))}
      </div>
      <Trust report={report} />
      <Table caption="Figures by scenario" columns={columnsOf(summaries)} rows={FIGURES} />
      <p class="quiet">
        Percentages are of the filled stake, those of an edge of the risk. Brackets hold the 95 % interval
        over match days. A fill changes the next quotes, so the profits of the scenarios need not be ordered.
      </p>
    </section>
  );
}

function columnsOf(summaries: readonly ScenarioSummary[]): Column<FigureRow>[] {
  return [
    { title: 'figure', cell: ({ name }) => name },
    ...summaries.map((summary): Column<FigureRow> => ({
      title: summary.scenario,
      number: true,
      cell: (row) => <span class={row.signed ? toneOf(row.value(summary)) : ''}>{row.text(summary)}</span>,
    })),
  ];
}

/** Why there is an interval or none, how far settlement is from luck, and how often the data were tried. */
function Trust({ report: { summaries, tries } }: { readonly report: BacktestReport }): JSX.Element {
  return (
    <ul>
      {summaries.flatMap(({ scenario, verdicts }) =>
        verdicts.map((verdict) => (
          <li>
            <b>
              {scenario}, {verdict.phase}
            </b>
            : {explainVerdict(verdict, PAGE)}
          </li>
        )),
      )}
      {summaries.map(({ scenario, fills, closingLine, settlement }) => (
        <li>
          <b>{scenario}</b>:{' '}
          {closingLine.reason === null
            ? `closing-line value over ${PAGE.whole(closingLine.days)} match days, p-value ${closingLine.pValue === null ? PAGE.nothing : significant(closingLine.pValue, 2)}.`
            : `no interval: ${closingLine.reason}.`}{' '}
          Settled {PAGE.percentGain(settlement.mean)} of stake, {PAGE.whole(settlement.fills)} of{' '}
          {PAGE.whole(fills)} fills. {explainLuck(settlement)}
        </li>
      ))}
      <li>
        {tries === 1
          ? 'This data set was tried once.'
          : `This data set was tried ${PAGE.whole(tries)} times, this run included.`}
      </li>
    </ul>
  );
}
