import { ACCOUNT } from '../states/trading-states.ts';
import { type Alarm, pull } from './alarm.ts';

/** Our wall clock is too far from the exchange's: starts, expiries and update windows would be misjudged. */
export function clockOffset(maxS: number, coolDownS: number): (offsetMs: number) => Alarm | null {
  return (offsetMs) => {
    const actual = Math.abs(offsetMs) / 1_000;
    if (actual <= maxS) return null;
    return pull('clock_offset', ACCOUNT, coolDownS, 'our clock differs from the exchange clock', {
      actual,
      limit: maxS,
    });
  };
}
