import { ACCOUNT } from '../states/trading-states.ts';
import { type Alarm, pull } from './alarm.ts';

/** `clear_events`: the exchange lost its feed, so all that was known of the market is obsolete. */
export const feedCleared = (coolDownS: number): Alarm =>
  pull('feed_cleared', ACCOUNT, coolDownS, 'the exchange lost its feed');
