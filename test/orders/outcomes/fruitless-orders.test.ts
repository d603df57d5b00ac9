import { describe, expect, it } from 'vitest';
import type { TrackedOrder } from '../../../src/account/orders.ts';
import { marketOfOrder } from '../../../src/domain/exchange-prices.ts';
import { betType, orderId } from '../../../src/domain/ids.ts';
import type { LiveOrder } from '../../../src/domain/live-order.ts';
import { FruitlessOrders } from '../../../src/orders/outcomes/fruitless-orders.ts';
import type { OrderContext } from '../../../src/orders/state/context.ts';
import { type AttemptKind, FruitlessAttempts } from '../../../src/orders/state/fruitless.ts';
import { liveOrder } from '../../support/orders.ts';

const HOME = '2026-01-01,1,2|fb|for,h';
const STAKE = 10_000_000;
const SENT_MS = 100_000;
/** A life of a minute: an order rests from 30 s on, and has begun to at 5 s. */
const LIFE_S = 60;

/** Orders on a clock that the test sets, and what is said of attempts. */
function rig() {
  const clock = { nowMs: SENT_MS, monotonicMs: () => clock.nowMs };
  const said: string[] = [];
  const active = new Set<TrackedOrder>();
  const fruitless = new FruitlessAttempts({
    now: () => clock.nowMs,
    onFruitless: () => undefined,
    onAlarm: () => undefined,
    onLatch: () => undefined,
  });
  const { failed, lasted } = fruitless;
  fruitless.failed = (kind, attempt, reason) => {
    said.push(`${kind} failed: ${reason}, ${attempt.market} ${attempt.beganMs}`);
    failed.call(fruitless, kind, attempt, reason);
  };
  fruitless.lasted = (kind, attempt) => {
    said.push(`${kind} lasted, ${attempt.market} ${attempt.beganMs}`);
    lasted.call(fruitless, kind, attempt);
  };
  const context = {
    fruitless,
    book: { active: () => active },
    deps: { clock, account: { bets: { standingOf: () => 0, filledOf: () => 0, resultOf: () => null } } },
  };
  const orders = new FruitlessOrders(context as unknown as OrderContext);
  const tracked = (
    of: Partial<TrackedOrder> = {},
    order: Parameters<typeof liveOrder>[0] = {},
  ): TrackedOrder => {
    const made = {
      order: liveOrder({ orderId: orderId(1), stakeMicros: STAKE, ...order }),
      place: { durationS: LIFE_S },
      sentMonotonicMs: SENT_MS,
      recovered: false,
      closeWanted: false,
      closedMs: null,
      ...of,
    } as TrackedOrder;
    active.add(made);
    return made;
  };
  const change = (of: TrackedOrder, changes: Partial<LiveOrder>): void => {
    const before = of.order;
    of.order = { ...before, ...changes };
    orders.changed(of, before);
  };
  return { clock, said, fruitless, orders, tracked, change };
}

/** An order that ends so many ms after it was sent. What is said of it. */
function saidOfEnd(
  ageMs: number,
  of: Partial<TrackedOrder> = {},
  changes: Partial<LiveOrder> = {},
): string[] {
  const { clock, said, tracked, change } = rig();
  const order = tracked(of);
  clock.nowMs += ageMs;
  change(order, { state: 'closed', closeReason: 'odd', ...changes });
  return said;
}

const REPORTED = `report lasted, ${HOME} ${SENT_MS}`;
const LASTED = `order lasted, ${HOME} ${SENT_MS}`;
const FAILED = `order failed: odd, ${HOME} ${SENT_MS}`;

describe('an order that ends without a fill', () => {
  it.each([
    [0, false, FAILED],
    [4_999, false, FAILED],
    [5_200, false, FAILED],
    [29_999, false, FAILED],
    [30_000, false, LASTED],
    [60_000, false, LASTED],
    [0, true, null],
    [4_999, true, null],
    [5_000, true, LASTED],
    [30_000, true, LASTED],
  ])('after %d ms, closed by us: %s, means %s', (ageMs, closeWanted, verdict) => {
    expect(saidOfEnd(ageMs, { closeWanted })).toEqual([REPORTED, ...(verdict === null ? [] : [verdict])]);
  });

  it.each([
    [5, 2_499, false],
    [5, 2_500, true],
    [8, 3_999, false],
    [8, 4_000, true],
    [3_600, 59_999, false],
    [3_600, 60_000, true],
  ])('of %d s, after %d ms, rested: %s', (durationS, ageMs, rested) => {
    const place = { durationS } as TrackedOrder['place'];
    expect(saidOfEnd(ageMs, { place })).toEqual([REPORTED, rested ? LASTED : FAILED]);
  });

  it('without a reason is told as closed', () => {
    expect(saidOfEnd(0, {}, { closeReason: null })).toEqual([REPORTED, FAILED.replace('odd', 'closed')]);
  });

  it('vanished if a look-up does not find it: nothing is known of how it rested', () => {
    expect(saidOfEnd(90_000, {}, { closeReason: 'not_found' })).toEqual([
      `report failed: vanished, ${HOME} ${SENT_MS}`,
    ]);
  });

  it('shows nothing if it is of an earlier run, was never sent, or had ended before', () => {
    expect(saidOfEnd(0, { recovered: true })).toEqual([]);
    expect(saidOfEnd(0, { sentMonotonicMs: null })).toEqual([]);
    const { said, orders, tracked, change } = rig();
    const order = tracked({}, { state: 'closed' });
    change(order, { closeReason: 'again' });
    orders.changed(tracked(), null);
    expect(said).toEqual([]);
  });
});

describe('an order with a fill', () => {
  it.each<[string, Partial<LiveOrder>, number, boolean]>([
    ['a tenth', {}, STAKE / 10, true],
    ['less than a tenth', {}, STAKE / 10 - 1, false],
    ['all', {}, STAKE, true],
    ['a part, if it only takes', { mode: 'take_only' }, 1, true],
    ['nothing, if it only takes', { mode: 'take_only' }, 0, false],
  ])('of %s was of use at its end, however soon', (_, terms, filledMicros, isOfUse) => {
    const { said, tracked, change } = rig();
    const order = tracked({}, terms);
    if (filledMicros > 0) change(order, { filledMicros });
    change(order, { state: 'closed', closeReason: 'odd' });
    expect(said).toEqual([REPORTED, isOfUse ? LASTED : FAILED]);
  });
});

describe('while orders come to nothing', () => {
  const trouble = (
    { fruitless, clock }: ReturnType<typeof rig>,
    kind: AttemptKind,
    market: string,
    rounds: number,
  ) => {
    for (let at = 0; at < rounds; at++) {
      clock.nowMs += 10;
      fruitless.failed(kind, { market, beganMs: clock.nowMs - 1 }, 'x');
    }
  };
  const AWAY = { ...marketOfOrder(liveOrder()), betType: betType('for,a') };
  const AWAY_KEY = HOME.replace('for,h', 'for,a');

  it('an order that has rested for half of its life ends the trouble, and no younger one does', () => {
    const given = rig();
    trouble(given, 'order', HOME, 2);
    const order = given.tracked({ sentMonotonicMs: given.clock.nowMs + 1 });
    given.clock.nowMs += 30_000;
    given.orders.sweep();
    expect(given.fruitless.isOn('order')).toBe(true);
    given.clock.nowMs += 1;
    order.order = { ...order.order, state: 'closing' };
    given.orders.sweep();
    expect(given.fruitless.isOn('order')).toBe(true);
    order.order = { ...order.order, state: 'live' };
    given.orders.sweep();
    expect(given.fruitless.isOn('order')).toBe(false);
  });

  it.each<[string, Partial<TrackedOrder>, Partial<LiveOrder>, number, boolean]>([
    ['is prepared', {}, { state: 'prepared' }, 60_000, true],
    ['is being sent', {}, { state: 'sending' }, 60_000, true],
    ['has just begun to rest', {}, { state: 'live' }, 4_999, true],
    ['has rested for 5 s', {}, { state: 'live' }, 5_000, false],
    ['is being closed', {}, { state: 'closing' }, 0, false],
    ['is of unknown outcome', {}, { state: 'unknown' }, 0, false],
    [
      'has half of a short life behind it',
      { place: { durationS: 6 } as never },
      { state: 'live' },
      3_000,
      false,
    ],
  ])('one that %s keeps others waiting: %s', (_, of, order, ageMs, waits) => {
    const given = rig();
    trouble(given, 'order', 'elsewhere', 2);
    given.tracked({ ...of, sentMonotonicMs: given.clock.nowMs }, order);
    given.clock.nowMs += ageMs;
    expect(given.orders.untilMs(AWAY) === Infinity).toBe(waits);
  });

  it.each<[number, boolean]>([
    [STAKE / 10 - 1, true],
    [STAKE / 10, false],
  ])(
    'one that has just begun to rest, of which %d is filled, keeps others waiting: %s',
    (filledMicros, waits) => {
      const given = rig();
      trouble(given, 'order', 'elsewhere', 2);
      given.change(given.tracked({ sentMonotonicMs: given.clock.nowMs }, { state: 'live' }), {
        filledMicros,
      });
      expect(given.orders.untilMs(AWAY) === Infinity).toBe(waits);
    },
  );

  it.each<[AttemptKind, string, (given: ReturnType<typeof rig>) => void, boolean]>([
    ['order', 'an order under way', ({ tracked }) => void tracked({}, { state: 'sending' }), true],
    [
      'order',
      'an order that was just sent',
      ({ tracked, clock }) => void tracked({ sentMonotonicMs: clock.nowMs }, { state: 'live' }),
      true,
    ],
    [
      'order',
      'a match that is not proven',
      ({ tracked, orders }) => orders.bets.filled(tracked({}, { state: 'closed' }), HOME),
      false,
    ],
    ['bet', 'an order under way', ({ tracked }) => void tracked({}, { state: 'sending' }), true],
    ['bet', 'an order that is prepared', ({ tracked }) => void tracked({}, { state: 'prepared' }), true],
    [
      'bet',
      'an order that was just sent',
      ({ tracked, clock }) => void tracked({ sentMonotonicMs: clock.nowMs }, { state: 'live' }),
      false,
    ],
    [
      'bet',
      'a match that is not proven',
      ({ tracked, orders }) => orders.bets.filled(tracked({}, { state: 'closed' }), HOME),
      true,
    ],
    ['report', 'an order under way', ({ tracked }) => void tracked({}, { state: 'sending' }), false],
    [
      'report',
      'an order that was just sent',
      ({ tracked, clock }) => void tracked({ sentMonotonicMs: clock.nowMs }, { state: 'live' }),
      false,
    ],
    [
      'report',
      'a match that is not proven',
      ({ tracked, orders }) => orders.bets.filled(tracked({}, { state: 'closed' }), HOME),
      false,
    ],
  ])('of the kind %s, %s keeps others waiting from the second round on', (kind, _, begin, waits) => {
    for (const rounds of [1, 2]) {
      const given = rig();
      trouble(given, kind, 'elsewhere', rounds);
      begin(given);
      expect(given.orders.untilMs(AWAY) === Infinity).toBe(waits && rounds === 2);
    }
  });

  it('a match that was taken back keeps no others waiting', () => {
    const given = rig();
    trouble(given, 'bet', 'elsewhere', 2);
    const order = given.tracked({}, { state: 'closed' });
    given.orders.bets.filled(order, HOME);
    expect(given.orders.untilMs(AWAY)).toBe(Infinity);
    given.orders.bets.vanished(order);
    expect(given.orders.untilMs(AWAY)).toBeLessThan(Infinity);
  });

  it('an order that was reported closed keeps others from its market, and from no other', () => {
    const given = rig();
    given.tracked({ closedMs: 5 }, { state: 'closing' });
    expect(given.orders.untilMs(marketOfOrder(liveOrder()))).toBe(Infinity);
    expect(given.orders.untilMs(AWAY)).toBe(-Infinity);
  });

  it('an order that cannot be closed keeps others from its market, from the second round on, and from no other', () => {
    const given = rig();
    trouble(given, 'close', HOME, 1);
    expect(given.orders.untilMs(marketOfOrder(liveOrder()))).toBe(-Infinity);
    trouble(given, 'close', HOME, 1);
    expect(given.orders.untilMs(marketOfOrder(liveOrder()))).toBe(Infinity);
    expect(given.orders.untilMs(AWAY)).toBe(-Infinity);
  });

  it.each(['order', 'report'] as const)(
    'a pause of the market is kept after trouble of the kind %s',
    (kind) => {
      const given = rig();
      trouble(given, kind, AWAY_KEY, 3);
      const { nowMs } = given.clock;
      expect(given.orders.untilMs(AWAY)).toBe(nowMs + 4_000);
      // The account has a pause of its own.
      expect(given.orders.untilMs(marketOfOrder(liveOrder()))).toBe(nowMs + 2_000);
    },
  );

  it('a sweep forgets trouble that is long over', () => {
    const given = rig();
    trouble(given, 'order', HOME, 2);
    given.clock.nowMs += 300_000;
    given.orders.sweep();
    expect(given.fruitless.isOn('order')).toBe(true);
    given.clock.nowMs += 1;
    given.orders.sweep();
    expect(given.fruitless.isOn('order')).toBe(false);
  });
});
