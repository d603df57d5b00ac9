import { type GuardName, GUARDS } from './limits/guard-settings.ts';

const CODES = [
  ...(['stake_limit', 'liability_limit'] as const),
  ...(['selection_worst_case', 'event_worst_case', 'competition_worst_case'] as const),
  ...(['sport_worst_case', 'day_worst_case', 'account_worst_case', 'event_gross', 'account_gross'] as const),
  ...(['strategy_event_worst_case', 'strategy_worst_case', 'strategy_open_orders'] as const),
  ...(['selection_open_orders', 'event_open_orders', 'account_open_orders'] as const),
  ...(['take_event', 'take_hour', 'take_edge'] as const),
  ...(['day_turnover', 'balance', 'balance_unknown', 'no_reference', 'stale_reference'] as const),
  ...(['collar_adverse', 'collar_away', 'collar_drift'] as const),
  ...(['in_play', 'past_start', 'start_unknown', 'keep_open_in_play'] as const),
  ...(['score_unknown', 'score_stale'] as const),
  ...(['message_throttle', 'duplicate_order', 'duplicate_uuid', 'approval_over'] as const),
  ...(['sport_not_allowed', 'competition_not_allowed', 'market_not_allowed'] as const),
  ...(['halted', 'reducing_only', 'unknown_event'] as const),
  ...(['bad_stake', 'off_tick', 'bad_duration', 'bad_price_kind', 'unknown_direction'] as const),
] as const;

/** The name of a check that refused an order. */
export type RefusalCode = (typeof CODES)[number] | `guard_${GuardName}`;

/** Every code with which risk refuses an order. */
export const REFUSAL_CODES: readonly RefusalCode[] = [
  ...CODES,
  ...GUARDS.map((guard) => `guard_${guard}` as const),
];
