import { isTerminal, ORDER_STATES, type OrderState } from '../../domain/lifecycle.ts';
import type { Fill, LiveOrder } from '../../domain/live-order.ts';
import { ATTEMPT_KINDS } from './fruitless.ts';
import { type Counter, type Gauge, type Histogram, knownValues, type Metrics } from '../../ports/metrics.ts';

const SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Kinds of alarms. The last ones are raised by the lifecycle of orders. */
export const ALARM_KINDS = [
  ...(['journal', 'journal_damage', 'mismatch', 'duration', 'heartbeat_lost', 'other_installation'] as const),
  ...(['incomplete', 'forgotten', 'overbooked', 'bet_changed', 'seen_open', 'seen_closed', 'fill'] as const),
  ...(['open_again', 'fruitless', 'key_refused'] as const),
] as const;

const ROLES: readonly Fill['role'][] = ['maker', 'taker', 'unknown'];

/** Documented codes with which the exchange may refuse a create request. */
const REFUSAL_CODES = [
  'validation_error',
  'auth_error',
  'forbidden',
  'not_found',
  'order_already_created',
  'limit_reached',
  'throttled',
  'server_error',
  'unavailable',
];

/** The order manager's measurements. */
export interface OrderMetrics {
  readonly states: StateMetrics;
  readonly fills: Counter<'role'>;
  readonly unintendedTakes: Counter;
  readonly alarms: Counter<'kind'>;
  readonly refusals: Counter<'code'>;
  readonly fruitless: Counter<'kind'>;
  readonly differences: Counter<'kind'>;
  readonly missedWakes: Counter<'code'>;
  readonly createSeconds: Histogram;
  readonly closeSeconds: Histogram;
  readonly heartbeatRemaining: Gauge;
  readonly betslipsOpen: Gauge;
  readonly betslipCap: Gauge;
  /** 1 once the journal cannot be written. */
  readonly journalFailed: Gauge;
}

export function orderMetrics(metrics: Metrics): OrderMetrics {
  const name = (rest: string): string => `touchline_orders_${rest}`;
  return {
    states: new StateMetrics(
      metrics.counter(
        name('changes_total'),
        'Changes of own orders by new state',
        ['state'],
        knownValues('state', ORDER_STATES),
      ),
      metrics.gauge(name('active'), 'Own orders that are not over by state', ['state']),
    ),
    fills: metrics.counter(name('fills_total'), 'Fills booked by role', ['role'], knownValues('role', ROLES)),
    unintendedTakes: metrics.counter(name('unintended_takes_total'), 'Fills taken by orders meant to rest'),
    alarms: metrics.counter(
      name('alarms_total'),
      'Contradictions and other alarms by kind',
      ['kind'],
      knownValues('kind', ALARM_KINDS),
    ),
    refusals: metrics.counter(
      name('refusals_total'),
      'Create requests refused by code',
      ['code'],
      knownValues('code', REFUSAL_CODES),
    ),
    fruitless: metrics.counter(
      name('fruitless_total'),
      'What the exchange had accepted and that came to nothing by kind',
      ['kind'],
      knownValues('kind', ATTEMPT_KINDS),
    ),
    differences: metrics.counter(
      name('differences_total'),
      'Own state found wrong by the drop copy',
      ['kind'],
      knownValues('kind', ['fill', ...ORDER_STATES]),
    ),
    missedWakes: metrics.counter(
      'touchline_missed_wakes_total',
      'Blocked quotes that could be placed and that nothing woke by the code that had blocked them',
      ['code'],
    ),
    createSeconds: metrics.histogram(name('create_seconds'), 'Create request to answer', SECONDS),
    closeSeconds: metrics.histogram(name('close_seconds'), 'Close request to confirmation', SECONDS),
    heartbeatRemaining: metrics.gauge(name('heartbeat_remaining_seconds'), 'Proven time until close-out'),
    betslipsOpen: metrics.gauge(name('betslips_open'), 'Open betslips'),
    betslipCap: metrics.gauge(name('betslip_cap'), 'Learned cap of open betslips'),
    journalFailed: metrics.gauge('touchline_journal_failed', 'Whether the journal cannot be written'),
  };
}

/** Counts changes of own orders by new state, and orders that have not ended by current state. */
export class StateMetrics {
  readonly #changes: Counter<'state'>;
  readonly #active: Gauge<'state'>;
  readonly #counts = new Map<OrderState, number>();

  constructor(changes: Counter<'state'>, active: Gauge<'state'>) {
    this.#changes = changes;
    this.#active = active;
    for (const state of ORDER_STATES) this.#count(state, 0);
  }

  /** Counts a change of state; `before` is null for a new order. */
  changed(before: LiveOrder | null, { state }: LiveOrder): void {
    this.#changes.inc({ state });
    if (before !== null) this.#count(before.state, -1);
    this.#count(state, 1);
  }

  #count(state: OrderState, by: number): void {
    if (isTerminal(state)) return;
    const count = (this.#counts.get(state) ?? 0) + by;
    this.#counts.set(state, count);
    this.#active.set(count, { state });
  }
}
