import { useEffect, useState } from 'preact/hooks';
import { addressOf, type Desk, type Screen, screenIn } from './desk.ts';

/** Shows another workspace. The way back leads to the screen before, not through each letter of a search. */
export function show(desk: Desk): void {
  history.replaceState(null, '', addressOf(desk));
  dispatchEvent(new Event('hashchange'));
}

/** The screen that the address names. */
export function useScreen(): Screen {
  const [hash, setHash] = useState(() => location.hash);
  useEffect(() => {
    const follow = (): void => setHash(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return screenIn(hash);
}
