import fc from 'fast-check';
import type { BetType, SelectionId } from '../../../src/domain/ids.ts';
import { priceOf } from '../../../src/domain/ladder.ts';
import { directionOfKind, type PriceKind, profitOf } from '../../../src/domain/odds.ts';
import { LOSS, PUSH, type Settlement, WIN } from '../../../src/domain/payoff.ts';
import type { BookGroup, OutcomeBook } from '../../../src/hedge/book.ts';
import type { HedgeLeg, PlannedLeg } from '../../../src/hedge/legs.ts';

export const CENT = 10_000;

/** How the `for` side of a selection settles in each score of a small group. */
export type Settlements = readonly Settlement[];

export interface LegTerms {
  readonly id: string;
  readonly kind: PriceKind;
  readonly tick: number;
  readonly available: number;
  readonly min?: number;
  readonly group?: number;
  readonly loss?: number | null;
}

const common = ({ id, kind, tick, available, min = 1, group = 0, loss = 0 }: LegTerms) => ({
  selectionId: id as SelectionId,
  betType: `for,${id}` as BetType,
  direction: directionOfKind(kind),
  priceKind: kind,
  tick,
  way: 'take' as const,
  availableMicros: available * CENT,
  minStakeMicros: min * CENT,
  group,
  lossPerUnit: loss,
  hasBetslip: false,
});

/** A leg on a selection that scores decide. Stakes in cents. */
export function scoreLeg(terms: LegTerms, settlements: Settlements): HedgeLeg {
  const pays = (settlement: Settlement): number => profitOf(terms.kind, 1, priceOf(terms.tick), settlement);
  return {
    ...common(terms),
    perUnit: Float64Array.from(settlements, pays),
    ofSelection: { win: pays(WIN), lose: pays(LOSS) },
  };
}

/** A leg on one of `runners` runners. */
export function runnerLeg(terms: LegTerms, runner: number, runners: number): HedgeLeg {
  const pays = (settlement: Settlement): number => profitOf(terms.kind, 1, priceOf(terms.tick), settlement);
  const perUnit = new Float64Array(2 * runners);
  [perUnit[2 * runner], perUnit[2 * runner + 1]] = [pays(WIN), pays(LOSS)];
  return { ...common(terms), perUnit, ofSelection: { win: pays(WIN), lose: pays(LOSS) } };
}

export const scores = (cents: readonly number[]): BookGroup => ({
  kind: 'scores',
  micros: Float64Array.from(cents, (each) => each * CENT),
  reachable: cents.map((_, cell) => cell),
});

const SETTLEMENTS = fc.constantFrom(WIN, LOSS, PUSH, { won: 0.5, lost: 0 }, { won: 0, lost: 0.5 });
const KINDS = fc.constantFrom<PriceKind>('odds-for', 'odds-against', 'lay-for', 'lay-against');

export interface SmallCase {
  readonly book: OutcomeBook;
  readonly legs: readonly HedgeLeg[];
  readonly boundMicros: number;
}

interface Sizes {
  readonly cells: number;
  readonly legs: number;
  readonly available: number;
  /** The least profit of a score; default -60 cents. */
  readonly deepest?: number;
}

const terms = ({ available }: Sizes) =>
  fc.record({
    kind: KINDS,
    tick: fc.integer({ min: 20, max: 200 }),
    available: fc.integer({ min: 1, max: available }),
    min: fc.integer({ min: 1, max: 5 }),
    loss: fc.option(fc.double({ min: 0, max: 0.2, noNaN: true })),
  });

/** A group of scores and two runners beside it, and legs in both. */
export const smallCases = (sizes: Sizes): fc.Arbitrary<SmallCase> =>
  fc
    .record({
      cents: fc.array(fc.integer({ min: sizes.deepest ?? -60, max: 60 }), {
        minLength: sizes.cells,
        maxLength: sizes.cells,
      }),
      runners: fc.array(fc.integer({ min: -40, max: 40 }), { minLength: 4, maxLength: 4 }),
      legs: fc.array(
        fc.record({
          terms: terms(sizes),
          settlements: fc.array(SETTLEMENTS, { minLength: sizes.cells, maxLength: sizes.cells }),
          runner: fc.integer({ min: 0, max: 1 }),
          isRunner: fc.boolean(),
        }),
        { minLength: 1, maxLength: sizes.legs, size: 'max' },
      ),
      bound: fc.integer({ min: 0, max: 50 }),
    })
    .map(({ cents, runners, legs, bound }) => ({
      book: [
        scores(cents),
        { kind: 'runners' as const, micros: Float64Array.from(runners, (each) => each * CENT) },
      ],
      legs: legs.map(({ terms: its, settlements, runner, isRunner }, at) =>
        isRunner
          ? runnerLeg({ ...its, id: `leg ${at}`, group: 1 }, runner, 2)
          : scoreLeg({ ...its, id: `leg ${at}` }, settlements),
      ),
      boundMicros: bound * CENT,
    }));

/** Every way in which the bets of a hedge can be matched: not at all, half, or whole. */
export function fillsOf(legs: readonly PlannedLeg[]): readonly (readonly PlannedLeg[])[] {
  return legs.reduce<readonly (readonly PlannedLeg[])[]>(
    (subsets, { leg, stakeMicros }) =>
      subsets.flatMap((subset) => [
        subset,
        [...subset, { leg, stakeMicros: Math.floor(stakeMicros / 2) }],
        [...subset, { leg, stakeMicros }],
      ]),
    [[]],
  );
}
