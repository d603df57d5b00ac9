import { TouchlineError } from '../../domain/errors.ts';
import { sleep } from '../../ports/clock.ts';
import type { AdminClient } from '../adapters/admin-client.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { clientOf, type Operation, operator } from './daemon.ts';
import type { KillReport } from './kill-report.ts';

const CLOSED_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 100;

/** Anything passes: the report of risk after the kill is what counts. */
export const isKillAnswer = (_: unknown): _ is unknown => true;

/** The part of the report of risk that commands read. */
export interface RiskAnswer {
  readonly openOrders: number | null;
  readonly latchedIn?: string | null;
}

/** Whether a daemon sent this report, and no other program. */
export function isRiskAnswer(body: unknown): body is RiskAnswer {
  if (typeof body !== 'object' || body === null) return false;
  const { openOrders, latchedIn = null } = body as Partial<Record<keyof RiskAnswer, unknown>>;
  const isCount = openOrders === null || typeof openOrders === 'number';
  return isCount && (latchedIn === null || typeof latchedIn === 'string');
}

export const RISK = { path: '/risk', shape: isRiskAnswer };
const KILL = { path: '/kill', shape: isKillAnswer };

/** Daemon and permit accept no longer reason, and a kill must never fail because of its reason. */
const LONGEST_REASON = 500;

/**
 * Stops all trading: commands the daemon to kill and waits until it has closed its orders. If the daemon does not answer, does
 * not confirm the kill or does not finish, this process latches the kill and closes the orders itself. Rejects with ConfigError
 * if neither is possible.
 */
export async function kill(operation: Operation, fullReason: string): Promise<KillReport> {
  const daemon = await clientOf(operation);
  const reason = fullReason.slice(0, LONGEST_REASON);
  try {
    await daemon.post(KILL, { reason, by: operator() });
    return { by: 'daemon', ...(await untilClosed(daemon)) };
  } catch (error) {
    if (!(error instanceof TouchlineError)) throw error;
    // Takes a second to load, and is not needed where a daemon answers.
    const { killWithoutDaemon } = await import('./kill-without-daemon.ts');
    return killWithoutDaemon(await operation.config(), reason, error);
  }
}

type Closed = Pick<KillReport, 'openOrders' | 'latchedIn'>;

async function untilClosed(daemon: AdminClient): Promise<Closed> {
  const untilMs = systemClock.monotonicMs() + CLOSED_WITHIN_MS;
  for (;;) {
    const { openOrders, latchedIn } = await daemon.get(RISK);
    const isOver = openOrders === 0 || systemClock.monotonicMs() >= untilMs;
    if (isOver) return { openOrders, latchedIn: latchedIn ?? null };
    await sleep(systemClock, LOOK_EVERY_MS);
  }
}
