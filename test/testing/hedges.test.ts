import { describe, expect, it } from 'vitest';
import { toMicros } from '../../src/domain/money.ts';
import { defineStrategy, type EventView, type HedgeIntent, type Wanted, z } from '../../src/strategy/sdk.ts';
import { playScenario, runStrategy, type Scenario, SCENARIOS, aView } from '../../src/testing/index.ts';
import { ScenarioHedges } from '../../src/testing/scenarios/hedges.ts';
import { PLACES } from '../../src/testing/scenarios/match.ts';

const QUIET = SCENARIOS[0] as Scenario;
const QUOTE = { direction: 'for', tick: 0, level: 0, stakeMicros: toMicros(20) } as const;

/** Backs home by one take, then wants a hedge. */
const hedging = (hedge: (view: EventView) => Omit<HedgeIntent, 'hedge'>, take = true) =>
  defineStrategy({
    name: 'hedging',
    description: '',
    parameters: z.object({}),
    quote: (view): Wanted[] => {
      const [home] = view.selections;
      if (home === undefined || !take) return [{ hedge: 'green', ...hedge(view) }];
      const opening = { ...QUOTE, selectionId: home.selectionId, take: 'open', fairProbability: 0.4 };
      return home.position.ifWinMicros === 0 && home.recentFills?.length === 0
        ? [opening]
        : [{ hedge: 'green', ...hedge(view) }];
    },
  });

const flat = ({ selections: [home] }: EventView): Omit<HedgeIntent, 'hedge'> => ({
  goal: { kind: 'flatten', selectionId: home?.selectionId as never },
});

describe('a hedge in a scenario', () => {
  it('is planned and taken as in the daemon: the result of the selection is the same either way', () => {
    const { positions, fills, turns, problems } = playScenario(hedging(flat), QUIET);
    expect(problems).toEqual([]);
    expect(fills).toBeGreaterThan(1);
    const [home] = positions;
    expect(Math.abs((home?.ifWinMicros ?? 0) - (home?.ifLoseMicros ?? 99e6))).toBeLessThan(toMicros(0.05));
    const bets = turns.flatMap(({ intents }) => intents.map(({ hedge, take }) => `${hedge} ${take}`));
    expect(new Set(bets)).toEqual(new Set(['undefined open', 'green green/0']));
    expect(turns.some(({ hedges }) => hedges?.[0]?.hedge === 'green')).toBe(true);
  });

  it('may be offered: one order rests beside the best of its side', () => {
    const offered = hedging((view) => ({ ...flat(view), way: 'offer' }));
    const { turns, ordersPlaced, requotes } = playScenario(offered, QUIET);
    const offers = turns.flatMap(({ intents }) => intents.filter(({ hedge }) => hedge === 'green'));
    expect(offers[0]).toMatchObject({ mode: 'make_and_take', take: 'green/0', direction: 'against' });
    expect([ordersPlaced, requotes]).toEqual([2, 0]);
  });

  it('bounds the worst case over all selections of the match', () => {
    const bound = hedging(() => ({ goal: { kind: 'bound', boundMicros: toMicros(5) } }));
    const { positions, worstCaseMicros } = playScenario(bound, QUIET);
    expect(worstCaseMicros).toBeLessThan(toMicros(-15));
    const [home] = positions;
    expect(Math.min(home?.ifWinMicros ?? -99e6, home?.ifLoseMicros ?? -99e6)).toBeGreaterThanOrEqual(
      toMicros(-5.01),
    );
  });

  it('is no fault while nothing is held, and one while a market has no prices', () => {
    const nothing = playScenario(hedging(flat, false), QUIET);
    expect([nothing.problems, nothing.ordersPlaced]).toEqual([[], 0]);
    const unknown = playScenario(
      hedging(() => ({ goal: { kind: 'equalise', marketType: 'cs' } })),
      QUIET,
    );
    expect(unknown.problems).toMatchObject([{ kind: 'hedge-refused' }]);
  });
});

describe('a hedge in every scenario', () => {
  const ODDS = { for: 'odds-for', against: 'odds-against' } as const;
  const cases = SCENARIOS.flatMap((scenario) =>
    [undefined, ODDS].map(
      (priceKinds) =>
        [scenario.name, priceKinds === undefined ? 'lay prices' : 'odds', scenario, priceKinds] as const,
    ),
  );

  it.each(cases)(
    'makes both outcomes of its selection pay the same: %s, at %s',
    (_, __, scenario, priceKinds) => {
      const options = priceKinds === undefined ? {} : { priceKinds };
      const { positions, turns } = playScenario(hedging(flat), scenario, options);
      const [home] = positions;
      expect(home?.ifWinMicros).not.toBe(0);
      // Odds against it are a tick apart from its prices, at most: of some fifty contracts.
      const mostOff = toMicros(priceKinds === undefined ? 0.05 : 0.5);
      expect(Math.abs((home?.ifWinMicros ?? 0) - (home?.ifLoseMicros ?? 99e6))).toBeLessThan(mostOff);
      const kinds = turns.flatMap(({ intents }) =>
        intents.filter(({ hedge }) => hedge !== undefined).map(({ priceKind }) => priceKind),
      );
      expect(new Set(kinds)).toEqual(new Set([priceKinds === undefined ? 'lay-for' : 'odds-against']));
    },
  );
});

describe('a hedge in play in a scenario', () => {
  /** Three goals of the home team after a minute. */
  const GOALS: Scenario = {
    name: 'goals',
    description: 'three goals',
    minutes: 3,
    playedMinutes: 60,
    changes: (second) => ({ score: second < 60 ? [0, 0] : [3, 0] }),
  };

  it.each([
    [30, 1],
    [90, 0],
  ])('counts the final scores that can still be: wanted from second %d on, %d bets', (fromS, bets) => {
    // Backs over 2.5, which three goals have won.
    let seconds = 0;
    const strategy = defineStrategy({
      name: 'hedging',
      description: '',
      parameters: z.object({}),
      quote: ({ selections }): Wanted[] => {
        const over = selections.find(({ outcome }) => outcome === 'over,2.5');
        if (over === undefined || seconds++ < fromS) {
          const opening = { ...QUOTE, selectionId: over?.selectionId as never };
          return [{ ...opening, take: 'open', fairProbability: 0.4 }];
        }
        return [{ hedge: 'bound', goal: { kind: 'bound', boundMicros: 0 } }];
      },
    });
    const { positions, turns, problems } = playScenario(strategy, GOALS);
    const made = turns.flatMap(({ intents }) => intents.flatMap(({ hedge, take }) => (hedge ? [take] : [])));
    expect([new Set(made).size > 0, problems]).toEqual([bets > 0, []]);
    expect(positions.some(({ ifLoseMicros }) => ifLoseMicros !== 0)).toBe(true);
  });
});

it.each([
  [[2, 1], true],
  [[1, 2], false],
  [[1, 1], false],
  [[2, 0], false],
  [[3, 1], true],
] as const)('a hedge at %j counts the final scores from there on alone', (score, isSafe) => {
  // Fifty are lost in each score with less than two goals of the home team, or none of the away team.
  const [home] = PLACES;
  const hedges = new ScenarioHedges({
    strategy: 'hedging',
    account: {
      position: (id) => ({ ifWinMicros: id === home?.selectionId ? 10e6 : 0, ifLoseMicros: 0 }),
      profitIn: (cell) => (Math.floor(cell / 20) >= 2 && cell % 20 >= 1 ? 0 : -50e6),
    },
    marketOf: () => ({ for: null, against: null }),
    priceKinds: undefined,
  });
  hedges.score = score;
  const bound: HedgeIntent = { hedge: 'x', goal: { kind: 'bound', boundMicros: 0 } };
  const { intents, problems } = hedges.beside({ intents: [], problems: [], hedges: [bound] }, 0);
  expect([intents, problems.length]).toEqual([[], isSafe ? 0 : 1]);
});

it('a run of a strategy tells the hedges that it wants', () => {
  const { hedges } = runStrategy(hedging(flat, false)).view(aView());
  expect(hedges).toMatchObject([{ hedge: 'green', goal: { kind: 'flatten' } }]);
});
