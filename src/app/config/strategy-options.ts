import { ConfigError } from '../../domain/errors.ts';
import { toMicros } from '../../domain/money.ts';
import type { MatchRules } from '../../engine/strategy-match.ts';
import type { LimitsOfStrategies, RiskLimits, StrategyLimits } from '../../risk/index.ts';
import type { LoadedConfig } from './load.ts';
import type { StrategySettings } from './tables.ts';

const MS_PER_MINUTE = 60_000;

const inMs = (minutes: number | null): number | null => (minutes === null ? null : minutes * MS_PER_MINUTE);

/** The match rules of a strategy's settings. */
export function matchRulesOf({ match }: StrategySettings): MatchRules {
  const { sports, competitions, marketTypes, inPlay } = match;
  return {
    sports,
    competitions,
    marketTypes,
    inPlay,
    startsWithinMs: inMs(match.startsWithinMinutes),
    startsAfterMs: inMs(match.startsAfterMinutes),
    minLiquidityMicros: toMicros(match.minLiquidityUsdt),
  };
}

/** A strategy's settings with its names. */
export interface NamedSettings {
  /** Its table in messages: `strategy`, or `strategy[1]` for the first of several. */
  readonly key: string;
  /** Unique among the strategies of a configuration. */
  readonly name: string;
  readonly settings: StrategySettings;
}

/** The limits that strategies have of their own. Throws ConfigError with every limit and rule that contradicts another. */
export function strategyLimitsOf(
  strategies: readonly NamedSettings[],
  risk: RiskLimits,
  complaint: LoadedConfig['complaint'] = (key, reason) => `${key}: ${reason}`,
): LimitsOfStrategies {
  const faults = strategies.flatMap(({ key, settings }) =>
    contradictionsOf(settings, risk).map(([inner, reason]) => complaint(`${key}.${inner}`, reason)),
  );
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  return new Map(strategies.map(({ name, settings }) => [name, limitsOf(settings)]));
}

const limitsOf = ({ limits, loss }: StrategySettings): StrategyLimits => ({
  eventUsdt: limits.eventUsdt,
  totalUsdt: limits.totalUsdt,
  openOrders: limits.openOrders,
  lossOfDayUsdt: loss.dayUsdt,
  lossFromPeakUsdt: loss.fromPeakUsdt,
});

/** Null is no bound. */
const isAtMost = (inner: number | null, outer: number | null): boolean =>
  inner === null || outer === null || inner <= outer;

/** An inner limit above its outer one could never be reached, and bounds that exclude each other match nothing. */
function contradictionsOf(
  { match, limits, loss }: StrategySettings,
  risk: RiskLimits,
): readonly (readonly [key: string, reason: string])[] {
  const { startsAfterMinutes, startsWithinMinutes } = match;
  const pairs: readonly (readonly [
    key: string,
    inner: number | null,
    outerKey: string,
    outer: number | null,
  ])[] = [
    ['limits.eventUsdt', limits.eventUsdt, 'limits.totalUsdt of the same table', limits.totalUsdt],
    ['limits.eventUsdt', limits.eventUsdt, 'risk.worstCase.eventUsdt', risk.worstCase.eventUsdt],
    ['limits.totalUsdt', limits.totalUsdt, 'risk.worstCase.accountUsdt', risk.worstCase.accountUsdt],
    ['limits.openOrders', limits.openOrders, 'risk.openOrders.account', risk.openOrders.account],
    ['loss.dayUsdt', loss.dayUsdt, 'risk.loss.dayUsdt', risk.loss.dayUsdt],
    ['loss.fromPeakUsdt', loss.fromPeakUsdt, 'risk.loss.fromPeakUsdt', risk.loss.fromPeakUsdt],
  ];
  const faults = pairs.flatMap(([key, inner, outerKey, outer]) =>
    isAtMost(inner, outer)
      ? []
      : [[key, `is ${inner}, above ${outerKey} (${outer}): it could never be reached`] as const],
  );
  if (isAtMost(startsAfterMinutes, startsWithinMinutes)) return faults;
  const reason = `must be within startsWithinMinutes (${startsWithinMinutes}): nothing would match`;
  return [...faults, ['match.startsAfterMinutes', reason]];
}
