import { toMicros } from '../domain/money.ts';
import { LIMITS } from '../simulator/core/settings.ts';
import type { ExchangeSettings, LimitReading } from '../simulator/core/settings.ts';

export { LIMIT_READINGS } from '../simulator/core/settings.ts';

/** What a person may choose of the embedded exchange; what is left out is as `docs/exchange-choices.md` says. */
export interface ExchangeChoices {
  readonly openBetslips?: number;
  readonly registeredEvents?: number;
  readonly eventStakeLimit?: number;
  readonly limits?: LimitReading;
  readonly unixTimestamps?: boolean;
}

/** Amounts of the choices are USDT. */
export function exchangeSettingsOf(choices: ExchangeChoices): Partial<ExchangeSettings> {
  const { openBetslips, registeredEvents, eventStakeLimit, limits, unixTimestamps } = choices;
  return {
    ...(openBetslips === undefined ? {} : { openBetslipCap: openBetslips }),
    ...(registeredEvents === undefined ? {} : { registeredEventCap: registeredEvents }),
    ...(eventStakeLimit === undefined ? {} : { eventStakeLimitMicros: toMicros(eventStakeLimit) }),
    ...(limits === undefined ? {} : { limits: LIMITS[limits] }),
    ...(unixTimestamps === undefined ? {} : { unixTimestamps }),
  };
}
