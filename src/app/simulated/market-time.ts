import type { RiskLimits } from '../../risk/index.ts';
import { DEFAULT_SETTINGS, type ExchangeSettings } from '../../simulator/core/settings.ts';

/** Shortest interval of data, however fast the market is played. */
const LEAST_CADENCE_MS = 25;
/** Shortest window of a guard: the daemon checks its guards once a second. */
const LEAST_GUARD_S = 1;

/**
 * Publishing intervals for a recorded market played N times faster. The exchange publishes N times as often; otherwise a client's
 * data would lag by minutes of the market. The account's own timers and limits stay in real time.
 */
export function cadenceAt(speed: number): Partial<ExchangeSettings> {
  const faster = (ms: number): number => Math.max(LEAST_CADENCE_MS, ms / Math.max(1, speed));
  const { quoteDelayMs, quoteIntervalMs, quoteOnChangeMs, broadcastIntervalMs, offersLagMs } =
    DEFAULT_SETTINGS;
  return {
    quoteDelayMs: faster(quoteDelayMs),
    quoteIntervalMs: faster(quoteIntervalMs),
    quoteOnChangeMs: faster(quoteOnChangeMs),
    broadcastIntervalMs: faster(broadcastIntervalMs),
    offersLagMs: faster(offersLagMs),
  };
}

/** Guards that watch the market or its effect on us: their windows and cool-downs are market time. */
const OF_THE_MARKET = [
  ...(['divergence', 'scoreChange', 'redCard', 'suspension', 'start', 'priceJump'] as const),
  ...(['toxicity', 'unintendedTaking'] as const),
] as const;

/**
 * The limits for a market played N times faster, with the windows of its guards N times shorter, but at least a second. For
 * example, five fills within half a minute of the market are five fills within half a second of ours at N = 60.
 */
export function limitsAt(speed: number, limits: RiskLimits): RiskLimits {
  const guards = Object.entries(limits.guards).map(([name, settings]) => {
    const scaled = (OF_THE_MARKET as readonly string[]).includes(name);
    return [name, scaled ? shortened(settings as Readonly<Record<string, number>>, speed) : settings];
  });
  return { ...limits, guards: Object.fromEntries(guards) as RiskLimits['guards'] };
}

function shortened(settings: Readonly<Record<string, number>>, speed: number): Record<string, number> {
  const shorter = (seconds: number): number =>
    Math.min(seconds, Math.max(LEAST_GUARD_S, seconds / Math.max(1, speed)));
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [
      key,
      key === 'windowS' || key === 'coolDownS' ? shorter(value) : value,
    ]),
  );
}
