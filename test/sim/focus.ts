import { type Random, uniformBetween } from '../../src/lib/random.ts';
import type { Act, DaemonPlan, WorldPlan } from './plan.ts';

/** The settings of an arena. The rest of the day stays as drawn. */
export interface Focus {
  readonly world?: Partial<WorldPlan>;
  readonly daemon?: Partial<DaemonPlan>;
  readonly acts?: readonly Act[];
  readonly faults?: readonly object[];
  /** The form is that of a plan. */
  readonly unsyncedSurvive?: number;
}

/** Draws a focus for a day whose acts and faults end after `activeS`. */
export type Draw = (random: Random, activeS: number) => Focus;

/** An instant in this part of the active time. */
export const within = (random: Random, activeS: number, from: number, to: number): number =>
  uniformBetween(random, from * activeS, to * activeS);

/** Many quotes that change often, on markets that trade. */
export const LIVELY = { events: 6, speed: 5, openBetslips: 20 } as const;
export const BUSY = {
  strategy: 'guarded-ladder',
  maxSelections: 4,
  inPlay: true,
  eventLimitUsdt: 4_000,
} as const;
