import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { age, timeOfDay } from '../../../lib/formats.ts';
import type { RecordedAlert } from '../../../read-model/live/records.ts';
import { ask } from '../../adapters/commands.ts';
import type { Session } from '../../adapters/session.ts';
import { hasText } from '../../../read-model/live/log-lines.ts';

const EVERY_MS = 10_000;
const DAY_MS = 86_400_000;
const MOST = 200;

interface AlarmsProps {
  readonly session: Session;
  /** The present, by the daemon's clock. */
  readonly nowMs: number;
  /** Those are shown whose time or words have it. */
  readonly find: string;
}

/** What alarmed within a day, the newest first, also what is over. */
export function Alarms({ session, nowMs, find }: AlarmsProps): JSX.Element {
  const [alerts, setAlerts] = useState<readonly RecordedAlert[]>([]);
  const [problem, setProblem] = useState('');
  const toMs = Math.ceil(nowMs / EVERY_MS) * EVERY_MS;
  useEffect(() => {
    let isCurrent = true;
    const span = { fromMs: String(toMs - DAY_MS), toMs: String(toMs), limit: String(MOST) };
    const load = (): void =>
      void ask(session, `/alerts?${new URLSearchParams(span)}`).then((answer) => {
        if (!isCurrent) return;
        if (answer.done) setAlerts(answer.body as readonly RecordedAlert[]);
        setProblem(answer.done ? '' : answer.why);
      });
    load();
    return () => void (isCurrent = false);
  }, [session, toMs]);
  const shown = alerts.filter((alert) => hasText(wordsOf(alert), find));
  return (
    <section class="alarms" aria-label="Alarms of a day">
      <h2>Alarms of a day</h2>
      {problem === '' ? null : <p role="status">{problem}</p>}
      {shown.length === 0 ? (
        <p class="quiet">Nothing {find === '' ? '' : 'of this '}alarmed within a day.</p>
      ) : (
        <AlarmTable alerts={shown} />
      )}
    </section>
  );
}

const wordsOf = ({ atMs, severity, title, text }: RecordedAlert): string =>
  `${timeOfDay(atMs)} ${severity} ${title} ${text}`;

const AlarmTable = ({ alerts }: { readonly alerts: readonly RecordedAlert[] }): JSX.Element => (
  <div class="scroll" role="region" aria-label="Alarms" tabIndex={0}>
    <table>
      <thead>
        <tr>
          <th scope="col">time (UTC)</th>
          <th scope="col">lasted</th>
          <th scope="col">severity</th>
          <th scope="col">alarm</th>
        </tr>
      </thead>
      <tbody>
        {alerts.map(({ kind, severity, title, text, atMs, untilMs }) => (
          <tr key={`${kind} ${atMs}`}>
            <td>{timeOfDay(atMs)}</td>
            <td>{untilMs === null ? 'not over' : age(untilMs - atMs)}</td>
            <td class={severity === 'page' ? 'bad' : ''}>{severity}</td>
            <td class="meaning">
              <b>{title}</b> {text}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
