import { toMicros } from '../../domain/money.ts';
import type { PriceConvention } from '../../domain/odds.ts';
import {
  DEFAULT_SETTINGS,
  type ExchangeSettings,
  type LimitReading,
  LIMITS,
  type SpanMs,
} from '../../simulator/core/settings.ts';

export { LIMIT_READINGS } from '../../simulator/core/settings.ts';

/** The options of the embedded exchange; `docs/exchange-choices.md` describes the defaults. Amounts in USDT. */
export interface ExchangeChoices {
  /** What `against` prices are. A recorded market keeps its lay prices. */
  readonly againstPrices?: PriceConvention;
  readonly openBetslips?: number;
  readonly registeredEvents?: number;
  readonly eventStakeLimit?: number;
  readonly minOrderStake?: number;
  /** Factor on the usual time that an order takes to be placed; 0 for no time. */
  readonly placementDelay?: number;
  readonly limits?: LimitReading;
  readonly unixTimestamps?: boolean;
}

export function exchangeSettingsOf(choices: ExchangeChoices): Partial<ExchangeSettings> {
  const { againstPrices, openBetslips, registeredEvents, eventStakeLimit } = choices;
  const { minOrderStake, limits, unixTimestamps } = choices;
  return {
    ...(againstPrices === undefined ? {} : { priceConvention: againstPrices }),
    ...(openBetslips === undefined ? {} : { openBetslipCap: openBetslips }),
    ...(registeredEvents === undefined ? {} : { registeredEventCap: registeredEvents }),
    ...(eventStakeLimit === undefined ? {} : { eventStakeLimitMicros: toMicros(eventStakeLimit) }),
    ...(minOrderStake === undefined ? {} : { minOrderStakeMicros: toMicros(minOrderStake) }),
    ...delaysOf(choices),
    ...(limits === undefined ? {} : { limits: LIMITS[limits] }),
    ...(unixTimestamps === undefined ? {} : { unixTimestamps }),
  };
}

function delaysOf({ placementDelay: times = 1 }: ExchangeChoices): Partial<ExchangeSettings> {
  const { placementDelayMs, inPlayDelayMs, confirmationMs } = DEFAULT_SETTINGS;
  const scaled = ([least, most]: SpanMs): SpanMs => [Math.round(least * times), Math.round(most * times)];
  return {
    placementDelayMs: scaled(placementDelayMs),
    inPlayDelayMs: scaled(inPlayDelayMs),
    confirmationMs: scaled(confirmationMs),
  };
}
