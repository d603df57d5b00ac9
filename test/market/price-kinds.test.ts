import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ExchangePrices, LAY_PRICES, type SecondSide } from '../../src/domain/exchange-prices.ts';
import { betslipId, betType } from '../../src/domain/ids.ts';
import type { LiveOrder } from '../../src/domain/live-order.ts';
import { floorTick, LAST_TICK, priceOf } from '../../src/domain/ladder.ts';
import {
  complement,
  logOddsOf,
  type PriceKind,
  shownTick,
  takerStakeMicros,
  tickAtLogOdds,
} from '../../src/domain/odds.ts';
import { packLevels, type PriceList } from '../../src/domain/price-list.ts';
import { opposite } from '../../src/domain/selection.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { topOfBook, weightedMid } from '../../src/strategy/sdk.ts';
import {
  EVENT,
  eventEntry,
  FB,
  FILL,
  FIXTURE,
  HOME,
  liveOrder,
  offerEntry,
  prices,
  quoteEntry,
  rig,
} from './support.ts';

const odds = (secondSide: SecondSide = 'finer'): ExchangePrices => ({ convention: 'odds', secondSide });
const oddsRig = (secondSide: SecondSide = 'finer', lay: readonly string[] = []) =>
  rig({}, silentLogger, { current: odds(secondSide), isLay: (id) => lay.includes(id) });
const NOTHING = { ifWinMicros: 0, ifLoseMicros: 0 };
const at = (price: number): number => floorTick(price) as number;

describe('offers of odds against a selection', () => {
  const offers = [
    eventEntry(),
    offerEntry('for,h', prices([2.2, 100], [2.18, 50])),
    offerEntry('against,h', prices([1.8, 100], [1.5, 40])),
  ];
  const converted = [3, -1, 20e6, complement(1.8), -1, 80e6];

  it('are read as prices of the selection, with the stakes at them', () => {
    const { market, frame, view } = oddsRig();
    frame(offers);
    expect(market.marketOf(HOME)).toEqual({ for: prices([2.2, 100], [2.18, 50]), against: converted });
    expect(market.sourceOf(HOME, 'offer').against).toEqual(converted);
    expect(market.selection(HOME)?.offers.against?.priceList).toEqual(converted);
    expect(view([HOME], NOTHING)?.selections[0]?.market.against?.priceList).toEqual(converted);
    const [candidate] = market.candidates(FIXTURE);
    expect(candidate?.liquidityMicros('against')).toBe(100e6);
    expect(candidate?.liquidityMicros('for')).toBe(150e6);
  });

  it('are converted once for each offer', () => {
    const { market, frame } = oddsRig();
    frame(offers);
    const list = () => market.selection(HOME)?.offers.against?.priceList;
    expect(list()).toBe(list());
    expect(market.selection(HOME)?.offers.for?.priceList).toEqual(prices([2.2, 100], [2.18, 50]));
  });

  it('are read anew when the convention turns out to be the other one', () => {
    let now: ExchangePrices = LAY_PRICES;
    const { market, frame, view } = rig({}, silentLogger, {
      get current() {
        return now;
      },
    });
    frame(offers);
    expect(market.marketOf(HOME).against).toEqual(prices([1.8, 100], [1.5, 40]));
    expect(view([HOME], NOTHING)?.selections[0]).not.toHaveProperty('priceKinds');
    now = odds();
    expect(market.marketOf(HOME).against).toEqual(converted);
    expect(view([HOME], NOTHING)?.selections[0]?.priceKinds?.for).toBe('odds-for');
    now = LAY_PRICES;
    expect(market.marketOf(HOME).against).toEqual(prices([1.8, 100], [1.5, 40]));
  });

  it('have a mid, by which the expected profit of a position is counted', () => {
    const { frame, view } = oddsRig();
    frame(offers);
    const mid = (1 / 2.2 + 1 / complement(1.8)) / 2;
    const seen = view([HOME], { ifWinMicros: 100e6, ifLoseMicros: -50e6 }, [HOME]);
    expect(seen?.profit.openMicros).toBe(Math.round(mid * 100e6 - (1 - mid) * 50e6));
    expect(seen?.selections[0]?.mids.at(-1)).toBeCloseTo(mid, 12);
  });
});

describe('private quotes', () => {
  const offers = [
    eventEntry(),
    offerEntry('for,h', prices([2.2, 100])),
    offerEntry('against,h', prices([1.8, 100])),
  ];

  it('of a normal betslip against a selection are odds, too', () => {
    const { market, frame } = oddsRig();
    frame([...offers, quoteEntry('against,h', prices([1.81, 40]))]);
    expect(market.marketOf(HOME).against?.[0]).toBe(complement(1.81));
    expect(market.selection(HOME)?.quotes.against?.priceList[0]).toBe(complement(1.81));
    expect(market.sourceOf(HOME, 'offer').against?.[0]).toBe(complement(1.8));
  });

  it('of a lay betslip are lay prices for takers against the selection, though they name the other bet type', () => {
    const { market, frame } = oddsRig('lay', ['s9']);
    frame([...offers, quoteEntry('for,h', prices([2.24, 40]), { betslipId: betslipId('s9') })]);
    expect(market.marketOf(HOME)).toEqual({ for: prices([2.2, 100]), against: prices([2.24, 40]) });
    expect(market.selection(HOME)?.quotes.for).toBeNull();
    expect(market.sourceOf(HOME, 'quote')).toEqual({ for: null, against: prices([2.24, 40]) });
    frame([{ tag: 'betslip_closed', betslipId: betslipId('s9') } as never]);
    expect(market.selection(HOME)?.quotes.against).toBeNull();
  });

  it('of a lay betslip are the same as others where every price is a lay price', () => {
    const { market, frame } = rig({}, silentLogger, { isLay: (id) => id === 's9' });
    frame([...offers, quoteEntry('against,h', prices([2.24, 40]), { betslipId: betslipId('s9') })]);
    expect(market.selection(HOME)?.quotes.against?.priceList).toEqual(prices([2.24, 40]));
  });

  it('of a lay betslip have no place until the exchange names the market against the selection', () => {
    const { market, frame } = oddsRig('lay', ['s9']);
    const quote = quoteEntry('for,h', prices([2.24, 40]), { betslipId: betslipId('s9') });
    frame([eventEntry(), offerEntry('for,h', prices([2.2, 100])), quote]);
    expect(market.marketOf(HOME)).toEqual({ for: prices([2.2, 100]), against: null });
    frame([offerEntry('against,h', prices([1.8, 100])), quote]);
    expect(market.marketOf(HOME).against).toEqual(prices([2.24, 40]));
  });

  it('are not used as other prices if the betslip turns out to be a lay one', () => {
    const lay: string[] = [];
    const { market, frame } = rig({}, silentLogger, {
      current: odds('lay'),
      isLay: (id) => lay.includes(id),
    });
    const quote = quoteEntry('for,h', prices([2.24, 40]), { betslipId: betslipId('s9') });
    frame([...offers, quote]);
    lay.push('s9');
    expect(market.marketOf(HOME).for).toEqual(prices([2.2, 100]));
    frame([quote]);
    expect(market.marketOf(HOME).against).toEqual(prices([2.24, 40]));
    lay.pop();
    expect(market.marketOf(HOME).for).toEqual(prices([2.2, 100]));
  });
});

describe('our own stake among odds', () => {
  /** The exchange's list for takers of a kind: the stake of others and of ours at each tick, in cents. */
  function shown(kind: PriceKind, others: PriceList, orders: readonly LiveOrder[]): PriceList {
    const levels = new Map<number, number>();
    for (let i = 0; i < others.length; i += 3) levels.set(others[i] as number, others[i + 2] as number);
    for (const order of orders) {
      const tick = shownTick(order, kind);
      if (tick === null) continue;
      const micros = takerStakeMicros(order, order.stakeMicros - order.filledMicros, kind);
      levels.set(priceOf(tick), (levels.get(priceOf(tick)) ?? 0) + micros);
    }
    const cents = (micros: number) => Math.round(micros / 1e4) * 1e4;
    return packLevels(
      [...levels].map(([price, micros]) => ({ price, minMicros: null, maxMicros: cents(micros) })),
    );
  }

  const order = (kinds: readonly PriceKind[]) =>
    fc.record({
      priceKind: fc.constantFrom(...kinds),
      tick: fc.integer({ min: 0, max: LAST_TICK }),
      cents: fc.integer({ min: 100, max: 100_000 }),
    });

  it.each([
    ['against,h', 'odds-against', ['odds-for', 'lay-against'], false],
    ['for,h', 'odds-for', ['odds-against', 'lay-for'], false],
    ['for,h', 'lay-for', ['odds-for', 'lay-against'], true],
  ] as const)('is left out of the lists of %s for takers of %s', (type, kind, kinds, isLay) => {
    fc.assert(
      fc.property(
        fc.array(order(kinds), { minLength: 1, maxLength: 5 }),
        fc.uniqueArray(fc.integer({ min: 0, max: LAST_TICK }), { maxLength: 4 }),
        (given, ticks) => {
          const { market, frame, order: send, clock } = oddsRig('finer', isLay ? ['s9'] : []);
          const resting = opposite(kind === 'odds-for' ? 'for' : 'against');
          const others = prices(...ticks.map((tick) => [priceOf(tick), 1000] as const));
          const show = (orders: readonly LiveOrder[]) => {
            const list = shown(kind, others, orders);
            const id = betslipId('s9');
            frame(isLay ? [quoteEntry(type, list, { betslipId: id })] : [offerEntry(type, list)]);
          };
          const source = isLay ? 'quote' : 'offer';
          frame([eventEntry(), offerEntry('for,h', []), offerEntry('against,h', [])]);
          show([]);
          const takers = opposite(resting);
          const before = market.sourceOf(HOME, source)[takers];
          const orders = given.map(({ cents, ...terms }) =>
            liveOrder({ ...terms, stakeMicros: cents * 1e4, direction: resting }),
          );
          for (const each of orders) send(each);
          clock.moveTo(clock.monotonicMs() + 3_000);
          show(orders);
          // A quote is used before the offers, so strategies see this list. Reading it first computes it first.
          const seen = market.marketOf(HOME)[takers] ?? [];
          const after = market.sourceOf(HOME, source)[takers] ?? [];
          expect(after.filter((_, i) => i % 3 === 0)).toEqual(before?.filter((_, i) => i % 3 === 0));
          expect(seen).toEqual(after);
          after.forEach((value, i) => {
            const price = after[i - 2] as number;
            // The exchange rounds each level to a cent of its own stake.
            const cent = kind === 'odds-against' ? 1e4 / (price - 1) + 10 : 1e4 + 10;
            if (i % 3 === 2) expect(Math.abs(value - (before?.[i] as number))).toBeLessThanOrEqual(cent);
          });
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('a view of an exchange of odds', () => {
  const offersAt = (forPrice: number, against: number) => [
    eventEntry(),
    offerEntry('for,h', prices([forPrice, 100])),
    offerEntry('against,h', prices([against, 100])),
  ];
  const kindsIn = (one: ReturnType<typeof oddsRig>) => one.view([HOME], NOTHING)?.selections[0]?.priceKinds;

  it('says what the prices of our orders are: the finer ladder, which stays near evens', () => {
    const one = oddsRig('finer');
    one.frame(offersAt(1.94, 1.94));
    expect(kindsIn(one)).toEqual({ for: 'odds-for', against: 'odds-against' });
    one.frame(offersAt(2.2, 1.7));
    expect(kindsIn(one)?.against).toBe('lay-for');
    one.frame(offersAt(1.94, 1.94));
    expect(kindsIn(one)?.against).toBe('lay-for');
    one.frame(offersAt(1.5, 2.5));
    expect(kindsIn(one)?.against).toBe('odds-against');
    one.frame(offersAt(1.94, 1.94));
    expect(kindsIn(one)?.against).toBe('odds-against');
  });

  it('goes by the one side that there is, and else by the last choice', () => {
    const one = oddsRig('finer');
    one.frame([eventEntry(), offerEntry('for,h', prices([5, 100])), offerEntry('against,h', [])]);
    expect(kindsIn(one)?.against).toBe('lay-for');
    one.frame([offerEntry('for,h', []), offerEntry('against,h', [])]);
    expect(kindsIn(one)?.against).toBe('lay-for');
    one.frame([offerEntry('for,h', []), offerEntry('against,h', prices([4, 100]))]);
    expect(kindsIn(one)?.against).toBe('odds-against');
  });

  it('follows a setting of the second side', () => {
    for (const [side, kind] of [
      ['against', 'odds-against'],
      ['lay', 'lay-for'],
    ] as const) {
      const one = oddsRig(side);
      one.frame(offersAt(5, 1.2));
      expect(kindsIn(one)?.against).toBe(kind);
    }
  });

  const AGAINST_FILL = {
    direction: 'against',
    priceKind: 'odds-against',
    price: 1.6,
    stakeMicros: 10e6,
  } as const;

  it('shows our orders and fills as prices of the selection', () => {
    const one = oddsRig();
    one.frame(offersAt(2.2, 1.7));
    one.order(liveOrder({ priceKind: 'odds-against', tick: at(1.6), stakeMicros: 50e6, filledMicros: 10e6 }));
    one.fill({ ...FILL, ...AGAINST_FILL, atMs: one.clock.wallMs() });
    const [seen] = one.view([HOME], NOTHING)?.selections ?? [];
    // 1.6 against is 2.6667 for, which lies below 2.68; the stake at it is 0.6 times as large.
    expect(seen?.quotes).toMatchObject([{ direction: 'against', tick: at(2.68), unfilledMicros: 24e6 }]);
    expect(seen?.recentFills).toMatchObject([
      { direction: 'against', price: complement(1.6), stakeMicros: 6e6 },
    ]);
  });
});

describe('the betslip for orders of a kind', () => {
  const named = { sport: FB, eventId: EVENT };
  const frames = [
    eventEntry(),
    offerEntry('for,h', prices([2, 1])),
    offerEntry('against,h', prices([1.9, 1])),
  ];

  it('is on the bet type, and of the sort, that has such prices', () => {
    const { market, frame } = oddsRig();
    frame(frames);
    expect(market.resolve(HOME, 'odds-for')).toEqual({ ...named, betType: betType('for,h') });
    expect(market.resolve(HOME, 'odds-against')).toEqual({ ...named, betType: betType('against,h') });
    expect(market.resolve(HOME, 'lay-for')).toEqual({
      ...named,
      betType: betType('for,h'),
      betslipType: 'lay',
    });
    expect(market.resolve(HOME, 'lay-against')).toEqual({
      ...named,
      betType: betType('against,h'),
      betslipType: 'lay',
    });
  });

  it('does not exist for odds against a selection where every price is a lay price', () => {
    const { market, frame } = rig();
    frame(frames);
    expect(market.resolve(HOME, 'lay-for')).toEqual({ ...named, betType: betType('against,h') });
    expect(market.resolve(HOME, 'odds-against')).toBeNull();
    expect(market.resolve(HOME, 'lay-against')).toBeNull();
  });
});

it('says whether the ladder of our orders reaches the market', () => {
  const reach = (one: ReturnType<typeof oddsRig>) =>
    (['for', 'against'] as const).map((direction) => one.market.reachesMid(HOME, direction));
  const [near, lay, against] = [oddsRig(), oddsRig('lay'), oddsRig('against')];
  expect(reach(near)).toEqual([null, null]);
  const outsider = [
    eventEntry(),
    offerEntry('for,h', prices([150, 10])),
    offerEntry('against,h', prices([1.01, 10])),
  ];
  for (const one of [near, lay, against]) one.frame(outsider);
  expect([near, lay, against].map(reach)).toEqual([
    [true, true],
    [true, true],
    [true, false],
  ]);
});

it('has the same fair price, within a tick of the odds shown, whichever way the same market is shown', () => {
  const laid = rig();
  const odd = oddsRig();
  fc.assert(
    fc.property(
      fc.double({ min: 1.03, max: 60, noNaN: true }),
      fc.double({ min: 0.01, max: 0.3, noNaN: true }),
      fc.integer({ min: 100, max: 100_000 }),
      fc.integer({ min: 100, max: 100_000 }),
      (price, width, forCents, againstCents) => {
        const laying = tickAtLogOdds('lay-for', logOddsOf(price) + width / 2);
        const backing = tickAtLogOdds('odds-for', logOddsOf(price) - width / 2);
        if (laying === null || backing === null) return;
        const resting = { priceKind: 'odds-for', tick: backing } as const;
        const shown = shownTick(resting, 'odds-against');
        if (shown === null) return;
        const [forMicros, againstMicros] = [forCents * 1e4, againstCents * 1e4];
        const forOffer = offerEntry('for,h', [priceOf(laying), -1, againstMicros]);
        laid.frame([eventEntry(), forOffer, offerEntry('against,h', [priceOf(backing), -1, forMicros])]);
        const stake = takerStakeMicros(resting, forMicros, 'odds-against');
        odd.frame([eventEntry(), forOffer, offerEntry('against,h', [priceOf(shown), -1, stake])]);
        const seen = [laid, odd].map((one) => one.view([HOME], NOTHING)?.selections[0]);
        const tops = seen.map((selection) => selection && topOfBook(selection.market));
        const [a, b] = tops.map((top) => (top ? weightedMid(top) : NaN)) as [number, number];
        const tick = 1 / priceOf(shown) - 1 / priceOf(shown + 1);
        expect(Math.abs(a - b)).toBeLessThanOrEqual(tick);
        const mids = seen.map((selection) => selection?.mids.at(-1) ?? NaN) as [number, number];
        expect(Math.abs(mids[0] - mids[1])).toBeLessThanOrEqual(tick / 2 + 1e-9);
      },
    ),
    { numRuns: 500 },
  );
});
