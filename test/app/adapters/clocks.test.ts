import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { monotonicTime, systemClock } from '../../../src/app/adapters/system-clock.ts';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { clockContract } from '../../contract/clock.ts';

clockContract('system', () => ({
  clock: systemClock,
  pass: (ms) => new Promise((resolve) => void systemClock.after(ms, resolve)),
}));

clockContract('virtual', () => {
  const clock = new VirtualClock();
  return { clock, pass: (ms) => clock.advance(ms) };
});

describe('monotonic time', () => {
  /** Calls `whileReading` just before each reading, with the number of readings so far. */
  function machine(whileReading: (count: number, pass: (ms: number) => void) => void = () => undefined) {
    const at = { wallMs: 1_700_000_000_000, awakeMs: 0, uptimeMs: 5_000_000 };
    let readings = 0;
    const reading = (clock: keyof typeof at) => () => {
      whileReading(readings++, pass);
      return at[clock];
    };
    const time = { wallMs: reading('wallMs'), awakeMs: reading('awakeMs'), uptimeMs: reading('uptimeMs') };
    const pass = (ms: number, isAwake = true): void => {
      at.wallMs += ms;
      at.uptimeMs += ms;
      if (isAwake) at.awakeMs += ms;
    };
    return { at, pass, monotonicMs: monotonicTime(time) };
  }

  it('goes on while the machine is suspended', () => {
    const { pass, monotonicMs } = machine();
    pass(1_000);
    expect(monotonicMs()).toBe(1_000);
    pass(600_000, false);
    expect(monotonicMs()).toBe(601_000);
    pass(1_000);
    pass(20_000, false);
    expect(monotonicMs()).toBe(622_000);
  });

  it('does not move when the wall clock is set', () => {
    const { at, pass, monotonicMs } = machine();
    for (const byMs of [3_600_000, -7_200_000]) {
      at.wallMs += byMs;
      expect(monotonicMs()).toBe(0);
    }
    pass(600_000, false);
    at.wallMs -= 3_600_000;
    expect(monotonicMs()).toBe(600_000);
  });

  it.each(Array.from({ length: 20 }, (_, held) => [held]))(
    'does not mistake a pause of the process for a suspension, and does not miss one because of it: before reading %i',
    (held) => {
      const { at, pass, monotonicMs } = machine((count, hold) => count === held && hold(20_000));
      const begunMs = at.wallMs - at.awakeMs;
      pass(1_000);
      monotonicMs();
      pass(10_000, false);
      monotonicMs();
      pass(1_000);
      monotonicMs();
      pass(1_000);
      expect(monotonicMs()).toBe(at.awakeMs + 10_000);
      expect(at.wallMs - begunMs).toBe(at.awakeMs + 10_000);
    },
  );

  it('does not move when the wall clock is set on a machine that reports its uptime in whole seconds', () => {
    const { at, pass } = machine();
    at.uptimeMs += 999;
    const monotonicMs = monotonicTime({
      wallMs: () => at.wallMs,
      awakeMs: () => at.awakeMs,
      uptimeMs: () => Math.floor(at.uptimeMs / 1_000) * 1_000,
    });
    for (let passedMs = 1; passedMs <= 2_000; passedMs++) {
      pass(1);
      at.wallMs += 3_600_000;
      expect(monotonicMs()).toBe(passedMs);
    }
    pass(600_000, false);
    expect(Math.abs(monotonicMs() - 602_000)).toBeLessThan(1_000);
  });

  it('counts many suspensions that are each too short to detect', () => {
    const { pass, monotonicMs } = machine();
    for (let i = 1; i <= 4; i++) {
      pass(1_000, false);
      monotonicMs();
    }
    expect(monotonicMs()).toBe(4_000);
  });
});

describe('VirtualClock', () => {
  it('runs timers in order of time, then of request', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(50), { maxLength: 40 }), async (delaysMs) => {
        const clock = new VirtualClock();
        const ran: number[] = [];
        delaysMs.forEach((delayMs, i) => clock.after(delayMs, () => ran.push(i)));
        await clock.advance(50);
        const expected = delaysMs.map((ms, i) => [ms, i] as const).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
        expect(ran).toEqual(expected.map(([, i]) => i));
      }),
    );
  });

  it('lets promises settle between two timers', async () => {
    const clock = new VirtualClock();
    const order: string[] = [];
    clock.after(1, () => void Promise.resolve().then(() => order.push('after first')));
    clock.after(1, () => order.push('second'));
    await clock.advance(1);
    expect(order).toEqual(['after first', 'second']);
  });

  it('jumps the wall clock without moving timers', async () => {
    const clock = new VirtualClock(0);
    clock.jumpWall(3_600_000);
    expect([clock.wallMs(), clock.monotonicMs()]).toEqual([3_600_000, 0]);
    expect(clock.nextTimerMs()).toBeNull();
    await clock.advance(10);
    expect(clock.wallMs()).toBe(3_600_010);
  });
});

describe('the system clock', () => {
  it('waits longer than the machine’s timers can', () => {
    vi.useFakeTimers();
    const days = 86_400_000;
    const ran: string[] = [];
    systemClock.after(60 * days, () => ran.push('late'));
    systemClock.after(60 * days, () => ran.push('never')).cancel();
    const later = systemClock.after(61 * days, () => ran.push('cancelled'));
    vi.advanceTimersByTime(60 * days - 1);
    later.cancel();
    expect(ran).toEqual([]);
    vi.advanceTimersByTime(2 * days);
    expect(ran).toEqual(['late']);
    vi.useRealTimers();
  });
});
