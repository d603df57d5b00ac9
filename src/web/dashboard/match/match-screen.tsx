import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { LiveEvent, LiveSelection } from '../../../read-model/live/message.ts';
import type { Session } from '../../adapters/session.ts';
import { CancelMarket } from './cancel-market.tsx';
import { Hedge } from './hedge.tsx';
import { Ladder } from './ladder.tsx';
import { playOf } from '../night-screen.tsx';
import { gain, usdt } from '../numbers.ts';
import { Payoffs } from './payoffs.tsx';
import { Selections } from './selections.tsx';
import { payoffsOf, selectionsOf, type Shown } from '../stream/view.ts';
import { Ticker } from '../ticker.tsx';

interface MatchScreenProps {
  readonly event: LiveEvent;
  readonly shown: Shown;
  readonly session: Session;
}

/** One event: its selections by risk, the ladders of two of them, what it pays by final score, and what happened last. */
export function MatchScreen({ event, shown, session }: MatchScreenProps): JSX.Element {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { view, atMs } = shown;
  const selections = selectionsOf(view, event.key);
  const payoffs = payoffsOf(view, event.key);
  const laddered = twoOf(selections ?? [], chosen);
  const choose = (id: string): void =>
    setChosen([id, ...laddered.map((each) => each.id as string)].slice(0, 2));
  return (
    <div class="match">
      <Head event={event} shown={shown} />
      <div class="hedges" role="group" aria-label="Hedges">
        <Hedge event={event} session={session} label="halve the worst case" goal={halved(event)} />
        <Hedge event={event} session={session} label="equalise" goal={{ equalise: '' }} />
        <CancelMarket selection={laddered[0]} session={session} />
      </div>
      <div class="columns">
        <Selections selections={selections} shown={laddered.map(({ id }) => id)} onChoose={choose} />
        <div class="ladders">
          {laddered.map((selection) => (
            <Ladder
              key={selection.id}
              selection={selection}
              view={view}
              atMs={atMs}
              session={session}
              event={event}
              commissionRate={shown.money.commissionRate}
            />
          ))}
        </div>
        <Payoffs event={event} payoffs={payoffs} session={session} />
      </div>
      <Ticker view={view} eventKey={event.key} />
    </div>
  );
}

/** The worst case in whole USDT, halved. */
const halved = ({ worst }: LiveEvent): Readonly<Record<string, string>> => ({
  boundUsdt: String(Math.max(0, Math.floor((0 - worst) / 2))),
});

/** The chosen selections, then those at most risk. */
function twoOf(selections: readonly LiveSelection[], chosen: readonly string[]): readonly LiveSelection[] {
  const wanted = chosen.flatMap((id) => selections.find((each) => each.id === id) ?? []);
  return [...wanted, ...selections.filter((each) => !wanted.includes(each))].slice(0, 2);
}

/** The state of play, and the money of the event. */
function Head({ event, shown }: { readonly event: LiveEvent; readonly shown: Shown }): JSX.Element {
  const { profit, redCards, suspended } = event;
  const closeNow = profit?.closeNow ?? null;
  const limit = shown.money.limits.find(({ name }) => name === 'worstCase.accountUsdt');
  return (
    <div class="match-head">
      <h1>{event.name}</h1>
      <p>
        <b>{playOf(event, shown.atMs)}</b>
        {redCards === null || redCards.every((count) => count === 0)
          ? ''
          : ` · red cards ${redCards.join(':')}`}
        {suspended === true ? <strong class="suspended"> SUSPENDED</strong> : ''}
      </p>
      <dl class="inline">
        <div>
          <dt>worst case here</dt>
          <dd class={event.worst < 0 ? 'bad' : ''}>{usdt(event.worst)}</dd>
        </div>
        <div>
          <dt>of the account</dt>
          <dd>{limit === undefined ? '–' : `${usdt(0 - limit.use)} of ${usdt(limit.limit)}`}</dd>
        </div>
        <div>
          <dt>close now</dt>
          <dd>{closeNow === null ? '–' : gain(closeNow)}</dd>
        </div>
        <div>
          <dt>expected</dt>
          <dd>{profit === null ? '–' : gain(profit.expected)}</dd>
        </div>
        <div>
          <dt>strategy</dt>
          <dd>{event.owner ?? 'none'}</dd>
        </div>
      </dl>
    </div>
  );
}
