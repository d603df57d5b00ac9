import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { AFTER_FAILURE_MS, AGAIN_MS, untilAnswered } from '../../../src/web/adapters/until-answered.ts';

type Behaviour = 'answers' | 'is silent' | 'fails';

interface Sent {
  readonly atMs: number;
  readonly signal: AbortSignal;
  readonly answer: (text: string) => void;
}

/** A request whose attempts behave as the test says. */
function repeated(
  behaviourOf: (attempt: number) => Behaviour,
  giveUpMs?: number,
  clock = new VirtualClock(),
) {
  const sent: Sent[] = [];
  const outcomes: string[] = [];
  const counted: number[] = [];
  const attempt = (signal: AbortSignal): Promise<string> => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    sent.push({ atMs: clock.monotonicMs(), signal, answer: resolve });
    const behaviour = behaviourOf(sent.length);
    if (behaviour === 'answers') resolve(`answer ${sent.length}`);
    if (behaviour === 'fails') reject(new TypeError('Failed to fetch'));
    signal.addEventListener('abort', () => reject(new Error('aborted')));
    return promise;
  };
  const time = {
    nowMs: () => clock.monotonicMs(),
    after(ms: number, work: () => void) {
      const timer = clock.after(ms, work);
      return () => timer.cancel();
    },
  };
  untilAnswered({ attempt, time, giveUpMs, onSent: (times) => counted.push(times) }).then(
    (answer) => outcomes.push(answer),
    (error: unknown) => outcomes.push(String(error)),
  );
  const open = (): number => sent.filter(({ signal }) => !signal.aborted).length;
  return { clock, sent, outcomes, counted, open };
}

describe('a request that is repeated until it is answered', () => {
  it('is sent once if it is answered', async () => {
    const { clock, sent, outcomes, counted } = repeated(() => 'answers');
    await clock.advance(60_000);
    expect([outcomes, sent.length, counted]).toEqual([['answer 1'], 1, [1]]);
  });

  it('is sent again beside an attempt that is silent, and counts the first answer', async () => {
    const { clock, sent, outcomes } = repeated((attempt) => (attempt < 3 ? 'is silent' : 'answers'));
    await clock.advance(60_000);
    expect(outcomes).toEqual(['answer 3']);
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, AGAIN_MS, 2 * AGAIN_MS]);
    expect(sent.every(({ signal }) => signal.aborted)).toBe(true);
  });

  it('keeps the attempt before the last, whose answer may only be slow', async () => {
    const { clock, sent, outcomes, open } = repeated(() => 'is silent');
    await clock.advance(AGAIN_MS * 4.5);
    expect([sent.length, open()]).toEqual([5, 2]);
    sent[3]?.answer('slow');
    await clock.advance(60_000);
    expect([outcomes, open(), sent.length]).toEqual([['slow'], 0, 5]);
  });

  it('gives up the oldest attempts, so that one on a good connection has its time to answer', async () => {
    const { clock, sent, outcomes } = repeated(() => 'is silent');
    for (let passed = 0; passed < 4; passed++) {
      await clock.advance(AGAIN_MS);
      const aborted = sent.map(({ signal }) => signal.aborted);
      expect(aborted).toEqual(sent.map((_, at) => at < sent.length - 2));
    }
    sent.at(-1)?.answer('late');
    await clock.advance(1);
    expect(outcomes).toEqual(['late']);
  });

  it('is sent again soon after a failure, for hours if need be', async () => {
    const { clock, sent, outcomes } = repeated((attempt) => (attempt < 5_000 ? 'fails' : 'answers'));
    await clock.advance(AFTER_FAILURE_MS * 2.5);
    expect(sent).toHaveLength(3);
    await clock.advance(AFTER_FAILURE_MS * 5_000);
    expect(outcomes).toEqual(['answer 5000']);
  });

  it.each(['fails', 'is silent'] as const)('that %s is given up when its time is up', async (behaviour) => {
    const { clock, sent, outcomes, open } = repeated(() => behaviour, 10_000);
    await clock.advance(9_000);
    expect(outcomes).toEqual([]);
    await clock.advance(3_000);
    expect([outcomes, open()]).toEqual([
      [behaviour === 'fails' ? 'TypeError: Failed to fetch' : 'Error: none came within 1.5 s'],
      behaviour === 'fails' ? sent.length : 0,
    ]);
    const count = sent.length;
    await clock.advance(60_000);
    expect(sent).toHaveLength(count);
  });

  it.each([
    [3_000, 2],
    [3_001, 3],
  ])('counts its time from its own beginning: within %d ms it is sent %d times', async (giveUpMs, times) => {
    const clock = new VirtualClock();
    await clock.advance(100_000);
    const { sent, outcomes } = repeated(() => 'is silent', giveUpMs, clock);
    await clock.advance(60_000);
    expect([sent.length, outcomes.length]).toEqual([times, 1]);
  });

  it('goes on with an attempt that is open when another one fails', async () => {
    const { clock, sent, outcomes } = repeated((attempt) => (attempt === 1 ? 'is silent' : 'fails'));
    await clock.advance(AGAIN_MS + AFTER_FAILURE_MS);
    // The second has failed, and the first may still be answered: the next one is sent in its turn.
    expect(sent).toHaveLength(2);
    await clock.advance(AGAIN_MS - AFTER_FAILURE_MS);
    expect(sent).toHaveLength(3);
    sent[0]?.answer('at last');
    await clock.advance(60_000);
    expect([outcomes, sent.length]).toEqual([['at last'], 3]);
  });

  it('is over with its first answer: a later one, or a failure, changes nothing', async () => {
    const { clock, sent, outcomes, counted } = repeated(() => 'is silent');
    await clock.advance(AGAIN_MS);
    sent[1]?.answer('first');
    sent[0]?.answer('second');
    await clock.advance(60_000);
    expect([outcomes, counted]).toEqual([['first'], [1, 2]]);
  });
});
