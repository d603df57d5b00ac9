import { EXCHANGE_MODES as MODES } from '../../domain/exchange-mode.ts';
import { OPEN_STATUSES } from '../../domain/orders.ts';

/** The published values of the exchange's open sets. Another value is kept as it is, counted and logged. */
const values = (...list: string[]): ReadonlySet<string> => new Set(list);

export const SPORTS = values(
  ...['fb', 'fb_ht', 'fb_et', 'fb_corn', 'fb_corn_ht', 'fb_htft', 'basket', 'basket_ht', 'tennis', 'cricket'],
  ...['horse', 'esports', 'politics', 'af', 'baseball', 'ih', 'rl', 'ru', 'mma', 'boxing', 'golf', 'darts'],
);
export const EVENT_TYPES = values('normal', 'multirunner');
export const IR_STATUSES = values('pre_event', 'in_running');
export const ORDER_TYPES = values('normal', 'lay', 'parlay');
export const ORDER_STATUSES = values(
  ...OPEN_STATUSES,
  'done',
  'failed',
  'reconciled',
  'partial_void',
  'full_void',
);
export const CLOSE_REASONS = values('order_filled', 'cancelled', 'timed_out', 'expired');
export const EXCHANGE_MODES = values(...MODES);
export const EXCHANGE_ROLES = values('maker', 'taker');
export const BET_STATUSES = values('success', 'inprogress', 'danger', 'unplaced', 'pending', 'failed');
export const QUOTE_STATUSES = values('success');
export const LEG_OUTCOMES = values('w', 'l', 'v', 'v/w', 'l/v', 'l/w', 'unknown');
