import { z } from 'zod';
import { betId, betType, eventId, orderId, sport } from '../../domain/ids.ts';
import { readLevel } from './price-list.ts';
import { noteValue, objectReader, type Reader } from './reader.ts';
import type { BetDetails } from './resources.ts';
import { anything, integer, isRecord, label, moneyOrNull, numberOrNull, textOrNull } from './scalars.ts';
import { BET_STATUSES, EXCHANGE_ROLES } from './survey.ts';

/** Reads `{code, reason?, response_pmm?}` or a bare string (published facts, Wire forms). */
const status = anything.transform((value) => {
  if (typeof value === 'string') return { code: value, reason: null, level: null };
  const { code, reason, response_pmm: response } = isRecord(value) ? value : {};
  return {
    code: typeof code === 'string' ? code : '',
    reason: typeof reason === 'string' ? reason : null,
    level: readLevel(response),
  };
});

/** A bet inside an order, and the `bet` entry of the stream. */
export const readBet: Reader<BetDetails> = objectReader(
  'bet',
  {
    bet_id: integer,
    order_id: integer,
    order_ccy_rate: numberOrNull,
    ccy_rate: numberOrNull,
    status,
    sport: label,
    event_id: label,
    bet_type: label,
    want_price: numberOrNull,
    got_price: numberOrNull,
    want_stake: moneyOrNull,
    got_stake: moneyOrNull,
    profit_loss: moneyOrNull,
    reconciled: z.union([z.boolean(), z.string()]).nullable().catch(null),
    exchange_role: textOrNull,
  },
  (fields, survey): BetDetails => {
    noteValue(survey, 'bet.status', fields.status.code, BET_STATUSES);
    noteValue(survey, 'bet.exchange_role', fields.exchange_role, EXCHANGE_ROLES);
    return {
      betId: betId(fields.bet_id),
      orderId: orderId(fields.order_id),
      sport: sport(fields.sport),
      eventId: eventId(fields.event_id),
      betType: betType(fields.bet_type),
      statusCode: fields.status.code,
      statusReason: fields.status.reason,
      responseLevel: fields.status.level,
      wantPrice: fields.want_price,
      gotPrice: fields.got_price,
      wantStakeMicros: fields.want_stake,
      gotStakeMicros: fields.got_stake,
      profitLossMicros: fields.profit_loss,
      exchangeRole: fields.exchange_role,
      orderCcyRate: fields.order_ccy_rate,
      ccyRate: fields.ccy_rate,
      reconciled: fields.reconciled,
    };
  },
);
