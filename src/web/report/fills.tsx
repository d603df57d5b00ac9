import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { usdtOf } from '../../domain/money.ts';
import { instant, odds, PAGE, second } from '../../lib/formats.ts';
import { priceOf } from '../../domain/ladder.ts';
import { MARK_HORIZONS_S } from '../../fair/marks.ts';
import { counterpartsIn } from '../../research/report/counterparts.ts';
import { ALL_FILLS, type FillFilter, filterFills } from '../../research/report/filter.ts';
import { type FillNames, namesIn } from '../../research/report/fill-names.ts';
import { ticksFromFair } from '../../research/report/mark-outs.ts';
import { explainCounterpart, explainFill } from '../../research/report/words.ts';
import type { ResearchFill, ScenarioResult } from '../../research/result.ts';
import { toneOf } from '../components/figure.tsx';
import { LongTable } from '../components/long-table.tsx';
import type { Column } from '../components/table.tsx';
import { ScenarioChoice } from './scenario-choice.tsx';

/** Every fill, with what explains it. */
export function Fills({ scenarios }: { readonly scenarios: readonly ScenarioResult[] }): JSX.Element {
  const [at, setAt] = useState(Math.min(1, scenarios.length - 1));
  const [filter, setFilter] = useState(ALL_FILLS);
  const [chosen, setChosen] = useState<ResearchFill | null>(null);
  const chosenScenario = scenarios[at];
  const fills = chosenScenario?.fills;
  const names = useMemo(() => namesIn(scenarios), [scenarios]);
  const shown = useMemo(() => filterFills(fills ?? [], filter, names), [fills, filter, names]);
  const columns = useMemo(() => columnsOf(setChosen, names), [names]);
  return (
    <section aria-labelledby="fills">
      <h2 id="fills">Fills</h2>
      <div class="bar">
        <ScenarioChoice
          scenarios={scenarios}
          at={at}
          label="Fills under"
          onChange={(place) => {
            setAt(place);
            setChosen(null);
          }}
        />
        <Filters filter={filter} onChange={setFilter} />
        <span class="quiet" role="status">
          {PAGE.whole(shown.length)} of {PAGE.whole(fills?.length ?? 0)} fills
        </span>
      </div>
      <LongTable caption="Table of fills" columns={columns} rows={shown} selected={chosen} />
      <div class="explanation" aria-live="polite" role="region" aria-label="Explanation of a fill">
        {chosen === null || chosenScenario === undefined ? (
          <p class="quiet">Choose “why” beside a fill: its explanation stands here.</p>
        ) : (
          <Explanation fill={chosen} of={chosenScenario} scenarios={scenarios} names={names} />
        )}
      </div>
    </section>
  );
}

interface FiltersProps {
  readonly filter: FillFilter;
  readonly onChange: (filter: FillFilter) => void;
}

function Filters({ filter, onChange }: FiltersProps): JSX.Element {
  const choice = <K extends 'direction' | 'cause' | 'phase'>(
    label: string,
    key: K,
    values: readonly FillFilter[K][],
  ): JSX.Element => (
    <label>
      {label}
      <select
        value={filter[key]}
        onChange={(event) => onChange({ ...filter, [key]: event.currentTarget.value })}
      >
        {values.map((value) => (
          <option value={value}>{value}</option>
        ))}
      </select>
    </label>
  );
  return (
    <>
      {choice('Side', 'direction', ['all', 'for', 'against'])}
      {choice('Cause', 'cause', ['all', 'trade', 'book-crossed', 'taken'])}
      {choice('Phase', 'phase', ['all', 'before play', 'in play'])}
      <label>
        Event, selection or market contains
        <input
          type="search"
          value={filter.text}
          onInput={(event) => onChange({ ...filter, text: event.currentTarget.value })}
        />
      </label>
    </>
  );
}

interface ExplanationProps {
  readonly fill: ResearchFill;
  readonly of: ScenarioResult;
  readonly names: FillNames;
  readonly scenarios: readonly ScenarioResult[];
}

function Explanation({ fill, of, scenarios, names }: ExplanationProps): JSX.Element {
  const counterparts = useMemo(() => counterpartsIn(scenarios), [scenarios]);
  return (
    <>
      <h3>
        {names.eventOf(fill)}, {names.selectionOf(fill)}: {fill.direction} at {odds(priceOf(fill.tick))},{' '}
        {instant(fill.atMs)}
      </h3>
      {explainFill(fill).map((sentence) => (
        <p>{sentence}</p>
      ))}
      <ul>
        <li>It counts under {of.scenario}, which this table shows.</li>
        {counterparts(fill, of.scenario).map((counterpart) => (
          <li>{explainCounterpart(counterpart, of.scenario)}</li>
        ))}
      </ul>
    </>
  );
}

const shareOf = ({ stakeMicros }: ResearchFill, micros: number | null): number | null =>
  micros === null ? null : micros / stakeMicros;

const MINUTE_AT = MARK_HORIZONS_S.indexOf(60);

function worthColumn(title: string, worthOf: (fill: ResearchFill) => number | null): Column<ResearchFill> {
  return {
    title,
    number: true,
    cell: (fill) => {
      const worth = shareOf(fill, worthOf(fill));
      return <span class={toneOf(worth)}>{PAGE.percentGain(worth)}</span>;
    },
    sortBy: (fill) => shareOf(fill, worthOf(fill)) ?? -Infinity,
  };
}

function columnsOf(onChoose: (fill: ResearchFill) => void, names: FillNames): Column<ResearchFill>[] {
  return [
    {
      title: 'reason',
      cell: (fill) => (
        <button
          type="button"
          aria-label={`why the fill of ${instant(fill.atMs)}`}
          onClick={() => onChoose(fill)}
        >
          why
        </button>
      ),
    },
    { title: 'time (UTC)', cell: ({ atMs }) => second(atMs), sortBy: ({ atMs }) => atMs },
    { title: 'event', text: 'cut', cell: names.eventOf, sortBy: names.eventOf },
    { title: 'selection', text: 'cut', cell: names.selectionOf, sortBy: names.selectionOf },
    { title: 'side', cell: ({ direction }) => direction, sortBy: ({ direction }) => direction },
    { title: 'price', number: true, cell: ({ tick }) => odds(priceOf(tick)), sortBy: ({ tick }) => tick },
    {
      title: 'stake',
      number: true,
      cell: ({ stakeMicros }) => PAGE.cents(usdtOf(stakeMicros)),
      sortBy: ({ stakeMicros }) => stakeMicros,
    },
    {
      title: 'ticks from fair',
      number: true,
      cell: (fill) => PAGE.decimal(ticksFromFair(fill), 1),
      sortBy: (fill) => ticksFromFair(fill) ?? -Infinity,
    },
    {
      title: 'to start',
      number: true,
      cell: ({ startsInMs, inPlay }) => (inPlay ? 'in play' : PAGE.lasting(startsInMs)),
      sortBy: ({ startsInMs }) => startsInMs,
    },
    {
      title: 'ahead',
      number: true,
      cell: ({ queueAheadMicros }) => PAGE.cents(usdtOf(queueAheadMicros)),
      sortBy: ({ queueAheadMicros }) => queueAheadMicros,
    },
    {
      title: 'traded',
      number: true,
      cell: ({ tradedMicros }) => PAGE.cents(usdtOf(tradedMicros)),
      sortBy: ({ tradedMicros }) => tradedMicros,
    },
    { title: 'cause', cell: ({ cause }) => cause, sortBy: ({ cause }) => cause },
    ...judgedColumns(),
    {
      title: 'data age',
      number: true,
      cell: ({ dataAgeMs }) => PAGE.lasting(dataAgeMs),
      sortBy: ({ dataAgeMs }) => dataAgeMs,
    },
  ];
}

/** What the fill was worth later. */
function judgedColumns(): Column<ResearchFill>[] {
  return [
    worthColumn('60 s', ({ markMicros }) => markMicros[MINUTE_AT] ?? null),
    {
      title: 'mark',
      cell: ({ markKinds }) => markKinds[MINUTE_AT] ?? 'none',
      sortBy: ({ markKinds }) => markKinds[MINUTE_AT] ?? 'none',
    },
    worthColumn('close', ({ closingMicros }) => closingMicros),
    {
      title: 'settled',
      number: true,
      cell: ({ settledMicros }) => (
        <span class={toneOf(settledMicros)}>{PAGE.gainInCents(usdtOf(settledMicros))}</span>
      ),
      sortBy: ({ settledMicros }) => settledMicros ?? -Infinity,
    },
  ];
}
