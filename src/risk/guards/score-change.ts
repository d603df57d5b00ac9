import { changedGuard } from './changed.ts';

/** A goal: every price of the event is stale at once. */
export const scoreChange = (coolDownS: number): ReturnType<typeof changedGuard> =>
  changedGuard('score_change', coolDownS, 'its score changed', ({ score }) => score);
