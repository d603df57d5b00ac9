import { assemble, type VenueOptions } from './parts.ts';
import { ExchangeVenue } from './venue.ts';

/** The Venue port over any transports: sockets to an exchange, or one in process. */
export function createVenue(options: VenueOptions & { readonly kind: 'simulated' | 'live' }): ExchangeVenue {
  return new ExchangeVenue(options.kind, assemble(options));
}

export type { VenueOptions } from './parts.ts';
export type { ExchangeVenue } from './venue.ts';
export type { BudgetSnapshot, EarlierBudgets, LaneName } from './budgets/budgets.ts';
export { DEFAULT_LIMITS, type VenueLimits } from './budgets/limits.ts';
export { undiciTransport } from './transport/undici.ts';
export { wsTransport } from './transport/ws.ts';
export * from './errors.ts';
