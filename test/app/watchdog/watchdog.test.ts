import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { CallMarks, CallReadings, newCallMemory } from '../../../src/app/watchdog/call-marks.ts';
import type { Hang } from '../../../src/app/watchdog/hang-file.ts';
import { watch } from '../../../src/app/watchdog/watchdog.ts';
import type { EventName } from '../../../src/domain/events.ts';
import type { EventId, Sport } from '../../../src/domain/ids.ts';
import { createLogger } from '../../../src/ops/logger.ts';

const EVENT: EventName = { sport: 'fb' as Sport, eventId: '2026-01-31,1234,5678' as EventId };
const HANG_MS = 2_000;
const LANDING_MS = 30_000;

interface Failures {
  /** No order is on an exchange. */
  readonly noExchange?: true;
  readonly record?: () => Promise<void>;
  readonly open?: () => never;
  readonly logWritten?: () => Promise<void>;
}

function bench(failures: Failures = {}) {
  const clock = new VirtualClock();
  const memory = newCallMemory();
  const seen = {
    lines: [] as Record<string, unknown>[],
    hangs: [] as Hang[],
    rounds: 0,
    endedMs: [] as number[],
    stops: 0,
  };
  const stop = (): void => void seen.stops++;
  const marks = new CallMarks(
    memory,
    () => HANG_MS,
    () => false,
    stop,
  );
  const closeOurs = (): Promise<number> => Promise.resolve((seen.rounds++, 0));
  watch({
    latestLandingMs: LANDING_MS,
    heartbeatMs: 30_000,
    clock,
    readings: new CallReadings(memory),
    logger: createLogger('info', { write: (line) => seen.lines.push(JSON.parse(line) as never) }),
    openExchange:
      failures.noExchange === true
        ? null
        : () => {
            failures.open?.();
            return {
              closeOurs,
              refreshHeartbeat: () => Promise.resolve(true),
              deleteHeartbeat: () => Promise.resolve(true),
            };
          },
    record: async (hang) => {
      seen.hangs.push(hang);
      await failures.record?.();
    },
    notify: () => undefined,
    logWritten: failures.logWritten ?? (() => Promise.resolve()),
    end: () => seen.endedMs.push(clock.monotonicMs()),
  });
  return { clock, marks, seen };
}

describe('the watchdog', () => {
  it('lets strategies be that return', async () => {
    const { clock, marks, seen } = bench();
    for (let call = 0; call < 100; call++) {
      marks.onCall('symmetric', EVENT);
      await clock.advance(HANG_MS - 200);
      marks.onReturn();
    }
    expect([seen.hangs, seen.endedMs, seen.lines]).toEqual([[], [], []]);
  });

  it('records the hang at once, and ends the process once the last create has landed', async () => {
    const { clock, marks, seen } = bench();
    await clock.advance(60_000);
    marks.noteCreate();
    await clock.advance(10_000);
    marks.onCall('my strategy', EVENT);
    await clock.advance(HANG_MS + 300);
    expect(seen.hangs).toEqual([
      { strategy: 'my strategy', event: EVENT, hangMs: HANG_MS, atMs: expect.any(Number) as number },
    ]);
    expect(seen.endedMs).toEqual([]);
    await clock.advance(60_000);
    const [endedMs = 0, ...others] = seen.endedMs;
    expect(others).toEqual([]);
    expect(endedMs).toBeGreaterThanOrEqual(60_000 + LANDING_MS);
    expect(endedMs).toBeLessThan(60_000 + LANDING_MS + 1_000);
    expect(seen.lines.map(({ level, strategy }) => [level, strategy])).toEqual([
      ['error', 'my strategy'],
      ['warn', undefined],
    ]);
  });

  it('waits for the requests of an earlier run that may land, too', async () => {
    const { clock, marks, seen } = bench();
    marks.onCall('symmetric', EVENT);
    await clock.advance(LANDING_MS - 100);
    expect(seen.endedMs).toEqual([]);
    await clock.advance(1_000);
    expect(seen.endedMs).toHaveLength(1);
  });

  it('stops a main thread that returns after the decision', async () => {
    const { clock, marks, seen } = bench();
    marks.onCall('symmetric', EVENT);
    await clock.advance(HANG_MS + 500);
    marks.onReturn();
    expect(seen.stops).toBe(1);
    await clock.advance(60_000);
    expect(seen.endedMs).toHaveLength(1);
  });

  it.each([
    ['the hang cannot be recorded', { record: () => Promise.reject(new Error('the disk is full')) }],
    ['the disk hangs', { record: () => new Promise<void>(() => undefined) }],
    ['nobody reads the log', { logWritten: () => new Promise<void>(() => undefined) }],
    [
      'no connection can be opened',
      {
        open: () => {
          throw new Error('no such host');
        },
      },
    ],
  ])('ends the process also when %s', async (_, failures: Failures) => {
    const { clock, marks, seen } = bench(failures);
    marks.onCall('symmetric', EVENT);
    await clock.advance(LANDING_MS + 10_000);
    expect(seen.endedMs).toHaveLength(1);
  });
});

it('ends the process at once where no order is on an exchange, and records the hang first', async () => {
  const { clock, marks, seen } = bench({ noExchange: true });
  marks.onCall('slow', EVENT);
  await clock.advance(HANG_MS + 1_000);
  expect([seen.rounds, seen.hangs.length, seen.endedMs.length]).toEqual([0, 1, 1]);
});
