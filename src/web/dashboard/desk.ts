/** What the workspace shows. All of it is in the address, so that an address shows the same to somebody else. */
export interface Desk {
  /** The event whose payoffs, selections and ladders are shown; null: the most active one. */
  readonly event: string | null;
  /** Selections whose ladders are pinned; none: those of the event. */
  readonly ladders: readonly string[];
  /** Events that come first in the table. */
  readonly pins: readonly string[];
  /** A column of the table; with a minus in front, the highest first. */
  readonly sort: string;
  readonly find: string;
  readonly only: Only;
}

/** Which events the table holds. */
export const ONLY = ['all', 'in play', 'held', 'not quoted'] as const;
type Only = (typeof ONLY)[number];

/** The workspace, or a page of its own. */
export type Screen =
  | { readonly kind: 'history' | 'strategies' | 'log' | 'reports' }
  | { readonly kind: 'events'; readonly desk: Desk };

export const NO_DESK: Desk = { event: null, ladders: [], pins: [], sort: 'worst', find: '', only: 'all' };

/** A page shows at most this many ladders. */
export const MOST_LADDERS = 8;

const EVENTS = '#events';

/** The screen of a hash. Words that it does not know have no effect. */
export function screenIn(hash: string): Screen {
  const named = PAGES.find(({ kind, address }) => kind !== 'events' && address === hash);
  if (named !== undefined && named.kind !== 'events') return { kind: named.kind };
  return { kind: 'events', desk: hash.startsWith(`${EVENTS}?`) ? deskIn(hash) : NO_DESK };
}

function deskIn(hash: string): Desk {
  const words = new URLSearchParams(hash.slice(EVENTS.length));
  return {
    event: words.get('event'),
    ladders: words.getAll('ladder').slice(0, MOST_LADDERS),
    pins: words.getAll('pin'),
    sort: words.get('sort') ?? NO_DESK.sort,
    find: words.get('find') ?? '',
    only: ONLY.find((each) => each === words.get('only')) ?? NO_DESK.only,
  };
}

/** The address of a workspace. What is as usual is left out. */
export function addressOf({ event, ladders, pins, sort, find, only }: Desk): string {
  const words = new URLSearchParams([
    ...(event === null ? [] : [['event', event] as [string, string]]),
    ...ladders.map((id): [string, string] => ['ladder', id]),
    ...pins.map((key): [string, string] => ['pin', key]),
    ...(sort === NO_DESK.sort ? [] : [['sort', sort] as [string, string]]),
    ...(find === '' ? [] : [['find', find] as [string, string]]),
    ...(only === NO_DESK.only ? [] : [['only', only] as [string, string]]),
  ]);
  return words.size === 0 ? '#' : `${EVENTS}?${words}`;
}

/** The list with the value at its end, or without it if it was there. */
export const toggled = (list: readonly string[], value: string): readonly string[] =>
  list.includes(value) ? list.filter((each) => each !== value) : [...list, value];

/** The screens that every screen leads to. */
export const PAGES = [
  { kind: 'events', address: '#', name: 'Events' },
  { kind: 'history', address: '#history', name: 'Over time' },
  { kind: 'strategies', address: '#strategies', name: 'Strategies' },
  { kind: 'log', address: '#log', name: 'Log' },
  { kind: 'reports', address: '#reports', name: 'Reports' },
] as const;
