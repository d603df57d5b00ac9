import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { odds, PAGE, timeOfDay } from '../../../lib/formats.ts';
import { onExchange } from '../../../read-model/bet-terms.ts';
import type { LiveFill, LiveRefused } from '../../../read-model/live/message.ts';
import { toneOf } from '../../components/figure.tsx';
import { fillsOf, refusedOf, type View } from '../stream/view.ts';

type Entry =
  | { readonly kind: 'fill'; readonly atMs: number; readonly id: string; readonly fill: LiveFill }
  | { readonly kind: 'refused'; readonly atMs: number; readonly id: string; readonly order: LiveRefused };

const COLUMNS: readonly (readonly [title: string, kind: string])[] = [
  ['time', 'column-time'],
  ['event', 'column-where'],
  ['selection', 'column-what'],
  ['side', 'column-side'],
  ['stake', 'number column-amount'],
  ['price', 'number column-price'],
  ['10 s', 'number column-later'],
];

/** The last fills and refusals, the newest first. A press on a time explains one. Rows keep their places: only their text moves. */
export function FillsRail({ view }: { readonly view: View }): JSX.Element {
  const [chosen, setChosen] = useState<string | null>(null);
  const entries = entriesOf(view);
  const shown = entries.find(({ id }) => id === chosen);
  return (
    <section class="fills panel" aria-label="Last fills and refusals">
      <h2>Last fills and refusals</h2>
      {shown === undefined ? null : <p class="explanation">{explained(shown)}</p>}
      <div class="scroll" role="region" aria-label="Fills and refusals" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {COLUMNS.map(([title, kind]) => (
                <th scope="col" class={kind}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {entries.map((entry, at) => (
              <Row
                key={at}
                entry={entry}
                isChosen={entry.id === chosen}
                onChoose={() => setChosen(entry.id === chosen ? null : entry.id)}
              />
            ))}
          </tbody>
        </table>
        {entries.length === 0 ? <p class="quiet">None yet.</p> : null}
      </div>
    </section>
  );
}

interface RowProps {
  readonly entry: Entry;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Row({ entry, isChosen, onChoose }: RowProps): JSX.Element {
  const { event, name, direction, stake, price: at, atMs } = entry.kind === 'fill' ? entry.fill : entry.order;
  return (
    <tr class={entry.kind === 'refused' ? 'refused' : ''}>
      <td>
        <button type="button" aria-pressed={isChosen} onClick={onChoose}>
          {timeOfDay(atMs)}
        </button>
      </td>
      <td class="clipped" title={event}>
        {event}
      </td>
      <td class="clipped" title={name}>
        {name}
      </td>
      <td>{direction}</td>
      <td class="number">{PAGE.money(stake)}</td>
      <td class="number">{odds(at)}</td>
      <Later entry={entry} />
    </tr>
  );
}

/** From this share on a digit more would not fit. */
const WIDE = 0.0995;

function Later({ entry }: { readonly entry: Entry }): JSX.Element {
  if (entry.kind === 'refused') return <td class="number bad">refused</td>;
  const { markout10 } = entry.fill;
  if (markout10 === null) return <td class="number quiet">…</td>;
  return (
    <td class={`number ${toneOf(markout10)}`}>
      {PAGE.percentGain(markout10, Math.abs(markout10) < WIDE ? 1 : 0)}
    </td>
  );
}

function entriesOf(view: View): readonly Entry[] {
  const fills = fillsOf(view).map((fill): Entry => ({
    kind: 'fill',
    atMs: fill.atMs,
    id: `fill ${fill.betId}`,
    fill,
  }));
  const refused = refusedOf(view).map((order): Entry => ({
    kind: 'refused',
    atMs: order.atMs,
    id: `order ${order.requestUuid}`,
    order,
  }));
  return [...fills, ...refused].sort((a, b) => b.atMs - a.atMs);
}

function explained(entry: Entry): string {
  if (entry.kind === 'refused') {
    const { event, name, direction, price: at, stake, exchange, atMs } = entry.order;
    return `${timeOfDay(atMs)} UTC: the exchange refused to place ${PAGE.money(stake)} ${direction} ${name} at ${odds(at)}${onExchange(exchange, PAGE)} (${event}). The log line order_refused has its words.`;
  }
  const { event, name, direction, price: at, stake, exchange, role, strategy, atMs, markout10 } = entry.fill;
  const worth =
    markout10 === null
      ? 'What it was worth ten seconds later is not known yet.'
      : `Ten seconds later it was worth ${PAGE.percentGain(markout10)} of its stake.`;
  const meaning = direction === 'for' ? `We win if ${name} wins.` : `We win if ${name} does not win.`;
  return `${timeOfDay(atMs)} UTC, ${event}: ${PAGE.money(stake)} ${direction} ${name} at ${odds(at)}${onExchange(exchange, PAGE)} as ${role}${strategy === null ? '' : `, by ${strategy}`}. ${meaning} ${worth}`;
}
