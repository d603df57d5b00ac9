import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type Armed,
  confirms,
  isSameQuote,
  isSameTick,
} from '../../../src/web/dashboard/workspace/ladder/armed.ts';
import { acting, hookedPage } from '../../support/hooked-page.ts';

/** Its types belong to the browser, which these tests stand for. */
const MODULE = new URL('../../../src/web/dashboard/workspace/ladder/hand.ts', import.meta.url).href;

interface Hand {
  readonly armed: Armed | null;
  pressTick(direction: 'for' | 'against', tick: number, atMs: number): void;
}

const { useHand } = (await import(MODULE)) as {
  readonly useHand: (selection: string, session: object, nowMs: number) => Hand;
};

/** A place in the workspace, which shows one selection after the other, and what it sent. */
function place() {
  const sent: string[] = [];
  vi.stubGlobal('fetch', (_path: string, { body }: { readonly body: string }) => {
    sent.push((JSON.parse(body) as { readonly selection: string }).selection);
    return Promise.reject(new Error('no daemon'));
  });
  let hand: Hand | null = null;
  const { show, leave } = hookedPage(({ selection }: { readonly selection: string }) => {
    hand = useHand(selection, { token: '', scope: 'control' }, 0);
  });
  return {
    sent,
    leave,
    show: (selection: string) => show({ selection }),
    isArmed: () => hand?.armed !== null,
    press: (atMs: number) => acting(() => hand?.pressTick('for', 90, atMs)),
  };
}

const ARMED: Armed = { kind: 'quote', direction: 'for', tick: 90, sinceMs: 1_000 };

describe('a press on a ladder by hand', () => {
  it.each([
    ['the same tick, after a look', 'for', 90, 1_400, true],
    ['the same tick, within a double click', 'for', 90, 1_399, false],
    ['another tick', 'for', 91, 5_000, false],
    ['the other side', 'against', 90, 5_000, false],
  ] as const)('on %s confirms: %s %s %s %s', (_, direction, tick, atMs, isConfirmed) => {
    expect(confirms(ARMED, isSameTick(ARMED, direction, tick), atMs)).toBe(isConfirmed);
  });

  it('confirms nothing that was not armed, nor the end of another quote', () => {
    expect(confirms(null, isSameTick(null, 'for', 90), 5_000)).toBe(false);
    const armed: Armed = { kind: 'withdraw', id: 'q', sinceMs: 0 };
    expect(isSameQuote(armed, 'q')).toBe(true);
    expect(isSameQuote(armed, 'r')).toBe(false);
    expect(isSameTick(armed, 'for', 90)).toBe(false);
  });
});

describe('a place with another selection', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('has nothing armed by a press on the one before, and a second press quotes nothing', () => {
    const ladder = place();
    ladder.show('home');
    ladder.press(1_000);
    expect(ladder.isArmed()).toBe(true);
    ladder.show('draw');
    expect(ladder.isArmed()).toBe(false);
    ladder.press(3_000);
    expect(ladder.sent).toEqual([]);
    ladder.press(5_000);
    expect(ladder.sent).toEqual(['draw']);
    ladder.leave();
  });
});
