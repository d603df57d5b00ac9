import type { RiskLimits } from '../limits/limits.ts';
import { type Check, refusal } from './context.ts';

/** The code of the refusal that stops the account until a person releases it. */
export const MESSAGE_THROTTLE = 'message_throttle';

/** Orders a minute, far above what a sound strategy asks for: whoever passes it runs wild. */
export function messageThrottle(limits: RiskLimits): Check {
  const limit = limits.throttle.ordersPerMinute;
  return ({ ordersLastMinute }) =>
    ordersLastMinute < limit
      ? null
      : refusal(MESSAGE_THROTTLE, 'too many orders within a minute', ordersLastMinute + 1, limit);
}
