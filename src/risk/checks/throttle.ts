import type { RiskLimits } from '../limits/limits.ts';
import { type Check, refusal } from './context.ts';

/** The code of the refusal that halts the account until a person resumes. */
export const MESSAGE_THROTTLE = 'message_throttle';

/** Limits the orders per minute, far above what a sound strategy needs: a strategy that passes it is out of control. */
export function messageThrottle(limits: RiskLimits): Check {
  const limit = limits.throttle.ordersPerMinute;
  return ({ ordersLastMinute }) =>
    ordersLastMinute < limit
      ? null
      : refusal(MESSAGE_THROTTLE, 'too many orders within a minute', ordersLastMinute + 1, limit);
}
