import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toMicros } from '../../../src/domain/money.ts';
import { priceOf } from '../../../src/domain/ladder.ts';
import {
  compareForTakers,
  directionOfKind,
  type PriceKind,
  selectionPrice,
  shownTick,
} from '../../../src/domain/odds.ts';
import { type Direction, DIRECTIONS, opposite } from '../../../src/domain/selection.ts';
import {
  canMatch,
  type FillModel,
  isBackground,
  minBetMicrosOf,
  type Level,
  type Resting,
  type Share,
  type Taker,
} from '../../../src/fills/fill-model.ts';
import { at, Harness, OTHER_KEY } from './harness.ts';

/** Prices 2.02, 2.04 and 2.06; their complements are 1.98, 1.96 and 1.94. */
const TICKS = [100, 101, 102];
const COMPLEMENTS = [97, 95, 93];
const KINDS: Readonly<Record<Direction, readonly PriceKind[]>> = {
  for: ['odds-for', 'lay-against'],
  against: ['lay-for', 'odds-against'],
};
const isOfSelection = (kind: PriceKind): boolean => kind === 'odds-for' || kind === 'lay-for';
const ticksOf = (kind: PriceKind): readonly number[] => (isOfSelection(kind) ? TICKS : COMPLEMENTS);
const FEED = 'feed:recorded';

const entryOf = (priceKind: PriceKind, tick: number): fc.Arbitrary<Resting> =>
  fc
    .record({
      account: fc.constantFrom('a', 'b', null),
      orderId: fc.integer({ min: 1, max: 1_000_000 }),
      minTakerMicros: fc.constantFrom(0, 0, 40),
      minBetMicros: fc.constantFrom(0, 0, 20),
      remainingMicros: fc.integer({ min: 1, max: 100 }),
      isShy: fc.boolean(),
    })
    .map(({ account, orderId, isShy, ...stake }) => ({
      owner: account ?? FEED,
      orderId: account === null ? null : orderId,
      priceKind,
      tick,
      hidden: false,
      ...stake,
      ...(isShy ? { acceptsTaker: (taker: Taker) => taker.stakeMicros >= 50 } : {}),
    }));

/** A side of a book with prices of both of its kinds, the best level for its taker first. */
const sideOf = (resting: Direction): fc.Arbitrary<readonly Level[]> => {
  const places = KINDS[resting].flatMap((priceKind) =>
    ticksOf(priceKind).map((tick) => ({ priceKind, tick })),
  );
  return fc
    .tuple(...places.map(({ priceKind, tick }) => fc.array(entryOf(priceKind, tick), { maxLength: 5 })))
    .map((queues) => places.map((place, index) => ({ ...place, queue: queues[index] ?? [] })))
    .map((levels) => levels.filter(({ queue }) => queue.length > 0).sort(compareForTakers));
};

const takerOf = (direction: Direction): fc.Arbitrary<Taker> =>
  fc.constantFrom(...KINDS[direction]).chain((priceKind) =>
    fc.record({
      owner: fc.constantFrom('a', 'b', 'feed:taker'),
      priceKind: fc.constant(priceKind),
      limitTick: fc.constantFrom(...ticksOf(priceKind)),
      stakeMicros: fc.integer({ min: 1, max: 300 }),
      wantStakeMicros: fc.constant(300),
      exact: fc.boolean(),
      accepts: fc.constantFrom(
        () => true,
        (resting: Resting) => resting.orderId !== null,
      ),
    }),
  );

const encounter = fc
  .constantFrom(...DIRECTIONS)
  .chain((direction) => fc.record({ levels: sideOf(opposite(direction)), taker: takerOf(direction) }));

const sumOf = (shares: readonly Share[]): number =>
  shares.reduce((sum, { stakeMicros }) => sum + stakeMicros, 0);

/** The total that each entry gives. */
function givenBy(shares: readonly Share[]): ReadonlyMap<Resting, number> {
  const given = new Map<Resting, number>();
  for (const { resting, stakeMicros } of shares) given.set(resting, (given.get(resting) ?? 0) + stakeMicros);
  return given;
}

function expectWithinStake(shares: readonly Share[], entries: readonly Resting[]): void {
  for (const { stakeMicros } of shares) expect(Number.isInteger(stakeMicros) && stakeMicros > 0).toBe(true);
  for (const [resting, stakeMicros] of givenBy(shares)) {
    expect(entries).toContain(resting);
    expect(stakeMicros).toBeLessThanOrEqual(resting.remainingMicros);
  }
}

/** What a model may decide otherwise. */
export interface FillModelTraits {
  /** Whether a trade at the price of an order fills it. False: only a trade beyond its price does. */
  readonly fillsAtItsPrice: boolean;
}

/** The contract of every fill model, whatever it decides. Every clause holds for all; the traits choose the price of some trades. */
export function fillModelContract(
  name: string,
  model: FillModel,
  { fillsAtItsPrice }: FillModelTraits = { fillsAtItsPrice: true },
): void {
  const tradePrice = fillsAtItsPrice ? 2.5 : 2.52;
  describe(`Fill model contract: ${name}`, () => {
    const check = (test: (levels: readonly Level[], taker: Taker) => void): void =>
      fc.assert(fc.property(encounter, ({ levels, taker }) => test(levels, taker)));

    it('gives a taker no more than it wants, and of each entry no more than rests', () => {
      check((levels, taker) => {
        const matches = model.match(levels, taker);
        const takenMicros = matches.reduce((sum, { takerMicros }) => sum + takerMicros, 0);
        expect(takenMicros).toBeLessThanOrEqual(taker.stakeMicros);
        for (const { takerMicros } of matches)
          expect(Number.isInteger(takerMicros) && takerMicros > 0).toBe(true);
        const entries = levels.flatMap(({ queue }) => queue);
        expectWithinStake(matches, entries);
      });
    });

    it('keeps to the limit of the taker, and to its price where it wants no other', () => {
      check((levels, taker) => {
        const limit = selectionPrice(taker.priceKind, priceOf(taker.limitTick));
        for (const { tick, resting } of model.match(levels, taker)) {
          expect(tick).toBe(resting.tick);
          const price = selectionPrice(resting.priceKind, priceOf(tick));
          if (directionOfKind(taker.priceKind) === 'for') expect(price).toBeGreaterThan(limit - 1e-9);
          else expect(price).toBeLessThan(limit + 1e-9);
          if (taker.exact === true) expect(shownTick(resting, taker.priceKind)).toBe(taker.limitTick);
        }
      });
    });

    it('matches only those who accept each other, for the least stake of the entry or more', () => {
      check((levels, taker) => {
        for (const { resting, stakeMicros } of model.match(levels, taker)) {
          expect(canMatch(resting, taker)).toBe(true);
          expect(stakeMicros).toBeGreaterThanOrEqual(minBetMicrosOf(resting));
        }
      });
    });

    it('uses up one of both stakes of a match, and converts the other at the price of the match', () => {
      check((levels, taker) => {
        let leftMicros = taker.stakeMicros;
        for (const { resting, stakeMicros, takerMicros } of model.match(levels, taker)) {
          expect(stakeMicros === resting.remainingMicros || takerMicros === leftMicros).toBe(true);
          leftMicros -= takerMicros;
          const same = isOfSelection(resting.priceKind) === isOfSelection(taker.priceKind);
          const exact = same ? stakeMicros : stakeMicros * (priceOf(resting.tick) - 1);
          expect(Math.abs(takerMicros - exact)).toBeLessThanOrEqual(same ? 0 : 1.1);
        }
      });
    });

    it('changes nothing, and answers the same when it is asked again', () => {
      check((levels, taker) => {
        const before = structuredClone(
          levels.map(({ queue }) => queue.map((entry) => entry.remainingMicros)),
        );
        const first = model.match(levels, taker);
        expect(model.match(levels, taker)).toEqual(first);
        expect(levels.map(({ queue }) => queue.map((entry) => entry.remainingMicros))).toEqual(before);
      });
    });

    it('takes back as much as a participant withdraws, from its own stake alone', () => {
      const queue = fc.array(entryOf('odds-for', 100), { minLength: 1, maxLength: 6 });
      fc.assert(
        fc.property(queue, fc.integer({ min: 1, max: 100 }), (entries, percent) => {
          const own = entries.filter((entry) => isBackground(entry, FEED));
          const stakeMicros = Math.ceil(
            (own.reduce((sum, each) => sum + each.remainingMicros, 0) * percent) / 100,
          );
          const shares = model.withdraw(
            { priceKind: 'odds-for', tick: 100, queue: entries },
            FEED,
            stakeMicros,
          );
          expect(sumOf(shares)).toBe(stakeMicros);
          expectWithinStake(shares, own);
        }),
      );
    });

    describe('on a market with recorded volume', () => {
      /** Stake of 100 at 2.5. */
      function market(): Harness {
        const harness = new Harness({ fillModel: model });
        harness.rest('h', 'for', 2.5, 100, 'recorded');
        return harness;
      }
      const trade = ({ exchange, nowMs }: Harness, stake: number): number =>
        exchange.market.trade(at('h'), 'for', tradePrice, toMicros(stake), nowMs);
      const filled = (harness: Harness, { order_id: orderId }: { order_id: number }, key?: string): number =>
        harness.order(orderId, key).bet_bar_values.success[1];

      it('fills an order with no more than the volume that came', () => {
        const harness = market();
        const order = harness.place('for,h', 2.5, 20);
        trade(harness, 8);
        expect(filled(harness, order)).toBeLessThanOrEqual(8);
      });

      it('divides the volume of one trade among two orders of one account at one price', () => {
        const harness = market();
        const orders = [harness.place('for,h', 2.5, 20), harness.place('for,h', 2.5, 20)];
        const both = (): number => orders.reduce((sum, order) => sum + filled(harness, order), 0);
        trade(harness, 15);
        expect(both()).toBeLessThanOrEqual(15);
        trade(harness, 15);
        expect(both()).toBeLessThanOrEqual(30);
        trade(harness, 300);
        expect(orders.map((order) => filled(harness, order))).toEqual([20, 20]);
      });

      it('divides it among the orders of two accounts', () => {
        const harness = market();
        const first = harness.place('for,h', 2.5, 20);
        const second = harness.place('for,h', 2.5, 20, {}, OTHER_KEY);
        trade(harness, 10);
        expect(filled(harness, first) + filled(harness, second, OTHER_KEY)).toBeLessThanOrEqual(10);
      });

      it('gives the recorded stake at better prices nothing of a trade, and accounts there the first of it', () => {
        const harness = market();
        const order = harness.place('for,h', 2.5, 20);
        const before = harness.exchange.market.levels(at('h'), 'for');
        harness.exchange.market.trade(at('h'), 'for', 2.52, toMicros(8), harness.nowMs);
        expect(filled(harness, order)).toBe(8);
        expect(harness.exchange.market.levels(at('h'), 'for')).toEqual(
          before.map((level) =>
            level.price === 2.5 ? { ...level, stakeMicros: level.stakeMicros - toMicros(8) } : level,
          ),
        );
      });

      it('counts a volume once: the level that shows it afterwards fills nobody again', () => {
        const harness = market();
        const order = harness.place('for,h', 2.5, 20);
        trade(harness, 60);
        const before = filled(harness, order);
        harness.rest('h', 'for', 2.5, 40, 'recorded');
        harness.pass(5_000);
        expect(filled(harness, order)).toBe(before);
      });
    });
  });
}
