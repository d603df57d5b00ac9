import { describe, expect, it } from 'vitest';
import { betType, eventId, type SelectionId, sport } from '../../src/domain/ids.ts';
import { tickOf } from '../../src/domain/ladder.ts';
import type { Balance, PlaceOrder } from '../../src/domain/orders.ts';
import type { QuoteIntent } from '../../src/domain/quote-intent.ts';
import { LAY_PRICES } from '../../src/domain/exchange-prices.ts';
import { betOf } from '../../src/risk/context-builder.ts';
import { ExposureBook } from '../../src/risk/exposure/book.ts';
import { exposedOf } from '../../src/risk/exposure/exposed-order.ts';
import { OrderTracker } from '../../src/risk/exposure/tracker.ts';
import { GivingWay } from '../../src/risk/giving-way.ts';
import { ACCOUNT, REFUSAL_CODES } from '../../src/risk/index.ts';
import type { RefusalCode } from '../../src/risk/refusal-codes.ts';
import { betsOf } from '../support/account.ts';
import { foreign } from './support/bets.ts';
import { learnGrids } from './support/books.ts';
import { ask, type Bench, bench, codesOf, fillOf, FIXTURE, limitsWith, live } from './support/harness.ts';

const OTHER = eventId('2026-11-21,30,40');
const HOME = live(ask()).selectionId;
const ORDER = { order: { maxStakeUsdt: 60, maxLiabilityUsdt: 60 } };
const balance = (balanceMicros: number): Balance => ({
  balanceMicros,
  openStakeMicros: 0,
  smartCreditMicros: null,
});

/** The same limit for an order, its selection, event and account. */
function lower({ risk }: Bench, usdt: number): void {
  const worstCase = {
    selectionUsdt: usdt,
    eventUsdt: usdt,
    competitionUsdt: usdt,
    sportUsdt: usdt,
    dayUsdt: usdt,
    accountUsdt: usdt,
  };
  risk.setLimits(limitsWith({ order: { maxLiabilityUsdt: usdt }, worstCase }));
}

/** A position of 100 on home at 2.00, and a resting quote of 250 against it: filled, it would reverse the position. */
function blocked(limitUsdt = 160): { readonly world: Bench; readonly quote: PlaceOrder } {
  const world = bench();
  betsOf(world.risk).report(fillOf(ask({ stake: 100 }), 100));
  const quote = ask({ betType: 'against,h', stake: 250 });
  expect(codesOf(world.risk, quote)).toEqual([]);
  world.risk.onOrder(live(quote));
  lower(world, limitUsdt);
  return { world, quote };
}

const quoteOf = (
  stake: number,
  { direction = 'against', level = 0, selectionId = HOME }: Partial<QuoteIntent> = {},
): QuoteIntent => ({ selectionId, direction, tick: tickOf(2) ?? 0, stakeMicros: stake * 1e6, level });

/** What rests of these quotes, by stake, and what keeps the others away. */
function admitted(
  { risk }: Bench,
  quotes: readonly QuoteIntent[],
  selections: readonly SelectionId[] = [HOME],
) {
  const { quotes: resting, blocked: kept } = risk.admit(selections, quotes);
  return {
    resting: resting.map(({ stakeMicros }) => stakeMicros / 1e6),
    kept: kept.map(({ code }) => code),
  };
}

const reducing = (stake = 60): PlaceOrder => ask({ betType: 'against,h', stake });
const WANTED = [quoteOf(250), quoteOf(60, { level: 1 })];

/** Offers the order twice, as the order manager does when risk refuses it. */
function insist(world: Bench, pauseMs = 2_000): void {
  expect(codesOf(world.risk, reducing())).not.toEqual([]);
  world.nowMs += pauseMs;
  expect(codesOf(world.risk, reducing())).not.toEqual([]);
}

describe('an order that reduces, refused because quotes of our own might fill with it', () => {
  it('has its event give way: the quotes that do not reduce are withdrawn, and it passes when they have ended', () => {
    const { world, quote } = blocked();
    expect(world.risk.reduces(reducing())).toBe(false);
    expect(admitted(world, WANTED)).toEqual({ resting: [250, 60], kept: [] });
    insist(world);
    expect(admitted(world, WANTED)).toEqual({ resting: [60], kept: ['gives_way'] });
    expect(world.risk.why(HOME).verdicts.map(({ code }) => code)).toContain('gives_way');
    world.risk.onOrder(live(quote, { state: 'closing' }));
    expect(codesOf(world.risk, reducing())).toContain('event_worst_case');
    world.risk.onOrder(live(quote, { state: 'closed' }));
    expect(codesOf(world.risk, reducing())).toEqual([]);
    expect(admitted(world, WANTED)).toEqual({ resting: [250, 60], kept: [] });
    const again = ask({ betType: 'against,h', stake: 250, price: 2.02 });
    expect(codesOf(world.risk, again)).toContain('event_worst_case');
  });

  it('waits a moment: the order that it replaces may be about to end', () => {
    const { world } = blocked();
    insist(world, 1_499);
    expect(admitted(world, WANTED).kept).toEqual([]);
    world.nowMs += 1;
    expect(codesOf(world.risk, reducing())).not.toEqual([]);
    expect(admitted(world, WANTED).kept).toEqual(['gives_way']);
  });

  it('lets go when the order is not tried again, is not wanted any more, or its event is over', () => {
    const after = (change: (world: Bench) => void): readonly string[] => {
      const { world } = blocked();
      insist(world);
      change(world);
      return admitted(world, WANTED).kept;
    };
    expect(after((world) => (world.nowMs += 9_999))).toEqual(['gives_way']);
    expect(after((world) => (world.nowMs += 10_000))).toEqual([]);
    expect(after((world) => void admitted(world, [quoteOf(10, { direction: 'for' })]))).toEqual([]);
    expect(after((world) => void admitted(world, [], ['fb|x|y' as SelectionId]))).toEqual(['gives_way']);
    expect(after(({ risk }) => void risk.onEventOver(FIXTURE))).toEqual([]);
    for (const other of [{ eventId: OTHER }, { sport: sport('tennis') }])
      expect(after(({ risk }) => void risk.onEventOver({ ...FIXTURE, ...other }))).toEqual(['gives_way']);
    const isRefusedOtherwise = (world: Bench): void => {
      world.reference = null;
      expect(codesOf(world.risk, reducing())).toContain('no_reference');
      world.reference = { forBest: null, againstBest: null, fair: 0.5, ageMs: 0 };
    };
    expect(after(isRefusedOtherwise)).toEqual([]);
  });

  it('is waited for as long as its retries take', () => {
    const { world } = blocked();
    insist(world, 60_000);
    world.nowMs += 60_000;
    expect(admitted(world, WANTED).kept).toEqual(['gives_way']);
    world.nowMs += 120_000;
    expect(admitted(world, WANTED).kept).toEqual([]);
    // A refusal long ago is none that repeats.
    expect(codesOf(world.risk, reducing())).not.toEqual([]);
    expect(admitted(world, WANTED).kept).toEqual([]);
  });

  it.each([1_000, 10_000, 60_000, 120_000])(
    'is waited for without a break while it is refused every %i ms',
    (everyMs) => {
      const { world } = blocked();
      insist(world, everyMs);
      if (everyMs < 1_500) insist(world, everyMs);
      for (let at = 0; at < 400_000; at += everyMs) {
        world.nowMs += everyMs - 1;
        expect(admitted(world, WANTED).kept).toEqual(['gives_way']);
        world.nowMs += 1;
        expect(codesOf(world.risk, reducing())).not.toEqual([]);
        expect(admitted(world, WANTED).kept).toEqual(['gives_way']);
      }
    },
  );

  it('goes before the other quotes that reduce', () => {
    const { world } = blocked();
    const elsewhere = 'fb|2026-11-21,10,20|dc,d,a' as SelectionId;
    learnGrids(world.risk, ['for,h', 'for,dc,d,a']);
    const other = (stake: number) => quoteOf(stake, { direction: 'for', selectionId: elsewhere });
    // Either of these reduces, and both together would reverse the position.
    const either = (first: number, second: number) =>
      admitted(world, [other(first), quoteOf(second)], [HOME, elsewhere]);
    insist(world);
    expect(either(150, 60)).toEqual({ resting: [60], kept: ['gives_way'] });
    expect(either(110, 95)).toEqual({ resting: [95], kept: ['gives_way'] });
    // Both fit, in whichever order.
    expect(either(100, 95)).toEqual({ resting: [100, 95], kept: [] });
  });

  it('goes before them only on its own side of its own selection', () => {
    const { world } = blocked();
    const elsewhere = 'fb|2026-11-21,10,20|dc,d,a' as SelectionId;
    learnGrids(world.risk, ['for,h', 'for,dc,d,a']);
    insist(world);
    world.nowMs += 1;
    const first = quoteOf(150, { direction: 'for', selectionId: elsewhere });
    const second = quoteOf(60, { direction: 'for' });
    // Nothing waits on these sides any more: the waiting order is not wanted.
    expect(admitted(world, [first, second], [HOME, elsewhere])).toEqual({ resting: [150, 60], kept: [] });
  });

  it('changes nothing on other events', () => {
    const { world } = blocked();
    insist(world);
    const other = `fb|${OTHER}|h` as SelectionId;
    expect(admitted(world, [quoteOf(250, { selectionId: other })], [other]).kept).toEqual([]);
  });

  it.each<[string, (world: Bench) => void]>([
    ['funds fall', ({ risk }) => risk.onChange({ kind: 'balance', balance: balance(3e6) }, 0)],
    ['open orders are too many', ({ risk }) => risk.setLimits(limitsWith({ openOrders: { selection: 1 } }))],
    [
      'turnover is used up',
      ({ risk }) => risk.setLimits(limitsWith({ ...ORDER, turnover: { dayUsdt: 60 } })),
    ],
    ['only reducing is allowed', ({ risk }) => risk.setState(ACCOUNT, 'reducing', 'me', 'x')],
  ])('has its event give way when %s', (_, change) => {
    const { world } = blocked(2_000);
    change(world);
    insist(world);
    world.risk.setState(ACCOUNT, 'active', 'me', 'x');
    expect(admitted(world, WANTED).kept).toEqual(['gives_way']);
  });

  it.each<[string, (world: Bench) => void]>([
    ['while something else refuses it, too', (world) => (world.reference = null)],
    [
      'for an order that does not reduce what is matched',
      ({ risk }) => betsOf(risk).report(fillOf(reducing(), 100)),
    ],
    [
      'for orders of others, which we do not close',
      ({ risk }) =>
        risk.onForeignOrder(foreign({ betType: betType('against,h'), wantPrice: 2, wantStakeMicros: 250e6 })),
    ],
  ])('does not give way %s', (_, change) => {
    const { world } = blocked(20);
    change(world);
    insist(world);
    expect(admitted(world, WANTED).kept).toEqual([]);
  });

  it('counts what is matched already once: a hedge that was filled is in nobody’s way', () => {
    const { world } = blocked();
    betsOf(world.risk).report(fillOf(ask({ betType: 'against,h', stake: 60 }), 60));
    lower(world, 50);
    const order = () => ask({ betType: 'against,h', stake: 30 });
    expect(codesOf(world.risk, order())).not.toEqual([]);
    world.nowMs += 2_000;
    expect(codesOf(world.risk, order())).not.toEqual([]);
    expect(admitted(world, [quoteOf(250), quoteOf(30, { level: 1 })])).toEqual({
      resting: [30],
      kept: ['gives_way'],
    });
  });

  it('does not give way where only quotes that reduce are in its way', () => {
    const world = bench();
    betsOf(world.risk).report(fillOf(ask({ stake: 100 }), 100));
    world.risk.onOrder(live(ask({ betType: 'against,h', stake: 190 })));
    lower(world, 80);
    insist(world);
    expect(admitted(world, [quoteOf(190), quoteOf(60, { level: 1 })]).kept).toEqual([]);
  });

  it.each<[string, (world: Bench) => void]>([
    ['too many', ({ risk }) => risk.setLimits(limitsWith({ openOrders: { selection: 1 } }))],
    [
      'open on the event',
      ({ risk }) => risk.setLimits(limitsWith({ openOrders: { selection: 1, event: 1 } })),
    ],
  ])('does not give way where each order of ours helps, though they are %s', (_, change) => {
    const world = bench();
    betsOf(world.risk).report(fillOf(ask({ stake: 100 }), 100));
    world.risk.onOrder(live(ask({ betType: 'against,h', stake: 20 })));
    change(world);
    insist(world);
    expect(admitted(world, [quoteOf(250), quoteOf(60, { level: 1 })]).kept).toEqual([]);
  });

  it('does not give way where another quote that reduces is in its way', () => {
    const world = bench();
    betsOf(world.risk).report(fillOf(ask({ stake: 100 }), 100));
    world.risk.onOrder(live(ask({ betType: 'against,h', stake: 190 })));
    world.risk.onOrder(live(ask({ betType: 'for,h', stake: 10 })));
    lower(world, 80);
    insist(world);
    const quotes = [quoteOf(190), quoteOf(10, { direction: 'for' }), quoteOf(60, { level: 1 })];
    expect(admitted(world, quotes).kept).toEqual([]);
  });
});

/** Refusals that fewer open orders of ours may end. */
const OF_ROOM = /_(?:worst_case|gross|open_orders)$|^(?:day_turnover|balance|reducing_only)$/;

describe.each(REFUSAL_CODES)('an order that is refused as %s', (code) => {
  const gives = (...codes: readonly RefusalCode[]): boolean => {
    const book = new ExposureBook(
      { outcomes: () => null, isAwaited: () => false, winnerMarket: () => null },
      () => null,
    );
    const tracker = new OrderTracker(book, () => LAY_PRICES);
    const giving = new GivingWay(book, tracker);
    book.put('bet:1', betOf(ask({ stake: 100 })), true);
    tracker.onOrder(exposedOf(live(ask({ betType: 'against,h', stake: 250 })), 2));
    const refusals = codes.map((each) => ({ code: each, message: each, actual: null, limit: null }));
    for (const nowMs of [0, 2_000]) giving.onRefused(betOf(reducing()), false, refusals, nowMs);
    return giving.isOn(FIXTURE, 2_001);
  };

  it('is given way to only if fewer orders of ours would let it pass', () => {
    const isOfRoom = OF_ROOM.test(code);
    expect(gives(code)).toBe(isOfRoom);
    // Nor if anything else refuses it, too, whichever is named first.
    expect(gives(code, 'event_worst_case')).toBe(isOfRoom);
    expect(gives('event_worst_case', code)).toBe(isOfRoom);
  });
});

it('an event gives way to a bet of a hedge that worsens nothing, though it improves nothing alone', () => {
  const world = bench();
  const { risk } = world;
  learnGrids(risk, ['for,h', 'for,d', 'for,a']);
  // Nothing can be lost, whoever wins.
  betsOf(risk).report(fillOf(ask({ price: 3, stake: 50 }), 50));
  betsOf(risk).report(fillOf(ask({ betType: 'against,h', price: 1.5, stake: 60 }), 60));
  risk.onOrder(live(ask({ betType: 'against,h', price: 2, stake: 120 })));
  lower(world, 45);
  const bet = (hedge: object): PlaceOrder => ({
    ...ask({ betType: 'against,h', price: 1.5, stake: 5 }),
    exchangeMode: 'take_only',
    take: { id: 'a', fairProbability: 0.01, reduces: false, ...hedge },
  });
  for (const [hedge, kept] of [
    [{}, []],
    [{ hedge: 'a' }, ['gives_way']],
  ] as const) {
    expect(codesOf(risk, bet(hedge))).toContain('event_worst_case');
    world.nowMs += 2_000;
    codesOf(risk, bet(hedge));
    expect(admitted(world, [quoteOf(120), quoteOf(5, { level: 1 })]).kept).toEqual(
      kept.length === 0 ? [] : expect.arrayContaining([...kept]),
    );
    world.nowMs += 200_000;
  }
});

it('an event gives way to an order for ten seconds after its last refusal, and no longer', () => {
  const nothing = { outcomes: () => null, isAwaited: () => false, winnerMarket: () => null };
  const book = new ExposureBook(nothing, () => null);
  const tracker = new OrderTracker(book, () => LAY_PRICES);
  const giving = new GivingWay(book, tracker);
  book.put('bet:1', betOf(ask({ stake: 100 })), true);
  tracker.onOrder(exposedOf(live(ask({ betType: 'against,h', stake: 250 })), 2));
  const refusals = [{ code: 'event_worst_case', message: 'x', actual: null, limit: null }];
  const order = betOf(reducing());
  const at = (nowMs: number) => [giving.isOn(FIXTURE, nowMs), giving.isFor(order, nowMs)];
  giving.onRefused(order, false, refusals, 0);
  expect(at(0)).toEqual([false, false]);
  giving.onRefused(order, false, refusals, 2_000);
  expect([at(2_000), at(11_999), at(12_000)]).toEqual([
    [true, true],
    [true, true],
    [false, false],
  ]);
  expect(giving.isFor({ selectionId: HOME, direction: 'for' }, 2_000)).toBe(false);
});
