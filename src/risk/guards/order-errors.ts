import type { RiskLimits } from '../limits/limits.ts';
import { RollingCount } from '../limits/rates.ts';
import { ACCOUNT } from '../states/trading-states.ts';
import { type Alarm, pull } from './alarm.ts';
import type { OrderOutcome } from './sightings.ts';

/** Too large a part of create requests fails, or ends without an answer. */
export function orderErrors(
  settings: RiskLimits['guards']['orderErrors'],
): (outcome: OrderOutcome, nowMs: number) => Alarm | null {
  const { rate, minOrders, windowS, coolDownS } = settings;
  const all = new RollingCount(windowS * 1_000);
  const failed = new RollingCount(windowS * 1_000);
  return (outcome, nowMs) => {
    all.add(nowMs);
    if (outcome !== 'accepted') failed.add(nowMs);
    const actual = failed.count(nowMs) / all.count(nowMs);
    if (outcome === 'accepted' || all.count(nowMs) < minOrders || actual < rate) return null;
    return pull('order_errors', ACCOUNT, coolDownS, 'too many create requests fail', { actual, limit: rate });
  };
}
