import { ConfigError } from '../../domain/errors.ts';
import { toMicros } from '../../domain/money.ts';
import type { HedgeRules } from '../../hedge/rules.ts';
import { DAY_MS } from '../../lib/time.ts';
import { type OrderOptions, orderOptions } from '../../orders/options.ts';
import { sharedCap } from '../../paper/share.ts';
import { readRiskLimits, type RiskLimits } from '../../risk/index.ts';
import { DEFAULT_LIMITS, type VenueLimits } from '../../venue/index.ts';
import type { Config, LoadedConfig } from './load.ts';

const ms = (seconds: number): number => Math.round(seconds * 1000);

type Allotting = Pick<Config, 'mode' | 'orders' | 'paper'>;

/** The order manager's part of a configuration. */
export function orderOptionsOf(config: Allotting & Pick<Config, 'journal'>): OrderOptions {
  const { orders, journal } = config;
  return orderOptions({
    durationS: orders.durationS,
    inPlayDurationS: orders.inPlayDurationS,
    renewLeadMs: ms(orders.renewLeadS),
    replacement: orders.replacement,
    toleranceAwayTicks: orders.toleranceAwayTicks,
    toleranceTowardTicks: orders.toleranceTowardTicks,
    minStakeMicros: toMicros(orders.minStakeUsdt),
    minStakeRatio: orders.minStakeRatio,
    maxStakeRatio: orders.maxStakeRatio,
    postOnlyMarginTicks: orders.postOnlyMarginTicks,
    maxInFlight: orders.maxInFlight,
    retryMs: ms(orders.retryS),
    takenBackoffMs: ms(orders.takenBackoffS),
    latestLandingMs: ms(orders.latestLandingS),
    durationToleranceMs: ms(orders.durationToleranceS),
    adoptionGraceMs: ms(orders.adoptionGraceS),
    dropCopyEveryMs: ms(orders.dropCopyEveryS),
    otherHeartbeats: orders.otherHeartbeats,
    heartbeat: heartbeatOf(orders),
    betslips: betslipsOf(config),
    closeOut: {
      pauseMs: ms(orders.closeOut.pauseS),
      slowForMs: ms(orders.closeOut.slowForS),
      slowEveryMs: ms(orders.closeOut.slowEveryS),
    },
    journal: { retentionMs: journal.retentionDays === 0 ? null : journal.retentionDays * DAY_MS },
  });
}

/** When hedges are made without a person. A setting of 0 is a rule that is off. */
export function hedgeRulesOf({ hedge }: Pick<Config, 'hedge'>): HedgeRules {
  const unless0 = (value: number): number | null => (value === 0 ? null : value);
  return {
    offsetTicks: unless0(hedge.offsetTicks),
    stopTicks: unless0(hedge.stopTicks),
    greenUpBeforeMs: unless0(ms(hedge.greenUpBeforeS)),
    greenUpMinute: unless0(hedge.greenUpMinute),
    boundAtShare: unless0(hedge.boundAtShare),
    boundToShare: hedge.boundToShare,
  };
}

/** Whether a paper run keeps betslips on the real exchange, which count for the account. */
export const keepsRealBetslips = ({ mode, paper }: Pick<Config, 'mode' | 'paper'>): boolean =>
  mode === 'paper' && paper.betslips === 'real';

/** The part of the account's betslips that a run may use: all of it, or on paper its share. */
export function allottedBetslips(config: Allotting): {
  openCap: number;
  perDay: number;
  dailyReserve: number;
} {
  const { openBetslips, betslips } = config.orders;
  const { perDay, dailyReserve } = betslips;
  if (!keepsRealBetslips(config)) return { openCap: openBetslips, perDay, dailyReserve };
  const { share } = config.paper;
  return {
    openCap: sharedCap(openBetslips, share),
    perDay: sharedCap(Math.min(DEFAULT_LIMITS.betslipsPerDay, perDay), share),
    dailyReserve: Math.floor(dailyReserve * share),
  };
}

/**
 * The client's part of a configuration. The order manager and the client's request queue must count the same betslips a day and
 * keep the same reserve.
 */
export function requestLimitsOf(
  config: Allotting,
): Pick<VenueLimits, 'betslipsPerDay' | 'betslipsPerDayReserve'> {
  const { perDay, dailyReserve } = allottedBetslips(config);
  return {
    betslipsPerDay: Math.min(DEFAULT_LIMITS.betslipsPerDay, perDay),
    betslipsPerDayReserve: dailyReserve,
  };
}

function heartbeatOf({ heartbeat, heartbeatTimeoutS }: Config['orders']): OrderOptions['heartbeat'] {
  return {
    timeoutS: heartbeatTimeoutS,
    refreshRatio: heartbeat.refreshRatio,
    sendReserveMs: ms(heartbeat.sendReserveS),
    streamGraceMs: ms(heartbeat.streamGraceS),
    retryMs: ms(heartbeat.retryS),
  };
}

function betslipsOf(config: Allotting): OrderOptions['betslips'] {
  const { betslips } = config.orders;
  return {
    ...allottedBetslips(config),
    refreshLeadMs: ms(betslips.refreshLeadS),
    lifeMs: ms(betslips.lifeS),
    idleMs: ms(betslips.idleS),
    quoteMaxAgeMs: ms(betslips.quoteMaxAgeS),
    quoteTimeoutMs: ms(betslips.quoteTimeoutS),
    burst: betslips.burst,
    longestDurationS: betslips.longestDurationS,
    refusedBackoffMs: ms(betslips.refusedBackoffS),
    capProbeMs: ms(betslips.capProbeS),
  };
}

/**
 * The risk limits of a configuration. Throws ConfigError with every limit that is missing, wrong or contradictory, phrased by
 * `complaint`.
 */
export function riskLimitsOf(
  config: Pick<Config, 'mode' | 'risk'>,
  complaint: LoadedConfig['complaint'] = (key, reason) => `${key}: ${reason}`,
): RiskLimits {
  const result = readRiskLimits(config.risk, config.mode);
  if (result.ok) return result.limits;
  throw new ConfigError(result.problems.map(({ key, message }) => complaint(key, message)).join('\n'));
}
