import { changedGuard } from './changed.ts';

/** A red card moves every price of the event. */
export const redCard = (coolDownS: number): ReturnType<typeof changedGuard> =>
  changedGuard('red_card', coolDownS, 'its red cards changed', ({ redCards }) => redCards);
