import type { JSX } from 'preact';
import { timeOfDay } from '../../../lib/formats.ts';
import { permits } from '../../../ops/scopes.ts';
import type { Session } from '../../adapters/session.ts';
import { eventsOf, type Shown } from '../stream/view.ts';
import { closedInWords, heldInWords, nextInWords } from './after-kill-words.ts';

interface AfterKillProps {
  readonly shown: Shown;
  readonly session: Session;
}

/** After a kill: why, what is closed, what is still held, and what comes next. Nothing while no kill is in force. */
export function AfterKill({ shown, session }: AfterKillProps): JSX.Element | null {
  const { trading } = shown.run;
  if (trading.state !== 'killed') return null;
  const { by, why, sinceMs } = trading;
  return (
    <section class="after-kill panel" aria-label="After the kill">
      <dl>
        <div>
          <dt>Why</dt>
          <dd>
            {why} ({by}
            {sinceMs === null ? '' : `, ${timeOfDay(sinceMs)} UTC`})
          </dd>
        </div>
        <div>
          <dt>Closed</dt>
          <dd>{closedInWords(shown.quoting)}</dd>
        </div>
        <div>
          <dt>Still held</dt>
          <dd>{heldInWords(eventsOf(shown.view))}</dd>
        </div>
        <div>
          <dt>Next</dt>
          <dd>{nextInWords(shown.quoting.ordersOpen, permits(session.scope, 'control'))}</dd>
        </div>
      </dl>
    </section>
  );
}
