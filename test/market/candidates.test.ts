import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ExchangePrices, LAY_PRICES } from '../../src/domain/exchange-prices.ts';
import { betslipId, betType } from '../../src/domain/ids.ts';
import { bestPrice } from '../../src/domain/price-list.ts';
import { type Direction, DIRECTIONS, selectionId } from '../../src/domain/selection.ts';
import type { StreamEntry } from '../../src/domain/stream.ts';
import {
  type Candidate,
  chooseUniverse,
  EMPTY_UNIVERSE,
  type Market,
  type QuoteRules,
} from '../../src/market/index.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import {
  EVENT,
  eventEntry,
  FB,
  FIXTURE,
  liveOrder,
  offer,
  prices,
  quoteEntry,
  type Rig,
  rig,
  STALE_MS,
} from './support.ts';

const OUTCOMES = ['h', 'd', 'a'] as const;
const MARKETS = OUTCOMES.flatMap((outcome) => DIRECTIONS.map((direction) => `${direction},${outcome}`));
const ODDS: ExchangePrices = { convention: 'odds', secondSide: 'against' };

/** Offers that do not change arrive as the same object. */
const OFFERS = MARKETS.map((market, at) =>
  [0, 1, 2].map((version) =>
    offer(market, prices([at % 2 === 0 ? 2 : 2.1, 100 * (version + 1)]), {
      marketType: version === 2 ? 'ou' : 'wdw',
    }),
  ),
);
const offered = (market: number, version: number): StreamEntry[] => {
  const found = OFFERS[market]?.[version];
  return found === undefined ? [] : [{ tag: 'offer', offer: found }];
};

/** The tick of price 2, at which takers of `for` are offered. */
const OWN_TICK = 99;

const ORDERS = OUTCOMES.map((outcome) =>
  liveOrder({
    selectionId: selectionId(FB, EVENT, outcome),
    betType: betType(`against,${outcome}`),
    direction: 'against' as const,
    tick: OWN_TICK,
    stakeMicros: 40e6,
  }),
);

interface Watched extends Rig {
  /** What the exchange's prices are. */
  prices: ExchangePrices;
  epoch: number;
}

function watched(): Watched {
  const state = { prices: LAY_PRICES, epoch: 1 };
  const made = rig({}, silentLogger, {
    get current() {
      return state.prices;
    },
  });
  return Object.assign(state, made);
}

type Step = (rig: Watched) => void | Promise<void>;

const market = fc.nat({ max: MARKETS.length - 1 });
const version = fc.nat({ max: 2 });
const frameOf =
  (...entries: readonly StreamEntry[]): Step =>
  (to) =>
    void to.frame(entries, to.epoch);

/** Everything that may change how a candidate is judged. */
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(market, version).map(([at, of]) => frameOf(...offered(at, of))) },
  {
    weight: 4,
    arbitrary: fc
      .array(fc.option(version), { minLength: MARKETS.length, maxLength: MARKETS.length })
      .map((versions) => frameOf(...versions.flatMap((of, at) => (of === null ? [] : offered(at, of))))),
  },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(10, 1_400, 1_600, 4_000, STALE_MS - 1_000, STALE_MS + 1)
      .map<Step>((ms) => (to) => to.clock.advance(ms)),
  },
  market.map((at) =>
    frameOf({ tag: 'remove_offer', sport: FB, eventId: EVENT, betType: betType(MARKETS[at] as string) }),
  ),
  fc.tuple(market, fc.constantFrom('s1', 's2'), fc.boolean()).map(([at, slip, isGood]) =>
    frameOf(
      quoteEntry(MARKETS[at] as string, prices([2.5, 700]), {
        betslipId: betslipId(slip),
        statusCode: isGood ? 'success' : 'unavailable',
      }),
    ),
  ),
  fc
    .constantFrom('s1', 's2')
    .map((slip) => frameOf({ tag: 'betslip_closed', betslipId: betslipId(slip), closeReason: null })),
  fc
    .constantFrom('s1', 's2')
    .map<Step>(
      (slip) => (to) =>
        frameOf({ tag: 'betslip', betslipId: betslipId(slip), expiryMs: to.clock.wallMs() + 2_000 })(to),
    ),
  fc.tuple(fc.nat({ max: ORDERS.length - 1 }), fc.constantFrom('live', 'closing', 'closed')).map<Step>(
    ([at, state]) =>
      (to) =>
        to.order({ ...(ORDERS[at] as (typeof ORDERS)[number]), state }),
  ),
  fc.constant<Step>((to) => {
    to.epoch++;
    to.frame([eventEntry()], to.epoch);
  }),
  fc.constant<Step>((to) => void (to.prices = to.prices === LAY_PRICES ? ODDS : LAY_PRICES)),
  fc.constant<Step>((to) => {
    to.frame([{ tag: 'remove_event', sport: FB, eventId: EVENT }], to.epoch);
    to.frame([eventEntry()], to.epoch);
  }),
);

const shown = (candidates: readonly Candidate[]) =>
  candidates.map((one) => ({
    id: one.selectionId,
    type: one.marketType,
    quotable: one.quotable,
    liquidity: DIRECTIONS.map((direction) => one.liquidityMicros(direction)),
  }));

const RULES: QuoteRules = {
  sports: [],
  competitions: [],
  marketTypes: ['wdw'],
  startsWithinMs: null,
  leaveBeforeStartMs: 0,
  inPlay: true,
  minLiquidityMicros: 150e6,
  maxEvents: 1,
  maxSelections: 2,
};

describe('candidates that are asked for again and again', () => {
  it('are those of a market that is asked once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        const often = watched();
        often.frame([eventEntry()]);
        let chosen = EMPTY_UNIVERSE;
        for (const [at, apply] of steps.entries()) {
          await apply(often);
          const once = watched();
          once.frame([eventEntry()]);
          for (const earlier of steps.slice(0, at + 1)) await earlier(once);
          expect(shown(often.market.candidates(FIXTURE))).toEqual(shown(once.market.candidates(FIXTURE)));
          const isLeft = (one: Candidate): boolean =>
            !one.quotable ||
            DIRECTIONS.every((direction) => (one.liquidityMicros(direction) ?? 150e6) >= 150e6);
          const hasUnknown = (one: Candidate): boolean =>
            DIRECTIONS.some((direction) => one.liquidityMicros(direction) === null);
          const all = once.market.candidates(FIXTURE);
          expect(shown(often.market.candidates(FIXTURE, 150e6))).toEqual(
            shown(all.filter((one) => isLeft(one) || hasUnknown(one))),
          );
          const choose = ({ market: of, clock }: Watched, candidates: Market['candidates']) =>
            chooseUniverse(RULES, of.events(), candidates, clock.wallMs(), chosen);
          const next = choose(often, (...asked) => often.market.candidates(...asked));
          // Without the hint all candidates are compared.
          expect(next).toEqual(choose(once, (event) => once.market.candidates(event)));
          chosen = next;
        }
      }),
      { numRuns: 300 },
    );
  });

  it('are judged again only after a change', () => {
    let looks = 0;
    const { market: of, frame } = rig({}, silentLogger, {
      get current() {
        return (looks++, LAY_PRICES);
      },
    });
    const all = MARKETS.flatMap((_, at) => offered(at, 0));
    frame([eventEntry(), ...all]);
    const costOfLook = (): number => {
      looks = 0;
      of.candidates(FIXTURE);
      return looks;
    };
    const first = costOfLook();
    frame(all);
    expect(costOfLook()).toBe(1);
    frame(offered(0, 1));
    const one = costOfLook();
    expect([one > 1, one < first]).toEqual([true, true]);
  });

  it('show more once the unchanged offers are known to hold a closed order no longer', async () => {
    const { market: of, frame, order, clock } = rig();
    const seen = [...offered(0, 0), ...offered(1, 0)];
    const own = ORDERS[0] as (typeof ORDERS)[number];
    const liquidity = () => of.candidates(FIXTURE)[0]?.liquidityMicros('for');
    frame([eventEntry(), ...seen]);
    order(own);
    await clock.advance(4_000);
    frame(seen);
    order({ ...own, state: 'closed' });
    const closed = liquidity();
    await clock.advance(4_000);
    frame(seen);
    expect([closed, liquidity()]).toEqual([60e6, 100e6]);
  });
});

describe('the best prices of a selection', () => {
  it('are those of its whole lists, and as old as the youngest fresh one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        const subject = watched();
        const { market: of } = subject;
        subject.frame([eventEntry()]);
        for (const apply of steps) {
          await apply(subject);
          for (const { selectionId: id } of of.candidates(FIXTURE)) {
            const state = of.selection(id);
            const held = [state?.offers, state?.quotes].flatMap((each) => [each?.for, each?.against]);
            const ages = held.flatMap((each) => (each?.freshness === 'fresh' ? [each.ageMs] : []));
            const lists = of.marketOf(id);
            const bestIn = (direction: Direction) => bestPrice(direction, lists[direction] ?? []);
            const best = { for: bestIn('for'), against: bestIn('against'), ageMs: Math.min(...ages) };
            expect(of.bestOf(id)).toEqual(ages.length === 0 ? null : best);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
