import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { permits } from '../../../ops/scopes.ts';
import type { LiveSelection } from '../../../read-model/live/message.ts';
import { post } from '../../adapters/commands.ts';
import type { Session } from '../../adapters/session.ts';
import { isTyping } from '../typing.ts';

interface CancelProps {
  /** Of the first ladder. */
  readonly selection: LiveSelection | undefined;
  readonly session: Session;
}

const KEY = 'x';

/** Cancels all of one market: its orders are closed, and none is placed until a person allows it again. By a press, or by the key X. */
export function CancelMarket({ selection, session }: CancelProps): JSX.Element | null {
  const [said, setSaid] = useState('');
  const cancel = (): void => {
    if (selection === undefined) return;
    const { id, name } = selection;
    setSaid('sent …');
    const body = { state: 'halted', selection: id, reason: 'cancelled on the dashboard', by: 'dashboard' };
    // What reduces is sent until it is answered.
    void post(session, '/state', body, {}).then((answer) =>
      setSaid(answer.done ? `${name} is cancelled and halted` : `FAILED: ${answer.why}`),
    );
  };
  const latest = useRef(cancel);
  latest.current = cancel;
  const isAllowed = permits(session.scope, 'reduce');
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat;
      if (isAllowed && isPlain && event.key.toLowerCase() === KEY && !isTyping(event)) latest.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isAllowed]);
  if (!isAllowed || selection === undefined) return null;
  return (
    <span>
      <button type="button" class="quiet-button" onClick={cancel}>
        cancel all of {selection.name} (key X)
      </button>
      <span role="status"> {said}</span>
    </span>
  );
}
