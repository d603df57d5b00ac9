import { describe, expect, it } from 'vitest';
import { type Clock, sleep } from '../../src/ports/clock.ts';

/** The contract of the Clock port. `pass` lets that much time go by. */
export function clockContract(
  name: string,
  create: () => { clock: Clock; pass: (ms: number) => Promise<void> },
): void {
  describe(`Clock contract: ${name}`, () => {
    it('runs a timer once, not before its time and never synchronously', async () => {
      const { clock, pass } = create();
      const startMs = clock.monotonicMs();
      const firedMs: number[] = [];
      clock.after(20, () => firedMs.push(clock.monotonicMs() - startMs));
      expect(firedMs).toEqual([]);
      await pass(60);
      expect(firedMs).toHaveLength(1);
      // Machine timers may fire up to a millisecond early against the monotonic clock.
      expect(firedMs[0]).toBeGreaterThanOrEqual(19);
    });

    it('does not run a timer inside after(), even with no delay', async () => {
      const { clock, pass } = create();
      const order: string[] = [];
      clock.after(0, () => order.push('timer'));
      order.push('caller');
      await pass(5);
      expect(order).toEqual(['caller', 'timer']);
    });

    it('does not run a cancelled timer', async () => {
      const { clock, pass } = create();
      let ran = false;
      clock.after(5, () => void (ran = true)).cancel();
      await pass(20);
      expect(ran).toBe(false);
    });

    it('moves monotonic and wall time forward together', async () => {
      const { clock, pass } = create();
      const [monotonicMs, wallMs] = [clock.monotonicMs(), clock.wallMs()];
      await pass(20);
      expect(clock.monotonicMs() - monotonicMs).toBeGreaterThanOrEqual(19);
      expect(clock.wallMs() - wallMs).toBeGreaterThanOrEqual(15);
    });

    it('sleeps, and wakes with the reason when aborted', async () => {
      const { clock, pass } = create();
      const aborter = new AbortController();
      const woken: string[] = [];
      void sleep(clock, 10).then(() => woken.push('slept'));
      sleep(clock, 10_000, aborter.signal).catch((reason: unknown) => woken.push(String(reason)));
      await pass(30);
      aborter.abort('stop');
      await pass(5);
      expect(woken).toEqual(['slept', 'stop']);
    });
  });
}
