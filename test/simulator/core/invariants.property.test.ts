import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toMicros } from '../../../src/domain/money.ts';
import type { Direction } from '../../../src/domain/selection.ts';
import type { InspectedOrder } from '../../../src/simulator/core/api.ts';
import type { SpanMs } from '../../../src/simulator/core/settings.ts';
import { at, event, football, Harness, KEY, OTHER_KEY } from './harness.ts';
import { UNLIMITED } from './unlimited.ts';

const EVENTS = ['2026-03-01,1,2', '2026-03-01,3,4'];
const OUTCOMES = ['h', 'd', 'dnb,h', 'over,2.25'];
const PRICES = [1.9, 2, 2.1];
const BALANCE = toMicros(2_000);

const place = fc.record({
  kind: fc.constant('place' as const),
  key: fc.constantFrom(KEY, OTHER_KEY),
  eventId: fc.constantFrom(...EVENTS),
  outcome: fc.constantFrom(...OUTCOMES),
  direction: fc.constantFrom<Direction>('for', 'against'),
  price: fc.constantFrom(...PRICES),
  stake: fc.integer({ min: 1, max: 300 }),
  mode: fc.constantFrom('make_and_take', 'take_only', 'dark'),
  keep: fc.boolean(),
  duration: fc.integer({ min: 1, max: 60 }),
});
const level = fc.record({
  kind: fc.constant('level' as const),
  eventId: fc.constantFrom(...EVENTS),
  outcome: fc.constantFrom(...OUTCOMES),
  direction: fc.constantFrom<Direction>('for', 'against'),
  price: fc.constantFrom(...PRICES),
  stake: fc.integer({ min: 0, max: 200 }),
});
const close = fc.record({ kind: fc.constant('close' as const), nth: fc.nat(20) });
const pass = fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 20_000 }) });
const heartbeat = fc.record({
  kind: fc.constant('heartbeat' as const),
  key: fc.constantFrom(KEY, OTHER_KEY),
});
const change = fc.record({
  kind: fc.constantFrom('suspend' as const, 'resume' as const, 'in running' as const, 'clear' as const),
  eventId: fc.constantFrom(...EVENTS),
});
const end = fc.record({
  kind: fc.constantFrom('settle' as const, 'void' as const, 'remove' as const),
  eventId: fc.constantFrom(...EVENTS),
  home: fc.nat(3),
  away: fc.nat(3),
});
const step = fc.oneof(
  { weight: 12, arbitrary: place },
  { weight: 6, arbitrary: level },
  { weight: 3, arbitrary: close },
  { weight: 4, arbitrary: pass },
  { weight: 1, arbitrary: heartbeat },
  { weight: 2, arbitrary: change },
  { weight: 1, arbitrary: end },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const latencies = fc.record({
  placementDelayMs: fc.constantFrom<SpanMs>([0, 0], [0, 0], [150, 700]),
  closeLatencyMs: fc.constantFrom(0, 0, 900),
  pendingMs: fc.constantFrom(0, 0, 1_500),
});

function run(h: Harness, each: Step): void {
  const { market } = h.exchange;
  if (each.kind === 'place') tryPlace(h, each);
  else if (each.kind === 'level') {
    const { eventId, outcome, direction, price, stake } = each;
    market.setLevel('m', at(outcome, eventId), direction, price, toMicros(stake), h.nowMs);
  } else if (each.kind === 'close') closeNth(h, each.nth);
  else if (each.kind === 'pass') h.pass(each.ms);
  else if (each.kind === 'heartbeat') h.call('POST', '/v2/heartbeats/', { timeout: 10 }, each.key);
  else runOnMarket(h, each);
}

function runOnMarket(h: Harness, each: Extract<Step, { eventId: string; kind: string }>): void {
  const { market } = h.exchange;
  const { kind } = each;
  const on = football(each.eventId);
  if (kind === 'suspend') market.setSuspended(on, true, h.nowMs);
  if (kind === 'resume') market.setSuspended(on, false, h.nowMs);
  if (kind === 'in running') market.goInRunning(on, h.nowMs);
  if (kind === 'clear') market.clear(h.nowMs);
  if (kind === 'void') market.voidEvent(on, h.nowMs);
  if (kind === 'remove') market.removeEvent(on, h.nowMs);
  if (kind === 'settle') {
    const { home, away } = each;
    market.settle(on, { kind: 'score', home, away, halfTimeHome: home, halfTimeAway: away }, h.nowMs);
  }
}

function tryPlace(h: Harness, each: Extract<Step, { kind: 'place' }>): void {
  const betType = `${each.direction},${each.outcome}`;
  const betslip = h.call(
    'POST',
    '/v2/betslips/',
    { sport: 'fb', event_id: each.eventId, bet_type: betType },
    each.key,
  );
  if (betslip.status !== 201) return;
  const body = {
    betslip_id: betslip.data.betslip_id,
    price: each.price,
    stake: ['USDT', each.stake],
    exchange_mode: each.mode,
    keep_open_ir: each.keep,
    duration: each.duration,
  };
  h.call('POST', '/v2/orders/', body, each.key);
}

function closeNth(h: Harness, nth: number): void {
  const { orders } = h.exchange.inspect();
  const order = orders[nth % Math.max(1, orders.length)];
  if (order === undefined) return;
  h.call('POST', `/v2/orders/${order.orderId}/close/`, undefined, order.accountId === 'a' ? KEY : OTHER_KEY);
}

const directionOf = ({ betType }: InspectedOrder): Direction =>
  betType.startsWith('for') ? 'for' : 'against';
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const liabilityOf = (direction: Direction, stake: number, price: number): number =>
  direction === 'for' ? stake : stake * (price - 1);

/** The possible loss of an account's orders and bets, counted from the inspection alone. */
function atRiskMicros(orders: readonly InspectedOrder[]): number {
  return sum(
    orders.flatMap((order) => {
      const direction = directionOf(order);
      const unfilled = order.status === 'open' ? order.stakeMicros - order.filledMicros : 0;
      const bets = ['open', 'pending', 'done'].includes(order.status) ? order.fills : [];
      const liabilities = bets.map((fill) => liabilityOf(direction, fill.stakeMicros, fill.price));
      return [liabilityOf(direction, unfilled, order.price), ...liabilities];
    }),
  );
}

function check(h: Harness, before: ReadonlyMap<number, InspectedOrder>): void {
  const { accounts, orders } = h.exchange.inspect();
  for (const account of accounts) {
    const own = orders.filter(({ accountId }) => accountId === account.accountId);
    expect(account.openStakeMicros).toBeCloseTo(atRiskMicros(own), 0);
    // Worst case: everything that is open is lost at once.
    expect(account.balanceMicros).toBeGreaterThanOrEqual(0);
  }
  for (const order of orders) {
    const earlier = before.get(order.orderId);
    expect(order.filledMicros).toBeGreaterThanOrEqual(earlier?.filledMicros ?? 0);
    expect(order.filledMicros).toBeLessThanOrEqual(order.stakeMicros);
    if (earlier?.closed === true)
      expect([order.closed, order.filledMicros]).toEqual([true, earlier.filledMicros]);
  }
  const betIds = orders.flatMap(({ fills }) => fills.map(({ betId }) => betId));
  expect(new Set(betIds).size).toBe(betIds.length);
}

/** The resting stake of orders is stake that they still want: never more, in any book. */
function checkBooks(h: Harness): void {
  const { orders } = h.exchange.inspect();
  for (const eventId of EVENTS) {
    for (const outcome of OUTCOMES) {
      for (const direction of ['for', 'against'] as const) {
        h.exchange.market.clearLevels('m', at(outcome, eventId), h.nowMs);
        const resting = sum(
          h.exchange.market.levels(at(outcome, eventId), direction).map((each) => each.stakeMicros),
        );
        const wanted = orders
          .filter((order) => order.status === 'open' && order.eventId === eventId)
          .filter(({ betType }) => betType === `${direction},${outcome}`)
          .map(({ stakeMicros, filledMicros }) => stakeMicros - filledMicros);
        expect(resting).toBeLessThanOrEqual(sum(wanted));
      }
    }
  }
}

it('keeps its books consistent whatever happens in whatever order', () => {
  let filled = 0;
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }),
      latencies,
      (steps, settings) => {
        const accounts = [
          { accountId: 'a', keys: [KEY], balanceMicros: BALANCE },
          { accountId: 'b', keys: [OTHER_KEY], balanceMicros: BALANCE },
        ];
        const h = new Harness({ accounts, settings: { ...UNLIMITED, ...settings }, priced: false });
        for (const eventId of EVENTS) {
          h.exchange.market.putEvent(event({ eventId }), h.nowMs);
          for (const outcome of OUTCOMES) {
            for (const direction of ['for', 'against'] as const) {
              h.exchange.market.setLevel(
                'far',
                at(outcome, eventId),
                direction,
                direction === 'for' ? 900 : 1.01,
                1,
                0,
              );
            }
            h.exchange.market.clearLevels('far', at(outcome, eventId), h.nowMs);
          }
        }
        let before = new Map<number, InspectedOrder>();
        for (const each of steps) {
          run(h, each);
          check(h, before);
          before = new Map(h.exchange.inspect().orders.map((order) => [order.orderId, order]));
          h.exchange.drain();
        }
        checkBooks(h);
        filled += sum([...before.values()].map(({ fills }) => fills.length));
      },
    ),
    { numRuns: 120 },
  );
  expect(filled).toBeGreaterThan(100);
});
