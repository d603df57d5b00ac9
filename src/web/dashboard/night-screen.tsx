import type { JSX } from 'preact';
import type { LiveEvent } from '../../read-model/live/message.ts';
import type { Session } from '../adapters/session.ts';
import { Alerts } from './alerts.tsx';
import { FourNumbers } from './four-numbers.tsx';
import { gain, usdt } from './numbers.ts';
import { matchHash } from './screens.ts';
import { eventsOf, type Shown } from './stream/view.ts';
import { PaperFills } from './paper-fills.tsx';
import { Ticker } from './ticker.tsx';
import { lengthInWords, problemsOf } from './words.ts';

interface NightScreenProps {
  readonly shown: Shown;
  readonly session: Session;
  /** Whether the page was asked for an event that the daemon no longer has. */
  readonly isMissing: boolean;
}

/** Everything at a glance: four numbers, what is wrong, and the events, those at risk first. */
export function NightScreen({ shown, session, isMissing }: NightScreenProps): JSX.Element {
  const { view, atMs } = shown;
  const problems = problemsOf(shown);
  const events = eventsOf(view).toSorted((a, b) => a.worst - b.worst || startOf(a) - startOf(b));
  return (
    <div class="night">
      <h1 class="unseen">Touchline</h1>
      {isMissing ? (
        <p class="quiet">The daemon neither quotes nor holds anything on that event any more.</p>
      ) : null}
      <FourNumbers {...shown} />
      <PaperFills {...shown.money} />
      <Alerts shown={shown} session={session} />
      {problems.length === 0 ? null : (
        <section class="warnings" aria-label="What is wrong">
          <ul>
            {problems.map((problem) => (
              <li>{problem}</li>
            ))}
          </ul>
        </section>
      )}
      <h2>Events</h2>
      {events.length === 0 ? <p class="quiet">Nothing is quoted, held or open.</p> : null}
      <ul class="events">
        {events.map((event) => (
          <li key={event.key}>
            <EventRow event={event} atMs={atMs} />
          </li>
        ))}
      </ul>
      <Ticker view={view} eventKey={null} />
    </div>
  );
}

const startOf = ({ startMs }: LiveEvent): number => startMs ?? Infinity;

function EventRow({ event, atMs }: { readonly event: LiveEvent; readonly atMs: number }): JSX.Element {
  const { key, name, worst, profit, ordersOpen } = event;
  return (
    <a href={matchHash(key)} class="event">
      <b>{name}</b>
      <span class="quiet">
        {playOf(event, atMs)}
        {event.throws === null ? '' : ` · ${event.throws}`}
        {event.refused === null ? '' : ` · ${event.refused}`}
      </span>
      <span>
        {quotedInWords(event)}, {ordersOpen} open
      </span>
      <span class={worst < 0 ? 'bad' : ''}>at worst {usdt(worst)}</span>
      <span class="quiet">{profit === null ? 'no bets' : `${gain(profit.expected)} expected`}</span>
    </a>
  );
}

function quotedInWords({ quoted, selections, twoSided }: LiveEvent): string {
  if (!quoted) return 'not quoted';
  return selections === 0 ? 'nothing chosen' : `${twoSided} of ${selections} on both sides`;
}

/** The state of play in words. */
export function playOf(event: LiveEvent, atMs: number): string {
  const { inRunning, startMs, clock, score, scoreSinceMs, suspended } = event;
  const parts = [
    score === null
      ? null
      : `${score.join(':')}${scoreSinceMs === null ? '' : ` for ${lengthInWords(atMs - scoreSinceMs)}`}`,
    clock === null ? null : `${clock.period}${clock.minutes === null ? '' : ` ${clock.minutes}′`}`,
    inRunning && clock === null ? 'in play' : null,
    !inRunning && startMs !== null && startMs > atMs ? `starts in ${lengthInWords(startMs - atMs)}` : null,
    suspended === true ? 'suspended' : null,
  ];
  return parts.filter((part) => part !== null).join(' · ');
}
