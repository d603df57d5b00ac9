import { beforeEach, describe, expect, it } from 'vitest';
import { Account } from '../../../src/account/account.ts';
import type { AccountEvent } from '../../../src/account/changes.ts';
import { OrderBook, type TrackedOrder } from '../../../src/account/orders.ts';
import type { Score } from '../../../src/domain/events.ts';
import { LAY_PRICES } from '../../../src/domain/exchange-prices.ts';
import { type BetId, betType, eventId, orderId, type OrderId, sport } from '../../../src/domain/ids.ts';
import { userDataOf } from '../../../src/domain/installation.ts';
import { priceOf } from '../../../src/domain/ladder.ts';
import type { Fill } from '../../../src/domain/live-order.ts';
import type { PlaceOrder, VenueBet, VenueOrder } from '../../../src/domain/orders.ts';
import { ExecutionReports } from '../../../src/orders/outcomes/execution-reports.ts';
import { OTHER, OWN } from '../../support/claims.ts';
import { PartRig } from '../support/part.ts';
import { venueOrder } from '../../support/orders.ts';
import { ORDER_ID, trackedOrder } from '../support/tracked.ts';

const STAKE = 10_000_000;
const EVENT = { sport: sport('fb'), eventId: eventId('2026-01-01,1,2') };
const MARK = userDataOf({ installation: OWN, run: '1', uuid: 'uuid' as never });

let rig: PartRig;
let book: OrderBook;
let reports: ExecutionReports;
let order: TrackedOrder;
let applied: AccountEvent[];
let told: string[];
let alarms: string[];
let counts: string[];
let unread: boolean;

const inc = (list: () => string[]) => (labels: Record<string, string>) =>
  void list().push(Object.values(labels).join());

function begin(...orders: readonly TrackedOrder[]): void {
  [applied, told, alarms, counts, unread] = [[], [], [], [], false];
  rig = new PartRig({ options: { durationToleranceMs: 2_000 } });
  book = new OrderBook(
    rig.clock,
    () => undefined,
    (_, event) => void told.push(`contradiction ${event}`),
  );
  for (const each of orders) book.add(each, 'test');
  const account = new Account([], rig.clock);
  const apply = (event: AccountEvent): void => {
    applied.push(event);
    for (const _ of account.apply(event));
  };
  const log = { ...rig.context.log, error: (message: string) => void told.push(`error: ${message}`) };
  const writer = { ...rig.context.journalWriter };
  Object.defineProperty(writer, 'unread', { get: () => unread });
  Object.assign(rig.context, { book, log, journalWriter: writer, exchangePrices: () => LAY_PRICES });
  Object.assign(rig.context, { onLatched: () => void told.push('latched') });
  Object.assign(rig.context.deps, { account: { bets: account.bets, apply } });
  Object.assign(rig.context, {
    metrics: {
      alarms: { inc: inc(() => alarms) },
      differences: { inc: inc(() => counts) },
      fills: { inc: inc(() => counts) },
    },
  });
  reports = new ExecutionReports(rig.context, {
    onIncomplete: ({ order: { requestUuid } }) => void told.push(`incomplete ${requestUuid}`),
    onUntracked: (of) => void told.push(`untracked ${of.orderId}`),
    isOurs: () => true,
    onFill: (_, fill: Fill) => void told.push(`fill ${fill.betId}`),
    onReport: (_, of) => void told.push(of === null ? 'report of a bet' : `report ${of.orderId}`),
    onForeign: (of) => void told.push(`foreign ${of.orderId}`),
  });
}

const ours = (over: Parameters<typeof trackedOrder>[1] = {}, of: Partial<TrackedOrder> = {}): TrackedOrder =>
  trackedOrder(
    { place: { durationS: 60, stakeMicros: STAKE } as PlaceOrder, ...of },
    { stakeMicros: STAKE, ...over },
  );

beforeEach(() => {
  order = ours();
  begin(order);
});

const shown = (over: Partial<VenueOrder> = {}): VenueOrder =>
  venueOrder({
    orderId: ORDER_ID,
    ...EVENT,
    wantPrice: priceOf(100),
    wantStakeMicros: STAKE,
    userData: MARK,
    ...over,
  });
const over = (more: Partial<VenueOrder> = {}): VenueOrder =>
  shown({ closed: true, status: 'done', closeReason: 'cancelled', stakeMicros: 0, ...more });
const bet = (more: Partial<VenueBet> = {}): VenueBet => ({
  betId: 5 as BetId,
  orderId: ORDER_ID,
  ...EVENT,
  betType: betType('for,h'),
  statusCode: 'success',
  wantPrice: 2,
  gotPrice: 2,
  wantStakeMicros: STAKE,
  gotStakeMicros: 4_000_000,
  profitLossMicros: null,
  reconciled: null,
  exchangeRole: 'maker',
  ...more,
});
const kinds = (): string[] => applied.splice(0).map(({ kind }) => kind);

describe('a report of an order of ours', () => {
  it.each<[by: string, shows: Partial<VenueOrder>, asked: string | null]>([
    ['its id', { userData: null }, null],
    ['our mark', { orderId: orderId(2) }, null],
    ['the request that it answers', { orderId: orderId(2), userData: null }, 'uuid'],
  ])('is recognised by %s', (by, shows, asked) => {
    if (by !== 'its id') begin((order = ours({ orderId: null, state: 'sending' })));
    expect(reports.order(shown(shows), 'answer', asked as never)).toBe(order);
    expect(order.order).toMatchObject({ state: 'live', orderId: shows.orderId ?? ORDER_ID });
    expect([told, kinds()]).toEqual([[`report ${order.order.orderId}`], ['report', 'standings']]);
  });

  it('tells its end, and when it lapses', () => {
    reports.order(shown({ expiryTimeMs: 70_000 }), 'stream');
    expect(order.order.expiryMs).toBe(70_000);
    reports.order(over(), 'stream');
    expect(order.order).toMatchObject({ state: 'closed', closeReason: 'cancelled', expiryMs: 70_000 });
    expect(alarms).toEqual([]);
  });

  it('books its bets, once each, with what is filled of it', () => {
    reports.order(shown({ bets: [bet()] }), 'updates');
    expect(order.order.filledMicros).toBe(4_000_000);
    expect(rig.noted).toMatchObject([{ kind: 'fill_booked', fill: { betId: 5, requestUuid: 'uuid' } }]);
    expect([told, counts, kinds()]).toEqual([
      ['fill 5', 'report 1'],
      ['fill', 'maker'],
      ['bet', 'report', 'standings'],
    ]);
    reports.order(shown({ bets: [bet()] }), 'updates');
    expect([rig.noted.length, counts.length, alarms]).toEqual([1, 2, []]);
    reports.order(shown({ bets: [bet({ gotStakeMicros: 3_000_000 })] }), 'stream');
    expect([rig.noted.length, alarms]).toEqual([1, ['bet_changed']]);
  });

  it('keeps with each bet the score that is known when it is booked, and none where none is known', () => {
    // The order asserts the score of the view that decided it. Its bets may be matched by another one.
    const place = { durationS: 60, stakeMicros: STAKE, currentScore: [0, 0] } as unknown as PlaceOrder;
    begin((order = ours({}, { place })));
    let score: Score | null = null;
    const playOf = (of: unknown) => {
      expect(of).toMatchObject(EVENT);
      return { inRunning: true, score };
    };
    Object.assign(rig.context.deps, { prices: { playOf } });
    const bets = ([null, [0, 0], [1, 0], [1, 1]] as const).map((known, at) => {
      score = known;
      const each = bet({ betId: (5 + at) as BetId, gotStakeMicros: 1_000_000 });
      reports.order(shown({ bets: [each] }), 'stream');
      return each;
    });
    score = [2, 1];
    reports.order(shown({ bets }), 'updates');
    const booked = rig.noted.map((record) => (record as unknown as { fill: Fill }).fill);
    expect(booked.map(({ betId, score: kept }) => [betId, kept])).toEqual([
      [5, undefined],
      [6, [0, 0]],
      [7, [1, 0]],
      [8, [1, 1]],
    ]);
  });

  it('counts a missed fill only where updates find it', () => {
    reports.order(shown({ bets: [bet({ exchangeRole: 'taker' })] }), 'stream');
    expect(counts).toEqual(['taker']);
  });

  it('books no bet without matched stake', () => {
    reports.order(shown({ bets: [bet({ gotStakeMicros: 0 }), bet({ statusCode: 'void' })] }), 'stream');
    expect([rig.noted, order.order.filledMicros]).toEqual([[], 0]);
  });

  it('that shows it closed with stake of which a bet is missing leaves it open', () => {
    reports.order(over({ stakeMicros: 6_000_000, bets: [bet()] }), 'stream');
    expect([order.order.state, told]).toEqual(['live', ['fill 5', 'incomplete uuid', 'report 1']]);
    reports.order(over({ stakeMicros: 4_000_000 }), 'stream');
    expect([order.order.state, alarms]).toEqual(['closed', []]);
  });

  it.each<[what: string, source: 'look-up' | 'stream', more: Partial<VenueOrder>, state: string]>([
    [
      'is final where a look-up shows it settled',
      'look-up',
      { status: 'reconciled', profitLossMicros: 1 },
      'closed',
    ],
    ['is not where the stream does', 'stream', { status: 'reconciled', profitLossMicros: 1 }, 'live'],
    ['is not before it is settled', 'look-up', {}, 'live'],
    [
      'is not while a bet cannot be read',
      'look-up',
      { status: 'reconciled', profitLossMicros: 1, unreadBets: 1 },
      'live',
    ],
  ])('whose bets do not add up %s', (_, source, more, state) => {
    reports.order(over({ stakeMicros: 6_000_000, ...more }), source);
    expect(order.order.state).toBe(state);
  });

  it.each([
    ['unknown', null, 'live'],
    ['nothing', 0, 'closed'],
    ['something', 1_000_000, 'live'],
  ])('with a bet that cannot be read ends only if no stake is missing: %s', (_, stakeMicros, state) => {
    reports.order(over({ stakeMicros, unreadBets: 1 }), 'stream');
    expect(order.order.state).toBe(state);
  });

  it('with less stake than is booked is an alarm', () => {
    reports.order(over({ stakeMicros: 1_000_000, bets: [bet()] }), 'stream');
    expect([order.order.state, alarms]).toEqual(['closed', ['overbooked']]);
  });

  it.each([
    [2_999, 'closed', []],
    [3_000, 'closing', ['open_again']],
  ])(
    'that shows it open again is believed if it was asked %i ms after the end',
    async (ms, state, raised) => {
      await rig.clock.advance(100);
      reports.order(over(), 'stream');
      reports.order(shown(), 'look-up', null, 100 + ms);
      expect([order.order.state, alarms, order.closeWanted]).toEqual([state, raised, raised.length > 0]);
      expect(order.order.closeReason).toBe(state === 'closing' ? null : 'cancelled');
    },
  );

  it.each([
    [62_000, []],
    [58_000, []],
    [62_001, ['duration']],
    [57_999, ['duration']],
  ])('that shows a life of %i ms instead of a minute latches beyond the tolerance', (livesMs, raised) => {
    reports.order(shown({ placementTimeMs: 1_000, expiryTimeMs: 1_000 + livesMs }), 'stream');
    expect([alarms, rig.halts.latched !== null]).toEqual([raised, raised.length > 0]);
  });

  it('that shows its life only in part is no reason to latch, nor is one of an order that ended', () => {
    reports.order(shown({ placementTimeMs: 1_000 }), 'stream');
    reports.order(shown({ expiryTimeMs: 1_000 }), 'stream');
    reports.order(over(), 'stream');
    reports.order(over({ placementTimeMs: 1_000, expiryTimeMs: 9_000 }), 'stream');
    expect([alarms, rig.halts.latched]).toEqual([[], null]);
  });

  it.each(['refused', 'absent'] as const)(
    'that had not come to be is a contradiction, and counts as another’s: %s',
    (state) => {
      begin((order = ours({ state, orderId: null })));
      reports.order(shown(), 'stream');
      expect([order.order.state, told]).toEqual([
        state,
        ['contradiction seen_open', 'foreign 1', 'untracked 1', 'report 1'],
      ]);
      told = [];
      reports.order(over(), 'stream');
      expect(told).not.toContain('untracked 1');
    },
  );
});

describe('a report that differs from the journal', () => {
  it.each<[what: string, shows: Partial<VenueOrder>]>([
    ['price', { wantPrice: priceOf(101) }],
    ['stake', { wantStakeMicros: STAKE + 1_000_000 }],
    ['market', { betType: betType('for,d') }],
    ['event', { eventId: eventId('2026-01-01,1,3') }],
  ])('in its %s is an alarm, latches, and is not applied', (_, shows) => {
    expect(reports.order(shown(shows), 'stream')).toBeNull();
    expect([alarms, rig.halts.latched, order.order.state]).toEqual([
      ['mismatch'],
      'an order differs from the journal',
      'live',
    ]);
  });

  it('is the end of the order all the same if it bears our mark and its id', () => {
    expect(reports.order(over({ wantPrice: priceOf(101) }), 'stream')).toBe(order);
    expect([alarms, order.order.state]).toEqual([['mismatch'], 'closed']);
    expect(reports.order(over({ wantPrice: priceOf(101) }), 'stream')).toBe(order);
    expect(alarms).toEqual(['mismatch']);
  });

  it.each([
    ['sending', 'refused'],
    ['unknown', 'absent'],
  ] as const)('as the answer to its request shows another order, which is closed: %s', (state, after) => {
    begin((order = ours({ state, orderId: null })));
    const another = shown({ orderId: orderId(2), wantPrice: priceOf(101), userData: null });
    expect(reports.order(another, 'answer', order.order.requestUuid)).toBeNull();
    expect([order.order.state, book.foreign(orderId(2))?.state]).toEqual([after, 'live']);
    expect(told).toContain('untracked 2');
    expect(kinds().slice(-1)).toEqual(['standings']);
    reports.order(another, 'look-up', order.order.requestUuid);
    expect(alarms).toEqual(['mismatch']);
  });

  it('by its mark alone shows another order, too, and without any it does not', () => {
    begin((order = ours({ state: 'sending', orderId: null })));
    reports.order(shown({ orderId: orderId(2), wantPrice: priceOf(101) }), 'stream');
    expect([order.order.state, told.includes('untracked 2')]).toEqual(['refused', true]);
    begin((order = ours()));
    reports.order(shown({ wantPrice: priceOf(101), userData: null }), 'stream');
    expect([order.order.state, rig.halts.latched !== null, book.foreign(ORDER_ID)]).toEqual([
      'live',
      true,
      undefined,
    ]);
  });
});

describe('a report that may be the answer to a request in flight', () => {
  const UNMARKED = shown({ orderId: orderId(2), userData: null });

  it.each([
    ['sending', true],
    ['unknown', true],
    ['prepared', false],
  ] as const)('waits for that answer: %s %s', (state, waits) => {
    begin(ours({ state, orderId: null }));
    expect(reports.order(UNMARKED, 'stream')).toBeNull();
    expect([book.held().length, told.length === 0]).toEqual(waits ? [1, true] : [0, false]);
    if (waits) expect(kinds()).toEqual(['standings']);
  });

  it.each<[what: string, shows: Partial<VenueOrder>]>([
    ['of another market', { betType: betType('for,d') }],
    ['with a mark', { userData: userDataOf({ installation: OTHER, run: '1', uuid: 'x' as never }) }],
  ])('does not wait if it is one %s', (_, shows) => {
    begin(ours({ state: 'sending', orderId: null }));
    reports.order({ ...UNMARKED, ...shows }, 'stream');
    expect([book.held(), told]).toEqual([[], ['foreign 2']]);
  });

  it('is applied before the answer, because it may be newer', () => {
    begin((order = ours({ state: 'sending', orderId: null })));
    reports.order(
      over({
        orderId: orderId(2),
        userData: null,
        stakeMicros: 4_000_000,
        bets: [bet({ orderId: orderId(2) })],
      }),
      'stream',
    );
    reports.order(shown({ orderId: orderId(2) }), 'answer', order.order.requestUuid);
    expect(order.order).toMatchObject({ state: 'closed', filledMicros: 4_000_000 });
    expect([told, book.held()]).toEqual([['fill 5', 'report 2', 'report 2'], []]);
  });

  it('is another’s once no request can have made it', () => {
    begin((order = ours({ state: 'sending', orderId: null })));
    reports.order(UNMARKED, 'stream');
    reports.reconsider();
    expect(told).toEqual([]);
    book.apply(order, 'refused', {}, 'answer');
    reports.reconsider();
    expect([told, book.held()]).toEqual([['foreign 2'], []]);
  });
});

describe('a bet', () => {
  it('that comes before its order is parked, and booked with it', () => {
    const early = bet({ orderId: orderId(2) });
    begin((order = ours({ state: 'sending', orderId: null })));
    reports.bet(early, 'stream');
    expect([kinds(), rig.noted]).toEqual([['parked'], []]);
    reports.order(shown({ orderId: orderId(2) }), 'answer', order.order.requestUuid);
    expect([kinds(), order.order.filledMicros]).toEqual([
      ['unparked', 'bet', 'report', 'standings'],
      4_000_000,
    ]);
  });

  it('of ours is a fill, and its own entry tells whether it stays matched', () => {
    reports.bet(bet(), 'stream');
    reports.bet(bet({ statusCode: 'danger' }), 'stream');
    reports.bet(bet({ statusCode: 'void' }), 'stream');
    expect(applied.filter(({ kind }) => kind === 'doubt')).toMatchObject([
      { betId: 5, isUnmatched: false },
      { isUnmatched: false },
      { isUnmatched: true },
    ]);
    expect([told, order.order.filledMicros]).toEqual([
      ['fill 5', 'report of a bet', 'report of a bet', 'report of a bet'],
      4_000_000,
    ]);
  });

  it('of ours that was never booked is in no doubt', () => {
    reports.bet(bet({ statusCode: 'void' }), 'stream');
    expect([kinds(), told]).toEqual([[], []]);
  });

  it('of another’s order is booked as such', () => {
    reports.order(shown({ orderId: orderId(2), userData: null }), 'stream');
    reports.bet(bet({ orderId: orderId(2) }), 'stream');
    expect(rig.noted).toMatchObject([{ fill: { requestUuid: null, orderId: 2 } }]);
    expect([counts, told]).toEqual([[], ['foreign 2']]);
  });
});

describe('an order of another', () => {
  const FOREIGN = shown({ orderId: orderId(2), userData: null });
  const ID: OrderId = orderId(2);

  it.each([
    ['that is not ours', null, 'an order that is not ours'],
    [
      'with our mark',
      userDataOf({ installation: OWN, run: '1', uuid: 'lost' as never }),
      'an order with our mark that the journal does not record',
    ],
  ])('%s is told once, and reported', (_, userData, message) => {
    reports.order({ ...FOREIGN, userData }, 'listing');
    reports.order({ ...FOREIGN, userData }, 'stream');
    expect(rig.warned).toEqual([{ message, orderId: ID, betType: 'for,h', source: 'listing' }]);
    expect(told).toEqual(['foreign 2', 'foreign 2']);
    expect(kinds().slice(0, 3)).toEqual(['foreign_order', 'report', 'standings']);
  });

  it('of before the journal is not told, and its bets are as old as its placement', () => {
    const placementTimeMs = rig.clock.wallMs() - 5_000;
    reports.order({ ...FOREIGN, placementTimeMs, bets: [bet({ orderId: ID })] }, 'earlier');
    expect(rig.warned).toEqual([]);
    expect(rig.noted).toMatchObject([{ fill: { atMs: placementTimeMs } }]);
    const later = bet({ orderId: orderId(3), betId: 6 as BetId });
    const ahead = { ...FOREIGN, orderId: orderId(3), placementTimeMs: rig.clock.wallMs() + 5_000 };
    reports.order({ ...ahead, bets: [later] }, 'earlier');
    const bare = { ...FOREIGN, orderId: orderId(4), bets: [bet({ orderId: orderId(4), betId: 7 as BetId })] };
    reports.order(bare, 'earlier');
    expect(rig.noted.slice(1)).toMatchObject([
      { fill: { atMs: rig.clock.wallMs() } },
      { fill: { atMs: rig.clock.wallMs() } },
    ]);
  });

  it('of this journal’s time has bets of now, whenever it was placed', () => {
    reports.order({ ...FOREIGN, placementTimeMs: 1, bets: [bet({ orderId: ID })] }, 'stream');
    expect(rig.noted).toMatchObject([{ fill: { atMs: rig.clock.wallMs() } }]);
  });

  it('that is open again is an alarm, and a stale report of it is not applied', async () => {
    reports.order({ ...over(), orderId: ID, userData: null }, 'stream');
    told = [];
    reports.order(FOREIGN, 'listing', null, 2_999);
    expect([told, alarms]).toEqual([[], []]);
    reports.order(FOREIGN, 'listing', null, 3_000);
    expect([told, alarms]).toEqual([
      ['error: an order that was reported closed is open', 'foreign 2'],
      ['open_again'],
    ]);
  });

  it.each([
    [true, false, ['foreign 2', 'untracked 2']],
    [true, true, ['foreign 2']],
    [false, false, ['foreign 2']],
  ])('may be one that an unreadable journal has lost: unread %s, closed %s', (isUnread, closed, expected) => {
    unread = isUnread;
    reports.order({ ...FOREIGN, closed }, 'stream');
    expect(told).toEqual(expected);
  });

  it('that the exchange does not know is given up after three answers, once it is overdue', async () => {
    reports.order({ ...FOREIGN, placementTimeMs: 0, expiryTimeMs: 1_000 }, 'stream');
    for (let times = 0; times < 5; times++) reports.notFound(ID);
    await rig.clock.advance(3_000);
    told = [];
    for (let times = 0; times < 2; times++) reports.notFound(ID);
    expect([told, alarms]).toEqual([[], []]);
    reports.notFound(ID);
    expect(told).toEqual(['error: the exchange no longer knows an order that it had shown', 'foreign 2']);
    expect(alarms).toEqual(['forgotten']);
    expect(applied.at(-1)).toMatchObject({
      kind: 'report',
      order: { closed: true, closeReason: 'not_found' },
    });
  });

  it('that is proven not to exist is given up at once, and once', () => {
    reports.giveUp(ID);
    expect(told).toEqual([]);
    reports.order(FOREIGN, 'stream');
    told = [];
    reports.giveUp(ID);
    reports.giveUp(ID);
    expect([told, alarms]).toEqual([['foreign 2'], []]);
    expect(applied.at(-1)).toMatchObject({ order: { closed: true, closeReason: 'not_found' } });
  });

  it('that turns out to be ours counts once', () => {
    begin((order = ours({ state: 'prepared', orderId: null })));
    reports.order(FOREIGN, 'stream');
    kinds();
    reports.order(FOREIGN, 'answer', order.order.requestUuid);
    expect(applied[0]).toMatchObject({ kind: 'foreign_order', order: { closed: true } });
    expect([order.order.orderId, [...book.foreignOpen()]]).toEqual([ID, []]);
  });
});

it('an order of ours that was forgotten long ago is known by its fill, on the event that it was placed on', () => {
  reports.order(shown({ bets: [bet()] }), 'stream');
  const { account } = rig.context.deps;
  const fill = account.bets.fillOf(5 as BetId) as Fill;
  begin();
  rig.context.deps.account.apply({ kind: 'bet', fill });
  kinds();
  const moved = eventId('2026-01-02,1,2');
  reports.order(
    over({ userData: null, eventId: moved, stakeMicros: 4_000_000, bets: [bet({ eventId: moved })] }),
    'updates',
  );
  expect([told, rig.warned]).toEqual([[], []]);
  expect(applied).toMatchObject([
    { kind: 'report', order: { eventId: EVENT.eventId } },
    { kind: 'standings' },
  ]);
  // An open one is another's all the same.
  reports.order(shown({ userData: null }), 'updates');
  expect(told).toEqual(['foreign 1']);
});
