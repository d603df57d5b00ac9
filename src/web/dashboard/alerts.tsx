import type { JSX } from 'preact';
import type { LiveAlert } from '../../read-model/live/message.ts';
import { post } from '../adapters/commands.ts';
import type { Session } from '../adapters/session.ts';
import { permits } from '../../ops/scopes.ts';
import { alertsOf, type Shown } from './stream/view.ts';

interface AlertsProps {
  readonly shown: Shown;
  readonly session: Session;
}

/** The alerts in force, each with what to do. Those that nobody has seen stand out until somebody has. */
export function Alerts({ shown, session }: AlertsProps): JSX.Element | null {
  const alerts = alertsOf(shown.view);
  if (alerts.length === 0) return null;
  const see = (alert: string): void => void post(session, '/see', { alert, by: 'dashboard' });
  return (
    <section class="alerts" aria-label="Alerts">
      <ul>
        {alerts.map(({ kind, severity, title, text, seenBy }) => (
          <li key={kind} class={seenBy === null ? `unseen-alert ${severity}` : ''}>
            <span class="urgency">{URGENCIES[severity]}</span> <b>{title}</b> <Told text={text} />{' '}
            {seenBy === null && permits(session.scope, 'reduce') ? (
              <button type="button" aria-label={`ACK: ${title}`} onClick={() => see(kind)}>
                ACK
              </button>
            ) : (
              <span class="quiet">{seenBy === null ? '' : `seen by ${seenBy}`}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How soon a person should act. */
const URGENCIES: Readonly<Record<LiveAlert['severity'], string>> = {
  page: 'ACT NOW',
  warning: 'LOOK SOON',
  info: 'NOTE',
};

/** The commands in a text, which stand out. */
const COMMAND = /(touchline(?: [a-z-]+)+)/;

const Told = ({ text }: { readonly text: string }): JSX.Element => (
  <>{text.split(COMMAND).map((part) => (COMMAND.test(part) ? <code>{part}</code> : part))}</>
);
