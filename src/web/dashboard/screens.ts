import { useEffect, useState } from 'preact/hooks';

/** What the page shows: everything at a glance, or one event. */
export type Screen = { readonly kind: 'night' } | { readonly kind: 'match'; readonly key: string };

const MATCH = '#match/';

const screenIn = (hash: string): Screen =>
  hash.startsWith(MATCH)
    ? { kind: 'match', key: decodeURIComponent(hash.slice(MATCH.length)) }
    : { kind: 'night' };

/** The address of an event's screen. */
export const matchHash = (key: string): string => MATCH + encodeURIComponent(key);

/** The screen that the address names. */
export function useScreen(): Screen {
  const [screen, setScreen] = useState(() => screenIn(location.hash));
  useEffect(() => {
    const follow = (): void => setScreen(screenIn(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return screen;
}
