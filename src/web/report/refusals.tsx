import type { JSX } from 'preact';
import { PAGE } from '../../lib/formats.ts';
import { reasonInWords } from '../../read-model/reason-words.ts';
import { refusalsTogether } from '../../research/refusals.ts';
import type { ScenarioSummary } from '../../research/summary.ts';
import { type Column, Table } from '../components/table.tsx';

interface RefusalsProps {
  readonly summaries: readonly ScenarioSummary[];
}

/** Why orders and betslips were refused, and how often under each scenario, the most frequent reason first. */
export function Refusals({ summaries }: RefusalsProps): JSX.Element {
  const reasons = Object.keys(refusalsTogether(summaries.map(({ budgets }) => budgets.refusals)));
  return (
    <section aria-labelledby="refusals">
      <h2 id="refusals">Refusals</h2>
      {reasons.length === 0 ? (
        <p>No order was refused.</p>
      ) : (
        <Table caption="Refusals by reason" columns={columnsOf(summaries)} rows={reasons} />
      )}
    </section>
  );
}

const columnsOf = (summaries: readonly ScenarioSummary[]): readonly Column<string>[] => [
  { title: 'reason', cell: reasonInWords },
  ...summaries.map(({ scenario, budgets }): Column<string> => ({
    title: scenario,
    number: true,
    cell: (reason) => PAGE.whole(budgets.refusals[reason] ?? 0),
  })),
];
