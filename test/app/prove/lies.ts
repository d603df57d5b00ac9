/** Exchanges that lie in one fact each. */
import { TransportError } from '../../../src/domain/errors.ts';
import type { HttpRequest } from '../../../src/ports/transport.ts';
import { is, type Json, type Lie, withBody } from './rig.ts';

const CREATE_ORDER = /^POST \/v2\/orders\/$/;
const CREATE_BETSLIP = /^POST \/v2\/betslips\/$/;
const LIST_ORDERS = /^GET \/v2\/orders\/$/;
const HEARTBEAT = /^POST \/v2\/heartbeats\//;

const bodyOf = ({ body }: HttpRequest): Json => JSON.parse(body ?? '{}') as Json;
const dataOf = (body: Json): Json => body['data'] as Json;

/** Changes the data of matching answers that succeed. */
const inAnswer = (name: RegExp, change: (data: Json, request: HttpRequest) => unknown): Lie => ({
  answer: (answer, request, body) =>
    is(request, name) && body['status'] === 'ok'
      ? withBody(answer, { ...body, data: change(dataOf(body), request) })
      : answer,
});

const inEntry = (wanted: string, change: (payload: Json) => Json | null): Lie => ({
  entry: (tag, payload) => (tag === wanted ? change(payload) : payload),
});

const refused =
  (request: HttpRequest, name: RegExp, code: string, status: number, when = true): Lie['answer'] =>
  (answer, sent) =>
    is(sent, name) && when ? { ...withBody(answer, { status: 'error', code, data: null }), status } : answer;

interface Level {
  readonly effective: { readonly price: number; readonly max: [string, number] };
}

/** Changes the levels of the `for` offers of the selection at 2.04, while the order with this number (from 1) is open. */
function inOffers(nth: number, change: (level: Level) => Level | null): Lie {
  const closed = new Set<unknown>();
  return {
    entry: (tag, payload) => {
      if (tag === 'order' && payload['closed'] === true) closed.add(payload['order_id']);
      if (tag !== 'offer' || payload['bet_type'] !== 'for,h' || closed.size !== nth - 1) return payload;
      const list = payload['price_list'] as Level[];
      const changed = list.flatMap((level) =>
        level.effective.price === 2.04 ? (change(level) ?? []) : level,
      );
      return { ...payload, price_list: changed };
    },
  };
}

const at =
  (price: number) =>
  (level: Level): Level => ({ effective: { ...level.effective, price } });
const showing =
  (stake: number) =>
  (level: Level): Level => ({
    effective: { ...level.effective, max: ['USDT', stake] },
  });

const later = (iso: unknown, ms: number): string => new Date(Date.parse(String(iso)) + ms).toISOString();

/** A duration in minutes. */
const inMinutes = (order: Json): Json => ({
  ...order,
  expiry_time: later(order['placement_time'], 1_200_000),
});

/** Sends the nth request with a used uuid with a new one, so that it makes another order. */
function withoutUuid(nth: number): Lie {
  let used = 0;
  return {
    request: (request) => {
      if (!is(request, CREATE_ORDER) || used++ !== nth) return request;
      const body = { ...bodyOf(request), request_uuid: '99999999-0000-4000-8000-000000000000' };
      return { ...request, body: JSON.stringify(body) };
    },
  };
}

/** Tells the expiry that the betslip had at first, whatever came since. */
function unrefreshed(): Lie {
  const first = new Map<unknown, unknown>();
  return inAnswer(/^(POST|GET) \/v2\/betslips\//, (data) => {
    if (typeof data !== 'object' || data === null || Array.isArray(data)) return data;
    const id = data['betslip_id'];
    if (!first.has(id)) first.set(id, data['expiry_ts']);
    return { ...data, expiry_ts: first.get(id) };
  });
}

/** Tells the expiry that the heartbeat had at first. */
function unrefreshedHeartbeat(): Lie {
  let first: unknown;
  return inAnswer(HEARTBEAT, (data) => ({ ...data, expiry_time: (first ??= data['expiry_time']) }));
}

const heartbeatOf = (share: number): Lie =>
  inAnswer(HEARTBEAT, (data) => ({
    ...data,
    expiry_time: later(data['expiry_time'], -60_000 * (1 - share)),
  }));

/** Lists a heartbeat that was deleted. */
function undeleted(): Lie {
  let made: Json | null = null;
  let isDeleted = false;
  return {
    answer: (answer, request, body) => {
      if (is(request, /^POST \/v2\/heartbeats\/$/)) made = dataOf(body);
      if (is(request, /^DELETE \/v2\/heartbeats\//)) isDeleted = true;
      const isListed = is(request, /^GET \/v2\/heartbeats\/$/) && isDeleted;
      return isListed ? withBody(answer, { status: 'ok', data: { heartbeats: [made] } }) : answer;
    },
  };
}

/** Asks for a `lay` betslip on a bet type that the exchange refuses. */
const layBetslipRefused = (betType: string): Lie => ({
  request: (request) => {
    const body = is(request, CREATE_BETSLIP) ? bodyOf(request) : {};
    if (body['betslip_type'] !== 'lay' || body['bet_type'] !== betType || body['user_data'] === ON_FOR)
      return request;
    return { ...request, body: JSON.stringify({ ...body, bet_type: 'against,nonsense' }) };
  },
});

/** Offers over REST in which the `against` markets have odds. */
const oddsInOffers = inAnswer(/^GET \/v2\/offers\/$/, (data) =>
  (data as unknown as Json[]).map((offer) =>
    String(offer['bet_type']).startsWith('against')
      ? { ...offer, price_list: [{ effective: { price: 1.6, min: null, max: ['USDT', 100] } }] }
      : offer,
  ),
);

/** A bet in the list of orders, whose status is of this form. */
export const earlierBet = (status: unknown): Lie =>
  inAnswer(LIST_ORDERS, (data, { path }) =>
    path.includes('page_size=25') ? [{ bets: [{ status }] }] : data,
  );

const notFound: Lie['answer'] = refused({} as HttpRequest, /^GET \/v2\/orders\/tracked\//, 'not_found', 404);

/** An order that a look-up finds by whatever uuid. */
function foundByAny(): Lie {
  let order: Json | null = null;
  return {
    answer: (answer, request, body) => {
      if (is(request, CREATE_ORDER) && body['status'] === 'ok') order = dataOf(body);
      const isLookup = is(request, /^GET \/v2\/orders\/tracked\//);
      return isLookup ? { ...withBody(answer, { status: 'ok', data: order }), status: 200 } : answer;
    },
  };
}

const otherOrderIn409: Lie = {
  answer: (answer, request, body) =>
    is(request, CREATE_ORDER) && answer.status === 409
      ? withBody(answer, { ...body, data: { ...dataOf(body), order_id: 1 } })
      : answer,
};

/** Lies by the fact that catches them. */
export const LIES: readonly (readonly [fact: string, what: string, lie: () => Lie | readonly Lie[]])[] = [
  ['convention', 'the off-tick limit moves the other way', () => inOffers(1, at(2.06))],
  [
    'convention',
    'the order shows where only odds would be',
    () => inOffers(1, (level) => showing(1.06)(at(1.94)(level))),
  ],
  [
    'convention',
    'the order is reported at the tick of odds',
    () =>
      inEntry('order', (order) =>
        order['bet_type'] === 'against,h' ? { ...order, want_price: 2.06 } : order,
      ),
  ],
  [
    'convention',
    'the order is reported at another price',
    () =>
      inEntry('order', (order) =>
        order['bet_type'] === 'against,h' ? { ...order, want_price: 2.5 } : order,
      ),
  ],
  ['convention', 'other selections have odds', () => oddsInOffers],
  ['against-visible', 'it does not show', () => inOffers(1, () => null)],
  ['against-visible', 'it shows the stake of the other side', () => inOffers(1, showing(1.04))],
  ['against-visible', 'it shows another stake', () => inOffers(1, showing(7))],
  ['lay-visible', 'it does not show', () => inOffers(2, () => null)],
  ['lay-visible', 'it shows the stake of the other side', () => inOffers(2, showing(1.04))],
  ['duration', 'is in minutes', () => [inAnswer(CREATE_ORDER, inMinutes), inEntry('order', inMinutes)]],
  ['heartbeat', 'expires after half its time', () => heartbeatOf(0.5)],
  ['heartbeat', 'is not refreshed', unrefreshedHeartbeat],
  ['heartbeat', 'is not deleted', undeleted],
  ['tracked', 'finds nothing', () => ({ answer: notFound as NonNullable<Lie['answer']> })],
  ['tracked', 'finds an order by any uuid', foundByAny],
  ['repeated-uuid', 'makes a second order', () => withoutUuid(1)],
  ['repeated-uuid', 'makes a second order from another body', () => withoutUuid(2)],
  ['repeated-uuid', 'names another order', () => otherOrderIn409],
  [
    'close-reason',
    'is another',
    () =>
      inEntry('order', (order) => (order['closed'] === true ? { ...order, close_reason: 'expired' } : order)),
  ],
  [
    'close-reason',
    'never comes',
    () =>
      inEntry('order', (order) =>
        order['closed'] === true && order['order_type'] === 'normal' ? null : order,
      ),
  ],
  [
    'order-latency',
    'no order on the stream',
    () => inEntry('order', (order) => (order['closed'] === true ? order : null)),
  ],
  ['betslip', 'is not refreshed', unrefreshed],
  [
    'betslip',
    'lives for hours',
    () =>
      inAnswer(/^(POST|GET) \/v2\/betslips\//, (data) =>
        typeof data === 'object' && data !== null && 'expiry_ts' in data
          ? { ...data, expiry_ts: later(data['expiry_ts'], 7_200_000) }
          : data,
      ),
  ],
  ['bet-status', 'is a number', () => earlierBet(7)],
  [
    'timestamps',
    'expiry_ts in milliseconds',
    () =>
      inAnswer(/^(POST|GET) \/v2\/betslips\//, (data) =>
        typeof data === 'object' && data !== null && 'expiry_ts' in data
          ? { ...data, expiry_ts: Date.parse(String(data['expiry_ts'])) }
          : data,
      ),
  ],
  ['timestamps', 'no ts of frames', () => ({ frame: ({ ts: _, ...frame }) => frame })],
  ['lay-betslips', 'refused on against', () => layBetslipRefused('against,h')],
  ['lay-betslips', 'its limit moves the other way', () => inOffers(2, at(2.06))],
  [
    'lay-betslips',
    'has odds',
    () => inEntry('pmm', (quote) => (quote['bet_type'] === 'for,h' ? { ...quote, price_list: ODDS } : quote)),
  ],
  ['counts', 'info counts more', () => inEntry('info', () => ({ registered_events: 2 }))],
  [
    'counts',
    'the list of registrations is empty',
    () =>
      inEntry('response', (answer) =>
        typeof answer['data'] === 'object' && answer['data'] !== null && 'registered_events' in answer['data']
          ? { ...answer, data: { registered_events: [] } }
          : answer,
      ),
  ],
  [
    'counts',
    'open betslips are more',
    () => {
      let asked = 0;
      return inAnswer(/^GET \/v2\/betslips\/$/, (data) =>
        asked++ === 0 ? data : [...(data as unknown as string[]), 'another'],
      );
    },
  ],
];

/** Marks a betslip on a `for` bet type that is asked for on `against`. */
const ON_FOR = 'on for';

const ODDS = [{ effective: { price: 1.6, min: null, max: ['USDT', 100] } }];

/** A `lay` betslip on a `for` bet type, for an exchange that takes it only on `against`. */
export const layOnFor = (): Lie => {
  const ids = new Set<unknown>();
  return {
    request: (request) => {
      const {
        bet_type: betType,
        betslip_type: type,
        ...rest
      } = is(request, CREATE_BETSLIP) ? bodyOf(request) : {};
      if (type !== 'lay' || betType !== 'for,h') return request;
      return {
        ...request,
        body: JSON.stringify({ ...rest, bet_type: 'against,h', betslip_type: 'lay', user_data: ON_FOR }),
      };
    },
    answer: (answer, request, body) => {
      const data = dataOf(body);
      const isSlip =
        is(request, CREATE_BETSLIP) && bodyOf(request)['bet_type'] === 'for,h' && answer.status === 201;
      if (isSlip) ids.add(data['betslip_id']);
      const isOrder = is(request, CREATE_ORDER) && data['order_type'] === 'lay';
      return isSlip || isOrder ? withBody(answer, { ...body, data: { ...data, bet_type: 'for,h' } }) : answer;
    },
    entry: (tag, payload) =>
      tag === 'pmm' && ids.has(payload['betslip_id']) ? { ...payload, bet_type: 'for,h' } : payload,
  };
};

/** The answer to the nth such request is lost, though the exchange acted on it. */
export function answerLost(name: RegExp, nth = 1): Lie {
  let seen = 0;
  return {
    answer: (answer, request) => {
      if (is(request, name) && ++seen === nth) throw new TransportError('unknown', 'the answer is lost');
      return answer;
    },
  };
}
