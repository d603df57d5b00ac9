import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import type { LiveMessage } from '../../../src/read-model/live/message.ts';
import type { BrowserTime } from '../../../src/web/adapters/browser-time.ts';
import { StreamRefused } from '../../../src/web/adapters/live-stream.ts';
import { type OpenStream, SILENT_MS, StreamHolder } from '../../../src/web/dashboard/stream/holder.ts';
import { FORGOTTEN_MS, type FromHolder } from '../../../src/web/dashboard/stream/protocol.ts';

const MESSAGE: LiveMessage = { atMs: 1, frameAtMs: null, isFirst: true, set: {} };

interface Opened {
  readonly token: string;
  readonly atMs: number;
  readonly events: readonly string[];
  readonly everyMs: number;
  readonly signal: AbortSignal;
}

type Behaviour =
  | 'follows'
  | 'is down'
  | 'refuses'
  | 'fails'
  | 'ends'
  | 'ends after a message'
  | 'is silent'
  | 'falls silent'
  | 'trickles';

const SECOND_MS = 1_000;

/** A holder whose streams behave as the test says. A stream that follows sends a message each second. */
function holderOn(behaviourOf: (token: string) => Behaviour = () => 'follows') {
  const clock = new VirtualClock();
  const opened: Opened[] = [];
  const told: FromHolder[] = [];
  const open: OpenStream = async function* (token, { events, everyMs }, signal) {
    opened.push({ token, events, everyMs, signal, atMs: clock.monotonicMs() });
    const behaviour = behaviourOf(token);
    if (behaviour === 'refuses') throw new StreamRefused(401);
    if (behaviour === 'fails') throw new StreamRefused(500);
    if (behaviour === 'ends after a message') yield MESSAGE;
    if (behaviour.startsWith('ends')) return;
    if (behaviour === 'is down') throw new TypeError('Failed to fetch');
    if (behaviour === 'follows' || behaviour === 'falls silent') yield MESSAGE;
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
    if (behaviour === 'is silent' || behaviour === 'falls silent') await aborted;
    for (;;) {
      await Promise.race([aborted, new Promise<void>((resolve) => clock.after(SECOND_MS, resolve))]);
      yield behaviour === 'trickles' ? null : MESSAGE;
    }
  };
  const time: BrowserTime = {
    nowMs: () => clock.monotonicMs(),
    after(ms, work) {
      const timer = clock.after(ms, work);
      return () => timer.cancel();
    },
  };
  const holder = new StreamHolder(open, (message) => void told.push(message), time);
  const follow = (
    tab: string,
    events: readonly string[] = [],
    token: string | null = 'good',
    everyMs = 100,
  ): void => holder.take({ kind: 'follow', tab, token, events, everyMs });
  const live = (): number => opened.filter(({ signal }) => !signal.aborted).length;
  return { holder, clock, opened, told, follow, live };
}

describe('the holder of the stream', () => {
  it('opens one stream for all tabs, with the events of each', async () => {
    const { clock, opened, follow, live } = holderOn();
    follow('one', ['b']);
    follow('two', ['a']);
    follow('three');
    await clock.advance(0);
    expect(live()).toBe(1);
    expect(opened.at(-1)?.events).toEqual(['a', 'b']);
  });

  it('opens it again for a new tab, whose first message must hold everything, and not for a tab it knows', async () => {
    const { clock, opened, follow } = holderOn();
    follow('one');
    await clock.advance(4_000);
    follow('one');
    expect(opened).toHaveLength(1);
    follow('two');
    expect(opened).toHaveLength(2);
    follow('two', ['a']);
    expect(opened).toHaveLength(3);
  });

  it('closes it with the last tab', async () => {
    const { holder, clock, follow, live } = holderOn();
    follow('one');
    follow('two');
    holder.take({ kind: 'leave', tab: 'one' });
    expect(live()).toBe(1);
    holder.take({ kind: 'leave', tab: 'two' });
    expect(live()).toBe(0);
    await clock.advance(60_000);
    expect(live()).toBe(0);
  });

  it('forgets a tab that ended without a word', async () => {
    const { clock, opened, follow } = holderOn();
    follow('gone', ['a']);
    await clock.advance(200_000);
    follow('here', ['b']);
    expect(opened.at(-1)?.events).toEqual(['b']);
  });

  it('connects again after a loss, more and more slowly, and at once when told', async () => {
    let behaviour: Behaviour = 'is down';
    const { clock, opened, told, follow } = holderOn(() => behaviour);
    follow('one');
    await clock.advance(20_000);
    expect(told.every(({ kind }) => kind === 'lost')).toBe(true);
    expect(opened.length).toBeGreaterThan(5);
    expect(opened.length).toBeLessThan(12);
    behaviour = 'follows';
    await clock.advance(4_000);
    expect(told.at(-1)).toEqual({ kind: 'message', message: MESSAGE });
  });

  it('uses the token of any tab that is good, the last first', async () => {
    const { clock, opened, told, follow } = holderOn((token) => (token === 'old' ? 'refuses' : 'follows'));
    follow('one', [], 'good');
    follow('two', [], 'old');
    await clock.advance(0);
    expect(opened.slice(-2).map(({ token }) => token)).toEqual(['old', 'good']);
    expect(told.at(-1)?.kind).toBe('message');
  });

  it('says that no token is good, and asks again only for a tab with another one', async () => {
    const { clock, opened, told, follow } = holderOn((token) => (token === 'good' ? 'follows' : 'refuses'));
    follow('one', [], 'bad');
    await clock.advance(60_000);
    follow('one', [], 'bad');
    await clock.advance(60_000);
    expect([told, opened.length]).toEqual([[{ kind: 'refused' }], 1]);
    follow('two');
    await clock.advance(0);
    expect(told.at(-1)?.kind).toBe('message');
  });

  it.each(['is silent', 'falls silent'] as const)(
    'opens a stream that %s again after three seconds, on another connection',
    async (silent) => {
      let behaviour: Behaviour = silent;
      const { clock, opened, told, follow, live } = holderOn(() => behaviour);
      follow('one');
      await clock.advance(SILENT_MS - 1);
      expect([opened.length, live()]).toEqual([1, 1]);
      behaviour = 'follows';
      await clock.advance(1);
      expect([opened.length, live(), opened[0]?.signal.aborted]).toEqual([2, 1, true]);
      expect(told.map(({ kind }) => kind)).toContain('lost');
      expect(told.at(-1)?.kind).toBe('message');
      await clock.advance(60_000);
      expect(opened).toHaveLength(2);
    },
  );

  it('opens it again and again while every connection is silent', async () => {
    const { clock, opened, live, follow } = holderOn(() => 'is silent');
    follow('one');
    await clock.advance(10 * SILENT_MS);
    expect([opened.length, live()]).toEqual([11, 1]);
  });

  it('waits for a long message whose parts arrive', async () => {
    const { clock, opened, follow } = holderOn(() => 'trickles');
    follow('one');
    await clock.advance(30_000);
    expect(opened).toHaveLength(1);
  });

  it('is as quick as the quickest of its tabs needs', () => {
    const { opened, follow, holder } = holderOn();
    follow('slow', [], 'good', 1_000);
    follow('quick', [], 'good', 250);
    follow('slower', [], 'good', 4_000);
    expect(opened.map(({ everyMs }) => everyMs)).toEqual([1_000, 250, 250]);
    follow('quick', [], 'good', 2_000);
    expect(opened.at(-1)?.everyMs).toBe(1_000);
    holder.take({ kind: 'leave', tab: 'slow' });
    follow('quick', [], 'good', 2_000);
    expect(opened.at(-1)?.everyMs).toBe(2_000);
  });

  it.each(['is down', 'fails', 'ends'] as const)(
    'waits twice as long after each loss, four seconds at most, where the stream %s',
    async (behaviour) => {
      const { clock, opened, told, follow } = holderOn(() => behaviour);
      await clock.advance(1_000);
      follow('one');
      await clock.advance(20_000);
      const gaps = opened.slice(1).map(({ atMs }, at) => atMs - (opened[at]?.atMs ?? 0));
      expect(gaps.slice(0, 6)).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000]);
      expect(new Set(told.map(({ kind }) => kind))).toEqual(new Set(['lost']));
    },
  );

  it('begins with the shortest wait again once it has heard a message', async () => {
    let behaviour: Behaviour = 'is down';
    const { clock, opened, follow } = holderOn(() => behaviour);
    follow('one');
    await clock.advance(3_000);
    behaviour = 'ends after a message';
    await clock.advance(1_000);
    const { length } = opened;
    behaviour = 'is down';
    await clock.advance(250);
    expect(opened.length).toBe(length + 1);
  });

  it.each(['is down', 'is silent'] as const)(
    'tries no more once its last tab has left, where the stream %s',
    async (behaviour) => {
      for (const leaves of ['leave', 'close'] as const) {
        const { holder, clock, opened, told, follow } = holderOn(() => behaviour);
        follow('one');
        await clock.advance(100);
        const { length } = told;
        if (leaves === 'leave') holder.take({ kind: 'leave', tab: 'one' });
        else holder.close();
        await clock.advance(60_000);
        expect([opened.length, told.length]).toEqual([1, length]);
      }
    },
  );

  it('forgets its tabs when it closes', async () => {
    const { holder, opened, follow, clock } = holderOn();
    follow('one', ['a']);
    holder.close();
    await clock.advance(60_000);
    expect(opened).toHaveLength(1);
    follow('two', ['b']);
    expect(opened.at(-1)?.events).toEqual(['b']);
  });

  it('passes on nothing of a stream that it has left', async () => {
    const { clock, told, follow } = holderOn();
    follow('one');
    await clock.advance(500);
    follow('two');
    await clock.advance(600);
    // Two first messages: the second stream's next one is not due yet.
    expect(told.map(({ kind }) => kind)).toEqual(['message', 'message']);
  });

  it('knows a tab for a time that ends exactly', async () => {
    const { clock, opened, follow } = holderOn();
    follow('gone', ['a']);
    await clock.advance(FORGOTTEN_MS);
    follow('here', ['b']);
    expect(opened.at(-1)?.events).toEqual(['a', 'b']);
    await clock.advance(1);
    follow('here', ['b']);
    expect(opened.at(-1)?.events).toEqual(['b']);
  });
});
