import type { JSX } from 'preact';
import { timeOfDay } from '../../../lib/formats.ts';
import { permits } from '../../../ops/scopes.ts';
import type { Session } from '../../adapters/session.ts';
import { eventsOf, type Shown } from '../stream/view.ts';
import { closedInWords, heldInWords, nextInWords, type Stop, stopOf } from './after-stop-words.ts';

interface AfterStopProps {
  readonly shown: Shown;
  readonly session: Session;
  /** When CLOSE ALL was done from here, on the daemon's clock; null if it was not. */
  readonly closedAtMs: number | null;
}

/** After a kill, a pause or CLOSE ALL: why, what is closed, what is still held, and what comes next. */
export function AfterStop({ shown, session, closedAtMs }: AfterStopProps): JSX.Element | null {
  const stop = stopOf(shown.run.trading, closedAtMs === null ? null : shown.atMs - closedAtMs);
  if (stop === null) return null;
  const { ordersOpen } = shown.quoting;
  return (
    <section
      class={`after-stop panel ${stop === 'kill' ? 'after-kill' : ''}`}
      aria-label={stop === 'CLOSE ALL' ? 'After CLOSE ALL' : `After the ${stop}`}
    >
      <dl>
        <div>
          <dt>Why</dt>
          <dd>{whyInWords(stop, shown, closedAtMs)}</dd>
        </div>
        <div>
          <dt>Closed</dt>
          <dd>{closedInWords(stop, shown.quoting)}</dd>
        </div>
        <div>
          <dt>Still held</dt>
          <dd>{heldInWords(stop, eventsOf(shown.view))}</dd>
        </div>
        <div>
          <dt>Next</dt>
          <dd>{nextInWords(stop, ordersOpen, permits(session.scope, 'control'), shown.run.trading.kept)}</dd>
        </div>
      </dl>
    </section>
  );
}

function whyInWords(stop: Stop, { run }: Shown, closedAtMs: number | null): string {
  const { by, why, sinceMs } = run.trading;
  if (stop === 'CLOSE ALL') return `CLOSE ALL was pressed here, ${timeOfDay(closedAtMs ?? 0)} UTC`;
  return `${why} (${by}${sinceMs === null ? '' : `, ${timeOfDay(sinceMs)} UTC`})`;
}
