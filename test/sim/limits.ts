import { integerBetween, seededRandom, uniformBetween } from '../../src/lib/random.ts';

/** Scopes that contain more than one event. */
export const WIDER_SCOPES = ['competition', 'sport', 'day', 'account'] as const;
export type WiderScope = (typeof WIDER_SCOPES)[number];

/** Limits of a day that are so tight that they bind. */
export interface TightLimits {
  /** The scope whose worst case may be as bad as one event's at most; wider ones are as they are by default. */
  readonly scope?: WiderScope;
  /** The most that the day may lose, and that may be lost from the peak. */
  readonly lossUsdt?: number;
}

/** Drawn apart, so that a day with tight limits is otherwise the day that it was. */
export function drawLimits(seed: number): TightLimits {
  const random = seededRandom(seed, 'limits');
  // Past the last of them: none.
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

/** The scope, and those that lie within it. */
function within(scope: WiderScope): readonly WiderScope[] {
  if (scope === 'account') return WIDER_SCOPES;
  return scope === 'sport' ? ['competition', 'sport'] : [scope];
}
