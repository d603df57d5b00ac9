import { expect, it } from 'vitest';
import { toMicros } from '../../src/domain/money.ts';
import { isParlay } from '../../src/domain/orders.ts';
import { readPosition } from '../../src/venue/wire/account.ts';
import { readEntry } from '../../src/venue/wire/frame.ts';
import { readOrder } from '../../src/venue/wire/orders.ts';
import type { Survey } from '../../src/venue/wire/survey.ts';
import { at, event, EVENT_ID, Harness } from '../simulator/core/harness.ts';

const OTHER_EVENT = '2026-03-01,33,44';
const NAMES = { sport: 'parlay', eventId: '', betType: 'parlay' };

it('reads a parlay of the exchange in every place, and finds nothing new in it', () => {
  const noted: string[] = [];
  const survey: Survey = { note: (kind, name) => noted.push(`${kind} ${name}`) };
  const h = new Harness();
  h.exchange.market.putEvent(event({ eventId: OTHER_EVENT }), h.nowMs);
  h.exchange.market.setLevel('maker', at('a', OTHER_EVENT), 'against', 3, toMicros(40), h.nowMs);
  const client = h.connect();
  const legs = [
    { sport: 'fb', event_id: EVENT_ID, bet_type: 'for,h' },
    { sport: 'fb', event_id: OTHER_EVENT, bet_type: 'for,a' },
  ];
  const { betslip_id } = h.call('POST', '/v2/betslips/', { betslip_type: 'parlay', legs }).data;
  h.pass(2_000);
  const body = { betslip_id, price: 6, stake: ['USDT', 10] };
  const { order_id: id } = h.call('POST', '/v2/orders/', body).data;

  const order = readOrder(h.order(id), survey);
  expect(isParlay(order)).toBe(true);
  expect(order).toMatchObject({ ...NAMES, status: 'done', price: 6.6, bets: [NAMES] });
  expect(order.eventInfo?.legEventInfos.map(({ eventId }) => eventId)).toEqual([EVENT_ID, OTHER_EVENT]);
  expect(order.legs).toMatchObject(legs.map(({ event_id: eventId }) => ({ eventId })));

  const position = readPosition(h.call('GET', '/v2/orders/position/?sport=parlay').data, survey);
  expect(position).toMatchObject({ sport: 'parlay', eventId: '', payoffGridMicros: null });
  expect([...position.totals.keys()]).toEqual(['parlay']);

  const entries = client.read();
  for (const entry of entries) expect(readEntry(entry, survey)).not.toBeNull();
  const tags = new Set(entries.map(([tag]) => tag));
  for (const tag of ['betslip', 'pmm', 'order', 'bet']) expect(tags).toContain(tag);
  expect(noted).toEqual([]);
});
