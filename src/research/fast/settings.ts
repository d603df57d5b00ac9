/** The times and sizes of the exchange and of the order manager that the fast engine takes over. Defaults are the real ones. */
import type { Micros } from '../../domain/money.ts';
import { DEFAULT_ORDER_OPTIONS, type OrderOptions } from '../../orders/options.ts';
import { DEFAULT_SETTINGS, type ExchangeSettings } from '../../simulator/core/settings.ts';

type Exchange = Pick<
  ExchangeSettings,
  | 'quoteOnChangeMs'
  | 'quoteIntervalMs'
  | 'placementDelayMs'
  | 'inPlayDelayMs'
  | 'closeLatencyMs'
  | 'offerDepth'
  | 'minOrderStakeMicros'
>;

type Manager = Pick<
  OrderOptions,
  | 'durationS'
  | 'renewLeadMs'
  | 'replacement'
  | 'toleranceAwayTicks'
  | 'toleranceTowardTicks'
  | 'minStakeMicros'
  | 'minStakeRatio'
  | 'maxStakeRatio'
  | 'postOnlyMarginTicks'
>;

export interface FastSettings extends Exchange, Manager {
  /** The least stake of an order, of the exchange and of the order manager together. */
  readonly leastStakeMicros: Micros;
}

/** The real settings, with some replaced. */
export function fastSettings(given: Partial<Exchange & Manager> = {}): FastSettings {
  const all = { ...pick(), ...given };
  return { ...all, leastStakeMicros: Math.max(all.minOrderStakeMicros, all.minStakeMicros) };
}

function pick(): Exchange & Manager {
  const { quoteOnChangeMs, quoteIntervalMs, placementDelayMs, inPlayDelayMs, closeLatencyMs, offerDepth } =
    DEFAULT_SETTINGS;
  const { minOrderStakeMicros } = DEFAULT_SETTINGS;
  const { durationS, renewLeadMs, replacement, toleranceAwayTicks, toleranceTowardTicks } =
    DEFAULT_ORDER_OPTIONS;
  const { minStakeMicros, minStakeRatio, maxStakeRatio, postOnlyMarginTicks } = DEFAULT_ORDER_OPTIONS;
  return {
    quoteOnChangeMs,
    quoteIntervalMs,
    placementDelayMs,
    inPlayDelayMs,
    closeLatencyMs,
    offerDepth,
    minOrderStakeMicros,
    durationS,
    renewLeadMs,
    replacement,
    toleranceAwayTicks,
    toleranceTowardTicks,
    minStakeMicros,
    minStakeRatio,
    maxStakeRatio,
    postOnlyMarginTicks,
  };
}
