import type { RiskLimits } from '../../risk/index.ts';
import { DEFAULT_SETTINGS, type ExchangeSettings } from '../../simulator/core/settings.ts';

/** Data does not come more often than this, however fast the market is played. */
const LEAST_CADENCE_MS = 25;
/** The daemon looks after its guards once a second. */
const LEAST_GUARD_S = 1;

/**
 * How often the exchange tells of a recorded market that is played N times faster: N times as often, as it told of the
 * market then. Else what a client knows would be minutes of the market old. The account's own timers and limits stay in
 * real time.
 */
export function cadenceAt(speed: number): Partial<ExchangeSettings> {
  const faster = (ms: number): number => Math.max(LEAST_CADENCE_MS, ms / Math.max(1, speed));
  const { quoteDelayMs, quoteIntervalMs, quoteOnChangeMs, broadcastIntervalMs } = DEFAULT_SETTINGS;
  return {
    quoteDelayMs: faster(quoteDelayMs),
    quoteIntervalMs: faster(quoteIntervalMs),
    quoteOnChangeMs: faster(quoteOnChangeMs),
    broadcastIntervalMs: faster(broadcastIntervalMs),
  };
}

/** Guards that watch the market or what it does to us: their windows and cool-downs are times of the market. */
const OF_THE_MARKET = [
  ...(['divergence', 'scoreChange', 'redCard', 'suspension', 'start', 'priceJump'] as const),
  ...(['toxicity', 'unintendedTaking'] as const),
] as const;

/**
 * The limits with the guards of the market in the time of a market that is played N times faster: five fills within half
 * a minute of the market are five fills within half a second of ours. At least a second each.
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
