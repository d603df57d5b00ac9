import { describe, expect, it } from 'vitest';
import {
  betslipId,
  betType,
  eventId,
  heartbeatId,
  orderId,
  requestUuid,
  sport,
} from '../../src/domain/ids.ts';
import { createPrometheusMetrics } from '../../src/ops/metrics.ts';
import type { ExchangeClient } from '../../src/venue/index.ts';
import { lost, notSent, ok, refused, script } from './support/fake-transports.ts';
import { makeClient } from './support/make-client.ts';
import { settled } from './support/make-venue.ts';
import { placeOrder } from './support/samples.ts';

const FB = sport('f b');
const EVENT = eventId('2026-01-01,1,2');
const HOME = betType('for,h/2');
const SLIP = betslipId('s/1');
const BEAT = heartbeatId('h?1');
const MARKET = { sport: FB, eventId: EVENT, betType: HOME };
const WIRE = { sport: 'f b', event_id: '2026-01-01,1,2', bet_type: 'for,h/2' };
const ENCODED_EVENT = '2026-01-01%2C1%2C2';
const ORDERS = {
  page: 2,
  pageSize: 30,
  statuses: ['open', 'done'],
  sports: ['fb', 'x'],
  eventIds: [EVENT, 'b'],
  orderTypes: ['lay'],
  fromMs: 0,
  toMs: 1_000,
  search: 'a b',
} as const;
const LISTED = [
  'page=2&page_size=30&status=open&status=done&sport=fb&sport=x',
  `event_id=${ENCODED_EVENT}&event_id=b&order_type=lay&date_from=1970-01-01T00%3A00%3A00.000Z`,
  'date_to=1970-01-01T00%3A00%3A01.000Z&search=a%20b',
].join('&');
const PLACED = {
  betslip_id: 'slip-1',
  price: 2.02,
  stake: ['USDT', 10.5],
  duration: 15,
  request_uuid: '00000000-0000-4000-8000-000000000001',
};

type Ask = (client: ExchangeClient) => Promise<unknown>;
/** `safe`: may be sent again. `unsafe`: only if it was not sent. `once`: never. */
type Repeat = 'safe' | 'unsafe' | 'once';

/** Calls with all that they may name, the request of each, and when it may be sent again. */
const CALLS: readonly (readonly [request: string, repeat: Repeat, ask: Ask, body?: unknown])[] = [
  ['GET balance/', 'safe', (c) => c.account.balance()],
  ['GET xrates/', 'safe', (c) => c.account.xrates()],
  ['GET betslips/', 'safe', (c) => c.betslips.list()],
  ['POST betslips/', 'unsafe', (c) => c.betslips.create(MARKET), { ...WIRE, betslip_type: 'normal' }],
  [
    'POST betslips/',
    'unsafe',
    (c) => c.betslips.createParlay({ legs: [MARKET] }),
    { betslip_type: 'parlay', legs: [WIRE] },
  ],
  ['GET betslips/s%2F1/', 'safe', (c) => c.betslips.get(SLIP)],
  ['DELETE betslips/s%2F1/', 'safe', (c) => c.betslips.delete(SLIP)],
  ['POST betslips/s%2F1/refresh/', 'safe', (c) => c.betslips.refresh(SLIP)],
  ['GET orders/', 'safe', (c) => c.orders.list()],
  [`GET orders/?${LISTED}`, 'safe', (c) => c.orders.list(ORDERS)],
  [
    `GET orders/?sport=fb&event_id=${ENCODED_EVENT}`,
    'safe',
    (c) => c.orders.list({ sport: sport('fb'), eventId: EVENT }),
  ],
  ['POST orders/', 'once', (c) => c.orders.place(placeOrder()), PLACED],
  [
    'POST orders/',
    'once',
    (c) =>
      c.orders.place({
        ...placeOrder({ exchangeMode: 'dark', keepOpenInRunning: true, minTakerWantStakeMicros: 5e6 }),
        currentScore: [1, 0],
        userData: 'tag',
        excludeDanger: true,
        acceptPartialFill: false,
        acceptBetterPrice: true,
        forceWantPrice: false,
        placerType: 'p',
        sourceMinStakesMicros: { one: 1e6, two: 2.5e6 },
      }),
    {
      ...PLACED,
      exchange_mode: 'dark',
      keep_open_ir: true,
      min_taker_want_stake: ['USDT', 5],
      current_score: [1, 0],
      user_data: 'tag',
      exclude_danger: true,
      accept_partial_fill: false,
      accept_better_price: true,
      force_want_price: false,
      placer_type: 'p',
      bookie_min_stakes: { one: ['USDT', 1], two: ['USDT', 2.5] },
    },
  ],
  ['GET orders/7/', 'safe', (c) => c.orders.get(orderId(7))],
  ['GET orders/tracked/u%2F1/', 'safe', (c) => c.orders.tracked(requestUuid('u/1'))],
  [
    'GET orders/updates/?updated_at_from=1970-01-01T00%3A00%3A00.000Z&updated_at_to=1970-01-01T00%3A00%3A01.000Z',
    'safe',
    (c) => c.orders.updates(0, 1_000),
  ],
  ['GET orders/position/', 'safe', (c) => c.orders.position()],
  [
    `GET orders/position/?${LISTED}&include_cashout_info=false`,
    'safe',
    (c) => c.orders.position({ ...ORDERS, includeCashoutInfo: false }),
  ],
  ['POST orders/7/close/', 'safe', (c) => c.orders.close(orderId(7))],
  [
    'POST orders/close_many/',
    'safe',
    (c) => c.orders.closeMany([orderId(7), orderId(8)]),
    { order_ids: [7, 8] },
  ],
  ['POST orders/close_all/', 'safe', (c) => c.orders.closeAll()],
  ['POST orders/close_all/', 'safe', (c) => c.orders.closeAll({ sport: 'fb' }), { sport: 'fb' }],
  [
    'POST orders/close_all/',
    'safe',
    (c) => c.orders.closeAll({ sport: 'fb', eventId: 'e' }),
    { sport: 'fb', event_id: 'e' },
  ],
  ['GET heartbeats/', 'safe', (c) => c.heartbeats.list()],
  ['POST heartbeats/', 'unsafe', (c) => c.heartbeats.create(30), { timeout: 30 }],
  ['GET heartbeats/h%3F1/', 'safe', (c) => c.heartbeats.get(BEAT)],
  ['DELETE heartbeats/h%3F1/', 'safe', (c) => c.heartbeats.delete(BEAT)],
  ['POST heartbeats/h%3F1/refresh/', 'safe', (c) => c.heartbeats.refresh(BEAT)],
  ['GET events/?limit=5000', 'safe', (c) => c.marketData.events()],
  [
    [
      'GET events/?sport=fb&sport=x&ir_status=in_running&competition_id=7&competition_id=8',
      `event_id=${ENCODED_EVENT}&start_time_from=1970-01-01T00%3A00%3A00.000Z`,
      'start_time_to=1970-01-01T00%3A00%3A01.000Z&lang=ko&limit=10&after=fb%2Cx',
    ].join('&'),
    'safe',
    (c) =>
      c.marketData.events(
        {
          sports: [sport('fb'), sport('x')],
          irStatuses: ['in_running'],
          competitionIds: [7, 8],
          eventIds: [EVENT],
          startFromMs: 0,
          startToMs: 1_000,
          lang: 'ko',
        },
        { limit: 10, after: 'fb,x' },
      ),
  ],
  [
    `GET offers/?sport=f%20b&event_id=${ENCODED_EVENT}&limit=5000`,
    'safe',
    (c) => c.marketData.offers({ sport: FB, eventIds: [EVENT] }),
  ],
  [
    [
      `GET offers/?sport=f%20b&event_id=${ENCODED_EVENT}&bet_type=for%2Ch%2F2&market_type=ah`,
      'min_liquidity=5&limit=3&after=x',
    ].join('&'),
    'safe',
    (c) =>
      c.marketData.offers(
        { sport: FB, eventIds: [EVENT], betTypes: [HOME], marketTypes: ['ah'], minLiquidity: 5 },
        { limit: 3, after: 'x' },
      ),
  ],
  ['GET sports/f%20b/bet_types/for%2Ch%2F2/', 'safe', (c) => c.marketData.betType(FB, HOME)],
];

const cases = CALLS.map(([request, repeat, ask, body]) => ({ request, repeat, ask, body }));

describe.each(cases)('the request $request, which is $repeat to repeat', ({ request, repeat, ask, body }) => {
  /** How often the call leaves if each attempt ends so. */
  async function attempts(answer: Error): Promise<number> {
    const { client, http, clock } = makeClient(script(answer));
    await expect(settled(clock, ask(client))).rejects.toBe(answer);
    return http.requests.length;
  }

  it('is sent whole', async () => {
    const { client, http, clock } = makeClient(script(refused(404, 'not_found')));
    await expect(settled(clock, ask(client))).rejects.toMatchObject({ code: 'not_found' });
    const [method, path] = request.split(' ') as [string, string];
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    expect(http.requests).toMatchObject([{ method, path: `/v2/${path}` }]);
    expect(http.requests[0]?.headers).toEqual({ 'x-api-key': 'k', accept: 'application/json', ...type });
    expect(JSON.parse(http.requests[0]?.body ?? 'null')).toEqual(body ?? null);
  });

  it('is sent four times, or once, if it fails', async () => {
    expect([await attempts(lost()), await attempts(notSent())]).toEqual(
      { safe: [4, 4], unsafe: [1, 4], once: [1, 1] }[repeat],
    );
  });
});

describe('requests that wait for the same budget', () => {
  it('leave by their urgency: what keeps orders under control first, and closes of more orders before those of fewer', async () => {
    const one = { capacity: 1, perSecond: 1, reserve: 0, urgentReserve: 0, atStart: 1 };
    const answer = script(refused(404, 'not_found'));
    const { client, http, clock } = makeClient(answer, { limits: { general: one } });
    await client.account.balance().catch(() => null);
    const calls: readonly Ask[] = [
      (c) => c.account.xrates(),
      (c) => c.orders.close(orderId(7)),
      (c) => c.orders.closeMany([1, 2, 3].map(orderId)),
      (c) => c.orders.closeAll(),
      (c) => c.heartbeats.list(),
      (c) => c.heartbeats.refresh(BEAT),
      (c) => c.account.balance({ priority: 'urgent', value: 2 }),
    ];
    const all = calls.map(async (ask) => ask(client).catch(() => null));
    await clock.advance(999);
    expect(http.requests).toHaveLength(1);
    await settled(clock, Promise.all(all));
    expect(http.requests.slice(1).map(({ path }) => path.slice('/v2/'.length))).toEqual([
      'heartbeats/h%3F1/refresh/',
      'orders/close_all/',
      'orders/close_many/',
      'balance/',
      'orders/7/close/',
      'heartbeats/',
      'xrates/',
    ]);
  });
});

describe('the metrics of requests', () => {
  it('count each outcome by endpoint, and measure answers alone', async () => {
    const metrics = createPrometheusMetrics({ processMetrics: false });
    const answers = [ok([]), refused(404, 'not_found'), lost(), notSent(), new TypeError('a bug')];
    const { client, clock } = makeClient(script(...answers), { metrics });
    for (const _ of answers) await settled(clock, client.account.xrates({ once: true })).catch(() => null);
    const { text } = await metrics.expose();
    const count = (outcome: string): number =>
      Number(
        new RegExp(`requests_total\\{endpoint="GET /v2/xrates/",outcome="${outcome}"\\} (.*)`).exec(
          text,
        )?.[1],
      );
    expect(['200', '404', 'unknown', 'not-sent', '429'].map(count)).toEqual([1, 1, 2, 1, 0]);
    expect(text).toContain('request_seconds_count{endpoint="GET /v2/xrates/"} 2\n');
    expect(text).toContain('request_seconds_count{endpoint="GET /v2/balance/"} 0\n');
  });

  it('show success, throttling and failure of every endpoint from the start', async () => {
    const metrics = createPrometheusMetrics({ processMetrics: false });
    makeClient(undefined, { metrics });
    const { text } = await metrics.expose();
    const shown = [...text.matchAll(/requests_total\{endpoint="(.*)",outcome="(.*)"\} 0/g)];
    const made: Readonly<Record<string, string>> = {
      'POST /v2/betslips/': '201',
      'POST /v2/orders/': '201',
      'POST /v2/orders/close_all/': '202',
    };
    const endpoints = [...new Set(shown.map(([, endpoint = '']) => endpoint))];
    expect(endpoints).toHaveLength(24);
    for (const endpoint of endpoints)
      expect(shown.filter(([, of]) => of === endpoint).map(([, , outcome]) => outcome)).toEqual([
        made[endpoint] ?? '200',
        '429',
        'not-sent',
        'unknown',
      ]);
  });
});
