import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ATTEMPT_KINDS, type AttemptKind, FruitlessAttempts } from '../../../src/orders/state/fruitless.ts';

/** Attempts on a clock that the test sets, with what a person is told. */
function rig() {
  const told: string[] = [];
  const clock = { nowMs: 0 };
  const attempts = new FruitlessAttempts({
    now: () => clock.nowMs,
    onFruitless: (kind, { market }, reason, pauseMs) =>
      void told.push(`${kind} ${market} ${reason} ${pauseMs}`),
    onAlarm: (kind, market, rounds) => void told.push(`alarm ${kind} ${market} ${rounds}`),
    onLatch: (kind, rounds) => void told.push(`latch ${kind} ${rounds}`),
  });
  /** An attempt that begins `atMs` and fails 1 ms later. */
  const fail = (market: string, atMs: number, kind: AttemptKind = 'order'): void => {
    clock.nowMs = atMs + 1;
    attempts.failed(kind, { market, beganMs: atMs }, 'gone');
  };
  return { attempts, clock, told, fail };
}

/** Attempts that each begin when the last pause is over. Returns the gaps between them. */
function storm({ attempts, clock, fail }: ReturnType<typeof rig>, times: number, market = 'a'): number[] {
  const gaps: number[] = [];
  for (let at = 0; at < times; at++) {
    const fromMs = clock.nowMs;
    const atMs = Math.max(fromMs + 1, attempts.untilMs('order', market));
    gaps.push(atMs - fromMs);
    fail(market, atMs);
  }
  return gaps;
}

describe('attempts that come to nothing', () => {
  it('pause their market from the second round on, each time for twice as long, at most a minute', () => {
    expect(storm(rig(), 9)).toEqual([1, 1, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('pause the account from the second round on, whatever their markets', () => {
    const { attempts, fail, clock } = rig();
    fail('a', 0);
    expect(attempts.untilMs('order', 'c')).toBe(-Infinity);
    fail('b', 100);
    expect(attempts.untilMs('order', 'c')).toBe(clock.nowMs + 1_000);
    fail('c', 1_200);
    expect(attempts.untilMs('order', 'd')).toBe(clock.nowMs + 2_000);
    fail('d', 4_000);
    expect(attempts.untilMs('order', 'e')).toBe(clock.nowMs + 4_000);
  });

  it('count once a round: those that began before the failure was known could not learn of it', () => {
    const { attempts, clock, told } = rig();
    clock.nowMs = 50;
    for (const market of ['a', 'b', 'c']) attempts.failed('order', { market, beganMs: 40 }, 'gone');
    attempts.failed('order', { market: 'd', beganMs: 50 }, 'gone');
    expect(attempts.untilMs('order', 'e')).toBe(-Infinity);
    expect(told).toEqual(['order a gone 0', 'order b gone 0', 'order c gone 0', 'order d gone 0']);
    clock.nowMs = 60;
    attempts.failed('order', { market: 'd', beganMs: 51 }, 'gone');
    expect(attempts.untilMs('order', 'e')).toBe(1_060);
  });

  it('let one attempt begin at a time, from the second round on', () => {
    const { attempts, fail } = rig();
    fail('a', 0);
    expect(attempts.untilMs('order', 'b', () => 1)).toBe(-Infinity);
    fail('a', 100);
    expect(attempts.untilMs('order', 'b', () => 1)).toBe(Infinity);
    expect(attempts.untilMs('order', 'b', () => 0)).toBe(1_101);
  });

  it('end with an attempt that bears fruit and began after the last failure', () => {
    const { attempts, fail } = rig();
    fail('a', 0);
    fail('a', 100);
    attempts.lasted('order', { market: 'a', beganMs: 101 });
    expect(attempts.untilMs('order', 'a', () => 1)).toBe(Infinity);
    attempts.lasted('order', { market: 'b', beganMs: 102 });
    expect(attempts.isOn('order')).toBe(false);
    expect(attempts.untilMs('order', 'b')).toBe(-Infinity);
    expect(attempts.untilMs('order', 'a')).toBe(2_101);
    attempts.lasted('order', { market: 'a', beganMs: 102 });
    expect(attempts.untilMs('order', 'a')).toBe(-Infinity);
  });

  it('tell a person after three rounds, and latch after eight', () => {
    const given = rig();
    storm(given, 2);
    expect(given.told.filter((line) => line.startsWith('alarm'))).toEqual([]);
    storm(given, 1);
    expect(given.told.filter((line) => line.startsWith('alarm'))).toEqual(['alarm order a 3']);
    storm(given, 4);
    expect(given.told.filter((line) => line.startsWith('latch'))).toEqual([]);
    storm(given, 1);
    expect(given.told.filter((line) => !line.startsWith('order'))).toEqual([
      'alarm order a 3',
      'latch order 8',
    ]);
  });

  it('latch after eight rounds of several markets', () => {
    const { told, fail } = rig();
    for (let at = 0; at < 8; at++) fail(`m${at}`, at * 100);
    expect(told.filter((line) => line.startsWith('latch'))).toEqual(['latch order 8']);
  });

  it('do not latch while others bear fruit, and tell a person of the market', () => {
    const { attempts, told, fail } = rig();
    for (let at = 0; at < 20; at++) {
      fail('a', at * 100);
      attempts.lasted('order', { market: 'b', beganMs: at * 100 + 50 });
    }
    expect(told.filter((line) => !line.startsWith('order'))).toEqual(['alarm order a 3']);
  });

  it.each(ATTEMPT_KINDS)('latch for %s, unless it must go on or costs no money', (kind) => {
    const { told, fail } = rig();
    for (let at = 0; at < 20; at++) fail('a', at * 100, kind);
    expect(told.includes(`alarm ${kind} a 3`)).toBe(true);
    const latches = ['order', 'bet', 'report', 'heartbeat'].includes(kind);
    expect(told.includes(`latch ${kind} 8`)).toBe(latches);
  });

  it('that tell nothing of the account count for their market alone', () => {
    const { attempts, clock, told } = rig();
    for (const beganMs of [0, 100, 200, 300, 400, 500, 600, 700, 800]) {
      clock.nowMs = beganMs + 1;
      attempts.failed('bet', { market: 'a', beganMs }, 'gone', false);
    }
    expect(attempts.isOn('bet')).toBe(false);
    expect(attempts.untilMs('bet', 'b', () => 1)).toBe(-Infinity);
    expect(attempts.untilMs('bet', 'a')).toBe(801 + 60_000);
    expect(told.filter((line) => !line.startsWith('bet'))).toEqual(['alarm bet a 3']);
  });

  it('count each kind for itself', () => {
    const { attempts, told, fail } = rig();
    for (const kind of ATTEMPT_KINDS) for (let at = 0; at < 2; at++) fail('a', at * 100, kind);
    expect(told.filter((line) => line.startsWith('alarm'))).toEqual([]);
    attempts.lasted('betslip', { market: 'a', beganMs: 150 });
    expect(ATTEMPT_KINDS.filter((kind) => attempts.isOn(kind))).toEqual([
      'order',
      'bet',
      'report',
      'heartbeat',
      'close',
    ]);
  });

  it.each([
    [300_000, 3],
    [300_001, 1],
  ])('%i ms after the last failure are in a row: %i rounds', (afterMs, rounds) => {
    const { attempts, told, fail } = rig();
    fail('a', 0);
    fail('a', 100);
    fail('a', 100 + afterMs);
    expect(told.some((line) => line.startsWith('alarm'))).toBe(rounds === 3);
    expect(attempts.untilMs('order', 'a') > 0).toBe(rounds === 3);
  });

  it('are forgotten by a sweep, and by a person who lets them go on', () => {
    const swept = rig();
    storm(swept, 2);
    swept.clock.nowMs += 299_999;
    swept.attempts.sweep();
    expect(swept.attempts.isOn('order')).toBe(true);
    swept.clock.nowMs += 2;
    swept.attempts.sweep();
    expect(swept.attempts.isOn('order')).toBe(false);
    const given = rig();
    storm(given, 8);
    given.attempts.reset();
    expect(given.attempts.untilMs('order', 'a', () => 5)).toBe(-Infinity);
    storm(given, 1);
    expect(given.told.filter((line) => line.startsWith('latch'))).toHaveLength(1);
  });

  it('have no market’s pause where they concern the whole account', () => {
    const { attempts, fail, clock } = rig();
    fail('', 0, 'heartbeat');
    fail('', 100, 'heartbeat');
    expect(attempts.untilMs('heartbeat', '')).toBe(clock.nowMs + 1_000);
  });

  it('never follow each other more often than their pauses allow, whatever fails and lasts', () => {
    const step = fc.record({
      market: fc.constantFrom('a', 'b', 'c'),
      lasts: fc.boolean(),
      waitMs: fc.nat(5_000),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { attempts, clock } = rig();
        const failures: number[] = [];
        for (const { market, lasts, waitMs } of steps) {
          clock.nowMs += waitMs + 1;
          const beganMs = clock.nowMs;
          if (beganMs < attempts.untilMs('order', market)) continue;
          clock.nowMs += 1;
          if (lasts) {
            attempts.lasted('order', { market, beganMs });
            failures.length = 0;
          } else {
            // From the third failure in a row on, at least a second has passed.
            if (failures.length >= 2) expect(beganMs - (failures.at(-1) ?? 0)).toBeGreaterThanOrEqual(1_000);
            attempts.failed('order', { market, beganMs }, 'gone');
            failures.push(clock.nowMs);
          }
        }
      }),
    );
  });
});
