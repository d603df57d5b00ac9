import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { ProtocolError, type VenueRejection } from '../../src/domain/errors.ts';
import { lastPage, MOST_PAGES } from '../../src/domain/order-listing.ts';
import { fromMicros, toMicros } from '../../src/domain/money.ts';
import { createPrometheusMetrics } from '../../src/ops/metrics.ts';
import { type LogFields, silentLogger } from '../../src/ports/logger.ts';
import { FrameDecoder } from '../../src/venue/frames/frame-decoder.ts';
import { readBalance, readHeartbeat, readPosition } from '../../src/venue/wire/account.ts';
import { readBet } from '../../src/venue/wire/bets.ts';
import { readBetslip } from '../../src/venue/wire/betslips.ts';
import {
  BOUNDED_NAMES,
  type BoundedName,
  BOUNDS,
  type Bounds,
  clamped,
} from '../../src/venue/wire/bounds.ts';
import { openEnvelope, type RetryAfter } from '../../src/venue/wire/envelope.ts';
import { readEvent } from '../../src/venue/wire/events.ts';
import { readEntry, readFrame } from '../../src/venue/wire/frame.ts';
import { readQuote } from '../../src/venue/wire/offers.ts';
import { readOrder } from '../../src/venue/wire/orders.ts';
import { readPriceList } from '../../src/venue/wire/price-list.ts';
import { LoggingSurvey, type Survey } from '../../src/venue/wire/survey.ts';
import { EVENT, FB, FOR_HOME, wireOffer, wireOrder } from './support/samples.ts';

const usdt = (amount: unknown) => ['USDT', amount];
const NAMES = { sport: FB, event_id: EVENT };
const wireBet = (part: object) => ({
  bet_id: 1,
  order_id: 77,
  status: 'success',
  ...NAMES,
  bet_type: FOR_HOME,
  want_price: 2,
  got_price: 2,
  want_stake: usdt(1),
  got_stake: usdt(1),
  profit_loss: null,
  ...part,
});
const slip = (part: object) => ({ betslip_id: 'b', ...NAMES, bet_type: FOR_HOME, ...part });
const event = (part: object) => ({ ...NAMES, ...part });
const level = (part: object) => [{ effective: { price: 2, min: null, max: usdt(100), ...part } }];
const position = (part: object) => ({
  ...NAMES,
  payoff_grid: null,
  totals: {},
  unknown_bets_num: 0,
  ...part,
});
const total = (part: object) => position({ totals: { [FOR_HOME]: part } });
const PLACED = '2026-01-01T10:00:00Z';
const livesS = (seconds: number) => ({
  placement_time: PLACED,
  expiry_time: new Date(Date.parse(PLACED) + seconds * 1_000).toISOString(),
});

function refusal(name: RetryAfter, data: object, survey: Survey): VenueRejection {
  const body = JSON.stringify({ status: 'error', code: 'throttled', data });
  try {
    openEnvelope({ status: 429, headers: {}, body }, survey, name);
  } catch (error) {
    return error as VenueRejection;
  }
  throw new Error('no refusal');
}

type Read = (value: unknown, survey: Survey) => unknown;

/** What a client reads of each bounded number, given as the exchange writes it. */
const READ: Readonly<Record<BoundedName, Read>> = {
  retry_after: (v, s) => refusal('retry_after', { retry_after: v }, s).retryAfterS,
  'retry_after.betslips': (v, s) => refusal('retry_after.betslips', { retry_after: v }, s).retryAfterS,
  'frame.ts': (v, s) => readFrame(new TextEncoder().encode(JSON.stringify({ ts: v, data: [] })), s).sentMs,
  'price_list.price': (v, s) => readPriceList(level({ price: v }), s)?.[0] ?? null,
  'price_list.min': (v, s) => readPriceList(level({ min: v }), s)?.[1] ?? null,
  'price_list.max': (v, s) => readPriceList(level({ max: v }), s)?.[2] ?? 0,
  'betslip.expiry_ts': (v, s) => readBetslip(slip({ expiry_ts: v }), s).expiryMs,
  'betslip.life': (v, s) => clamped('betslip.life', v as number, s),
  'betslip.total': (v, s) => readBetslip(slip({ total: v }), s).totalMicros,
  'quote.total': (v, s) => readQuote(slip({ status: 'success', price_list: [], total: v }), s).totalMicros,
  'heartbeat.expiry_time': (v, s) => readHeartbeat({ heartbeat_id: 'h', expiry_time: v }, s).expiryMs,
  'event.start_time': (v, s) => readEvent(event({ start_time: v }), s).startTimeMs,
  'event.end_time': (v, s) => readEvent(event({ end_time: v }), s).endTimeMs,
  'event_info.start_time': (v, s) =>
    readOrder(wireOrder({ event_info: { event_id: EVENT, start_time: v } }), s).eventInfo?.startTimeMs,
  'event_info.end_time': (v, s) =>
    readOrder(wireOrder({ event_info: { event_id: EVENT, end_time: v } }), s).eventInfo?.endTimeMs,
  'event_score.score': (v, s) => scoreIn(readEntry(['event_score', event({ score: v })], s)),
  'event_red_cards.score': (v, s) => scoreIn(readEntry(['event_red_cards', event({ score: v })], s)),
  'event_time.minutes': (v, s) =>
    (readEntry(['event_time', event({ time: ['1h', v] })], s) as { time: { minutes: number } }).time.minutes,
  'order.placement_time': (v, s) =>
    readOrder(wireOrder({ placement_time: v, expiry_time: null }), s).placementTimeMs,
  'order.expiry_time': (v, s) =>
    readOrder(wireOrder({ expiry_time: v, placement_time: null }), s).expiryTimeMs,
  'order.life': (v, s) =>
    ((readOrder(wireOrder(livesS(v as number)), s).expiryTimeMs as number) - Date.parse(PLACED)) / 1_000,
  'order.want_price': (v, s) => readOrder(wireOrder({ want_price: v }), s).wantPrice,
  'order.want_stake': (v, s) => readOrder(wireOrder({ want_stake: v }), s).wantStakeMicros,
  'order.price': (v, s) => readOrder(wireOrder({ price: v }), s).price,
  'order.stake': (v, s) => readOrder(wireOrder({ stake: v }), s).stakeMicros,
  'order.profit_loss': (v, s) => readOrder(wireOrder({ profit_loss: v }), s).profitLossMicros,
  'order.current_score': (v, s) => readOrder(wireOrder({ current_score: v }), s).currentScore,
  'bet.want_price': (v, s) => readBet(wireBet({ want_price: v }), s).wantPrice,
  'bet.got_price': (v, s) => readBet(wireBet({ got_price: v }), s).gotPrice,
  'bet.want_stake': (v, s) => readBet(wireBet({ want_stake: v }), s).wantStakeMicros,
  'bet.got_stake': (v, s) => readBet(wireBet({ got_stake: v }), s).gotStakeMicros,
  'bet.profit_loss': (v, s) => readBet(wireBet({ profit_loss: v }), s).profitLossMicros,
  'balance.balance': (v, s) => readBalance({ balance: v }, s).balanceMicros,
  'balance.open_stake': (v, s) => readBalance({ balance: usdt(1), open_stake: v }, s).openStakeMicros || null,
  'balance.smart_credit': (v, s) => readBalance({ balance: usdt(1), smart_credit: v }, s).smartCreditMicros,
  'total.got_price': (v, s) => totalIn(total({ got_price: v }), s).gotPrice,
  'total.unknown_price': (v, s) => totalIn(total({ unknown_price: v }), s).unknownPrice,
  'total.got_stake': (v, s) => totalIn(total({ got_stake: v }), s).gotStakeMicros,
  'total.unknown_stake': (v, s) => totalIn(total({ unknown_stake: v }), s).unknownStakeMicros,
  'position.unknown_bets_num': (v, s) => readPosition(position({ unknown_bets_num: v }), s).unknownBetsCount,
  'position.payoff_grid': (v, s) =>
    fromMicros(
      readPosition(position({ payoff_grid: { ccy_code: 'USDT', values: [[v]] } }), s)
        .payoffGridMicros?.[0]?.[0] ?? NaN,
    ),
  'refusal.order_id': (v, s) => refusal('retry_after', { order_id: v }, s).orderId,
};

const scoreIn = (entry: unknown): unknown => {
  const { score, redCards } = entry as { score?: unknown; redCards?: unknown };
  return score ?? redCards ?? null;
};
const totalIn = (raw: unknown, survey: Survey) => {
  const found = readPosition(raw, survey).totals.get(FOR_HOME);
  if (found === undefined) throw new Error('no total');
  return found;
};

/** A value as the exchange writes it. */
function written({ form }: Bounds, value: number): unknown {
  if (form === 'money') return usdt(value);
  if (form === 'points') return [0, value];
  return form === 'instant' ? new Date(value).toISOString() : value;
}

/** A value as the client reads it. */
function meant({ form }: Bounds, value: number): unknown {
  if (form === 'money') return toMicros(value);
  return form === 'points' ? [0, value] : value;
}

/** The least difference of such a number. */
const stepOf = ({ unit, form }: Bounds): number =>
  form === 'money' ? 0.01 : unit === 's' ? 0.5 : unit === 'decimal price' ? 1e-5 : unit === 'USDT' ? 1e-6 : 1;

function reading(name: BoundedName, value: unknown): { result: unknown; notes: string[] } {
  const notes: string[] = [];
  const survey: Survey = {
    note: (kind, what) => void (kind === 'out-of-bounds' && notes.push(what.slice(0, what.indexOf('=')))),
  };
  try {
    return { result: READ[name](value, survey), notes };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return { result: 'refused', notes };
  }
}

/** A list is refused by reading as none. */
const refusedAs = (name: BoundedName): unknown => (name.startsWith('price_list.') ? null : 'refused');

describe.each(BOUNDED_NAMES)('%s', (name) => {
  const bounds: Bounds = BOUNDS[name];
  const { least, most, outside, form } = bounds;

  it.each([least, most])('may be %d', (value) => {
    expect(reading(name, written(bounds, value))).toEqual({ result: meant(bounds, value), notes: [] });
  });

  const step = stepOf(bounds);
  // An order lives from one instant to another.
  const beyond = form === 'instant' || name === 'order.life' ? [] : [1e300, -1e300];
  it.each([least - step, most + step, ...beyond])('is no %d', (value) => {
    const { result, notes } = reading(name, written(bounds, value));
    const isBelowMax = name === 'price_list.max' && value < 0;
    const bound = meant(bounds, value < least ? least : most);
    const expected = outside === 'clamp' ? bound : outside === 'unknown' ? null : refusedAs(name);
    expect(result).toEqual(isBelowMax ? 0 : expected);
    expect(notes).toEqual([name]);
  });
});

it.each([1e300, 1e18, -1e12])('an instant is no %d', (value) => {
  const instants = BOUNDED_NAMES.filter((name) => BOUNDS[name].form === 'instant');
  expect(instants.length).toBeGreaterThan(8);
  for (const name of instants) expect(reading(name, value)).toEqual({ result: null, notes: [name] });
});

it.each(BOUNDED_NAMES.filter((name) => BOUNDS[name].form === 'points'))(
  '%s is bounded for both sides, however the pair is written',
  (name) => {
    const inside: readonly unknown[] = [[3, 1], ['3', '1'], { home: 3, away: 1 }];
    for (const pair of inside) expect(reading(name, pair)).toEqual({ result: [3, 1], notes: [] });
    const { least, most } = BOUNDS[name];
    for (const points of [most + 1, least - 1, `${most + 1}`]) {
      const outside: readonly unknown[] = [
        [points, 1],
        [1, points],
        { home: points, away: 1 },
        { home: 1, away: points },
      ];
      for (const pair of outside) expect(reading(name, pair)).toEqual({ result: null, notes: [name] });
    }
  },
);

it('strings that spell numbers are bounded, too, and other texts stay unread', () => {
  expect(reading('order.want_price', '99999999')).toEqual({ result: 1e6, notes: ['order.want_price'] });
  expect(reading('bet.got_stake', usdt('-3'))).toEqual({ result: 0, notes: ['bet.got_stake'] });
  expect(reading('event.start_time', 'soon')).toEqual({ result: null, notes: [] });
  expect(reading('bet.got_price', null)).toEqual({ result: null, notes: [] });
});

it('a market with a level that cannot be meant is not believed, on the fast way either', () => {
  const notes: string[] = [];
  const decoder = new FrameDecoder({ note: (_, what) => void notes.push(what) });
  const decode = (part: object) => {
    const data = [['offer', wireOffer({ price_list: level(part) })]];
    const text = JSON.stringify({ ts: PLACED, data });
    return decoder.decode(new TextEncoder().encode(text)).entries.length;
  };
  expect(decode({ price: 2.5 })).toBe(1);
  expect(decode({ price: 2.52 })).toBe(1);
  expect(decode({ price: 1_000.5 })).toBe(0);
  expect(decode({ price: 1.00001 })).toBe(0);
  expect(decode({ min: usdt(2e8) })).toBe(0);
  expect(decode({ max: usdt(2e8) })).toBe(1);
  expect(notes.filter((what) => what.startsWith('price_list.'))).toHaveLength(4);
});

function logging() {
  const clock = new VirtualClock();
  const logged: LogFields[] = [];
  const unknown: LogFields[] = [];
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const logger = {
    ...silentLogger,
    error: (_: string, fields: LogFields = {}) => void logged.push(fields),
    warn: (_: string, fields: LogFields = {}) => void unknown.push(fields),
  };
  const survey = new LoggingSurvey({ logger, metrics, clock }, (text: string) => text, BOUNDED_NAMES);
  return { clock, logged, unknown, metrics, survey };
}

it('counts each number by its name, whatever its values', async () => {
  const { metrics, survey } = logging();
  for (let at = 0; at < 1_100; at++) clamped('retry_after', -at, survey);
  clamped('order.life', -1, survey);
  const { text } = await metrics.expose();
  expect(text).toContain('touchline_venue_out_of_bounds_total{number="retry_after"} 1100\n');
  expect(text).toContain('touchline_venue_out_of_bounds_total{number="order.life"} 1\n');
  expect(text).toContain('touchline_venue_out_of_bounds_total{number="bet.got_price"} 0\n');
  expect(text).toContain('touchline_venue_unknown_total{kind="out-of-bounds"} 1101\n');
  expect([...survey.counts()]).toEqual([
    ['out-of-bounds retry_after', 1_100],
    ['out-of-bounds order.life', 1],
  ]);
});

it('logs a number at once, and again every ten seconds for as long as it occurs', async () => {
  const { clock, logged, survey } = logging();
  for (let atMs = 0; atMs < 25_000; atMs += 500) {
    clamped('retry_after', -atMs, survey);
    await clock.advance(500);
  }
  expect(logged).toEqual([
    { what: 'retry_after=0, taken as 1', times: 1 },
    { what: 'retry_after=-10000, taken as 1', times: 21 },
    { what: 'retry_after=-20000, taken as 1', times: 41 },
  ]);
  await clock.advance(3_600_000);
  clamped('retry_after', -7, survey);
  expect(logged.at(-1)).toEqual({ what: 'retry_after=-7, taken as 1', times: 51 });
});

it('logs another number, or the other bound of the same one, without a wait', () => {
  const { logged, survey } = logging();
  for (let times = 0; times < 6; times++) clamped('retry_after', 0, survey);
  clamped('retry_after', 1e11, survey);
  clamped('retry_after.betslips', 0, survey);
  expect(logged).toEqual([
    { what: 'retry_after=0, taken as 1', times: 1 },
    { what: 'retry_after=100000000000, taken as 180', times: 7 },
    { what: 'retry_after.betslips=0, taken as 1', times: 1 },
  ]);
});

it('logs each unknown name once; beyond a thousand names one of each kind in ten seconds', async () => {
  const { clock, unknown, survey } = logging();
  for (let at = 0; at < 1_000; at++) survey.note('field', `f${at}`);
  survey.note('field', 'f0');
  expect(unknown).toHaveLength(1_000);
  for (const name of ['a', 'b']) for (const kind of ['field', 'bad-entry'] as const) survey.note(kind, name);
  expect(unknown.slice(1_000)).toEqual([
    { kind: 'field', what: 'a' },
    { kind: 'bad-entry', what: 'a' },
  ]);
  await clock.advance(9_999);
  survey.note('field', 'c');
  expect(unknown).toHaveLength(1_002);
  await clock.advance(1);
  survey.note('field', 'd');
  expect(unknown.at(-1)).toEqual({ kind: 'field', what: 'd' });
  expect(survey.counts().size).toBe(1_000);
});

it('are bounded in one object each, however many of them are outside', () => {
  const { survey } = logging();
  const outside = {
    want_price: 5e6,
    got_price: 6e6,
    want_stake: usdt(5e9),
    got_stake: usdt(-5),
    profit_loss: usdt(7e9),
  };
  expect(readBet(wireBet(outside), survey)).toMatchObject({
    wantPrice: 1e6,
    gotPrice: 1e6,
    wantStakeMicros: toMicros(1e9),
    gotStakeMicros: 0,
    profitLossMicros: null,
  });
  const order = { want_price: 5e6, want_stake: usdt(5e9), profit_loss: usdt(7e9) };
  expect(readOrder(wireOrder(order), survey)).toMatchObject({
    wantPrice: 1e6,
    wantStakeMicros: toMicros(1e9),
    profitLossMicros: null,
  });
});

it('a list of orders that never ends is refused', () => {
  const isLast = lastPage(25);
  const page = (at: number) => ({
    orders: Array.from({ length: 25 }, (_, i) => ({ orderId: (at * 25 + i) as never })),
    unread: [],
  });
  for (let at = 0; at < MOST_PAGES; at++) expect(isLast(page(at))).toBe(false);
  expect(() => isLast(page(MOST_PAGES))).toThrow(ProtocolError);
});

it('are all in the documentation, with their bounds', () => {
  const text = readFileSync(new URL('../../docs/client.md', import.meta.url), 'utf8').replaceAll(/ +/g, ' ');
  for (const name of BOUNDED_NAMES) expect(text).toContain(rowOf(name));
});

/** A row of the table in the documentation. */
function rowOf(name: BoundedName): string {
  const { unit, least, most, outside, form }: Bounds = BOUNDS[name];
  const told = (value: number): string =>
    form === 'instant' ? new Date(value).toISOString().slice(0, 10) : String(value);
  return `| \`${name}\` | ${form === 'instant' ? 'instant' : unit} | ${told(least)} | ${told(most)} | ${outside} |`;
}
