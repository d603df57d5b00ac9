import { betslipId, betType, eventId, requestUuid, sport } from '../../../src/domain/ids.ts';
import { mintApproval } from '../../../src/domain/mint-approval.ts';
import type { PlaceOrder } from '../../../src/domain/orders.ts';

export const FB = sport('fb');
export const EVENT = eventId('2026-01-01,10,20');
export const FOR_HOME = betType('for,h');

/** An order as the exchange answers a create request. */
export const wireOrder = (part: Record<string, unknown> = {}) => ({
  order_id: 77,
  order_type: 'normal',
  bet_type: FOR_HOME,
  bet_type_description: 'Home',
  sport: FB,
  want_price: 2.02,
  want_stake: ['USDT', 10.5],
  ccy_rate: 1,
  placement_time: '2026-01-01T10:00:00+00:00',
  expiry_time: '2026-01-01T10:00:15Z',
  closed: false,
  close_reason: null,
  status: 'open',
  keep_open_ir: false,
  exchange_mode: 'make_and_take',
  price: null,
  stake: null,
  profit_loss: null,
  bet_bar_values: { success: ['USDT', 0], inprogress: 0, danger: 0, unplaced: ['USDT', 10.5] },
  current_score: [0, 0],
  legs: null,
  event_info: { event_id: EVENT, event_type: 'normal', event_name: 'A v B', home_id: 10, away_id: 20 },
  bets: [],
  user_data: null,
  ...part,
});

export const wireOffer = (part: Record<string, unknown> = {}) => ({
  sport: FB,
  event_id: EVENT,
  bet_type: FOR_HOME,
  market_type: 'wdw',
  in_running: false,
  price_list: [{ effective: { price: 2.02, min: null, max: ['USDT', 100] } }],
  ...part,
});

export const placeOrder = (part: Partial<PlaceOrder> = {}) =>
  mintApproval<PlaceOrder>({
    requestUuid: requestUuid('00000000-0000-4000-8000-000000000001'),
    betslipId: betslipId('slip-1'),
    sport: FB,
    eventId: EVENT,
    betType: FOR_HOME,
    priceKind: 'odds-for',
    price: 2.02,
    stakeMicros: 10_500_000,
    durationS: 15,
    ...part,
  });
