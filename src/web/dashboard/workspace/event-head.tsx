import type { JSX } from 'preact';
import type { LiveEvent, LiveSelection } from '../../../read-model/live/message.ts';
import type { Session } from '../../adapters/session.ts';
import { gain, usdt } from '../numbers.ts';
import { lengthInWords } from '../words.ts';
import { CancelMarket } from './cancel-market.tsx';
import { clockOf } from './event-rows.ts';
import { Hedge } from './hedge.tsx';

interface EventHeadProps {
  readonly event: LiveEvent;
  readonly atMs: number;
  readonly session: Session;
  /** The selection of the first ladder. */
  readonly first: LiveSelection | null;
}

/** The state of play, the money of the event, and what hedges it. */
export function EventHead({ event, atMs, session, first }: EventHeadProps): JSX.Element {
  const { profit, redCards, suspended } = event;
  const closeNow = profit?.closeNow ?? null;
  return (
    <div class="event-head panel">
      <h2>{event.name}</h2>
      <p>
        <b>{playOf(event, atMs)}</b>
        {redCards === null || redCards.every((count) => count === 0)
          ? ''
          : ` · red cards ${redCards.join(':')}`}
        {suspended === true ? <strong class="suspended"> SUSPENDED</strong> : ''}
      </p>
      <p class="quiet clipped">{faultOf(event)}</p>
      <dl class="inline">
        <div>
          <dt>worst case here</dt>
          <dd class={event.worst < 0 ? 'bad' : ''}>{usdt(event.worst)}</dd>
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
      <div class="hedges" role="group" aria-label="Hedges">
        <Hedge event={event} session={session} label="halve the worst case" goal={halved(event)} />
        <Hedge event={event} session={session} label="equalise" goal={{ equalise: '' }} />
        <CancelMarket selection={first ?? undefined} session={session} />
      </div>
    </div>
  );
}

/** The worst case in whole USDT, halved. */
const halved = ({ worst }: LiveEvent): Readonly<Record<string, string>> => ({
  boundUsdt: String(Math.max(0, Math.floor((0 - worst) / 2))),
});

/** What is wrong with the strategy's answers here; nothing while they are taken. */
const faultOf = ({ throws, refused }: LiveEvent): string =>
  [throws, refused].filter((each) => each !== null).join(' · ');

/** The state of play in words. */
function playOf(event: LiveEvent, atMs: number): string {
  const { score, scoreSinceMs, suspended } = event;
  const since = scoreSinceMs === null ? '' : ` for ${lengthInWords(atMs - scoreSinceMs)}`;
  const parts = [
    score === null ? '' : `${score.join(':')}${since}`,
    clockOf(event, atMs),
    suspended === null ? 'suspension not known' : '',
    event.inRunning ? 'bet delay not told' : '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}
