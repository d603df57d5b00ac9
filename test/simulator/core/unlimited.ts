import type { ExchangeSettings } from '../../../src/simulator/core/settings.ts';

const plenty = { burst: 1e9, perSecond: 1e9 };

/** Settings under which no request is refused as one too many, and no order as too small. */
export const UNLIMITED: Partial<ExchangeSettings> = {
  openBetslipCap: 1e9,
  eventStakeLimitMicros: null,
  minOrderStakeMicros: 0,
  limits: {
    general: [plenty],
    betslips: [plenty],
    betslipsPerDay: null,
    orders: [plenty],
    offersInFlight: 4,
  },
};
