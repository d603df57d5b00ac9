import type { ReportedFill } from './api.ts';
import type { BetRecord, OrderRecord } from './model.ts';

type Filled = Pick<BetRecord, 'betId' | 'price' | 'stakeMicros' | 'role' | 'cause' | 'atMs'>;

export const fillOf = (
  { orderId, sport, eventId, betType, priceKind }: OrderRecord,
  { betId, price, stakeMicros, role, cause, atMs }: Filled,
): Omit<ReportedFill, 'model'> => ({
  betId,
  orderId,
  sport,
  eventId,
  betType,
  priceKind,
  price,
  stakeMicros,
  role,
  cause,
  atMs,
});
