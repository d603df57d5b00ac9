import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { age, PAGE } from '../../../lib/formats.ts';
import { permits } from '../../../ops/scopes.ts';
import { clockOf } from '../../../read-model/live/event-columns.ts';
import type { LiveEvent, LiveSelection } from '../../../read-model/live/message.ts';
import type { Session } from '../../adapters/session.ts';
import { noFairInWords, restrictionInWords } from '../words.ts';
import { Adjusted, ByHand } from './by-hand.tsx';
import { CancelMarket } from './cancel-market.tsx';
import { writtenKey } from '../stream/keys.ts';
import { Hedge } from './hedge.tsx';
import { Trading } from './trading.tsx';

interface EventHeadProps {
  readonly event: LiveEvent;
  readonly atMs: number;
  readonly session: Session;
  /** The selection of the first ladder. */
  readonly first: LiveSelection | null;
}

/** The state of play, the money of the event, and what hedges it. */
export function EventHead({ event, atMs, session, first }: EventHeadProps): JSX.Element {
  const { redCards, suspended } = event;
  return (
    <div class="event-head panel">
      <h2>{event.name}</h2>
      <p>
        <b
          title={event.inRunning ? 'The exchange does not tell how long it delays bets in play.' : undefined}
        >
          {playOf(event, atMs)}
        </b>
        {redCards === null || redCards.every((count) => count === 0)
          ? ''
          : ` · red cards ${redCards.join(':')}`}
        {suspended === true ? <strong class="suspended"> SUSPENDED</strong> : ''}
      </p>
      {faultOf(event, atMs) === '' ? null : (
        <p class="fault clipped" title={faultOf(event, atMs)}>
          {faultOf(event, atMs)}
        </p>
      )}
      <Adjusted event={event} session={session} atMs={atMs} />
      <Money event={event} />
      <div class="hedges" role="group" aria-label="Trading and hedges">
        <Trading
          name={event.name}
          target={{ event: writtenKey(event.key) }}
          restriction={event.restriction}
          session={session}
          atMs={atMs}
        />
        <ByHand key={`hand ${event.key}`} event={event} session={session} atMs={atMs} />
        <Bound key={event.key} event={event} session={session} atMs={atMs} />
        <Hedge event={event} session={session} atMs={atMs} label="equalise" goal={{ equalise: '' }} />
        <CancelMarket selection={first ?? undefined} session={session} atMs={atMs} />
      </div>
    </div>
  );
}

/** What the event may cost, and what it has earned. */
function Money({ event: { worst, profit, withoutFair, owner } }: Pick<EventHeadProps, 'event'>): JSX.Element {
  const unknown = profit === null ? 0 : withoutFair;
  const closeNow = profit?.closeNow ?? null;
  return (
    <dl class="inline">
      <div>
        <dt>worst</dt>
        <dd class={worst < 0 ? 'bad' : ''}>{PAGE.money(worst)}</dd>
      </div>
      <div>
        <dt>close now</dt>
        <dd>{PAGE.gain(closeNow)}</dd>
      </div>
      <div title={noFairInWords(unknown)}>
        <dt>{unknown === 0 ? 'expected' : 'expected (no fair price)'}</dt>
        <dd>{PAGE.gain(profit?.expected ?? null)}</dd>
      </div>
      <div>
        <dt>by</dt>
        <dd>{owner ?? 'no strategy'}</dd>
      </div>
    </dl>
  );
}

/**
 * Bounds what the event may lose, at an amount that a person types. Until then it is half of the present worst case of the matched bets, which are what
 * is bounded; while a hedge at an amount is shown, it is that amount.
 */
function Bound({
  event,
  session,
  atMs,
}: Pick<EventHeadProps, 'event' | 'session' | 'atMs'>): JSX.Element | null {
  const [typed, setTyped] = useState<string | null>(null);
  const [asked, setAsked] = useState<string | null>(null);
  const amount = typed ?? asked ?? String(Math.max(0, Math.floor((0 - event.worstMatched) / 2)));
  if (!permits(session.scope, 'reduce')) return null;
  const bound = Number(amount);
  const isAmount = amount.trim() !== '' && Number.isFinite(bound) && bound >= 0;
  return (
    <span class="bound">
      <label>
        lose at most{' '}
        <input
          inputMode="decimal"
          size={4}
          value={amount}
          aria-invalid={!isAmount}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </label>
      {isAmount ? (
        <Hedge
          event={event}
          session={session}
          atMs={atMs}
          label="bound"
          goal={{ boundUsdt: String(bound) }}
          onShown={(isShown) => setAsked(isShown ? amount : null)}
        />
      ) : (
        <span class="quiet">not an amount</span>
      )}
    </span>
  );
}

/** What keeps the event from being quoted as its strategy wants: a trading state, or what is wrong with the strategy's answers. */
const faultOf = ({ restriction, throws, refused }: LiveEvent, atMs: number): string =>
  [restriction === null ? null : restrictionInWords(restriction, atMs), throws, refused]
    .filter((each) => each !== null)
    .join(' · ');

/** The state of play in words. */
function playOf(event: LiveEvent, atMs: number): string {
  const { score, scoreSinceMs, suspended } = event;
  const since = scoreSinceMs === null ? '' : ` for ${age(atMs - scoreSinceMs)}`;
  const parts = [
    score === null ? '' : `${score.join(':')}${since}`,
    clockOf(event, atMs),
    suspended === null ? 'suspension not known' : '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}
