import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { permits } from '../../../ops/scopes.ts';
import type { LiveSelection } from '../../../read-model/live/message.ts';
import type { Session } from '../../adapters/session.ts';
import { isTyping } from '../typing.ts';
import { aboutOf, useTradingState } from './trading.tsx';

interface CancelProps {
  /** Of the first ladder. */
  readonly selection: LiveSelection | undefined;
  readonly session: Session;
  readonly atMs: number;
}

const KEY = 'x';

/** Cancels all of one market: its orders are closed, and none is placed until a person allows it again. By a press, or by the key X. */
export function CancelMarket({ selection, session, atMs }: CancelProps): JSX.Element | null {
  const about = selection === undefined ? '' : aboutOf(selection.id, selection.restriction);
  const [said, set] = useTradingState(session, atMs, about);
  const cancel = (): void => {
    if (selection !== undefined) set({ selection: selection.id }, 'halted');
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
      <button
        type="button"
        class="quiet-button"
        title="Closes the orders of the first ladder, and halts it until a person allows it again"
        onClick={cancel}
      >
        cancel {selection.name} (X)
      </button>
      <span role="status"> {said}</span>
    </span>
  );
}
