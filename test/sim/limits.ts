import { integerBetween, seededRandom, uniformBetween } from '../../src/lib/random.ts';

/** Scopes that contain more than one event. */
export const WIDER_SCOPES = ['competition', 'sport', 'day', 'account'] as const;
export type WiderScope = (typeof WIDER_SCOPES)[number];

/** Limits of a day that are tight enough to bind. */
export interface TightLimits {
  /** The scope whose worst case is limited to one event's. Wider ones keep their defaults. */
  readonly scope?: WiderScope;
  /** The most that the day may lose, and the most that may be lost from the peak. */
  readonly lossUsdt?: number;
}

/** Drawn separately, so that tight limits do not change the rest of the day. */
export function drawLimits(seed: number): TightLimits {
  const random = seededRandom(seed, 'limits');
  // Past the last scope: none.
  const scope = WIDER_SCOPES[integerBetween(random, 0, WIDER_SCOPES.length)] ?? null;
  const lossUsdt = random.next() < 0.35 ? Math.round(uniformBetween(random, 20, 150)) : null;
  return { ...(scope === null ? {} : { scope }), ...(lossUsdt === null ? {} : { lossUsdt }) };
}

/** As settings of the daemon. An inner limit is never above an outer one. */
export function settingsOf({ scope, lossUsdt }: TightLimits, eventUsdt: number): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const each of scope === undefined ? [] : within(scope))
    settings[`risk.worstCase.${each}Usdt`] = `${eventUsdt}`;
  for (const each of lossUsdt === undefined ? [] : ['day', 'fromPeak', 'strategyDay', 'strategyFromPeak'])
    settings[`risk.loss.${each}Usdt`] = `${lossUsdt}`;
  return settings;
}

/** The scope, and those within it. */
function within(scope: WiderScope): readonly WiderScope[] {
  if (scope === 'account') return WIDER_SCOPES;
  return scope === 'sport' ? ['competition', 'sport'] : [scope];
}
