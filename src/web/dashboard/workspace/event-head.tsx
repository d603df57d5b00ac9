import type { JSX } from 'preact';
import type { LiveEvent } from '../../../read-model/live/message.ts';
import { gain, usdt } from '../numbers.ts';
import { lengthInWords } from '../words.ts';
import { clockOf } from './event-rows.ts';

/** The state of play, and the money of the event. */
export function EventHead({
  event,
  atMs,
}: {
  readonly event: LiveEvent;
  readonly atMs: number;
}): JSX.Element {
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
    </div>
  );
}

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
    suspended === true ? 'suspended' : '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}
