import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { AnswerDeadline, Backoffs, Pacer, pauseOf } from '../../../src/orders/state/backoff.ts';

describe('the pause between repeats', () => {
  it('doubles with each try, up to the longest', () => {
    const pauses = [0, 1, 2, 3, 4, 9].map((tries) => pauseOf({ firstMs: 500, longestMs: 3_000 }, tries));
    expect(pauses).toEqual([500, 1_000, 2_000, 3_000, 3_000, 3_000]);
  });
});

describe('turns', () => {
  it('are taken one at a time, each no sooner than the pause after the one before', () => {
    const pacer = new Pacer();
    expect(pacer.freeMs).toBe(-Infinity);
    // One turn is saved up.
    expect([pacer.take(1_000, 300), pacer.take(1_000, 300), pacer.freeMs]).toEqual([true, true, 1_300]);
    expect([pacer.take(1_299, 300), pacer.freeMs]).toEqual([false, 1_300]);
    expect([pacer.take(1_300, 300), pacer.freeMs]).toEqual([true, 1_600]);
  });

  it('keep their rhythm when one is taken late, and save up no more than one', () => {
    const pacer = new Pacer();
    for (const nowMs of [0, 0]) pacer.take(nowMs, 300);
    // This one comes 200 ms late, and the next keeps its time.
    expect([pacer.take(500, 300), pacer.freeMs]).toEqual([true, 600]);
    expect([pacer.take(9_000, 300), pacer.freeMs]).toEqual([true, 9_000]);
    expect([pacer.take(9_000, 300), pacer.freeMs]).toEqual([true, 9_300]);
  });

  it('are never more than fit into the time that passed, and the one that was saved up', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000), { size: 'max', maxLength: 60 }), (gaps) => {
        const pacer = new Pacer();
        let [nowMs, taken] = [0, 0];
        for (const gap of gaps) {
          nowMs += gap;
          if (pacer.take(nowMs, 300)) taken++;
        }
        expect(taken).toBeLessThanOrEqual(2 + nowMs / 300);
      }),
    );
  });
});

describe('keys that pause', () => {
  function made(maxMs = 60_000) {
    const clock = { nowMs: 1_000 };
    return { clock, pauses: new Backoffs<string>(() => clock.nowMs, maxMs) };
  }

  it('pause until the end of their pause, and no other key does', () => {
    const { pauses, clock } = made();
    expect([pauses.active('a'), pauses.untilMs('a')]).toEqual([false, -Infinity]);
    pauses.grow('a', 2_000);
    expect([pauses.active('a'), pauses.untilMs('a'), pauses.active('b')]).toEqual([true, 3_000, false]);
    clock.nowMs = 2_999;
    expect(pauses.active('a')).toBe(true);
    clock.nowMs = 3_000;
    expect(pauses.active('a')).toBe(false);
  });

  it.each([
    ['at once', 0, 4_000],
    ['just before twice the pause has passed', 3_999, 4_000],
    ['once twice the pause has passed', 4_000, 2_000],
  ])('pause for twice as long when they fail again soon, such as %s', (_, laterMs, pauseMs) => {
    const { pauses, clock } = made();
    pauses.grow('a', 2_000);
    clock.nowMs = 3_000 + laterMs;
    pauses.grow('a', 2_000);
    expect(pauses.untilMs('a') - clock.nowMs).toBe(pauseMs);
  });

  it('pause no longer than the longest, their own or that of the call', () => {
    const { pauses, clock } = made(5_000);
    const grown = (...most: number[]): number => {
      pauses.grow('a', 2_000, ...most);
      const pauseMs = pauses.untilMs('a') - clock.nowMs;
      clock.nowMs += pauseMs;
      return pauseMs;
    };
    expect([grown(), grown(), grown(), grown(3_000), grown(1_000)]).toEqual([
      2_000, 4_000, 5_000, 3_000, 1_000,
    ]);
  });

  it('pause at least for what the call wants, also as a repeat', () => {
    const { pauses, clock } = made();
    pauses.grow('a', 100);
    clock.nowMs = 1_100;
    pauses.grow('a', 9_000);
    expect(pauses.untilMs('a')).toBe(10_100);
  });

  it('do not count a failure during the pause as a repeat, and never end sooner for it', () => {
    const { pauses, clock } = made();
    pauses.grow('a', 4_000);
    clock.nowMs = 2_000;
    pauses.grow('a', 1_000);
    expect(pauses.untilMs('a')).toBe(5_000);
    pauses.grow('a', 3_500);
    expect(pauses.untilMs('a')).toBe(5_500);
    // The next repeat doubles the longest of these pauses.
    clock.nowMs = 5_500;
    pauses.grow('a', 1_000);
    expect(pauses.untilMs('a')).toBe(5_500 + 8_000);
  });

  it('remember the longer pause that a failure during the pause brought', () => {
    const { pauses, clock } = made();
    pauses.grow('a', 1_000);
    pauses.grow('a', 3_000);
    clock.nowMs = 4_000;
    pauses.grow('a', 1_000);
    expect(pauses.untilMs('a')).toBe(4_000 + 6_000);
  });

  it('pause for exactly what `pause` says, longer or shorter than before', () => {
    const { pauses, clock } = made();
    pauses.grow('a', 4_000);
    pauses.pause('a', 1_000);
    expect(pauses.untilMs('a')).toBe(2_000);
    clock.nowMs = 2_000;
    pauses.grow('a', 500);
    expect(pauses.untilMs('a')).toBe(4_000);
  });

  it('start anew once they are cleared', () => {
    const { pauses } = made();
    pauses.grow('a', 4_000);
    pauses.clear('a');
    expect(pauses.active('a')).toBe(false);
    pauses.grow('a', 500);
    expect(pauses.untilMs('a')).toBe(1_500);
  });

  it('are forgotten by a sweep four pauses after the end of the last one, and not before', () => {
    const { pauses, clock } = made();
    pauses.grow('a', 1_000);
    pauses.grow('b', 9_000);
    clock.nowMs = 6_000;
    pauses.sweep();
    expect(pauses.untilMs('a')).toBe(2_000);
    clock.nowMs = 6_001;
    pauses.sweep();
    expect([pauses.untilMs('a'), pauses.untilMs('b')]).toEqual([-Infinity, 10_000]);
  });
});

describe('the deadline of an answer', () => {
  it('aborts the request as of unknown outcome, and not before', async () => {
    const clock = new VirtualClock();
    const deadline = new AnswerDeadline(clock);
    await clock.advance(10_000);
    expect(deadline.signal.aborted).toBe(false);
    deadline.begin(1_000);
    await clock.advance(999);
    expect(deadline.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(deadline.signal.reason).toMatchObject({ outcome: 'unknown' });
  });

  it('ends with the answer', async () => {
    const clock = new VirtualClock();
    const deadline = new AnswerDeadline(clock);
    deadline.end();
    deadline.begin(1_000);
    deadline.end();
    await clock.advance(10_000);
    expect(deadline.signal.aborted).toBe(false);
  });

  it('keeps a request that nobody wants any more from being sent', () => {
    const deadline = new AnswerDeadline(new VirtualClock());
    deadline.giveUp();
    expect(deadline.signal.reason).toMatchObject({ outcome: 'not-sent' });
  });
});
