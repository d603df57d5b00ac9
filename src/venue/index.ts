import type { Mode } from '../domain/mode.ts';
import { ExchangeClient } from './client.ts';
import { assemble, type VenueOptions } from './parts.ts';
import { ExchangeVenue } from './venue.ts';

/** The Venue port over any transports: sockets to an exchange, or an exchange in process. */
export function createVenue(options: VenueOptions & { readonly kind: Mode }): ExchangeVenue {
  return new ExchangeVenue(options.kind, assemble(options));
}

/** The whole API over any transports, for other programs. `app/exchange/connect.ts` opens a client over the network. */
export function createClient(options: VenueOptions): ExchangeClient {
  return new ExchangeClient(assemble(options));
}

export type { VenueOptions } from './parts.ts';
export type { ExchangeClient } from './client.ts';
export type { ExchangeVenue } from './venue.ts';
export type { BucketsSnapshot, EarlierBudgets, LaneName, VenueLimits } from './budgets/budgets.ts';
export { Budgets, DEFAULT_LIMITS } from './budgets/budgets.ts';
export { undiciTransport } from './transport/undici.ts';
export { wsTransport } from './transport/ws.ts';
export * from './wire/errors.ts';
export { type EntrySpan, entrySpans } from './frames/entry-spans.ts';
export { FrameDecoder } from './frames/frame-decoder.ts';
export { type DecodedEntry, readEntry, readFrame } from './wire/frame.ts';
export { silentSurvey } from './wire/survey.ts';
export type * from './wire/resources.ts';
export { ORDER_STATUSES } from './wire/survey.ts';
export type { EventName as EventRef } from '../domain/events.ts';
