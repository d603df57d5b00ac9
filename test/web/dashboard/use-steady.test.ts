import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { acting, hookedPage } from '../../support/hooked-page.ts';

/** Its types belong to the browser, which these tests stand for. */
const MODULE = new URL('../../../src/web/dashboard/use-steady.ts', import.meta.url).href;
const { useSteady } = (await import(MODULE)) as { readonly useSteady: <T>(value: T) => T };

/** As much of an element as a press looks at. */
class FakeElement {
  readonly #tag: string;
  readonly #parent: FakeElement | null;

  constructor(tag: string, parent: FakeElement | null = null) {
    this.#tag = tag;
    this.#parent = parent;
  }

  closest(tag: string): FakeElement | null {
    return this.#tag === tag ? this : (this.#parent?.closest(tag) ?? null);
  }
}

class FakeButton extends FakeElement {}

const PAGE = new FakeElement('main');
const BUTTON = new FakeButton('button', PAGE);
const LABEL = new FakeElement('b', new FakeElement('span', BUTTON));

type Fired = Readonly<Record<string, unknown>>;

const listeners = new Map<string, Set<(event: Fired) => void>>();

/** A page that shows what `useSteady` keeps. */
function page() {
  let shown = '';
  const { show, leave } = hookedPage(({ value }: { readonly value: string }) => {
    shown = useSteady(value);
  });
  const receive = (value: string): void => show({ value });
  receive('old');
  return {
    /** The daemon sends this value. */
    receive,
    shown: () => shown,
    leave,
  };
}

const fire = (name: string, event: Fired = {}): void =>
  acting(() => {
    for (const listener of listeners.get(name) ?? []) listener(event);
  });

const wait = (ms: number): void => acting(() => void vi.advanceTimersByTime(ms));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('Element', FakeElement);
  vi.stubGlobal('HTMLElement', FakeElement);
  vi.stubGlobal('HTMLButtonElement', FakeButton);
  vi.stubGlobal('addEventListener', (name: string, listener: (event: Fired) => void) => {
    listeners.set(name, (listeners.get(name) ?? new Set()).add(listener));
  });
  vi.stubGlobal('removeEventListener', (name: string, listener: (event: Fired) => void) => {
    listeners.get(name)?.delete(listener);
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  listeners.clear();
});

const PRESSES: readonly (readonly [how: string, name: string, event: Fired])[] = [
  ['by a pointer on the button', 'pointerdown', { target: BUTTON }],
  ['by a pointer on a label within the button', 'pointerdown', { target: LABEL }],
  ['by Enter', 'keydown', { target: BUTTON, key: 'Enter', repeat: false }],
  ['by the space bar', 'keydown', { target: BUTTON, key: ' ', repeat: false }],
];

const ENDS = ['pointerup', 'pointercancel', 'keyup', 'blur'] as const;

describe('a page while a button is pressed', () => {
  it.each(PRESSES.flatMap((press) => ENDS.map((end) => [...press, end] as const)))(
    'stays as it was, pressed %s, until the click that follows its end: %3$s',
    (_, name, event, end) => {
      const { receive, shown } = page();
      fire(name, event);
      receive('while pressed');
      expect(shown()).toBe('old');
      fire(end);
      // The click is dispatched in the same task as the end of the press.
      receive('between the release and the click');
      expect(shown()).toBe('old');
      wait(0);
      expect(shown()).toBe('between the release and the click');
      receive('later');
      expect(shown()).toBe('later');
    },
  );

  it.each<[what: string, name: string, event: Fired]>([
    ['a press beside every button', 'pointerdown', { target: PAGE }],
    ['a press on what is no element', 'pointerdown', { target: {} }],
    ['another key', 'keydown', { target: BUTTON, key: 'a', repeat: false }],
    ['a key beside every button', 'keydown', { target: PAGE, key: 'Enter', repeat: false }],
    ['a key that was held down before', 'keydown', { target: BUTTON, key: 'Enter', repeat: true }],
  ])('moves on at %s', (_, name, event) => {
    const { receive, shown } = page();
    fire(name, event);
    receive('new');
    expect(shown()).toBe('new');
  });

  it('moves on after a second and a half if the end of the press was missed', () => {
    const { receive, shown } = page();
    fire('pointerdown', { target: BUTTON });
    receive('new');
    wait(1_499);
    expect(shown()).toBe('old');
    wait(1);
    expect(shown()).toBe('new');
  });

  it('is not held for longer by a key that repeats', () => {
    const { receive, shown } = page();
    fire('keydown', { target: BUTTON, key: 'Enter', repeat: false });
    receive('new');
    wait(1_000);
    fire('keydown', { target: BUTTON, key: 'Enter', repeat: true });
    wait(500);
    expect(shown()).toBe('new');
  });

  it('is held by each press anew, be it right after another', () => {
    const { receive, shown } = page();
    fire('pointerdown', { target: BUTTON });
    receive('new');
    wait(1_000);
    fire('pointerup');
    fire('pointerdown', { target: BUTTON });
    // Neither the end of the first press nor its bound ends the second one.
    wait(1_499);
    expect(shown()).toBe('old');
    wait(1);
    expect(shown()).toBe('new');
    fire('pointerdown', { target: BUTTON });
    receive('newer');
    expect(shown()).toBe('new');
  });

  it('listens to nothing once it is left, and leaves no timer', () => {
    const { leave } = page();
    fire('pointerdown', { target: BUTTON });
    expect([...listeners].filter(([, each]) => each.size > 0)).toHaveLength(6);
    leave();
    expect([...listeners].filter(([, each]) => each.size > 0)).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
