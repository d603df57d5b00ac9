import type { JSX } from 'preact';
import { PAGE } from '../../lib/formats.ts';
import {
  causesInWords,
  type FillRange,
  type ModelFills,
  profitInWords,
} from '../../read-model/fill-range.ts';
import type { LiveMoney } from '../../read-model/live/message.ts';
import { type Column, Table } from '../components/table.tsx';

/** On paper: what the same orders come to under every fill model. */
export function PaperFills({ paperFills }: LiveMoney): JSX.Element | null {
  if (paperFills === undefined) return null;
  return (
    <section>
      <h2>Paper fills</h2>
      <p class="quiet">{causesInWords(paperFills)}</p>
      <Table
        caption="The same orders under every fill model"
        columns={columnsOf(paperFills)}
        rows={paperFills.models}
      />
    </section>
  );
}

const columnsOf = ({ account }: FillRange): readonly Column<ModelFills>[] => [
  { title: 'model', cell: ({ model }) => (model === account ? `${model}, the account` : model) },
  { title: 'fills', number: true, cell: ({ fills }) => fills },
  { title: 'exchange stake', number: true, cell: ({ stakeMatched }) => PAGE.money(stakeMatched) },
  { title: 'profit', number: true, cell: (fills) => profitInWords(fills, PAGE) },
];
