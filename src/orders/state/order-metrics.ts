import { isTerminal, ORDER_STATES, type OrderState } from '../../domain/lifecycle.ts';
import type { LiveOrder } from '../../domain/live-order.ts';
import type { Counter, Gauge, Histogram, Metrics } from '../../ports/metrics.ts';

const SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Kinds of alarms. The last ones are raised by the lifecycle of orders. */
export const ALARM_KINDS = [
  ...(['journal', 'journal_damage', 'mismatch', 'duration', 'heartbeat_lost', 'other_installation'] as const),
  ...(['incomplete', 'forgotten', 'overbooked', 'bet_changed', 'seen_open', 'seen_closed', 'fill'] as const),
] as const;

/** The order manager's measurements. */
export interface OrderMetrics {
  readonly states: StateMetrics;
  readonly fills: Counter<'role'>;
  readonly unintendedTakes: Counter;
  readonly alarms: Counter<'kind'>;
  readonly refusals: Counter<'code'>;
  readonly differences: Counter<'kind'>;
  readonly createSeconds: Histogram;
  readonly closeSeconds: Histogram;
  readonly heartbeatRemaining: Gauge;
  readonly betslipsOpen: Gauge;
  readonly betslipCap: Gauge;
}

export function orderMetrics(metrics: Metrics): OrderMetrics {
  const name = (rest: string): string => `touchline_orders_${rest}`;
  return {
    states: new StateMetrics(
      metrics.counter(name('changes_total'), 'Changes of own orders by new state', ['state']),
      metrics.gauge(name('active'), 'Own orders that are not over by state', ['state']),
    ),
    fills: metrics.counter(name('fills_total'), 'Fills booked by role', ['role']),
    unintendedTakes: metrics.counter(name('unintended_takes_total'), 'Fills taken by orders meant to rest'),
    alarms: alarmCounter(metrics, name('alarms_total')),
    refusals: metrics.counter(name('refusals_total'), 'Create requests refused by code', ['code']),
    differences: metrics.counter(name('differences_total'), 'Own state found wrong by the drop copy', [
      'kind',
    ]),
    createSeconds: metrics.histogram(name('create_seconds'), 'Create request to answer', SECONDS),
    closeSeconds: metrics.histogram(name('close_seconds'), 'Close request to confirmation', SECONDS),
    heartbeatRemaining: metrics.gauge(name('heartbeat_remaining_seconds'), 'Proven time until close-out'),
    betslipsOpen: metrics.gauge(name('betslips_open'), 'Open betslips'),
    betslipCap: metrics.gauge(name('betslip_cap'), 'Learned cap of open betslips'),
  };
}

/** Every kind starts at 0: if a series began with its first alarm, no alerting rule would see an increase. */
function alarmCounter(metrics: Metrics, name: string): Counter<'kind'> {
  const alarms = metrics.counter(name, 'Contradictions and other alarms by kind', ['kind']);
  for (const kind of ALARM_KINDS) alarms.inc({ kind }, 0);
  return alarms;
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
