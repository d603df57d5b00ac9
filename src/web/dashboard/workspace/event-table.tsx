import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { PAGE } from '../../../lib/formats.ts';
import { EVENT_COLUMNS, type EventColumn } from '../../../read-model/live/event-columns.ts';
import type { LiveEvent } from '../../../read-model/live/message.ts';
import { toneOf } from '../../components/figure.tsx';
import { orderedBy } from '../../components/rows.ts';
import { Sparkline } from '../../components/sparkline.tsx';
import { addressOf, type Desk, ONLY, toggled } from '../desk.ts';
import { show } from '../screens.ts';
import { eventsOf, type Shown } from '../stream/view.ts';
import { absentInWords, noFairInWords } from '../words.ts';
import { reasonInFull, shownEvents } from './event-rows.ts';

interface EventTableProps {
  readonly desk: Desk;
  readonly shown: Shown;
  /** The event that the rest of the workspace shows. */
  readonly selected: string | null;
}

/** Every event in a row, with why it is not quoted whole. Rows keep their order while the pointer is over them. */
export function EventTable({ desk, shown, selected }: EventTableProps): JSX.Element {
  const [isHeld, setHeld] = useState(false);
  const events = useOrder(shownEvents(eventsOf(shown.view), desk), isHeld, JSON.stringify(desk));
  return (
    <section class="events panel" aria-label="Events">
      <Choices desk={desk} count={events.length} />
      <div
        class="scroll"
        role="region"
        aria-label="Table of events"
        tabIndex={0}
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
      >
        <table>
          <thead>
            <tr>
              <th scope="col" class="column-event">
                event
              </th>
              {EVENT_COLUMNS.map((column) => (
                <Title column={column} desk={desk} />
              ))}
            </tr>
          </thead>
          <tbody>
            {events.map((event, at) => (
              <Row key={at} event={event} desk={desk} shown={shown} isSelected={event.key === selected} />
            ))}
          </tbody>
        </table>
        {events.length === 0 ? (
          <p class="quiet">{absentInWords(shown, null, 'Nothing is quoted, held or open here.')}</p>
        ) : null}
      </div>
    </section>
  );
}

/** The order of the rows; while it is held, rows only come at the end and go. */
function useOrder(events: readonly LiveEvent[], isHeld: boolean, asked: string): readonly LiveEvent[] {
  const kept = useRef<{ readonly asked: string; readonly keys: readonly string[] }>({ asked, keys: [] });
  const before = kept.current;
  const place = ({ key }: LiveEvent): number => {
    const at = before.keys.indexOf(key);
    return at < 0 ? Infinity : at;
  };
  const isStill = isHeld && before.asked === asked;
  const ordered = isStill ? orderedBy(events, place, false) : events;
  kept.current = { asked, keys: ordered.map(({ key }) => key) };
  return ordered;
}

function Choices({ desk, count }: { readonly desk: Desk; readonly count: number }): JSX.Element {
  return (
    <div class="choices">
      <h2>Events</h2>
      <input
        type="search"
        aria-label="Find events"
        placeholder="find an event or a competition"
        value={desk.find}
        onInput={(event) => show({ ...desk, find: event.currentTarget.value })}
      />
      <select
        aria-label="Which events"
        value={desk.only}
        onChange={(event) =>
          show({ ...desk, only: ONLY.find((each) => each === event.currentTarget.value) ?? 'all' })
        }
      >
        {ONLY.map((only) => (
          <option value={only}>{only}</option>
        ))}
      </select>
      <span class="quiet">{count} shown</span>
    </div>
  );
}

function Title({ column, desk }: { readonly column: EventColumn; readonly desk: Desk }): JSX.Element {
  const { name, title, isNumber } = column;
  const isAscending = desk.sort === name;
  const isDescending = desk.sort === `-${name}`;
  return (
    <th
      scope="col"
      class={`column-${name} ${isNumber ? 'number' : ''}`}
      aria-sort={isAscending ? 'ascending' : isDescending ? 'descending' : 'none'}
    >
      <button type="button" onClick={() => show({ ...desk, sort: isAscending ? `-${name}` : name })}>
        {title}
        <span aria-hidden="true">{isAscending ? '▲' : isDescending ? '▼' : ''}</span>
      </button>
    </th>
  );
}

interface RowProps {
  readonly event: LiveEvent;
  readonly desk: Desk;
  readonly shown: Shown;
  readonly isSelected: boolean;
}

function Row({ event, desk, shown: { view, atMs }, isSelected }: RowProps): JSX.Element {
  const { key, name, profit, worst } = event;
  const isPinned = desk.pins.includes(key);
  const tones: Readonly<Record<string, string>> = {
    worst: worst < 0 ? 'bad' : '',
    profit: toneOf(profit?.expected),
    reason: 'quiet',
  };
  const titles: Readonly<Record<string, string>> = {
    reason: reasonInFull(event, atMs),
    profit: noFairInWords(profit === null ? 0 : event.withoutFair),
  };
  return (
    <tr class={isSelected ? 'selected' : ''}>
      <th scope="row" class="column-event">
        <button
          type="button"
          class="pin"
          aria-label={`Pin ${name}`}
          aria-pressed={isPinned}
          onClick={() => show({ ...desk, pins: toggled(desk.pins, key) })}
        >
          {isPinned ? '★' : '☆'}
        </button>
        <a
          class="event"
          href={addressOf({ ...desk, event: key, ladders: [] })}
          aria-current={isSelected ? 'true' : undefined}
        >
          <b>{name}</b>
        </a>
      </th>
      {EVENT_COLUMNS.map(({ name: column, isNumber, text }) => (
        <td
          class={`column-${column} ${isNumber ? 'number' : ''} ${tones[column] ?? ''}`}
          title={titles[column]}
        >
          {column === 'profit' ? <Sparkline values={view.traces.profits.get(key) ?? []} /> : null}
          {text(event, atMs, PAGE)}
        </td>
      ))}
    </tr>
  );
}
