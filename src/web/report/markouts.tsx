import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { usdtOf } from '../../domain/money.ts';
import { PAGE } from '../../lib/formats.ts';
import { groupMarkouts, GROUPINGS, type MarkoutGroup } from '../../research/report/mark-outs.ts';
import { MARK_HORIZONS_S } from '../../fair/marks.ts';
import type { ScenarioResult } from '../../research/result.ts';
import { toneOf } from '../components/figure.tsx';
import { type Column, Table } from '../components/table.tsx';
import { ScenarioChoice } from './scenario-choice.tsx';

/** Mark-outs by horizon, in groups of fills. */
export function Markouts({ scenarios }: { readonly scenarios: readonly ScenarioResult[] }): JSX.Element {
  const [at, setAt] = useState(Math.min(1, scenarios.length - 1));
  const fills = scenarios[at]?.fills;
  const groups = useMemo(
    () => GROUPINGS.map((grouping) => ({ ...grouping, rows: groupMarkouts(fills ?? [], grouping) })),
    [fills],
  );
  return (
    <section aria-labelledby="markouts">
      <h2 id="markouts">Mark-outs</h2>
      <p class="quiet">
        A mark-out is what a fill is worth at the first fair value so many seconds of open time later, or at
        the result if none came. Positive is good. A distance is how many ticks a price was better for us than
        the fair value.
      </p>
      <div class="bar">
        <ScenarioChoice scenarios={scenarios} at={at} onChange={setAt} label="Mark-outs of" />
      </div>
      <div class="charts">
        {groups.map(({ title, rows }) => (
          <Table caption={`Mark-outs by ${title.toLowerCase()}`} columns={columnsOf(title)} rows={rows} />
        ))}
      </div>
    </section>
  );
}

const toned = (value: number | null): JSX.Element => (
  <span class={toneOf(value)}>{PAGE.percentGain(value)}</span>
);

function columnsOf(title: string): Column<MarkoutGroup>[] {
  return [
    { title: title.toLowerCase(), cell: ({ group }) => group },
    { title: 'fills', number: true, cell: ({ fills }) => PAGE.whole(fills) },
    { title: 'stake', number: true, cell: ({ stakeMicros }) => PAGE.cents(usdtOf(stakeMicros)) },
    ...MARK_HORIZONS_S.map((horizonS, at): Column<MarkoutGroup> => ({
      title: `${horizonS} s`,
      number: true,
      cell: ({ means }) => toned(means[at] ?? null),
    })),
    { title: 'close', number: true, cell: ({ closing }) => toned(closing) },
  ];
}
