import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toMicros } from '../../../src/domain/money.ts';
import type { Direction } from '../../../src/domain/selection.ts';
import type { InspectedOrder } from '../../../src/simulator/core/api.ts';
import type { SpanMs } from '../../../src/simulator/core/settings.ts';
import { at, event, football, Harness, type Wire } from './harness.ts';
import { UNLIMITED } from './unlimited.ts';

const KEYS = ['a', 'b', 'c'];
const EVENTS = ['2026-03-01,1,2', '2026-03-01,3,4'];
const OUTCOMES = ['h', 'win,7'];
const BALANCE = toMicros(500);

const eventId = fc.constantFrom(...EVENTS);
const mostly = fc.constantFrom(true, true, true, false);
const place = fc.record({
  kind: fc.constant('place' as const),
  key: fc.constantFrom(...KEYS),
  eventId,
  outcome: fc.constantFrom(...OUTCOMES),
  direction: fc.constantFrom<Direction>('for', 'against'),
  stake: fc.integer({ min: 1, max: 300 }),
  least: fc.integer({ min: 0, max: 100 }),
  terms: fc.record({
    price: fc.constantFrom(1.333, 1.9, 2, 2.02),
    exchange_mode: fc.constantFrom('make_and_take', 'make_and_take', 'take_only', 'dark'),
    keep_open_ir: fc.boolean(),
    accept_partial_fill: mostly,
    accept_better_price: mostly,
    force_want_price: fc.constantFrom(false, false, false, true),
    duration: fc.integer({ min: 1, max: 60 }),
  }),
});
const other = fc.record({
  kind: fc.constantFrom('close', 'pass', 'suspend', 'resume', 'resume', 'in running', 'heartbeat'),
  eventId,
  n: fc.nat(8_000),
});
const end = fc.record({
  kind: fc.constantFrom('settle', 'places', 'void', 'remove', 'back'),
  eventId,
  n: fc.nat(3),
});
const RESULTS: readonly string[] = ['settle', 'places', 'void'];
const step = fc.oneof(
  { weight: 40, arbitrary: place },
  { weight: 16, arbitrary: other },
  { weight: 1, arbitrary: end },
);
type Place = typeof place extends fc.Arbitrary<infer T> ? T : never;
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const settings = fc.record({
  placementDelayMs: fc.constantFrom<SpanMs>([0, 0], [0, 0], [150, 700]),
  closeLatencyMs: fc.constantFrom(0, 0, 900),
  pendingMs: fc.constantFrom(0, 0, 1_500),
  // The correction is a separate act: bets are voided one by one, and the other side of one may be paid already.
  late: fc.constantFrom({}, { resultsMs: 3_000 }, { dangerMs: 2_500, dangerEnds: 'void' as const }),
});

/** Places the order. Returns its id and its terms; null when it was refused. */
function tryPlace(h: Harness, asked: Place): { id: number; least: number } | null {
  const bet = { sport: 'fb', event_id: asked.eventId, bet_type: `${asked.direction},${asked.outcome}` };
  const betslip = h.call('POST', '/v2/betslips/', bet, asked.key);
  if (betslip.status !== 201) return null;
  const least = asked.terms.exchange_mode === 'dark' ? Math.min(asked.least, asked.stake) : 0;
  const minimum = least > 0 ? { min_taker_want_stake: ['USDT', least] } : {};
  const terms = { ...asked.terms, ...minimum, stake: ['USDT', asked.stake] };
  const order = h.call('POST', '/v2/orders/', { betslip_id: betslip.data.betslip_id, ...terms }, asked.key);
  return order.status === 201 ? { id: order.data.order_id, least: toMicros(least) } : null;
}

function act(h: Harness, { kind, eventId: id, n }: Exclude<Step, Place>): void {
  const { market } = h.exchange;
  if (kind === 'pass') h.pass(n);
  if (kind === 'close') closeNth(h, n);
  if (kind === 'heartbeat') h.call('POST', '/v2/heartbeats/', { timeout: 10 }, KEYS[n % 3]);
  if (kind === 'suspend' || kind === 'resume') market.setSuspended(football(id), kind === 'suspend', h.nowMs);
  if (kind === 'in running') market.goInRunning(football(id), h.nowMs);
  if (kind === 'settle') settle(h, id, n);
  if (kind === 'places')
    market.settle(
      football(id),
      {
        kind: 'places',
        places: new Map([
          [7, 1],
          [8, n],
        ]),
      },
      h.nowMs,
    );
  if (kind === 'void') market.voidEvent(football(id), h.nowMs);
  if (kind === 'remove') market.removeEvent(football(id), h.nowMs);
  if (kind === 'back') market.putEvent(event({ eventId: id }), h.nowMs);
}

function closeNth(h: Harness, nth: number): void {
  const open = h.exchange.inspect().openOrders ?? [];
  const order = open[nth % Math.max(1, open.length)];
  if (order !== undefined) h.call('POST', `/v2/orders/${order.orderId}/close/`, undefined, order.accountId);
}

const settle = (h: Harness, id: string, home: number): void =>
  h.exchange.market.settle(
    football(id),
    { kind: 'score', home, away: 1, halfTimeHome: 0, halfTimeAway: 0 },
    h.nowMs,
  );

/** The two sides of each trade. They are booked one after another, the maker's first. */
function tradesOf(orders: readonly InspectedOrder[]) {
  const fills = orders
    .flatMap((order) => order.fills.map((fill) => ({ order, fill })))
    .sort((a, b) => a.fill.betId - b.fill.betId);
  return fills.flatMap((maker, i) => {
    const taker = fills[i + 1];
    return i % 2 === 0 && taker !== undefined ? [{ maker, taker }] : [];
  });
}

const isHonoured = ({ betType, price }: InspectedOrder, at_: number): boolean =>
  betType.startsWith('for,') ? at_ >= price : at_ <= price;

function checkTrades(orders: readonly InspectedOrder[], least: ReadonlyMap<number, number>): number {
  const trades = tradesOf(orders);
  for (const { maker, taker } of trades) {
    expect([maker.fill.role, taker.fill.role]).toEqual(['maker', 'taker']);
    expect([maker.fill.price, maker.fill.stakeMicros]).toEqual([taker.fill.price, taker.fill.stakeMicros]);
    expect(maker.order.accountId).not.toBe(taker.order.accountId);
    expect(isHonoured(maker.order, maker.fill.price) && isHonoured(taker.order, taker.fill.price)).toBe(true);
    expect(taker.order.stakeMicros).toBeGreaterThanOrEqual(least.get(maker.order.orderId) ?? 0);
  }
  return trades.length;
}

/** Whether one of these acts corrects the result of an event: money paid by the first may have been staked again. */
const corrects = (steps: readonly Step[]): boolean =>
  EVENTS.some(
    (id) => steps.filter(({ kind, eventId: of }) => of === id && RESULTS.includes(kind)).length > 1,
  );

/**
 * No account owes money, unless results are corrected, bets are voided, or those of an event are paid one after
 * another.
 */
function checkBalances(h: Harness, mayOwe: boolean): void {
  for (const key of KEYS) {
    const {
      balance,
      open_stake: open,
      smart_credit: credit,
    }: Wire = h.call('GET', '/v2/balance/', undefined, key).data;
    if (!mayOwe) expect(balance[1] - open[1] + credit[1]).toBeGreaterThanOrEqual(-1e-5);
  }
}

it('moves money only between accounts, at the prices and on the terms that they asked for', () => {
  let traded = 0;
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 30, maxLength: 90, size: 'max' }),
      settings,
      (steps, { late, ...over }) => {
        const accounts = KEYS.map((key) => ({ accountId: key, keys: [key], balanceMicros: BALANCE }));
        const h = new Harness({ accounts, settings: { ...UNLIMITED, ...over, ...late }, priced: false });
        const least = new Map<number, number>();
        for (const id of EVENTS) h.exchange.market.putEvent(event({ eventId: id }), h.nowMs);
        for (const id of EVENTS) for (const outcome of OUTCOMES) openMarket(h, id, outcome);
        for (const [i, each] of steps.entries()) {
          const placed = 'key' in each ? tryPlace(h, each) : act(h, each);
          if (placed) least.set(placed.id, placed.least);
          checkBalances(h, Object.keys(late).length > 0 || corrects(steps.slice(0, i + 1)));
        }
        traded += checkTrades(h.exchange.inspect().orders, least);
        h.pass(20_000);
        for (const id of EVENTS) settle(h, id, 2);
        h.pass(20_000);
        const { accounts: all } = h.exchange.inspect();
        expect(all.reduce((sum, { balanceMicros }) => sum + balanceMicros, 0)).toBe(KEYS.length * BALANCE);
        expect(all.map(({ openStakeMicros }) => openStakeMicros)).toEqual([0, 0, 0]);
      },
    ),
    { numRuns: 100 },
  );
  expect(traded).toBeGreaterThan(100);
});

/** An outcome exists from its first liquidity on. This price is out of reach, and is removed again. */
function openMarket(h: Harness, id: string, outcome: string): void {
  h.exchange.market.setLevel('far', at(outcome, id), 'against', 1.01, 1, h.nowMs);
  h.exchange.market.clearLevels('far', at(outcome, id), h.nowMs);
}
