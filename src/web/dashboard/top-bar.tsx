import type { JSX } from 'preact';
import { type Theme, ThemeChoice } from '../components/theme.tsx';
import { PAGES, type Screen } from './screens.ts';
import { isStale, ordersPerS, type Shown, STALE_MS } from './stream/view.ts';
import { modeInWords, sentenceOf } from './words.ts';

interface TopBarProps {
  readonly shown: Shown;
  readonly screen: Screen;
  readonly theme: { readonly theme: Theme; readonly setTheme: (theme: Theme) => void };
}

/** Mode, the sentence, and what tells that everything is alive. */
export function TopBar({ shown, screen, theme }: TopBarProps): JSX.Element {
  const { text, tone } = sentenceOf(shown);
  return (
    <header class="top">
      <div class="mode" title="What this daemon trades with">
        <strong>{modeInWords(shown.run.mode)}</strong>
      </div>
      <nav aria-label="Screens">
        {PAGES.map(({ kind, address, name }) => (
          <a href={address} aria-current={kind === screen.kind ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <p class={`sentence tone-${tone}`} role="status" aria-live="polite">
        {text}
      </p>
      <div class="pulse">
        <Heartbeat {...shown} />
        <Feed {...shown} />
        <Bar
          name="this page"
          text={`${(shown.ageMs / 1_000).toFixed(1)} s old`}
          share={1 - shown.ageMs / (2 * STALE_MS)}
          isBad={isStale(shown)}
        />
        <Budgets {...shown} />
        <ThemeChoice theme={theme.theme} onChange={theme.setTheme} />
      </div>
    </header>
  );
}

/** How long until the exchange closes every order by itself. */
function Heartbeat({ run, atMs }: Shown): JSX.Element {
  const { heartbeatUntilMs, heartbeatS } = run;
  if (heartbeatUntilMs === null) return <Bar name="heartbeat" text="none" share={0} isBad />;
  const leftS = Math.max(0, (heartbeatUntilMs - atMs) / 1_000);
  return (
    <Bar
      name="heartbeat"
      text={`${Math.ceil(leftS)} s left`}
      share={leftS / heartbeatS}
      isBad={leftS === 0}
    />
  );
}

/** Offers come every two seconds; without any for so long, the bar is empty. */
const FEED_EMPTY_MS = 10_000;

/** The age of the exchange's last frame. */
function Feed({ view, atMs }: Shown): JSX.Element {
  if (view.frameAtMs === null) return <Bar name="feed" text="no frame yet" share={0} isBad />;
  const ms = Math.max(0, atMs - view.frameAtMs);
  const text = `${(ms / 1_000).toFixed(1)} s old`;
  return <Bar name="feed" text={text} share={1 - ms / FEED_EMPTY_MS} isBad={ms > FEED_EMPTY_MS} />;
}

interface BarProps {
  readonly name: string;
  readonly text: string;
  /** From 0 to 1; beyond is cut. */
  readonly share: number;
  readonly isBad: boolean;
}

/** A quantity that a person watches without reading it. */
const Bar = ({ name, text, share, isBad }: BarProps): JSX.Element => (
  <div class={`meter ${isBad ? 'bad' : ''}`}>
    <span>
      {name} <b>{text}</b>
    </span>
    <span class="track" aria-hidden="true">
      <span class="fill" style={{ width: `${Math.round(100 * Math.min(1, Math.max(0, share)))}%` }} />
    </span>
  </div>
);

/** The pace of orders, and the requests that the exchange's limits leave. */
function Budgets({ view, quoting }: Shown): JSX.Element {
  const { ordersNow, betslipsNow, betslipsToday } = quoting.budgets;
  const pace = ordersPerS(view);
  const meaning =
    'Orders placed per second, over the last ten; then the requests that the limits of the exchange leave: at once, and of the day';
  return (
    <div class="meter" title={meaning}>
      <span>
        orders <b data-orders-per-s>{pace === null ? '–' : pace.toFixed(1)}</b> a second,{' '}
        <b>{Math.floor(ordersNow)}</b> left · betslips <b>{Math.floor(betslipsNow)}</b>, today{' '}
        <b>{Math.floor(betslipsToday)}</b>
      </span>
    </div>
  );
}
