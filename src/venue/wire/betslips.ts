import { z } from 'zod';
import { betslipId, betType, eventId, sport } from '../../domain/ids.ts';
import { readPriceList } from './price-list.ts';
import { objectReader, type Reader } from './reader.ts';
import type { BetslipDetails, Leg } from './resources.ts';
import {
  anything,
  flagOrNull,
  label,
  listed,
  moneyOrNull,
  numberOrNull,
  scoreOrNull,
  text,
  textOrNull,
  timestampOrNull,
} from './scalars.ts';

const leg = z
  .object({
    id: numberOrNull,
    sport: label,
    event_id: label,
    bet_type: label,
    bet_type_description: label,
    live_score: scoreOrNull,
    price: numberOrNull,
    outcome: textOrNull,
  })
  .transform((fields): Leg => ({
    id: fields.id,
    sport: sport(fields.sport),
    eventId: eventId(fields.event_id),
    betType: betType(fields.bet_type),
    betTypeDescription: fields.bet_type_description,
    liveScore: fields.live_score,
    price: fields.price,
    outcome: fields.outcome,
  }));

/** Legs of an order or betslip. One that cannot be read costs no other. */
export const legs = listed(leg);

/** The betslip resource. The answer to a create request has no prices. */
export const readBetslip: Reader<BetslipDetails> = objectReader(
  'betslip',
  {
    betslip_id: text,
    sport: label,
    event_id: label,
    bet_type: label,
    bet_type_description: label,
    expiry_ts: timestampOrNull,
    is_open: flagOrNull,
    close_reason: textOrNull,
    equivalent_bets: flagOrNull,
    customer_username: textOrNull,
    customer_ccy: textOrNull,
    betslip_type: label,
    user_data: textOrNull,
    legs,
    price_list: anything,
    total: moneyOrNull,
  },
  (fields, survey): BetslipDetails => ({
    betslipId: betslipId(fields.betslip_id),
    sport: sport(fields.sport),
    eventId: eventId(fields.event_id),
    betType: betType(fields.bet_type),
    betTypeDescription: fields.bet_type_description,
    expiryMs: fields.expiry_ts,
    isOpen: fields.is_open ?? fields.close_reason === null,
    closeReason: fields.close_reason,
    equivalentBets: fields.equivalent_bets,
    customerUsername: fields.customer_username,
    customerCcy: fields.customer_ccy,
    betslipType: fields.betslip_type,
    userData: fields.user_data,
    legs: fields.legs,
    priceList: readPriceList(fields.price_list, survey),
    totalMicros: fields.total,
  }),
);
