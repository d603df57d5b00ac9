import { EXCHANGE_MODES as MODES } from '../../domain/exchange-mode.ts';
import { OPEN_STATUSES } from '../../domain/orders.ts';

/** The published values of the exchange's open sets. Another value is kept as it is, counted and logged. */
const words = (...list: string[]): ReadonlySet<string> => new Set(list);

export const SPORTS = words(
  ...['fb', 'fb_ht', 'fb_et', 'fb_corn', 'fb_corn_ht', 'fb_htft', 'basket', 'basket_ht', 'tennis', 'cricket'],
  ...['horse', 'esports', 'politics', 'af', 'baseball', 'ih', 'rl', 'ru', 'mma', 'boxing', 'golf', 'darts'],
);
export const EVENT_TYPES = words('normal', 'multirunner');
export const IR_STATUSES = words('pre_event', 'in_running');
export const ORDER_TYPES = words('normal', 'lay', 'parlay');
export const ORDER_STATUSES = words(
  ...[...OPEN_STATUSES, 'done', 'failed', 'reconciled', 'partial_void', 'full_void'],
);
export const CLOSE_REASONS = words('order_filled', 'cancelled', 'timed_out', 'expired');
export const EXCHANGE_MODES = words(...MODES);
export const EXCHANGE_ROLES = words('maker', 'taker');
export const BET_STATUSES = words('success', 'inprogress', 'danger', 'unplaced', 'pending', 'failed');
export const QUOTE_STATUSES = words('success');
export const LEG_OUTCOMES = words('w', 'l', 'v', 'v/w', 'l/v', 'l/w', 'unknown');
