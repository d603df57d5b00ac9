import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ExchangePrices, LAY_PRICES } from '../../../src/domain/exchange-prices.ts';
import { type BetType, betType, orderId } from '../../../src/domain/ids.ts';
import type { Fill } from '../../../src/domain/live-order.ts';
import { LADDER } from '../../../src/domain/ladder.ts';
import {
  complement,
  directionOfKind,
  isLay,
  otherStakeMicros,
  PRICE_KINDS,
  type PriceKind,
  selectionProbability,
} from '../../../src/domain/odds.ts';
import type { PlaceOrder, Position, VenueOrder } from '../../../src/domain/orders.ts';
import { type Direction, selectionIdOf } from '../../../src/domain/selection.ts';
import { ExposureBook, type ScopeKind } from '../../../src/risk/exposure/book.ts';
import { type Bet, BetTypeGrids, CELL_COUNT, payoffsOf } from '../../../src/risk/exposure/payoffs.ts';
import { winLossGrid, parseBetType } from '../../../src/domain/bet-types/index.ts';
import { account, foreign } from '../support/bets.ts';
import { learnGrids, OUTCOMES } from '../support/books.ts';
import { ask, bench, codesOf, EVENT, FACTS, fillOf, FOOTBALL, live } from '../support/harness.ts';
import { runs } from '../support/share.ts';
import { betsOf } from '../../support/account.ts';

const ODDS: ExchangePrices = { convention: 'odds', secondSide: 'lay' };

const bet = (
  of: Direction,
  outcome: string,
  priceKind: PriceKind,
  price: number,
  stakeMicros: number,
): Bet => {
  const market = { sport: FOOTBALL, eventId: EVENT, betType: betType(`${of},${outcome}`) };
  const direction = directionOfKind(priceKind);
  return { ...market, selectionId: selectionIdOf(market), direction, priceKind, price, stakeMicros };
};

/** The same bet said in two ways: at odds, and as a lay of the other side at the exact complement. */
interface Twins {
  readonly odds: Bet;
  readonly lay: Bet;
}

const TWIN: Readonly<Record<PriceKind, readonly [of: Direction, twin: PriceKind]>> = {
  'odds-for': ['for', 'lay-against'],
  'odds-against': ['against', 'lay-for'],
  'lay-for': ['for', 'odds-against'],
  'lay-against': ['against', 'odds-for'],
};

/**
 * Stakes are whole micros. The one that is smaller is given, so that rounding the other one costs less than a micro. The larger one is
 * at most 100 USDT: winnings read prices with eight decimals.
 */
const twins: fc.Arbitrary<Twins> = fc
  .record({
    outcome: fc.constantFrom(...OUTCOMES),
    kind: fc.constantFrom(...PRICE_KINDS),
    price: fc.constantFrom(...LADDER.filter((price) => price >= 2)),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ outcome, kind, price, share }) => {
    const stakeMicros = 1 + Math.floor((share * 99e6) / (price - 1));
    const [of, twin] = TWIN[kind];
    const one = bet(of, outcome, kind, price, stakeMicros);
    const other = bet(TWIN[twin][0], outcome, twin, complement(price), otherStakeMicros(stakeMicros, price));
    return isLay(kind) ? { odds: other, lay: one } : { odds: one, lay: other };
  });

const GRIDS = new BetTypeGrids(['fb']);
for (const outcome of OUTCOMES) {
  const parsed = parseBetType('fb', `for,${outcome}`);
  if (parsed !== null) GRIDS.set(null, betType(`for,${outcome}`), winLossGrid(parsed));
}

const bookOf = (bets: readonly (readonly [Bet, boolean])[], grids: BetTypeGrids): ExposureBook => {
  const knowledge = { outcomes: (each: Bet) => grids.outcomes(each), isAwaited: () => false };
  const book = new ExposureBook({ ...knowledge, winnerMarket: () => null }, () => FACTS);
  for (const [n, [each, matched]] of bets.entries()) book.put(`${n}`, each, matched);
  return book;
};

describe('the same bets in both conventions', () => {
  const entries = fc.array(fc.tuple(twins, fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 8 });

  it('pay the same in every cell, and have the same exposure and previews, within 2 micros a bet', () => {
    fc.assert(
      fc.property(entries, twins, fc.boolean(), (all, next, onGrid) => {
        const grids = onGrid ? GRIDS : new BetTypeGrids([]);
        const within = 2 * (all.length + 1);
        const near = (a: number, b: number) => expect(Math.abs(a - b)).toBeLessThanOrEqual(within);
        const odds = bookOf(
          all.map(([of, matched]) => [of.odds, matched]),
          grids,
        );
        const mixed = bookOf(
          all.map(([of, matched, asLay]) => [asLay ? of.lay : of.odds, matched]),
          grids,
        );
        const [{ worstMicros, grossMicros }, other] = [odds.account(), mixed.account()];
        near(worstMicros, other.worstMicros);
        near(grossMicros, other.grossMicros);
        const [cells, others] = [odds, mixed].map((book) => book.events()[0]?.scoreGroup()?.held() ?? []);
        expect([cells?.length, others?.length]).toEqual(onGrid ? [CELL_COUNT, CELL_COUNT] : [0, 0]);
        cells?.forEach((micros, cell) => near(micros, others?.[cell] as number));
        near(odds.events()[0]?.least() as number, mixed.events()[0]?.least() as number);
        const [before, after] = [odds.preview(next.odds), mixed.preview(next.lay)];
        for (const kind of Object.keys(before.scopes) as ScopeKind[]) {
          near(before.scopes[kind].worstAfterMicros, after.scopes[kind].worstAfterMicros);
          near(before.scopes[kind].grossAfterMicros, after.scopes[kind].grossAfterMicros);
        }
      }),
      runs(200),
    );
  });

  it('pay the same in every outcome, within 2 micros', () => {
    fc.assert(
      fc.property(twins, ({ odds, lay }) => {
        const [ofOdds, ofLay] = [payoffsOf(odds), payoffsOf(lay)];
        ofOdds.forEach((micros, outcome) =>
          expect(Math.abs(micros - (ofLay[outcome] as number))).toBeLessThanOrEqual(2),
        );
      }),
      runs(1_000),
    );
  });

  it('cancel the opposite bet exactly, whichever way each is said', () => {
    // 60 at 2.5 against home is a lay of 90 at 5/3.
    const sides = [bet('against', 'h', 'odds-against', 2.5, 60e6), bet('for', 'h', 'lay-for', 5 / 3, 90e6)];
    const backs = [bet('for', 'h', 'odds-for', 5 / 3, 90e6), bet('against', 'h', 'lay-against', 2.5, 60e6)];
    for (const side of sides)
      for (const back of backs)
        for (const grids of [GRIDS, new BetTypeGrids([])]) {
          const { worstMicros } = bookOf(
            [
              [side, true],
              [back, true],
            ],
            grids,
          ).account();
          expect(worstMicros).toBeGreaterThanOrEqual(-2);
        }
  });
});

describe('an order by the kind of its price', () => {
  it.each([
    ['for,h', 'odds-for', 4, -20],
    ['against,h', 'odds-against', 4, -20],
    ['for,h', 'lay-for', 4, -60],
    ['against,h', 'lay-for', 4, -60],
    ['against,h', 'lay-against', 4, -60],
  ] as const)('on %s of kind %s can lose what its kind says', (type, priceKind, price, loses) => {
    const world = bench();
    const fair = selectionProbability(priceKind, price);
    world.reference = { forBest: null, againstBest: null, fair, ageMs: 0 };
    expect(codesOf(world.risk, ask({ betType: type, priceKind, price, stake: 20 }))).toEqual([]);
    expect(account(world).worstMicros).toBe(loses * 1e6);
  });

  it.each([
    ['for,h', 'odds-against'],
    ['for,h', 'lay-against'],
    ['against,h', 'odds-for'],
  ] as const)('on %s cannot be of kind %s', (type, priceKind) => {
    expect(codesOf(bench().risk, ask({ betType: type, priceKind }))).toEqual(['bad_price_kind']);
  });

  it('is limited by its liability', () => {
    const table = { order: { maxStakeUsdt: 1_000, maxLiabilityUsdt: 50 } };
    const codes = (type: string, priceKind: PriceKind) =>
      codesOf(bench(table).risk, ask({ betType: type, priceKind, price: 4, stake: 20 }));
    expect(codes('for,h', 'lay-for')).toContain('liability_limit');
    expect(codes('against,h', 'odds-against')).not.toContain('liability_limit');
  });

  it('repeats another only if that has the same kind', () => {
    const { risk } = bench();
    const of = (priceKind: PriceKind) => ask({ betType: 'for,h', priceKind, price: 2, stake: 5 });
    risk.onOrder(live(of('odds-for'), { createdMonotonicMs: 100_000 }));
    expect(codesOf(risk, of('lay-for'))).not.toContain('duplicate_order');
    expect(codesOf(risk, of('odds-for'))).toContain('duplicate_order');
  });

  it('reduces a position of the other side, and not one of its own', () => {
    const world = bench();
    betsOf(world.risk).report(fillOf(ask({ betType: 'for,h', price: 3, stake: 10 }), 10));
    const reduces = (type: string, priceKind: PriceKind, price: number) =>
      world.risk.reduces(ask({ betType: type, priceKind, price, stake: 10 }));
    expect(reduces('for,h', 'lay-for', 3)).toBe(true);
    expect(reduces('against,h', 'odds-against', 1.5)).toBe(true);
    expect(reduces('for,h', 'odds-for', 3)).toBe(false);
    expect(reduces('against,h', 'lay-against', 1.5)).toBe(false);
  });

  it('counts on the score grid on the side that it takes, from a look-up of either bet type', () => {
    for (const known of ['for,h', 'against,h']) {
      const world = bench();
      learnGrids(world.risk, [known]);
      betsOf(world.risk).report(
        fillOf(ask({ betType: 'for,h', priceKind: 'lay-for', price: 3, stake: 10 }), 10),
      );
      const cells = world.risk.eventRisk({ sport: FOOTBALL, eventId: EVENT })?.cells ?? [];
      // 0 : 0, and 1 : 0.
      expect([cells[0], cells[20]]).toEqual([10e6, -20e6]);
    }
  });

  it('is shown in its own terms, with what its price is', () => {
    const world = bench();
    learnGrids(world.risk, ['for,h']);
    const order = ask({ betType: 'against,h', priceKind: 'odds-against', price: 1.5, stake: 10 });
    betsOf(world.risk).report(fillOf(order, 10));
    expect(world.risk.betsAtScore({ sport: FOOTBALL, eventId: EVENT }, 0, 0)).toMatchObject([
      { direction: 'against', priceKind: 'odds-against', price: 1.5, stakeMicros: 10e6, paysMicros: 5e6 },
    ]);
  });
});

const oddsBench = () => bench({}, { exchangePrices: () => ODDS });

describe('an order of others, with odds', () => {
  // 20 at 3.00.
  it.each([
    ['for,h', 'normal', -20, { home: -20, other: 40 }],
    ['against,h', 'normal', -20, { home: -20, other: 40 }],
    ['for,h', 'lay', -40, { home: -40, other: 20 }],
  ] as const)('on %s of type %s counts with its terms', (type, orderType, loses, pays) => {
    const world = oddsBench();
    learnGrids(world.risk, ['for,h']);
    const changes = { betType: betType(type), orderType };
    world.risk.onForeignOrder(foreign(changes));
    expect(account(world).worstMicros).toBe(loses * 1e6);
    world.risk.onForeignOrder(foreign({ ...changes, closed: true, status: 'done', stakeMicros: 20e6 }));
    const cells = world.risk.eventRisk({ sport: FOOTBALL, eventId: EVENT })?.cells ?? [];
    const [draw, home] = [cells[0] as number, cells[20] as number];
    const isOnHome = type === 'for,h' && orderType === 'normal';
    expect(isOnHome ? [draw, home] : [home, draw]).toEqual([pays.home * 1e6, pays.other * 1e6]);
  });

  it('of type lay on an against bet type counts in both directions, and wins nothing', () => {
    const world = oddsBench();
    learnGrids(world.risk, ['for,h']);
    world.risk.onForeignOrder(
      foreign({
        betType: betType('against,h'),
        orderType: 'lay',
        closed: true,
        status: 'done',
        stakeMicros: 20e6,
      }),
    );
    const cells = world.risk.eventRisk({ sport: FOOTBALL, eventId: EVENT })?.cells ?? [];
    expect([cells[0], cells[20]]).toEqual([-40e6, -40e6]);
  });

  it('with a bet type of unknown direction counts what the gravest kind of each direction loses', () => {
    const world = oddsBench();
    world.risk.onForeignOrder(foreign({ betType: betType('swap,h') }));
    // For: 20 at odds, or 40 as a lay of the other side. Against: 20 at odds, or 40 as a lay.
    expect(account(world)).toMatchObject({ worstMicros: -40e6, grossMicros: 80e6 });
  });
});

describe('a fill of others whose order is not known yet, with odds', () => {
  const fill = (type: string, changes: Partial<Fill> = {}): Fill => {
    const order = ask({ betType: type, priceKind: type === 'for,h' ? 'odds-for' : 'odds-against', price: 3 });
    return fillOf(order, 20, { requestUuid: null, orderId: orderId(5), ...changes });
  };
  const cellsOf = (world: ReturnType<typeof bench>) => {
    const cells = world.risk.eventRisk({ sport: FOOTBALL, eventId: EVENT })?.cells ?? [];
    return [cells[0], cells[20]];
  };
  const worldWith = (...fills: readonly Fill[]) => {
    const world = oddsBench();
    learnGrids(world.risk, ['for,h']);
    for (const each of fills) betsOf(world.risk).report(each);
    return world;
  };
  const done = (type: string, orderType: string): VenueOrder =>
    foreign({ betType: betType(type), orderType, closed: true, status: 'done', stakeMicros: 20e6 });

  it.each([
    // Normal: loses 20 in a draw. Lay: loses 40 if home wins.
    ['for,h', [-20e6, -40e6]],
    // Normal: loses 20 if home wins. Lay: loses 40 in a draw, or if home wins.
    ['against,h', [-40e6, -40e6]],
  ])('on %s counts where it loses, whatever it is', (type, cells) => {
    expect(cellsOf(worldWith(fill(type)))).toEqual(cells);
  });

  it.each([
    ['for,h', 'normal', [-20e6, 40e6]],
    ['for,h', 'lay', [20e6, -40e6]],
    ['against,h', 'normal', [40e6, -20e6]],
    ['against,h', 'lay', [-40e6, -40e6]],
  ])('on %s counts with the terms of its order of type %s once that is known', (type, orderType, cells) => {
    const world = worldWith(fill(type));
    world.risk.onForeignOrder(done(type, orderType));
    expect(cellsOf(world)).toEqual(cells);
    const late = oddsBench();
    learnGrids(late.risk, ['for,h']);
    late.risk.onForeignOrder(done(type, orderType));
    betsOf(late.risk).report(fill(type));
    expect(late.risk.exposure()).toEqual(world.risk.exposure());
    world.risk.onEventOver({ sport: FOOTBALL, eventId: EVENT });
    world.risk.onForeignOrder(done(type, orderType), true);
    expect(world.risk.exposure().events).toEqual([]);
  });

  it('counts with its own terms if it says that its order was known', () => {
    const lay = { priceKind: 'lay-for', direction: 'against', isParlay: false } as const;
    expect(cellsOf(worldWith(fill('for,h', { isParlay: false })))).toEqual([-20e6, 40e6]);
    expect(cellsOf(worldWith(fill('for,h', lay)))).toEqual([20e6, -40e6]);
  });

  it('does not come back with its order once it is settled or void', () => {
    const settled = worldWith(fill('for,h', { betId: 71 as never }));
    betsOf(settled.risk).settle([71 as never]);
    settled.risk.onForeignOrder(done('for,h', 'normal'), true);
    expect(settled.risk.exposure().events).toEqual([]);
    const voided = worldWith(fill('for,h', { betId: 72 as never }));
    betsOf(voided.risk).standing(72 as never, false);
    voided.risk.onForeignOrder(done('for,h', 'lay'));
    expect(account(voided).worstMicros).toBe(0);
  });

  it('counts with the terms of our own order, if that turns out to be its order', () => {
    const world = worldWith(fill('for,h'));
    const order = ask({ betType: 'for,h', priceKind: 'lay-for', price: 3, stake: 20 });
    world.risk.onOrder(live(order, { orderId: orderId(5), state: 'closed', filledMicros: 20e6 }));
    expect(cellsOf(world)).toEqual([20e6, -40e6]);
  });

  it('counts anew once it is known what the exchange’s prices are', () => {
    let prices = LAY_PRICES;
    const world = bench({}, { exchangePrices: () => prices });
    learnGrids(world.risk, ['for,h']);
    const isKnown = { isParlay: false, direction: 'against', priceKind: 'lay-for' } as const;
    const order = ask({ betType: 'against,h', price: 3 });
    betsOf(world.risk).report(fillOf(order, 20, { requestUuid: null, orderId: orderId(5), ...isKnown }));
    world.risk.onForeignOrder(done('against,h', 'normal'));
    expect(cellsOf(world)).toEqual([20e6, -40e6]);
    prices = ODDS;
    world.risk.tick();
    expect(cellsOf(world)).toEqual([40e6, -20e6]);
  });
});

describe('the exchange’s position, with odds', () => {
  const FLAT = { gotPrice: null, unknownPrice: null, unknownStakeMicros: 0 };
  const position = (stakes: Readonly<Record<string, number>>, draw: number, home: number): Position => ({
    sport: FOOTBALL,
    eventId: EVENT,
    unknownBetsCount: 0,
    payoffGridMicros: Array.from({ length: 20 }, (_, h) =>
      Array.from({ length: 20 }, (_unused, a) => (h > a ? home : draw) * 1e6),
    ),
    totals: new Map(
      Object.entries(stakes).map(([type, stake]) => [
        type as BetType,
        { ...FLAT, gotStakeMicros: stake * 1e6 },
      ]),
    ),
  });
  const third = ({ risk }: ReturnType<typeof bench>, theirs: Position) => {
    risk.onPosition(theirs);
    risk.onPosition(theirs);
    return risk.onPosition(theirs);
  };
  const holder = (...orders: readonly PlaceOrder[]) => {
    const world = oddsBench();
    learnGrids(world.risk, ['for,h']);
    for (const order of orders) betsOf(world.risk).report(fillOf(order, order.stakeMicros / 1e6));
    return world;
  };
  const HELD = [
    ask({ betType: 'for,h', price: 3, stake: 10 }),
    ask({ betType: 'for,h', priceKind: 'lay-for', price: 2.5, stake: 8 }),
    ask({ betType: 'against,h', priceKind: 'odds-against', price: 1.5, stake: 6 }),
  ];

  it('agrees by bet type in own stakes, normal and lay bets together, and in every score', () => {
    // Draw: −10 + 8 + 3. Home: 20 − 12 − 6.
    expect(third(holder(...HELD), position({ 'for,h': 18, 'against,h': 6 }, 1, 2))).toBeNull();
  });

  it('differs if a lay bet was a normal one, or odds against were a lay price', () => {
    const stakes = { 'for,h': 18, 'against,h': 6 };
    expect(third(holder(...HELD), position(stakes, -15 + 8, 20 + 12 - 6))).toMatchObject({ stakes: [] });
    expect(third(holder(...HELD), position(stakes, 4, 5))).toEqual({ gridMicros: 3e6, stakes: [] });
  });

  it('is compared by the stake, and not by score, beside a bet of unknown terms', () => {
    const world = holder(...HELD);
    world.risk.onForeignOrder(
      foreign({
        betType: betType('against,h'),
        orderType: 'lay',
        closed: true,
        status: 'done',
        stakeMicros: 20e6,
      }),
    );
    expect(third(world, position({ 'for,h': 18, 'against,h': 26 }, 99, 99))).toBeNull();
    expect(third(world, position({ 'for,h': 18, 'against,h': 6 }, 99, 99))).toEqual({
      gridMicros: 0,
      stakes: [{ betType: 'against,h', oursMicros: 26e6, theirsMicros: 6e6 }],
    });
  });
});
