import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { PAGE } from '../../lib/formats.ts';
import { browserTime } from '../adapters/browser-time.ts';
import { command, GIVEN_UP_MS } from '../adapters/commands.ts';
import type { Session } from '../adapters/session.ts';
import { permits } from '../../ops/scopes.ts';
import { type Answered, answerInWords, type CommandPath, sentInWords } from './command-answers.ts';
import { isStale, type Shown } from './stream/view.ts';
import { isTyping } from './typing.ts';

interface ActionsProps {
  readonly session: Session;
  readonly shown: Shown;
  /** Called when CLOSE ALL is done, with the daemon's clock. */
  readonly onClosed: (atMs: number) => void;
}

/** The second press of a kill must follow within this time. */
const SECOND_PRESS_MS = 2_000;
/** RESUME is held down for so long. */
const HOLD_MS = 1_000;
const [RESUME, CLOSE] = ['/resume', '/close'] as const;
const REASON = 'pressed on the dashboard';

/**
 * The commands. Those that reduce stay enabled whatever the page knows: the daemon may be there although its messages
 * do not come.
 */
export function Actions({ session, shown, onClosed }: ActionsProps): JSX.Element | null {
  const [notices, send] = useCommands(session, shown, onClosed);
  const isStopped = ['halted', 'killed'].includes(shown.run.trading.state);
  if (!permits(session.scope, 'reduce'))
    return (
      <div class="actions">
        <p class="quiet">This link shows everything and changes nothing.</p>
      </div>
    );
  return (
    <div class="actions" role="group" aria-label="Commands">
      <p role="status" class="notice-line">
        {notices}
      </p>
      <button type="button" class="pause" onClick={() => send('/pause')}>
        PAUSE
      </button>
      <CloseAll shown={shown} onConfirm={() => send(CLOSE)} />
      {permits(session.scope, 'control') ? (
        <HeldButton isEnabled={!isStale(shown) && isStopped} onHeld={() => send(RESUME)} />
      ) : null}
      <KillButton onKill={() => send('/kill')} />
    </div>
  );
}

type Notice = { readonly text: string } | Answered;

/** What became of the commands, and a function that sends one. What reduces is sent until it is answered, for as long as the page is open. */
function useCommands(
  session: Session,
  shown: Shown,
  onClosed: ActionsProps['onClosed'],
): readonly [notices: string, send: (path: CommandPath) => void] {
  const [notices, setNotices] = useState<ReadonlyMap<CommandPath, Notice>>(new Map());
  const now = useRef(shown);
  now.current = shown;
  const note = (path: CommandPath, notice: Notice): void =>
    setNotices((before) => new Map([...before].filter(([, each]) => 'text' in each)).set(path, notice));
  const send = (path: CommandPath): void => {
    const onSent = (times: number): void => note(path, { text: sentInWords(path, times) });
    const giveUpMs = path === RESUME ? GIVEN_UP_MS : undefined;
    void command(session, path, REASON, { giveUpMs, onSent }).then((answer) => {
      const { atMs } = now.current;
      note(path, { path, answer, atMs });
      if (path === CLOSE && answer.done) onClosed(atMs);
    });
  };
  const words = [...notices].map(
    ([path, each]) => [path, 'text' in each ? each.text : answerInWords(each, shown)] as const,
  );
  const over = words.filter(([, text]) => text === null).map(([path]) => path);
  // An answer that was once no longer so does not come back.
  useEffect(() => {
    if (over.length > 0)
      setNotices((before) => new Map([...before].filter(([path]) => !over.includes(path))));
  }, [over.join(' ')]);
  return [
    words
      .map(([, text]) => text)
      .filter((text) => text !== null)
      .join(' · '),
    send,
  ];
}

/** Closes every open order after a look at what that is. The look opens below the bar, so that no button moves. */
function CloseAll({
  shown,
  onConfirm,
}: {
  readonly shown: Shown;
  readonly onConfirm: () => void;
}): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  const { ordersOpen, openStake } = shown.quoting;
  return (
    <>
      <button type="button" class="close-all" aria-expanded={isAsking} onClick={() => setAsking(!isAsking)}>
        CLOSE ALL …
      </button>
      {isAsking ? (
        <div class="preview" role="group" aria-label="Close all orders">
          <span>
            {ordersOpen} orders with {PAGE.money(openStake)} stake. What is still wanted is quoted again;
            PAUSE also keeps them closed.
          </span>
          <button
            type="button"
            onClick={() => {
              setAsking(false);
              onConfirm();
            }}
          >
            CLOSE THEM
          </button>
          <button type="button" onClick={() => setAsking(false)}>
            no
          </button>
        </div>
      ) : null}
    </>
  );
}

interface LabelProps {
  readonly of: readonly string[];
  readonly shown: number;
}

/** One of several labels, as wide as the widest: a button must not shrink away from under a finger. */
const Label = ({ of, shown }: LabelProps): JSX.Element => (
  <span class="label">
    {of.map((text, at) => (
      <span class={at === shown ? '' : 'hidden-label'}>{text}</span>
    ))}
  </span>
);

/** A button that acts when it was held down: by a finger, a mouse, or the keys Enter and space. */
function HeldButton({
  isEnabled,
  onHeld,
}: {
  readonly isEnabled: boolean;
  readonly onHeld: () => void;
}): JSX.Element {
  const [isHeld, setHeld] = useState(false);
  const cancel = useRef(() => undefined as void);
  const start = (): void => {
    if (isHeld || !isEnabled) return;
    setHeld(true);
    cancel.current = browserTime.after(HOLD_MS, () => {
      setHeld(false);
      onHeld();
    });
  };
  const stop = (): void => {
    cancel.current();
    setHeld(false);
  };
  useEffect(() => () => cancel.current(), []);
  const isKey = ({ key }: KeyboardEvent): boolean => key === 'Enter' || key === ' ';
  return (
    <button
      type="button"
      class={`resume ${isHeld ? 'held' : ''}`}
      disabled={!isEnabled}
      aria-label="Resume: hold down for one second"
      onPointerDown={({ button }) => (button === 0 ? start() : undefined)}
      onPointerUp={stop}
      onPointerLeave={stop}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => (isKey(event) ? start() : undefined)}
      onKeyUp={(event) => (isKey(event) ? stop() : undefined)}
      onBlur={stop}
    >
      <Label of={['RESUME (hold)', 'HOLD …']} shown={isHeld ? 1 : 0} />
    </button>
  );
}

/** Kills at the second press, or at the second press of the key K. */
function KillButton({ onKill }: { readonly onKill: () => void }): JSX.Element {
  const [isArmed, setArmed] = useState(false);
  const cancel = useRef(() => undefined as void);
  const armed = useRef(false);
  const arm = (is: boolean): void => {
    armed.current = is;
    setArmed(is);
  };
  const press = (): void => {
    cancel.current();
    if (armed.current) {
      arm(false);
      onKill();
      return;
    }
    arm(true);
    cancel.current = browserTime.after(SECOND_PRESS_MS, () => arm(false));
  };
  const latest = useRef(press);
  latest.current = press;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat;
      if (isPlain && event.key.toLowerCase() === 'k' && !isTyping(event)) latest.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <button
      type="button"
      class={`kill ${isArmed ? 'armed' : ''}`}
      onClick={press}
      aria-label="Kill: press twice, or press the key K twice"
    >
      <Label of={['KILL', 'AGAIN TO KILL']} shown={isArmed ? 1 : 0} />
    </button>
  );
}
