import { fromMicros, type Micros } from '../domain/money.ts';
import type { RiskLimits } from './limits/limits.ts';
import type { AccountExposure } from './report.ts';

/** How much of a limit of the whole account is used. A loss that is a gain uses nothing. */
export interface LimitUse {
  /** As in the table `risk` of the configuration: `worstCase.accountUsdt`. */
  readonly name: string;
  readonly use: number;
  readonly limit: number;
  readonly unit: 'usdt' | 'count';
}

/** What the limits of the account are compared with. */
export interface AccountUse {
  readonly exposure: AccountExposure;
  /** Profit since the start of the day, and since the highest total; losses are negative. */
  readonly dayMicros: Micros;
  readonly fromPeakMicros: Micros;
  readonly matchedTodayMicros: Micros;
  readonly ordersLastMinute: number;
}

/** Each limit of the whole account beside its use, always in the same order. */
export function limitUses(limits: RiskLimits, account: AccountUse): readonly LimitUse[] {
  const { worstCase, gross, openOrders, loss, turnover, throttle } = limits;
  const { worstMicros, grossMicros, openOrders: open, openMicros } = account.exposure;
  const turnoverMicros = account.matchedTodayMicros + openMicros;
  return [
    usdt('worstCase.accountUsdt', 0 - worstMicros, worstCase.accountUsdt),
    usdt('gross.accountUsdt', grossMicros, gross.accountUsdt),
    usdt('loss.dayUsdt', 0 - account.dayMicros, loss.dayUsdt),
    usdt('loss.fromPeakUsdt', 0 - account.fromPeakMicros, loss.fromPeakUsdt),
    // Open stake may still be matched today, so the check counts it, too.
    usdt('turnover.dayUsdt', turnoverMicros, turnover.dayUsdt),
    { name: 'openOrders.account', use: open, limit: openOrders.account, unit: 'count' },
    {
      name: 'throttle.ordersPerMinute',
      use: account.ordersLastMinute,
      limit: throttle.ordersPerMinute,
      unit: 'count',
    },
  ];
}

const usdt = (name: string, useMicros: Micros, limit: number): LimitUse => ({
  name,
  use: fromMicros(Math.max(0, useMicros)),
  limit,
  unit: 'usdt',
});
