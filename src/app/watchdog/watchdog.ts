import { reasonOf } from '../../lib/reason.ts';
import { type Clock, repeat, sleep } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { CallReadings } from './call-marks.ts';
import { closeUntilLanded, type ClosingExchange } from './close-until-landed.ts';
import { HangDetector, LastCreate, TICK_MS } from './hang-detector.ts';
import type { Hang } from './hang-file.ts';

export interface WatchdogSettings {
  /** A create request may land this long after it was sent. */
  readonly latestLandingMs: number;
  readonly heartbeatMs: number;
}

export interface WatchdogParts extends WatchdogSettings {
  readonly readings: CallReadings;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Opens a connection to the exchange; null if no order is there. */
  readonly openExchange: (() => ClosingExchange) | null;
  /** Writes the hang where the next start finds it. Rejects with the disk's error. */
  readonly record: (hang: Hang) => Promise<void>;
  /** Tells the service manager that the process is at work. */
  readonly notify: () => void;
  /** Resolves once the log is written. */
  readonly logWritten: () => Promise<void>;
  /** Ends the process at once. */
  readonly end: () => void;
}

/** The disk and the log's reader may hang, too. Neither keeps the process alive for longer. */
const WRITE_WITHIN_MS = 5_000;

/** Watches the calls of strategies. When one hangs, closes our orders and ends the process. */
export function watch(parts: WatchdogParts): void {
  const { readings, clock } = parts;
  const detector = new HangDetector();
  const lastCreate = new LastCreate(clock.monotonicMs());
  const stop = repeat(clock, TICK_MS, () => {
    const nowMs = clock.monotonicMs();
    const reading = readings.read();
    lastCreate.tick(nowMs, reading);
    const call = detector.tick(nowMs, reading);
    if (call === null || !readings.decide(call)) return;
    stop();
    void endProcess(parts, reading.hangMs, lastCreate.atMs).finally(parts.end);
  });
}

async function endProcess(parts: WatchdogParts, hangMs: number, lastCreateMs: number): Promise<void> {
  const { readings, clock, logger, latestLandingMs, heartbeatMs, openExchange } = parts;
  const { strategy, event } = readings.named();
  const hang: Hang = { strategy, event, hangMs, atMs: clock.wallMs() };
  logger.error('a strategy hangs: its orders are closed, and the process ends', { ...hang });
  const recorded = parts.record(hang).catch((error: unknown) => {
    logger.error('the hang could not be recorded: the next start will call the strategy again', { error });
  });
  try {
    if (openExchange === null) return;
    const report = await closeUntilLanded(
      openExchange(),
      clock,
      lastCreateMs + latestLandingMs,
      heartbeatMs,
      parts.notify,
    );
    if (report.openOrders === 0) logger.warn('no order of ours is open: the process ends', { ...report });
    else logger.error('our orders may still be open: the process ends', { ...report });
  } catch (error) {
    logger.error(`our orders could not be closed: ${reasonOf(error)}`, { error });
  } finally {
    await Promise.race([recorded.then(parts.logWritten), sleep(clock, WRITE_WITHIN_MS)]);
  }
}
