import type { JSX } from 'preact';
import type { Wants } from '../adapters/live-stream.ts';
import type { Session } from '../adapters/session.ts';
import { ThemeVersion, useTheme } from '../components/theme.tsx';
import { Actions } from './actions.tsx';
import { HistoryScreen } from './history/history-screen.tsx';
import { LogScreen } from './log/log-screen.tsx';
import { MatchScreen } from './match/match-screen.tsx';
import { NightScreen } from './night-screen.tsx';
import { ReportsScreen } from './reports-screen.tsx';
import { type Screen, useScreen } from './screens.ts';
import { StrategiesScreen } from './strategies/strategies-screen.tsx';
import { eventsOf, isStale, type Shown, shownAt } from './stream/view.ts';
import { TopBar } from './top-bar.tsx';
import { useEndOf, useLive, useSession } from './use-live.ts';
import { useSteady } from './use-steady.ts';

/** The dashboard. */
export function App(): JSX.Element {
  const [session, end] = useSession();
  if (session === undefined) return <Notice title="Connecting">No daemon has answered yet.</Notice>;
  if (session === null) return <NeedsLink />;
  return <Dashboard session={session} end={end} />;
}

const NeedsLink = (): JSX.Element => (
  <Notice title="This page needs a link">
    Run <code>touchline dashboard</code> where the daemon runs, and open the address that it prints. A link
    works once, or until it expires if it is shared.
  </Notice>
);

interface NoticeProps {
  readonly title: string;
  readonly children: (string | JSX.Element)[] | string;
}

const Notice = ({ title, children }: NoticeProps): JSX.Element => (
  <main class="notice">
    <h1>{title}</h1>
    <p>{children}</p>
  </main>
);

interface DashboardProps {
  readonly session: Session;
  /** Called once the session is over. */
  readonly end: () => void;
}

function Dashboard({ session, end }: DashboardProps): JSX.Element {
  useEndOf(session, end);
  const screen = useScreen();
  const { version, ...theme } = useTheme();
  const { view, isRefused, nowMs } = useLive(session, wantsOf(screen));
  const shown = useSteady(view === null ? null : shownAt(view, nowMs));
  if (isRefused && (shown === null || isStale(shown))) return <NeedsLink />;
  if (shown === null) return <Notice title="Connecting">The daemon has sent nothing yet.</Notice>;
  return (
    <ThemeVersion.Provider value={version}>
      <div
        class={`frame mode-${shown.run.mode} ${isStale(shown) ? 'stale' : ''}`}
        data-frame-at={shown.view.frameAtMs}
      >
        <TopBar shown={shown} theme={theme} screen={screen} />
        <main class={isStale(shown) ? 'hatched' : ''}>
          <Shows screen={screen} shown={shown} session={session} />
        </main>
        <Actions session={session} shown={shown} />
      </div>
    </ThemeVersion.Provider>
  );
}

/** A ladder moves with the market; a glance in the night needs less, and a phone has little. */
const [LADDER_MS, GLANCE_MS] = [100, 500];

const wantsOf = (screen: Screen): Wants =>
  screen.kind === 'match' ? { events: [screen.key], everyMs: LADDER_MS } : { events: [], everyMs: GLANCE_MS };

interface ShowsProps {
  readonly screen: Screen;
  readonly shown: Shown;
  readonly session: Session;
}

function Shows({ screen, shown, session }: ShowsProps): JSX.Element {
  switch (screen.kind) {
    case 'history':
      return <HistoryScreen shown={shown} session={session} />;
    case 'strategies':
      return <StrategiesScreen shown={shown} session={session} />;
    case 'log':
      return <LogScreen session={session} />;
    case 'reports':
      return <ReportsScreen />;
    case 'night':
      return <NightScreen shown={shown} session={session} isMissing={false} />;
    case 'match':
      return <OneEvent eventKey={screen.key} shown={shown} session={session} />;
  }
}

function OneEvent({
  eventKey,
  shown,
  session,
}: Omit<ShowsProps, 'screen'> & { readonly eventKey: string }): JSX.Element {
  const event = eventsOf(shown.view).find(({ key }) => key === eventKey);
  if (event === undefined) return <NightScreen shown={shown} session={session} isMissing />;
  return <MatchScreen event={event} shown={shown} session={session} />;
}
