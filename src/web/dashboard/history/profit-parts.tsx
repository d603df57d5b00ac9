import type { JSX } from 'preact';
import { PAGE } from '../../../lib/formats.ts';
import { toneOf } from '../../components/figure.tsx';
import { eventsOf, strategiesOf, type View } from '../stream/view.ts';
import type { RecordedFill } from '../../../read-model/live/records.ts';
import { filledBy, profitsByEvent } from './profits.ts';

interface ProfitPartsProps {
  readonly view: View;
  /** Of the span that is shown. */
  readonly fills: readonly RecordedFill[];
}

/** Two tables of profit: each strategy with its fills of the span, and the profit of each event that still has bets, the largest loss first. */
export function ProfitParts({ view, fills }: ProfitPartsProps): JSX.Element {
  const strategies = strategiesOf(view);
  const events = profitsByEvent(eventsOf(view));
  return (
    <div class="profit-parts">
      <section aria-label="Strategies compared">
        <h2>Strategies compared</h2>
        <table>
          <thead>
            <tr>
              <th scope="col">strategy</th>
              {['profit now', 'bets', 'stake', 'gained in 10 s', 'of stake'].map((title) => (
                <th scope="col" class="number">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {strategies.map(({ name, profitLoss }) => {
              const { bets, stake, gain, share } = filledBy(fills, name);
              return (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <Amount value={profitLoss} />
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
      <section aria-label="Profit by event with bets">
        <h2>Profit by event with bets</h2>
        {events.length === 0 ? (
          <p class="quiet">No event has bets. Those that are over count in the strategy.</p>
        ) : null}
        <div class="scroll" role="region" aria-label="Table of profit by event" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">event</th>
                {['settled', 'with open', 'close now', 'worst'].map((title) => (
                  <th scope="col" class="number">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {events.map(({ key, name, profit, worst }) => (
                <tr key={key}>
                  <th scope="row">{name}</th>
                  <Amount value={profit.settled} />
                  <Amount value={profit.expected} />
                  <Amount value={profit.closeNow} />
                  <td class={`number ${worst < 0 ? 'bad' : ''}`}>{PAGE.money(worst)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
    </div>
  );
}

const Amount = ({ value }: { readonly value: number | null }): JSX.Element => (
  <td class={`number ${toneOf(value ?? 0)}`}>{PAGE.gain(value)}</td>
);
