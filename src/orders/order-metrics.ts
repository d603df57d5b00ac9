import type { Counter, Gauge, Histogram, Metrics } from '../ports/metrics.ts';

const SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The order manager's measurements. */
export interface OrderMetrics {
  readonly changes: Counter<'state'>;
  readonly fills: Counter<'role'>;
  readonly unintendedTakes: Counter;
  readonly alarms: Counter<'kind'>;
  readonly refusals: Counter<'code'>;
  readonly differences: Counter<'kind'>;
  readonly createSeconds: Histogram;
  readonly closeSeconds: Histogram;
  readonly active: Gauge<'state'>;
  readonly heartbeatRemaining: Gauge;
  readonly betslipsOpen: Gauge;
  readonly betslipCap: Gauge;
}

export function orderMetrics(metrics: Metrics): OrderMetrics {
  const name = (rest: string): string => `touchline_orders_${rest}`;
  return {
    changes: metrics.counter(name('changes_total'), 'Changes of own orders by new state', ['state']),
    fills: metrics.counter(name('fills_total'), 'Fills booked by role', ['role']),
    unintendedTakes: metrics.counter(name('unintended_takes_total'), 'Fills taken by orders meant to rest'),
    alarms: metrics.counter(name('alarms_total'), 'Contradictions and other alarms by kind', ['kind']),
    refusals: metrics.counter(name('refusals_total'), 'Create requests refused by code', ['code']),
    differences: metrics.counter(name('differences_total'), 'Own state found wrong by the drop copy', [
      'kind',
    ]),
    createSeconds: metrics.histogram(name('create_seconds'), 'Create request to answer', SECONDS),
    closeSeconds: metrics.histogram(name('close_seconds'), 'Close request to confirmation', SECONDS),
    active: metrics.gauge(name('active'), 'Own orders that are not over by state', ['state']),
    heartbeatRemaining: metrics.gauge(name('heartbeat_remaining_seconds'), 'Proven time until close-out'),
    betslipsOpen: metrics.gauge(name('betslips_open'), 'Open betslips'),
    betslipCap: metrics.gauge(name('betslip_cap'), 'Learned cap of open betslips'),
  };
}
