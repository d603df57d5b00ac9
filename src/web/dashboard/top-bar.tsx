import type { JSX } from 'preact';
import { PAGE } from '../../lib/formats.ts';
import { toneOf } from '../components/figure.tsx';
import type { Session } from '../adapters/session.ts';
import { profitRangeInWords } from '../../read-model/fill-range.ts';
import { noValuation } from '../../read-model/live/event-columns.ts';
import type { LiveMoney } from '../../read-model/live/message.ts';
import { Actions } from './actions.tsx';
import { isStale, ordersPerS, type Shown } from './stream/view.ts';
import { modeInWords, noFairInWords, pulseOf, sentenceOf } from './words.ts';

interface TopBarProps {
  readonly shown: Shown;
  readonly session: Session;
  /** Called when CLOSE ALL is done, with the daemon's clock. */
  readonly onClosed: (atMs: number) => void;
}

/** What a person must see whatever the page shows, and the commands. It never scrolls away, and keeps its height. */
export function TopBar({ shown, session, onClosed }: TopBarProps): JSX.Element {
  const { text, tone } = sentenceOf(shown);
  return (
    <header class="top">
      <div class="mode" title="What this daemon trades with">
        <strong>{modeInWords(shown.run.mode)}</strong>
      </div>
      <div class="says">
        <p class={`sentence tone-${tone}`} role="status" aria-live="polite" title={text} tabIndex={0}>
          {text}
        </p>
      </div>
      <dl class="money">
        <Profit {...shown.money} />
        <WorstCase {...shown.money} />
        <Orders {...shown} />
      </dl>
      <Pulse {...shown} />
      <Actions session={session} shown={shown} onClosed={onClosed} />
    </header>
  );
}

interface FigureProps {
  readonly name: string;
  /** What the name stands for, where the name is short. */
  readonly meaning: string;
  readonly value: string;
  /** What the value leaves out; empty for nothing. */
  readonly but?: string;
  /** The sign decides the colour. */
  readonly sign?: number;
  /** From 0 to 1: how much of a limit is used. */
  readonly share?: number;
}

const Figure = ({ name, meaning, value, but = '', sign = 0, share }: FigureProps): JSX.Element => (
  <div title={but === '' ? meaning : `${meaning}; ${but}`} class={share === undefined ? '' : 'meter'}>
    <dt>{name}</dt>
    <dd>
      <b class={toneOf(sign)} data-number={meaning}>
        {value}
      </b>
      {share === undefined ? null : (
        <span class="track" aria-hidden="true">
          <span class="fill" style={{ width: `${Math.round(100 * Math.min(1, Math.max(0, share)))}%` }} />
        </span>
      )}
    </dd>
  </div>
);

/** The results of the day, or of the run while no day is counted. */
function Profit({ today, run, withoutFair, paperFills }: LiveMoney): JSX.Element {
  const { settled, expected, closeNow, notClosable = [] } = today ?? run;
  const of = today === null ? 'of the run' : 'today';
  return (
    <>
      <Figure
        name="settled"
        meaning={today === null ? 'Profit of the run' : 'Profit today'}
        value={PAGE.gain(settled)}
        sign={settled}
      />
      <Figure
        name={`with open${noValuation(withoutFair)}`}
        meaning={`Profit ${of} with the open bets at their fair worth`}
        but={noFairInWords(withoutFair)}
        value={PAGE.gain(expected)}
        sign={expected}
      />
      <Figure
        name={notClosable.length === 0 ? 'close now' : `close now without ${eventCount(notClosable.length)}`}
        meaning={`Profit ${of} if every bet were closed now${without(notClosable)}`}
        value={PAGE.gain(closeNow)}
        // A part of the account is neither a gain nor a loss of it.
        sign={notClosable.length === 0 ? (closeNow ?? 0) : 0}
      />
      {paperFills === undefined ? null : (
        <Figure
          name="all models"
          meaning="Profit of the same orders under every fill model"
          value={profitRangeInWords(paperFills, PAGE)}
          sign={0}
        />
      )}
    </>
  );
}

const eventCount = (count: number): string => `${count} ${count === 1 ? 'event' : 'events'}`;

/** The events that cannot be closed now, for the words of `close now`. */
const without = (events: readonly string[]): string =>
  events.length === 0 ? '' : `, without what has no price to close at: ${events.join(', ')}`;

function WorstCase({ limits }: LiveMoney): JSX.Element {
  const limit = limits.find(({ name }) => name === 'worstCase.accountUsdt');
  const worst = 0 - (limit?.use ?? 0);
  const name = limit === undefined ? 'worst case' : `worst of ${PAGE.money(limit.limit)}`;
  const share = limit === undefined || limit.limit <= 0 ? 0 : limit.use / limit.limit;
  return <Figure name={name} meaning="Worst case" value={PAGE.money(worst)} sign={worst} share={share} />;
}

/** Open orders, and the requests that the limits of the exchange leave. */
function Orders({ view, quoting }: Shown): JSX.Element {
  const { ordersNow, betslipsNow, betslipsToday } = quoting.budgets;
  const pace = ordersPerS(view);
  return (
    <>
      <Figure name="orders" meaning="Orders open" value={String(quoting.ordersOpen)} />
      <div title="Orders placed per second, over the last ten; and the orders that may be placed at once">
        <dt>orders/s</dt>
        <dd>
          <b data-orders-per-s>{pace === null ? PAGE.nothing : PAGE.decimal(pace, 1)}</b> ·{' '}
          {Math.floor(ordersNow)} left
        </dd>
      </div>
      <div title="Betslips that may be made at once, and today">
        <dt>betslips</dt>
        <dd>
          <b>{Math.floor(betslipsNow)}</b> · {Math.floor(betslipsToday)}
        </dd>
      </div>
    </>
  );
}

/** Whether everything is alive: three dots, with their ages. */
const Pulse = (shown: Shown): JSX.Element => (
  <ul class="pulse" aria-label="Signs of life">
    {pulseOf(shown, isStale(shown)).map(({ name, text, tone }) => (
      <li class={`tone-${tone}`} title={`${name}: ${text}`}>
        <span aria-hidden="true">{tone === 'good' ? '●' : '○'}</span>
        <span class="short" aria-hidden="true">
          {name}
        </span>
        <span class="unseen">
          {name}: {text}
        </span>
      </li>
    ))}
  </ul>
);
