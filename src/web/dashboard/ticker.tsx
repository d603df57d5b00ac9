import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { LiveFill, LiveRefused } from '../../read-model/live/message.ts';
import { percent, price, thereToo, timeOfDay, usdt } from './numbers.ts';
import { fillsOf, refusedOf, type View } from './stream/view.ts';

type Entry =
  | { readonly kind: 'fill'; readonly atMs: number; readonly id: string; readonly fill: LiveFill }
  | { readonly kind: 'refused'; readonly atMs: number; readonly id: string; readonly order: LiveRefused };

interface TickerProps {
  readonly view: View;
  /** Only this event's; null: all. */
  readonly eventKey: string | null;
}

/** The last fills and refusals in one line, the newest left. A click explains one. */
export function Ticker({ view, eventKey }: TickerProps): JSX.Element {
  const [chosen, setChosen] = useState<string | null>(null);
  const entries = entriesOf(view).filter((entry) => eventKey === null || keyOf(entry) === eventKey);
  const shown = entries.find(({ id }) => id === chosen);
  return (
    <section class="ticker" aria-label="Last fills and refusals">
      <h2>Last fills and refusals</h2>
      {entries.length === 0 ? <p class="quiet">None yet.</p> : null}
      <ul>
        {entries.map((entry) => (
          <li key={entry.id}>
            <button
              type="button"
              class={entry.kind}
              aria-pressed={entry.id === chosen}
              onClick={() => setChosen(entry.id === chosen ? null : entry.id)}
            >
              {shortOf(entry)}
            </button>
          </li>
        ))}
      </ul>
      {shown === undefined ? null : <p class="explanation">{explained(shown)}</p>}
    </section>
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

const keyOf = (entry: Entry): string => (entry.kind === 'fill' ? entry.fill : entry.order).eventKey;

function shortOf(entry: Entry): string {
  if (entry.kind === 'refused') return `refused ${entry.order.name} ${entry.order.direction}`;
  const { name, direction, price: at, stake, markout10 } = entry.fill;
  const later = markout10 === null ? '' : ` ${markout10 >= 0 ? '▲' : '▼'}${percent(Math.abs(markout10))}`;
  return `${name} ${direction} ${usdt(stake)} at ${price(at)}${later}`;
}

function explained(entry: Entry): string {
  if (entry.kind === 'refused') {
    const { event, name, direction, price: at, stake, exchange, atMs } = entry.order;
    return `${timeOfDay(atMs)} UTC: the exchange refused to place ${usdt(stake)} ${direction} ${name} at ${price(at)}${thereToo(exchange)} (${event}). The log line order_refused has its words.`;
  }
  const { event, name, direction, price: at, stake, exchange, role, strategy, atMs, markout10 } = entry.fill;
  const worth =
    markout10 === null
      ? 'What it was worth ten seconds later is not known yet.'
      : `Ten seconds later it was worth ${percent(markout10, 2)} of its stake.`;
  const meaning = direction === 'for' ? `We win if ${name} wins.` : `We win if ${name} does not win.`;
  return `${timeOfDay(atMs)} UTC, ${event}: ${usdt(stake)} ${direction} ${name} at ${price(at)}${thereToo(exchange)} as ${role}${strategy === null ? '' : `, by ${strategy}`}. ${meaning} ${worth}`;
}
