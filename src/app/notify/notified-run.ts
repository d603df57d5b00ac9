import { reasonOf } from '../../lib/reason.ts';
import { seededRandom } from '../../lib/random.ts';
import { tradingDays } from '../../lib/trading-day.ts';
import type { Channel } from '../../notify/channel.ts';
import { startDeadMan } from '../../notify/dead-man.ts';
import type { NotifyingRun } from '../../notify/notice.ts';
import { Notifier } from '../../notify/notifier.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Config } from '../config/load.ts';
import { conditionsReader, type RunState } from './conditions-of.ts';
import { receiverAt } from './open-channels.ts';

export interface NotifiedRun {
  readonly settings: Config['notify'];
  readonly tradingDay: Config['tradingDay'];
  readonly channels: readonly Channel[];
  readonly run: NotifyingRun;
  readonly state: () => RunState;
  /** Whether the engine makes progress. */
  readonly isAlive: () => boolean;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Time that the last messages have to leave, once the orders are closed. */
const LEAVE_WITHIN_MS = 3_000;

/** Does the work of a run, which resolves to an exit code or throws, and notifies people meanwhile and of its end. */
export async function notified(given: NotifiedRun, work: () => Promise<number>): Promise<number> {
  const logger = given.logger.child({ part: 'notify' });
  const notifier = notifierOf({ ...given, logger });
  const stopPing = ping({ ...given, logger });
  notifier.watch(conditionsReader(given.state));
  const end = async (text: string, isFailure: boolean): Promise<void> => {
    await Promise.all([stopPing(), notifier.close({ text, isFailure }, LEAVE_WITHIN_MS)]);
  };
  try {
    const exitCode = await work();
    await end(endOf(given.state(), exitCode), exitCode !== 0);
    return exitCode;
  } catch (error) {
    await end(reasonOf(error), true);
    throw error;
  }
}

function endOf({ status: { stopping, ordersOpen } }: RunState, exitCode: number): string {
  const orders =
    ordersOpen === 0 ? 'no order of ours is open' : `${ordersOpen} orders of ours may still be open`;
  return `${stopping ?? 'The run is over'}; ${orders}; exit code ${exitCode}.`;
}

function notifierOf({ settings, tradingDay, ...given }: NotifiedRun): Notifier {
  const { channels, run, clock, ids, logger, metrics } = given;
  const days = tradingDays(tradingDay);
  return new Notifier({
    channels,
    run,
    clock,
    ids,
    logger,
    metrics,
    limits: { perKind: settings.perHourOfKind, inTotal: settings.perHour },
    dailySummary: settings.dailySummary,
    dayOf: (wallMs) => days.nameOf(wallMs),
    random: seededRandom(clock.wallMs(), 'notifications'),
  });
}

function ping({ settings, state, isAlive, clock, logger }: NotifiedRun): () => Promise<void> {
  if (settings.pingUrl === '') return () => Promise.resolve();
  return startDeadMan({
    ...receiverAt(settings.pingUrl, clock),
    intervalMs: settings.pingIntervalS * 1000,
    clock,
    logger,
    isHealthy: () => {
      const { status, journalFailed } = state();
      return isAlive() && !journalFailed && !['starting', 'stopping'].includes(status.state);
    },
  });
}
