import { useEffect, useRef, useState } from 'preact/hooks';
import { browserTime } from '../adapters/browser-time.ts';

/** A press that lasts longer no longer holds the page: its end may have been missed. Longer than any button is held down. */
const LONGEST_PRESS_MS = 1_500;

/**
 * A value that stays as it was while a button is pressed, by a pointer or by key. Then nothing that the daemon sends can change the size or the place of
 * that button, and the press ends where it began.
 */
export function useSteady<T>(value: T): T {
  const isPressed = usePressed();
  const kept = useRef(value);
  if (!isPressed) kept.current = value;
  return kept.current;
}

function usePressed(): boolean {
  const [isPressed, setPressed] = useState(false);
  useEffect(() => {
    let cancel = (): void => undefined;
    const begin = ({ target }: Event): void => {
      if (!(target instanceof Element) || target.closest('button') === null) return;
      cancel();
      setPressed(true);
      cancel = browserTime.after(LONGEST_PRESS_MS, () => setPressed(false));
    };
    // The click comes after the end of the press, and must still find its button.
    const end = (): void => {
      cancel();
      cancel = browserTime.after(0, () => setPressed(false));
    };
    const beginByKey = (event: KeyboardEvent): void => {
      if (!event.repeat && PRESSING.has(event.key)) begin(event);
    };
    const listeners = [
      ...([['pointerdown', begin]] as const),
      ...(['pointerup', 'pointercancel', 'keyup', 'blur'] as const).map((name) => [name, end] as const),
    ];
    for (const [name, listener] of listeners) addEventListener(name, listener, true);
    addEventListener('keydown', beginByKey, true);
    return () => {
      cancel();
      for (const [name, listener] of listeners) removeEventListener(name, listener, true);
      removeEventListener('keydown', beginByKey, true);
    };
  }, []);
  return isPressed;
}

const PRESSING: ReadonlySet<string> = new Set(['Enter', ' ']);
