import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import type { LiveMessage } from '../../../src/read-model/live/message.ts';
import { StreamRefused } from '../../../src/web/adapters/live-stream.ts';
import { SILENT_MS, StreamHolder } from '../../../src/web/dashboard/stream/holder.ts';
import type { FromHolder } from '../../../src/web/dashboard/stream/protocol.ts';

const MESSAGE: LiveMessage = { atMs: 1, frameAtMs: null, isFirst: true, set: {} };

interface Opened {
  readonly token: string;
  readonly events: readonly string[];
  readonly signal: AbortSignal;
}

type Behaviour = 'follows' | 'is down' | 'refuses' | 'is silent' | 'falls silent' | 'trickles';

const SECOND_MS = 1_000;

/** A holder whose streams behave as the test says. A stream that follows sends a message each second. */
function holderOn(behaviourOf: (token: string) => Behaviour = () => 'follows') {
  const clock = new VirtualClock();
  const opened: Opened[] = [];
  const told: FromHolder[] = [];
  const holder = new StreamHolder({
    async *open(token, { events }, signal) {
      opened.push({ token, events, signal });
      const behaviour = behaviourOf(token);
      if (behaviour === 'refuses') throw new StreamRefused(401);
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
    },
    tell: (message) => told.push(message),
    time: {
      nowMs: () => clock.monotonicMs(),
      after(ms, work) {
        const timer = clock.after(ms, work);
        return () => timer.cancel();
      },
    },
  });
  const follow = (tab: string, events: readonly string[] = [], token: string | null = 'good'): void =>
    holder.take({ kind: 'follow', tab, token, events, everyMs: 100 });
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
});
