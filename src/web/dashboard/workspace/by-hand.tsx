import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { permits } from '../../../ops/scopes.ts';
import type { LiveAdjustment, LiveEvent } from '../../../read-model/live/message.ts';
import { post } from '../../adapters/commands.ts';
import type { Session } from '../../adapters/session.ts';
import { writtenKey } from '../stream/keys.ts';
import { useSaid } from '../use-said.ts';
import { adjustmentInWords } from '../words.ts';

interface ByHandProps {
  readonly event: LiveEvent;
  readonly session: Session;
  readonly atMs: number;
}

/** What a person sends, and whether it lets more be traded, or less be closed. */
interface Wish {
  readonly path: '/adjust' | '/state';
  readonly body: Readonly<Record<string, unknown>>;
  readonly isLooser: boolean;
}

/** When a wish ends by itself. */
const ENDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'until it is changed': {},
  'for 15 min': { minutes: 15 },
  'for 1 h': { minutes: 60 },
  'until the start': { untilStart: true },
};

/** The bounds of the daemon. */
const [LEAST_FACTOR, MOST_FACTOR, MOST_TICKS] = [0.05, 4, 50];

/** What is wrong with the last wish, and a function that sends one. What it did, the state tells that the page shows next. */
function useWish({ event, session, atMs }: ByHandProps): readonly [said: string, send: (wish: Wish) => void] {
  const { key, restriction, adjustments } = event;
  const said = useSaid(atMs, JSON.stringify([key, restriction, adjustments]));
  const send = ({ path, body, isLooser }: Wish): void => {
    said.wait('sent …');
    const whole = {
      event: writtenKey(event.key),
      reason: 'pressed on the dashboard',
      by: 'dashboard',
      ...body,
    };
    void post(session, path, whole, isLooser ? undefined : {}).then((answer) =>
      said.answer(answer.done ? '' : `FAILED: ${answer.why}`),
    );
  };
  return [said.text, send];
}

/** Leaves an event as it is, scales its stakes, widens its quotes, or stops it, with an end where one is wanted. */
export function ByHand({ event, session, atMs }: ByHandProps): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  if (!permits(session.scope, 'reduce')) return null;
  return (
    <div
      class="hedge"
      role="group"
      aria-label="By hand"
      onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}
    >
      <button type="button" class="quiet-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        by hand …
      </button>
      {isOpen ? <Wishes event={event} session={session} atMs={atMs} /> : null}
    </div>
  );
}

function Wishes({ event, session, atMs }: ByHandProps): JSX.Element {
  const [end, setEnd] = useState('until it is changed');
  const [ticks, setTicks] = useState('2');
  const [said, send] = useWish({ event, session, atMs });
  const factor = event.adjustments.find(({ what }) => what === 'stake')?.amount ?? 1;
  const wide = event.adjustments.find(({ what }) => what === 'widen')?.amount ?? 0;
  const wanted = Number(ticks);
  const isTicks = Number.isInteger(wanted) && wanted >= 1 && wanted <= MOST_TICKS;
  const press = (label: string, wish: Wish): JSX.Element | null =>
    wish.isLooser && !permits(session.scope, 'control') ? null : (
      <button type="button" onClick={() => send({ ...wish, body: { ...wish.body, ...ENDS[end] } })}>
        {label}
      </button>
    );
  const state = (to: string): Wish => ({ path: '/state', body: { state: to }, isLooser: false });
  const adjust = (body: Wish['body'], isLooser: boolean): Wish => ({ path: '/adjust', body, isLooser });
  return (
    <div class="explanation by-hand">
      <p>
        <label>
          {event.name}{' '}
          <select value={end} onChange={({ currentTarget }) => setEnd(currentTarget.value)}>
            {Object.keys(ENDS).map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      </p>
      <p>
        {press('stop', state('halted'))} {press('reduce only', state('reducing'))}{' '}
        {press('leave as it is', adjust({ leave: true }, true))}
      </p>
      <p>
        {press('stake × ½', adjust({ stakeFactor: Math.max(LEAST_FACTOR, factor / 2) }, false))}{' '}
        {press('stake × 2', adjust({ stakeFactor: Math.min(MOST_FACTOR, factor * 2) }, true))}
      </p>
      <p>
        <label>
          wider by{' '}
          <input
            inputMode="numeric"
            size={2}
            value={ticks}
            aria-invalid={!isTicks}
            onInput={({ currentTarget }) => setTicks(currentTarget.value)}
          />{' '}
          ticks
        </label>{' '}
        {isTicks ? press('widen', adjust({ widenTicks: wanted }, wanted < wide)) : null}
      </p>
      <p class="quiet">
        Limits stay: risk judges the stakes that result. Left as it is, orders lapse by themselves.
      </p>
      <p role="status">{said}</p>
    </div>
  );
}

/** What persons want of the event, by whom, why and until when; with `control` it can be ended. */
export function Adjusted({ event, session, atMs }: ByHandProps): JSX.Element | null {
  const [said, send] = useWish({ event, session, atMs });
  if (event.adjustments.length === 0) return null;
  return (
    <p class="adjusted">
      {event.adjustments.map((each) => (
        <span key={each.what} title={each.why}>
          <strong>{adjustmentInWords(each, atMs)}</strong>{' '}
          {permits(session.scope, 'control') ? (
            <button
              type="button"
              class="quiet-button"
              aria-label={`end: ${adjustmentInWords(each, atMs)}`}
              onClick={() => send({ path: '/adjust', body: NEUTRAL[each.what], isLooser: true })}
            >
              end
            </button>
          ) : null}
        </span>
      ))}
      <span role="status">{said}</span>
    </p>
  );
}

const NEUTRAL: Readonly<Record<LiveAdjustment['what'], Wish['body']>> = {
  leave: { leave: false },
  stake: { stakeFactor: 1 },
  widen: { widenTicks: 0 },
};
