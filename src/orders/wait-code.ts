import type { BetslipCode } from './betslip-answer.ts';
import type { PostOnlyCode } from './post-only.ts';

/**
 * Why nothing at all may be placed, in the order in which a person wants to know: first what stays until somebody acts or
 * starts the daemon anew, a kill before all else, then what passes by itself.
 */
export const HALT_CODES = [
  'stopped',
  'latched',
  'invariant_broken',
  'journal_failed',
  'draining',
  'kill_unfinished',
  'engine_hangs',
  'not_started',
  'another_installation',
  'heartbeat_of_another_process',
  'stream_not_synced',
  'stream_closed',
  'stream_distrusted',
  'resync_under_way',
  'recovering_from_close_out',
  'order_closed_by_others',
  'watching_the_account',
  'heartbeat_of_an_earlier_run',
] as const;

export type HaltCode = (typeof HALT_CODES)[number];

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
  | 'stake_too_small'
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
