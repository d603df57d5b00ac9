import { ACCOUNT } from '../states/trading-states.ts';
import { type Alarm, pull } from './alarm.ts';

/** The event loop is late: all that we know is at least as old. */
export function loopLag(maxS: number, coolDownS: number): (lagMs: number) => Alarm | null {
  return (lagMs) => {
    const actual = lagMs / 1_000;
    return actual <= maxS
      ? null
      : pull('loop_lag', ACCOUNT, coolDownS, 'the event loop is late', { actual, limit: maxS });
  };
}
