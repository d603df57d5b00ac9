import type { BetslipCode } from './betslip-answer.ts';
import type { PostOnlyCode } from './post-only.ts';

/** Why nothing at all may be placed. */
export type HaltCode =
  | 'not_started'
  | 'latched'
  | 'stopped'
  | 'draining'
  | 'stream_not_synced'
  | 'stream_closed'
  | 'stream_distrusted'
  | 'resync_under_way'
  | 'order_closed_by_others'
  | 'recovering_from_close_out'
  | 'heartbeat_of_an_earlier_run'
  | 'heartbeat_of_another_process'
  | 'engine_hangs'
  | 'kill_unfinished'
  | 'journal_failed'
  | 'invariant_broken';

/** Why a wanted quote has no order now. */
export type WaitCode =
  | HaltCode
  | BetslipCode
  | PostOnlyCode
  | 'heartbeat'
  | 'outcome_unknown'
  | 'replacing'
  | 'backing_off'
  | 'in_flight_limit'
  | 'no_market'
  | 'betslip_replaced'
  | 'slow_after_close_out'
  /** Risk refused; its own code is the detail. */
  | 'risk';

export interface Obstacle {
  readonly code: WaitCode;
  /** Free text that is no part of the reason's name. */
  readonly detail: string | null;
}

export const because = (code: WaitCode, detail: string | null = null): Obstacle => ({ code, detail });

/** As text for people. */
export const told = ({ code, detail }: Obstacle): string => (detail === null ? code : `${code}: ${detail}`);
