import { describe, expect, it } from 'vitest';
import { acting, hookedPage } from '../../support/hooked-page.ts';

/** Its types belong to the browser, which these tests stand for. */
const MODULE = new URL('../../../src/web/dashboard/use-said.ts', import.meta.url).href;

interface Said {
  readonly text: string;
  wait(text: string): void;
  answer(text: string): void;
}

const { SAID_MS, useSaid } = (await import(MODULE)) as {
  readonly SAID_MS: number;
  readonly useSaid: (atMs: number, about: string) => Said;
};

const AT_MS = Date.UTC(2026, 0, 1, 13, 18, 41);

interface Props {
  readonly atMs: number;
  readonly about: string;
}

function saying() {
  let said: Said | null = null;
  const page = hookedPage<Props>(({ atMs, about }) => void (said = useSaid(atMs, about)));
  const of = (): Said => said as unknown as Said;
  return {
    show: (atMs: number, about = 'the event is active') => page.show({ atMs, about }),
    text: () => of().text,
    wait: (text: string) => acting(() => of().wait(text)),
    answer: (text: string) => acting(() => of().answer(text)),
  };
}

describe('what a place of the page says to a person', () => {
  it('is nothing before anything is sent, and waits for as long as nobody answers', () => {
    const page = saying();
    page.show(AT_MS);
    expect(page.text()).toBe('');
    page.wait('sent …');
    page.show(AT_MS + 10 * SAID_MS);
    expect(page.text()).toBe('sent …');
  });

  it('is the answer with its time, which goes after a minute', () => {
    const page = saying();
    page.show(AT_MS - 3_000);
    page.wait('sent …');
    page.show(AT_MS);
    page.answer('FAILED: refused');
    expect(page.text()).toBe('13:18:41 FAILED: refused');
    page.show(AT_MS + SAID_MS - 1);
    expect(page.text()).toBe('13:18:41 FAILED: refused');
    page.show(AT_MS + SAID_MS);
    expect(page.text()).toBe('');
  });

  it('goes as soon as what it speaks of has changed, also where the answer comes later', () => {
    const page = saying();
    page.show(AT_MS);
    page.wait('sent …');
    page.answer('FAILED: refused');
    page.show(AT_MS + 1, 'the event is halted');
    expect(page.text()).toBe('');
    page.show(AT_MS + 2);
    page.wait('sent …');
    page.show(AT_MS + 3, 'another event');
    page.answer('FAILED: refused');
    expect(page.text()).toBe('');
  });

  it('is nothing where the page itself shows what was done', () => {
    const page = saying();
    page.show(AT_MS);
    page.wait('sent …');
    page.answer('');
    expect(page.text()).toBe('');
  });
});
