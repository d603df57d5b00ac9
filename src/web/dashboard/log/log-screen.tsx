import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ask } from '../../adapters/commands.ts';
import { browserTime } from '../../adapters/browser-time.ts';
import type { Session } from '../../adapters/session.ts';
import { Alarms } from './alarms.tsx';
import { hasText, type LogLine, readLine } from './log-lines.ts';

const EVERY_MS = 2_000;
const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
type Level = (typeof LEVELS)[number];

interface LogScreenProps {
  readonly session: Session;
  /** The present, by the daemon's clock. */
  readonly nowMs: number;
}

/** What alarmed, and the tail of the log, the newest first. */
export function LogScreen({ session, nowMs }: LogScreenProps): JSX.Element {
  const [lines, setLines] = useState<readonly LogLine[]>([]);
  const [problem, setProblem] = useState('');
  const [text, setText] = useState('');
  const [least, setLeast] = useState<Level>('info');
  useEffect(() => {
    let cancel = (): void => undefined;
    let isOpen = true;
    const load = async (): Promise<void> => {
      const answer = await ask(session, '/log');
      if (!isOpen) return;
      if (answer.done) setLines((answer.body as readonly string[]).map(readLine).reverse());
      setProblem(answer.done ? '' : answer.why);
      cancel = browserTime.after(EVERY_MS, () => void load());
    };
    void load();
    return () => {
      isOpen = false;
      cancel();
    };
  }, [session]);
  const isShown = ({ time, level, words }: LogLine): boolean =>
    LEVELS.indexOf(level as Level) >= LEVELS.indexOf(least) && hasText(`${time} ${words}`, text);
  const shown = lines.filter((line) =>
    isShown({ ...line, level: line.level === 'fatal' ? 'error' : line.level }),
  );
  return (
    <div class="log">
      <h1>Log</h1>
      <div class="bar">
        <label>
          Find
          <input
            type="search"
            placeholder="a time as 02:14, or words"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <label>
          From level
          <select value={least} onChange={(event) => setLeast(event.currentTarget.value as Level)}>
            {LEVELS.map((level) => (
              <option value={level}>{level}</option>
            ))}
          </select>
        </label>
        <span role="status" class="quiet">
          {shown.length} of the last {lines.length} lines {problem}
        </span>
      </div>
      <Alarms session={session} nowMs={nowMs} find={text} />
      <Lines lines={shown} />
    </div>
  );
}

const Lines = ({ lines }: { readonly lines: readonly LogLine[] }): JSX.Element => (
  <div class="scroll" role="region" aria-label="Log lines" tabIndex={0}>
    <table>
      <thead>
        <tr>
          <th scope="col">time (UTC)</th>
          <th scope="col">level</th>
          <th scope="col">line</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ time, level, words }) => (
          <tr>
            <td>{time}</td>
            <td class={level === 'error' || level === 'fatal' ? 'bad' : ''}>{level}</td>
            <td class="meaning">{words}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
