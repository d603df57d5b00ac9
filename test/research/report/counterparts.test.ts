import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DIRECTIONS } from '../../../src/domain/selection.ts';
import { SCENARIOS } from '../../../src/fills/fill-model.ts';
import { counterpartsIn } from '../../../src/research/report/counterparts.ts';
import { predictionsOf } from '../../../src/research/report/predictions.ts';
import type { ResearchFill, ScenarioResult } from '../../../src/research/result.ts';
import { generatedReport } from '../../support/backtest-report.ts';

const [any] = generatedReport({ events: 1, fillsPerEvent: 1 }).result.scenarios[0]?.fills ?? [];

/** Few values of everything, so that orders meet, and differ by one property alone. */
const fill = fc
  .record({
    selectionId: fc.constantFrom('one', 'two'),
    direction: fc.constantFrom(...DIRECTIONS),
    tick: fc.constantFrom(50, 51),
    restedFromMs: fc.constantFrom(1, 2),
    atMs: fc.constantFrom(5, 6, 7),
    stakeMicros: fc.integer({ min: 1, max: 9 }),
  })
  .map((given) => ({ ...(any as ResearchFill), ...given }) as ResearchFill);
const fills = fc
  .array(fill, { maxLength: 12, size: 'max' })
  .map((each) => each.toSorted((a, b) => a.atMs - b.atMs));
const results = fc
  .tuple(fills, fills, fills)
  .map((all) => all.map((own, at) => ({ scenario: SCENARIOS[at], fills: own }) as unknown as ScenarioResult));

const isSameOrder = (a: ResearchFill, b: ResearchFill): boolean =>
  a.selectionId === b.selectionId &&
  a.direction === b.direction &&
  a.tick === b.tick &&
  a.restedFromMs === b.restedFromMs;

const stakeOf = (some: readonly ResearchFill[]): number =>
  some.reduce((sum, { stakeMicros }) => sum + stakeMicros, 0);

it('a counterpart is the same order in another scenario, at the same instant if it was filled then', () => {
  fc.assert(
    fc.property(results, fill, (scenarios, wanted) => {
      const found = counterpartsIn(scenarios)(wanted, 'queue');
      const others = scenarios.filter(({ scenario }) => scenario !== 'queue');
      expect(found).toEqual(
        others.map(({ scenario, fills: all }) => {
          const own = all.filter((each) => isSameOrder(each, wanted));
          const same = own.filter(({ atMs }) => atMs === wanted.atMs);
          const counted = same.length > 0 ? same : own;
          const when = same.length > 0 ? 'same' : own.length > 0 ? 'other-time' : 'none';
          return { scenario, when, stakeMicros: stakeOf(counted), atMs: counted[0]?.atMs ?? null };
        }),
      );
    }),
  );
});

it('a prediction counts each order once, whether it was filled in both, or in one alone', () => {
  fc.assert(
    fc.property(results, fills, (scenarios, real) => {
      const once = (some: readonly ResearchFill[]): ResearchFill[] =>
        some.filter((each, at) => some.findIndex((other) => isSameOrder(each, other)) === at);
      const isIn = (some: readonly ResearchFill[]) => (each: ResearchFill) =>
        some.some((other) => isSameOrder(each, other));
      expect(predictionsOf(scenarios, real)).toEqual(
        scenarios.map(({ scenario, fills: predicted }) => ({
          scenario,
          predictedMicros: stakeOf(predicted),
          realMicros: stakeOf(real),
          both: once(predicted).filter(isIn(real)).length,
          predictedOnly: once(predicted).filter((each) => !isIn(real)(each)).length,
          realOnly: once(real).filter((each) => !isIn(predicted)(each)).length,
        })),
      );
    }),
  );
});
