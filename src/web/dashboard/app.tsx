import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { mostActive } from '../../read-model/live/choices.ts';
import type { Wants } from '../adapters/live-stream.ts';
import type { Session } from '../adapters/session.ts';
import { ThemeVersion, useTheme } from '../components/theme.tsx';
import { HistoryScreen } from './history/history-screen.tsx';
import { LogScreen } from './log/log-screen.tsx';
import { PageLine } from './page-line.tsx';
import { ReportsScreen } from './reports-screen.tsx';
import { MOST_LADDERS, type Screen } from './desk.ts';
import { useScreen } from './screens.ts';
import { StrategiesScreen } from './strategies/strategies-screen.tsx';
import { eventsOf, fillsOf, isStale, type Shown, shownAt, type View } from './stream/view.ts';
import { TopBar } from './top-bar.tsx';
import { useEndOf, useLive, useSession } from './use-live.ts';
import { useSteady } from './use-steady.ts';
import { eventOf } from './stream/keys.ts';
import { Workspace } from './workspace/workspace.tsx';

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
  const [active, setActive] = useState<string | null>(null);
  const [closedAtMs, setClosedAtMs] = useState<number | null>(null);
  const { view, isRefused, nowMs } = useLive(session, wantsOf(screen, active));
  const nextActive = view === null ? active : activeIn(view, active);
  useEffect(() => setActive(nextActive), [nextActive]);
  const shown = useSteady(view === null ? null : shownAt(view, nowMs));
  if (isRefused && (shown === null || isStale(shown))) return <NeedsLink />;
  if (shown === null) return <Notice title="Connecting">The daemon has sent nothing yet.</Notice>;
  return (
    <ThemeVersion.Provider value={version}>
      <div
        class={`frame mode-${shown.run.mode} ${isStale(shown) ? 'stale' : ''}`}
        data-frame-at={shown.view.frameAtMs}
      >
        <TopBar shown={shown} session={session} onClosed={setClosedAtMs} />
        <PageLine shown={shown} theme={theme} screen={screen} />
        <main class={isStale(shown) ? 'hatched' : ''}>
          <Shows screen={screen} active={active} shown={shown} session={session} closedAtMs={closedAtMs} />
        </main>
      </div>
    </ThemeVersion.Provider>
  );
}

const activeIn = (view: View, before: string | null): string | null =>
  mostActive(eventsOf(view), fillsOf(view), before);

/** A ladder moves with the market; a list needs less, and a phone has little. */
const [LADDER_MS, GLANCE_MS] = [100, 500];
const PHONE = '(max-width: 600px)';

/** The details of the events whose ladders are shown. A phone shows those of a chosen event alone. */
function wantsOf(screen: Screen, active: string | null): Wants {
  if (screen.kind !== 'events') return { events: [], everyMs: GLANCE_MS };
  const event = selectedIn(screen, active);
  const { ladders } = screen.desk;
  const events = new Set([...(event === null ? [] : [event]), ...ladders.map(eventOf)]);
  return { events: [...events].slice(0, MOST_LADDERS), everyMs: events.size === 0 ? GLANCE_MS : LADDER_MS };
}

/** The event that the workspace shows; null for none. */
function selectedIn(screen: Screen, active: string | null): string | null {
  if (screen.kind !== 'events') return null;
  return screen.desk.event ?? (matchMedia(PHONE).matches ? null : active);
}

interface ShowsProps {
  readonly screen: Screen;
  readonly active: string | null;
  readonly shown: Shown;
  readonly session: Session;
  readonly closedAtMs: number | null;
}

function Shows({ screen, active, shown, session, closedAtMs }: ShowsProps): JSX.Element {
  switch (screen.kind) {
    case 'history':
      return <HistoryScreen shown={shown} session={session} />;
    case 'strategies':
      return <StrategiesScreen shown={shown} session={session} />;
    case 'log':
      return <LogScreen session={session} nowMs={shown.atMs} />;
    case 'reports':
      return <ReportsScreen />;
    case 'events':
      return (
        <Workspace
          desk={screen.desk}
          selected={selectedIn(screen, active)}
          shown={shown}
          session={session}
          closedAtMs={closedAtMs}
        />
      );
  }
}
