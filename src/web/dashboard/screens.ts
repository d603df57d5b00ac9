import { useEffect, useState } from 'preact/hooks';

/** What the page shows: everything at a glance, one event, or a page of its own. */
export type Screen =
  | { readonly kind: 'night' | 'history' | 'strategies' | 'log' | 'reports' }
  | { readonly kind: 'match'; readonly key: string };

const MATCH = '#match/';

function screenIn(hash: string): Screen {
  if (hash.startsWith(MATCH)) return { kind: 'match', key: decodeURIComponent(hash.slice(MATCH.length)) };
  const named = PAGES.find(({ address }) => address === hash);
  return { kind: named?.kind ?? 'night' };
}

/** The screens that every screen leads to. */
export const PAGES = [
  { kind: 'night', address: '#', name: 'Events' },
  { kind: 'history', address: '#history', name: 'Over time' },
  { kind: 'strategies', address: '#strategies', name: 'Strategies' },
  { kind: 'log', address: '#log', name: 'Log' },
  { kind: 'reports', address: '#reports', name: 'Reports' },
] as const;

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
