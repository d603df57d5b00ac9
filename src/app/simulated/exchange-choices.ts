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

const HOUR_MS = 3_600_000;

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
  /** Seconds for which market data answers `warming` after the start and after a lost feed. */
  readonly warmUp?: number;
  /** Largest age of what `GET /v2/offers/` shows, in seconds; 0: it is live. */
  readonly offersLag?: number;
  /** Hours after its placement for which an order is found by its `request_uuid`. */
  readonly trackedLookup?: number;
  /** Hours after its last change for which a closed order can be read. */
  readonly orderMemory?: number;
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
    ...spansOf(choices),
    ...(limits === undefined ? {} : { limits: LIMITS[limits] }),
    ...(unixTimestamps === undefined ? {} : { unixTimestamps }),
  };
}

function spansOf({
  warmUp,
  offersLag,
  trackedLookup,
  orderMemory,
}: ExchangeChoices): Partial<ExchangeSettings> {
  return {
    ...(warmUp === undefined ? {} : { warmupMs: warmUp * 1000 }),
    ...(offersLag === undefined ? {} : { offersLagMs: offersLag * 1000 }),
    ...(trackedLookup === undefined ? {} : { trackedLookupMs: trackedLookup * HOUR_MS }),
    ...(orderMemory === undefined ? {} : { orderRetentionMs: orderMemory * HOUR_MS }),
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
