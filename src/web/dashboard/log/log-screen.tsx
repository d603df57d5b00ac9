import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ask } from '../../adapters/commands.ts';
import { browserTime } from '../../adapters/browser-time.ts';
import type { Session } from '../../adapters/session.ts';
import {
  hasText,
  isFrom,
  LEAST_LEVELS,
  type LeastLevel,
  type LogLine,
  readLine,
} from '../../../read-model/live/log-lines.ts';
import { Alarms } from './alarms.tsx';

const EVERY_MS = 2_000;
/** A search looks at everything that the daemon keeps, so it is asked more rarely, and once the person has typed. */
const SEARCH = { everyMs: 10_000, afterMs: 300 };

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
  const [least, setLeast] = useState<LeastLevel>('info');
  const [path, isSearch] = questionOf(text.trim(), least);
  useEffect(() => {
    let cancel = (): void => undefined;
    let isOpen = true;
    const load = async (): Promise<void> => {
      const answer = await ask(session, path);
      if (!isOpen) return;
      if (answer.done) setLines((answer.body as readonly string[]).map(readLine).reverse());
      setProblem(answer.done ? '' : answer.why);
      cancel = browserTime.after(isSearch ? SEARCH.everyMs : EVERY_MS, () => void load());
    };
    if (isSearch) cancel = browserTime.after(SEARCH.afterMs, () => void load());
    else void load();
    return () => {
      isOpen = false;
      cancel();
    };
  }, [session, path, isSearch]);
  const shown = lines.filter(
    ({ time, level, words }) => isFrom(level, least) && hasText(`${time} ${words}`, text),
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
          <select value={least} onChange={(event) => setLeast(event.currentTarget.value as LeastLevel)}>
            {LEAST_LEVELS.map((level) => (
              <option value={level}>{level}</option>
            ))}
          </select>
        </label>
        <span role="status" class="quiet">
          {isSearch ? `${shown.length} lines found` : `the last ${lines.length} lines`} {problem}
        </span>
      </div>
      <Alarms session={session} nowMs={nowMs} find={text} />
      <Lines lines={shown} />
    </div>
  );
}

/** The question for the daemon: the end of the log, or all kept lines with the text and the level. */
function questionOf(find: string, level: LeastLevel): readonly [path: string, isSearch: boolean] {
  if (find === '' && !isFrom(level, 'warn')) return ['/log', false];
  return [`/log?${new URLSearchParams({ find, level })}`, true];
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
