import type { JSX } from 'preact';
import { PAGE } from '../../../lib/formats.ts';
import { toneOf } from '../../components/figure.tsx';
import { eventsOf, strategiesOf, type View } from '../stream/view.ts';
import type { RecordedFill, RecordedProfit } from '../../../read-model/live/records.ts';
import { type EventProfit, filledBy, profitsByEvent } from './profits.ts';

interface ProfitPartsProps {
  readonly view: View;
  /** Of the span that is shown, and of the event if one is chosen. */
  readonly fills: readonly RecordedFill[];
  /** Of the span, the oldest first. */
  readonly profits: readonly RecordedProfit[];
  /** The event that is shown alone; null for all. */
  readonly event: string | null;
}

/** Two tables of profit: each strategy with its fills of the span, and the profit of each event, the largest loss first. */
export const ProfitParts = ({ view, fills, profits, event }: ProfitPartsProps): JSX.Element => (
  <div class="profit-parts">
    <Strategies view={view} fills={fills} event={event} />
    <Events rows={profitsByEvent(eventsOf(view), profits).filter(({ name }) => name === (event ?? name))} />
  </div>
);

/** A profit of a strategy is of all its events: it is left out where one event is chosen. */
function Strategies({ view, fills, event }: Omit<ProfitPartsProps, 'profits'>): JSX.Element {
  const titles = ['bets', 'stake', 'gained in 10 s', 'of stake'];
  return (
    <section aria-label="Strategies compared">
      <h2>Strategies compared{event === null ? '' : ` on ${event}`}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">strategy</th>
            <Titles titles={event === null ? ['profit now', ...titles] : titles} />
          </tr>
        </thead>
        <tbody>
          {strategiesOf(view).map(({ name, profitLoss }) => {
            const { bets, stake, gain, share } = filledBy(fills, name);
            return (
              <tr key={name}>
                <th scope="row">{name}</th>
                {event === null ? <Amount value={profitLoss} /> : null}
                <td class="number">{PAGE.whole(bets)}</td>
                <td class="number">{PAGE.money(stake)}</td>
                <Amount value={gain} />
                <td class={`number ${toneOf(gain)}`}>{PAGE.percentGain(share)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

const Events = ({ rows }: { readonly rows: readonly EventProfit[] }): JSX.Element => (
  <section aria-label="Profit by event">
    <h2>Profit by event</h2>
    {rows.length === 0 ? <p class="quiet">No event had bets in this span.</p> : null}
    <div class="scroll" role="region" aria-label="Table of profit by event" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">event</th>
            <Titles titles={['settled', 'with open', 'close now', 'worst']} />
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, expected, open }) => (
            <tr key={name}>
              <th scope="row">
                {name}
                {open === null ? <span class="quiet"> (no open bets)</span> : null}
              </th>
              <Amount value={open === null ? expected : open.settled} />
              <Amount value={expected} />
              <Amount value={open?.closeNow ?? null} />
              <Amount value={open?.worst ?? null} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </section>
);

const Titles = ({ titles }: { readonly titles: readonly string[] }): JSX.Element => (
  <>
    {titles.map((title) => (
      <th scope="col" class="number" key={title}>
        {title}
      </th>
    ))}
  </>
);

const Amount = ({ value }: { readonly value: number | null }): JSX.Element => (
  <td class={`number ${toneOf(value ?? 0)}`}>{PAGE.gain(value)}</td>
);
