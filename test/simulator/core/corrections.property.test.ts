import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toMicros } from '../../../src/domain/money.ts';
import type { Direction } from '../../../src/domain/selection.ts';
import { at, event, football, Harness, KEY, type Wire } from './harness.ts';
import { UNLIMITED } from './unlimited.ts';

const EVENTS = ['2026-03-01,1,2', '2026-03-01,3,4', '2026-03-01,5,6'];
const OUTCOMES = ['h', 'dnb,h', 'over,2.25', 'win,7'];
const BALANCE = 50_000;
const STAKE_LIMIT = 1e6;

const eventId = fc.constantFrom(...EVENTS);
const outcome = fc.constantFrom(...OUTCOMES);
const price = fc.constantFrom(1.5, 1.9, 2, 2.02, 2.1);
const stake = fc.integer({ min: 1, max: 200 });
const direction = fc.constantFrom<Direction>('for', 'against');
const place = fc.record({ kind: fc.constant('place' as const), eventId, outcome, direction, price, stake });
const parlay = fc.record({
  kind: fc.constant('parlay' as const),
  outcomes: fc.array(outcome, { minLength: 2, maxLength: 3 }),
  price,
  stake: fc.integer({ min: 1, max: 30 }),
});
const level = fc.record({ kind: fc.constant('level' as const), eventId, outcome, direction, price, stake });
const mark = fc.record({
  kind: fc.constant('mark' as const),
  nth: fc.nat(100),
  status: fc.constantFrom('success' as const, 'danger' as const, 'void' as const),
});
const pass = fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 4_000 }) });
const end = fc.record({
  kind: fc.constantFrom('settle', 'settle', 'places', 'void', 'remove', 'back'),
  eventId,
  n: fc.nat(3),
});
const step = fc.oneof(
  { weight: 20, arbitrary: place },
  { weight: 6, arbitrary: parlay },
  { weight: 10, arbitrary: level },
  { weight: 8, arbitrary: mark },
  { weight: 4, arbitrary: pass },
  { weight: 3, arbitrary: end },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const settings = fc.record({
  resultsMs: fc.constantFrom(0, 3_000),
  pendingMs: fc.constantFrom(0, 1_500),
  dangerMs: fc.constantFrom(0, 0, 2_500),
  dangerEnds: fc.constantFrom<'success' | 'void'>('success', 'void'),
});

function run(h: Harness, each: Step): void {
  if (each.kind === 'pass') h.pass(each.ms);
  else if (each.kind === 'mark') {
    const fills = h.exchange.inspect().orders.flatMap(({ fills: own }) => own);
    const fill = fills[each.nth % Math.max(1, fills.length)];
    if (fill !== undefined) h.exchange.markBet(fill.betId, each.status, h.nowMs);
  } else if (each.kind === 'level') setLevel(h, each as Extract<Step, { kind: 'level' }>);
  else if ('stake' in each) order(h, betslipOf(each), each.price, each.stake);
  else runOnMarket(h, each as Wire);
}

function setLevel(h: Harness, each: Extract<Step, { kind: 'level' }>): void {
  const at_ = at(each.outcome, each.eventId);
  h.exchange.market.setLevel('m', at_, each.direction, each.price, toMicros(each.stake), h.nowMs);
}

function betslipOf(each: Extract<Step, { stake: number }>): object {
  if ('outcomes' in each) {
    const legs = each.outcomes.map((name, i) => ({
      sport: 'fb',
      event_id: EVENTS[i],
      bet_type: `for,${name}`,
    }));
    return { betslip_type: 'parlay', legs };
  }
  return { sport: 'fb', event_id: each.eventId, bet_type: `${each.direction},${each.outcome}` };
}

/** The reason why an order was refused; null when it was not, or when its betslip was. */
function order(h: Harness, betslip: object, limit: number, amount: number): string | null {
  const { status, data } = h.call('POST', '/v2/betslips/', betslip);
  if (status !== 201) return null;
  const body = { betslip_id: data.betslip_id, price: limit, stake: ['USDT', amount], duration: 30 };
  const answer = h.call('POST', '/v2/orders/', body);
  return answer.status === 201 ? null : answer.data.validation_errors.non_field_errors[0];
}

function runOnMarket({ exchange: { market }, nowMs }: Harness, { kind, eventId: id, n }: Wire): void {
  const score = { kind: 'score', home: n, away: 1, halfTimeHome: 0, halfTimeAway: 0 } as const;
  const places = new Map([7, 8].map((teamId, i) => [teamId, 1 + i * n]));
  if (kind === 'settle') market.settle(football(id), score, nowMs);
  if (kind === 'places') market.settle(football(id), { kind: 'places', places }, nowMs);
  if (kind === 'void') market.voidEvent(football(id), nowMs);
  if (kind === 'remove') market.removeEvent(football(id), nowMs);
  if (kind === 'back') market.putEvent(event({ eventId: id }), nowMs);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const liabilityOf = (betType: string, amount: number, at_: number): number =>
  betType.startsWith('against') ? amount * (at_ - 1) : amount;

/** The balance follows from the shown orders. */
function checkBalance(h: Harness, orders: readonly Wire[]): void {
  const { balance, open_stake: open, smart_credit: credit } = h.call('GET', '/v2/balance/').data;
  const bets: Wire[] = orders.flatMap((each) => each.bets);
  expect(balance[1]).toBeCloseTo(BALANCE + sum(bets.map((bet) => bet.profit_loss[1])), 5);
  const atStake = bets
    .filter(({ reconciled }) => !reconciled)
    .map((bet) => liabilityOf(bet.bet_type, bet.got_stake[1], bet.got_price));
  const unfilled = orders
    .filter(({ status }) => status === 'open')
    .map((each) => liabilityOf(each.bet_type, each.bet_bar_values.inprogress[1], each.want_price));
  expect(open[1]).toBeCloseTo(sum([...atStake, ...unfilled]), 5);
  expect(credit[1]).toBeGreaterThanOrEqual(0);
  expect(credit[1]).toBeLessThanOrEqual(open[1] + 1e-6);
}

function checkOrder(shown: Wire): void {
  const bets: Wire[] = shown.bets;
  for (const { status, reconciled, profit_loss: profit } of bets) {
    if (status.code === 'void') expect([reconciled, profit[1]]).toEqual([true, 0]);
    if (!reconciled) expect(profit[1]).toBe(0);
  }
  if (shown.closed) expect(shown.status).toBe(statusOf(bets));
  if (shown.closed) expect(shown.profit_loss[1]).toBeCloseTo(sum(bets.map((bet) => bet.profit_loss[1])), 5);
}

function statusOf(bets: readonly Wire[]): string {
  if (bets.length === 0) return 'failed';
  if (bets.some(({ reconciled }) => !reconciled)) return 'done';
  const voids = bets.filter(({ status }) => status.code === 'void').length;
  if (voids === 0) return 'reconciled';
  return voids === bets.length ? 'full_void' : 'partial_void';
}

/**
 * An event accepts exactly the rest of the limit that its orders and bets leave. The limit exceeds the account's means.
 */
function checkStakeLimit(h: Harness, orders: readonly Wire[], id: string): void {
  const on = orders.filter(({ legs, event_info: info }) =>
    legs === null ? info.event_id === id : legs.some((leg: Wire) => leg.event_id === id),
  );
  const taken = on.map((each) =>
    each.status === 'open' ? each.want_stake[1] : sum(each.bets.map((bet: Wire) => bet.got_stake[1])),
  );
  const betslip = { sport: 'fb', event_id: id, bet_type: 'for,h' };
  const refusals = [0, 0.01].map((more) => order(h, betslip, 2, STAKE_LIMIT - sum(taken) + more));
  if (refusals[0] !== null) expect(refusals).toEqual(['insufficient_balance', 'event_stake_limit_reached']);
}

function check(h: Harness): readonly Wire[] {
  const orders: readonly Wire[] = h.call('GET', '/v2/orders/?page_size=1000').data;
  checkBalance(h, orders);
  for (const shown of orders) checkOrder(shown);
  for (const id of EVENTS) checkStakeLimit(h, orders, id);
  return orders;
}

it('keeps the account consistent however bets are marked and results corrected', () => {
  let bets = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 40, maxLength: 90, size: 'max' }), settings, (steps, over) => {
      const accounts = [{ accountId: 'a', keys: [KEY], balanceMicros: toMicros(BALANCE) }];
      const limit = { eventStakeLimitMicros: toMicros(STAKE_LIMIT) };
      const h = new Harness({ accounts, settings: { ...UNLIMITED, ...limit, ...over }, priced: false });
      for (const id of EVENTS) h.exchange.market.putEvent(event({ eventId: id }), h.nowMs);
      for (const id of EVENTS)
        for (const name of OUTCOMES) {
          h.exchange.market.setLevel('m', at(name, id), 'against', 2, toMicros(100), h.nowMs);
          h.exchange.market.setLevel('m', at(name, id), 'for', 2.1, toMicros(100), h.nowMs);
        }
      for (const each of steps) {
        run(h, each);
        check(h);
      }
      h.pass(40_000);
      for (const id of EVENTS) runOnMarket(h, { kind: 'settle', eventId: id, n: 2 });
      h.pass(10_000);
      for (const { bets: own } of check(h)) bets += own.length;
      expect(h.exchange.inspect().accounts[0]?.openStakeMicros).toBe(0);
    }),
    { numRuns: 40 },
  );
  expect(bets).toBeGreaterThan(200);
});
