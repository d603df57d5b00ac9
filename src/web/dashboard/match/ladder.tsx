import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { LiveEvent, LiveFill, LiveQuote, LiveSelection } from '../../../read-model/live/message.ts';
import type { Session } from '../../adapters/session.ts';
import { gain, percent, price as priceText, there, usdt, whole } from '../numbers.ts';
import { closedAt } from './close-out.ts';
import { Hedge } from './hedge.tsx';
import { isSameRung, rungsOf, skewOf } from './rungs.ts';
import { fillsOf, type View } from '../stream/view.ts';
import { Why } from './why.tsx';
import { lengthInWords, ownInWords } from '../words.ts';

interface LadderProps {
  readonly selection: LiveSelection;
  readonly view: View;
  readonly atMs: number;
  readonly session: Session;
  readonly event: LiveEvent;
  readonly commissionRate: number;
}

/**
 * The market of a selection by price, the highest price first. Blue is what a taker can back at, pink what a taker can lay at. Our order among
 * the blue ones is `against` the selection, among the pink ones `for` it. It says what it is called and priced on the exchange, if that is
 * not the same.
 */
export function Ladder(props: LadderProps): JSX.Element {
  const { selection, view, atMs, session, event, commissionRate } = props;
  const [asked, setAsked] = useState(false);
  const { name, fair, market, quotes } = selection;
  const rungs = rungsOf(selection);
  const fairPrice = fair === null ? null : 1 / fair;
  const skew = skewOf(quotes, fairPrice);
  const fills = fillsOf(view)
    .filter(({ selectionId }) => selectionId === selection.id)
    .slice(0, 8);
  const fairAt = fairPrice === null ? -1 : rungs.findIndex(({ price }) => price < fairPrice);
  return (
    <section class="ladder" aria-label={`Ladder of ${name}`}>
      <h2>
        {name}{' '}
        <span class="quiet">
          {fairPrice === null ? 'no fair value' : `fair ${fairPrice.toFixed(3)}`}
          {skew === null
            ? ''
            : ` · our middle ${skew > 0 ? '▲' : skew < 0 ? '▼' : '='} ${percent(Math.abs(skew), 2)}`}
        </span>
      </h2>
      <Beside event={event} atMs={atMs} />
      {market.for === null && market.against === null ? <p class="quiet">No fresh prices.</p> : null}
      <table>
        <thead>
          <tr>
            <th scope="col">ours against</th>
            <th scope="col" class="back">
              to back
            </th>
            <th scope="col">price</th>
            <th scope="col" class="lay">
              to lay
            </th>
            <th scope="col">ours for</th>
            <th scope="col">closed here</th>
          </tr>
        </thead>
        <tbody>
          {rungs.map((rung, at) => (
            <tr key={rung.price} class={at === fairAt ? 'fair' : ''}>
              <td>
                <Own quotes={rung.against} atMs={atMs} onAsk={() => setAsked(!asked)} />
              </td>
              <td class={rung.toBack > 0 ? 'back' : ''}>{rung.toBack > 0 ? whole(rung.toBack) : ''}</td>
              <th scope="row">
                {priceText(rung.price)}
                <Ticks fills={fills.filter((fill) => isSameRung(fill.price, rung.price))} />
              </th>
              <td class={rung.toLay > 0 ? 'lay' : ''}>{rung.toLay > 0 ? whole(rung.toLay) : ''}</td>
              <td>
                <Own quotes={rung.for} atMs={atMs} onAsk={() => setAsked(!asked)} />
              </td>
              <Closed pays={closedAt(selection, rung.price, commissionRate)} />
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" class="quiet-button" aria-expanded={asked} onClick={() => setAsked(!asked)}>
        {asked ? 'close' : `why ${name} is quoted so`}
      </button>
      {asked ? <Why selectionId={selection.id} session={session} /> : null}
      <Hedge event={event} session={session} label={`flatten ${name}`} goal={{ flatten: selection.id }} />
    </section>
  );
}

/** What a bet here depends on beside its price. */
const Beside = ({ event, atMs }: Pick<LadderProps, 'event' | 'atMs'>): JSX.Element => (
  <p class="quiet beside">
    {event.suspended === true ? <strong class="suspended">SUSPENDED</strong> : null}
    {event.suspended === false ? 'not suspended' : null}
    {event.suspended === null ? 'suspension not known' : null}
    {event.scoreSinceMs === null ? '' : ` · score ${lengthInWords(atMs - event.scoreSinceMs)} old`}
    {event.inRunning ? ' · bet delay not told by the exchange' : ''}
  </p>
);

/** What the position pays, whatever the outcome, if it is closed at a price. */
const Closed = ({ pays }: { readonly pays: number | null }): JSX.Element => (
  <td class={`closed ${pays === null ? '' : pays < 0 ? 'bad' : 'good'}`}>
    {pays === null ? '' : gain(pays)}
  </td>
);

interface OwnProps {
  readonly quotes: readonly LiveQuote[];
  readonly atMs: number;
  readonly onAsk: () => void;
}

/** Our orders at one price. A press explains them. */
function Own({ quotes, atMs, onAsk }: OwnProps): JSX.Element | null {
  if (quotes.length === 0) return null;
  return (
    <>
      {quotes.map((quote) => (
        <button
          type="button"
          key={quote.id}
          class={`own ${quote.isConfirmed ? '' : 'unconfirmed'}`}
          title={ownInWords(quote, atMs)}
          onClick={onAsk}
        >
          {usdt(quote.unfilled)}
          {quote.exchange === undefined ? null : <small>{there(quote.exchange)}</small>}
          <small>{quote.ahead === null ? '' : `${whole(quote.ahead)} ahead`}</small>
          <small>{lengthInWords(atMs - quote.sinceMs)}</small>
        </button>
      ))}
    </>
  );
}

/** The last fills at a price, with what they were worth ten seconds later. */
const Ticks = ({ fills }: { readonly fills: readonly LiveFill[] }): JSX.Element | null =>
  fills.length === 0 ? null : (
    <small class="ticks">
      {fills.slice(0, 2).map(({ betId, direction, markout10 }) => (
        <span key={betId} class={markout10 === null ? '' : markout10 >= 0 ? 'good' : 'bad'}>
          {direction === 'for' ? '▸' : '◂'}
          {markout10 === null ? '' : percent(markout10)}
        </span>
      ))}
    </small>
  );
