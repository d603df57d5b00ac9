import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { floorTick, priceOf } from '../../src/domain/ladder.ts';
import { winMicros } from '../../src/domain/odds.ts';
import {
  defineStrategy,
  type Direction,
  type EventView,
  levelsOf,
  type QuoteIntent,
  type Strategy,
  z,
} from '../../src/strategy/sdk.ts';
import {
  playScenario,
  repeatInputs,
  type Scenario,
  type ScenarioResult,
  SCENARIOS,
} from '../../src/testing/index.ts';
import symmetric from '../../strategies/symmetric.ts';

const named = (name: string): Scenario => SCENARIOS.find((scenario) => scenario.name === name) as Scenario;

/** A strategy without parameters, which also shows its views. */
const strategyOf = (quote: (view: EventView) => readonly QuoteIntent[]): Strategy =>
  defineStrategy({ name: 'test', description: '', parameters: z.strictObject({}), quote }) as Strategy;

/** The views of a scenario, as a strategy that quotes nothing sees them. */
function viewsOf(name: string): readonly EventView[] {
  const views: EventView[] = [];
  playScenario(
    strategyOf((view) => {
      views.push(view);
      return [];
    }),
    named(name),
  );
  return views;
}

const priceOn = (view: EventView | undefined, direction: Direction, place = 0): number | undefined =>
  levelsOf(view?.selections[place]?.market[direction]?.priceList ?? [])[0]?.price;

const secondOf = (view: EventView, first: EventView): number => (view.nowMs - first.nowMs) / 1000;

describe('scenarios', () => {
  it.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
    '%s goes the same with the same seed, and differently with another',
    (_, scenario) => {
      const first = playScenario(symmetric as Strategy, scenario, { seed: 4 });
      expect(playScenario(symmetric as Strategy, scenario, { seed: 4 })).toEqual(first);
      expect(playScenario(symmetric as Strategy, scenario, { seed: 5 }).turns).not.toEqual(first.turns);
      expect(first.problems).toEqual([]);
    },
  );

  it('give a take the stake of the other makers up to its price, once for its id', () => {
    const best = (view: EventView): number => priceOn(view, 'for') as number;
    const taking = strategyOf((view) => [
      {
        selectionId: view.selections[0]?.selectionId as QuoteIntent['selectionId'],
        direction: 'for',
        tick: floorTick(best(view)) as number,
        stakeMicros: 1e6,
        level: 0,
        take: 'once',
      },
    ]);
    const { fills, ordersPlaced, wouldTake, inputs } = playScenario(taking, named('quiet'));
    expect([fills, ordersPlaced, wouldTake]).toEqual([1, 1, 0]);
    const [filled] = inputs.flatMap((input) => (input.kind === 'fill' ? [input.fill] : []));
    expect(filled).toMatchObject({ role: 'taker', stakeMicros: 1e6, take: { id: 'once' } });
  });

  it('show a second of the match each second', () => {
    const views = viewsOf('quiet');
    expect(views).toHaveLength(600);
    expect(views.map((view) => secondOf(view, views[0] as EventView))).toEqual([...views.keys()]);
    expect(views.map(({ startsInMs }) => startsInMs).slice(0, 2)).toEqual([3_600_000, 3_599_000]);
  });

  it('move the price of home down in a trend', () => {
    const views = viewsOf('trend');
    expect(priceOn(views.at(-1), 'for')).toBeLessThan((priceOn(views[0], 'for') as number) - 0.3);
  });

  it('suspend the market at a goal, and reopen it with the new score', () => {
    const views = viewsOf('goal');
    expect([299, 300, 301, 340, 341].map((at) => priceOn(views[at], 'for') !== undefined)).toEqual([
      true,
      true,
      false,
      false,
      true,
    ]);
    expect(views[299]?.score).toEqual([0, 0]);
    expect(views[341]).toMatchObject({ score: [1, 0], inRunning: true, matchClock: { minutes: 25 } });
    expect(priceOn(views[341], 'for')).toBeLessThan(priceOn(views[299], 'for') as number);
  });

  it('show a red card', () => {
    expect(viewsOf('red-card').at(-1)?.redCards).toEqual([0, 1]);
  });

  it('freeze prices, which only grow older', () => {
    const views = viewsOf('frozen-quote');
    const [before, during, after] = [views[179], views[350], views[361]];
    expect(during?.selections[0]?.market.for).toEqual({
      ...before?.selections[0]?.market.for,
      ageMs: 171_000,
    });
    expect(priceOn(after, 'for')).toBeLessThan(priceOn(during, 'for') as number);
  });

  it('show nothing while the stream is lost, then no price, then the moved market', () => {
    const views = viewsOf('lost-stream');
    const [first] = views as [EventView];
    expect(
      views.map((view) => secondOf(view, first)).filter((second) => second >= 240 && second < 360),
    ).toEqual([]);
    const back = views.findIndex((view) => secondOf(view, first) === 360);
    expect(views[back]?.selections[0]?.market).toEqual({ for: null, against: null });
    expect(priceOn(views[back + 5], 'for')).toBeLessThan(priceOn(first, 'for') as number);
  });

  it('report what was filled while the stream was lost, and that the orders were closed', () => {
    const { inputs } = playScenario(symmetric as Strategy, named('lost-stream'));
    const views = inputs.flatMap((input, at) => (input.kind === 'view' ? [{ at, view: input.view }] : []));
    const [first] = views as [{ at: number; view: EventView }];
    const back = views.findIndex(({ view }) => secondOf(view, first.view) === 360);
    const missed = inputs.slice(views[back - 1]?.at, views[back]?.at);
    expect(missed.some((input) => input.kind === 'order' && input.order.closeReason === 'not wanted')).toBe(
      true,
    );
    expect(views[back]?.view.selections.flatMap(({ quotes }) => quotes)).toEqual([]);
  });

  it('let takers who know of a goal take the quotes that do not know it yet', () => {
    const fillsAt300 = (result: ScenarioResult): number => {
      const [first] = result.inputs.filter((input) => input.kind === 'view');
      const startMs = first?.kind === 'view' ? first.view.nowMs : 0;
      return result.inputs.filter((input) => input.kind === 'fill' && input.fill.atMs === startMs + 300_000)
        .length;
    };
    const played = playScenario(symmetric as Strategy, named('goal'));
    expect(fillsAt300(played)).toBeGreaterThan(2);
  });

  it('fill an order behind the others when the market moves through it', () => {
    const tick = floorTick((priceOn(viewsOf('trend')[0], 'for') as number) - 0.2) as number;
    const deep = strategyOf(({ selections: [home] }) => [
      { selectionId: home?.selectionId as never, direction: 'against', tick, stakeMicros: 7e6, level: 0 },
    ]);
    expect(playScenario(deep, named('quiet')).fills).toBe(0);
    // From then on the quote would take, so it is held back.
    const { fills, wouldTake, stakeMatchedMicros, positions } = playScenario(deep, named('trend'));
    expect([fills, stakeMatchedMicros, wouldTake > 0]).toEqual([1, 7e6, true]);
    expect(positions).toEqual([
      {
        selection: 'Home United',
        ifWinMicros: -winMicros('odds-for', 7e6, priceOf(tick)),
        ifLoseMicros: 7e6,
      },
    ]);
  });

  it('hold back what would take, and count it', () => {
    const crossing = strategyOf(({ selections: [home] }) => [
      { selectionId: home?.selectionId as never, direction: 'for', tick: 0, stakeMicros: 1e6, level: 0 },
    ]);
    expect(playScenario(crossing, named('quiet'))).toMatchObject({
      wouldTake: 600,
      ordersPlaced: 0,
      fills: 0,
    });
  });

  it('count each kind of fault once, with its number and its first second', () => {
    const faulty = strategyOf(({ score }) => {
      if (score?.[0] === 1) throw new Error('a goal');
      return [];
    });
    expect(playScenario(faulty, named('goal')).problems).toMatchObject([
      { kind: 'threw', message: expect.stringMatching(/^a goal/) as string, times: 300, firstAtS: 300 },
    ]);
  });

  it('book what is filled: positions, profit and worst case follow from the fills', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SCENARIOS), fc.integer({ min: 1, max: 1e6 }), (scenario, seed) => {
        const {
          inputs,
          positions,
          fills,
          worstCaseMicros,
          profitMicros,
          stakeMatchedMicros,
          largestStakeMicros,
        } = playScenario(symmetric as Strategy, scenario, { seed });
        const booked = inputs.flatMap((input) => (input.kind === 'fill' ? [input.fill] : []));
        expect(booked).toHaveLength(fills);
        expect(booked.reduce((sum, { stakeMicros }) => sum + stakeMicros, 0)).toBe(stakeMatchedMicros);
        expect(Math.max(...booked.map(({ stakeMicros }) => stakeMicros))).toBeLessThanOrEqual(
          largestStakeMicros,
        );
        expect(new Set(booked.map(({ betId }) => betId)).size).toBe(fills);
        expect(profitMicros).toBeGreaterThanOrEqual(worstCaseMicros);
        const lost = positions.reduce(
          (sum, { ifWinMicros, ifLoseMicros }) => sum + Math.min(ifWinMicros, ifLoseMicros),
          0,
        );
        expect(lost).toBeLessThanOrEqual(0);
      }),
      { numRuns: 10 },
    );
  });
});

describe('inputs of a scenario', () => {
  it('give the same answers again', () => {
    const { inputs, turns } = playScenario(symmetric as Strategy, named('quiet'));
    const { answers, lostTimer } = repeatInputs(symmetric as Strategy, inputs, { restartAfterViews: 300 });
    expect(answers.map(({ intents }) => intents)).toEqual(turns.map(({ intents }) => intents));
    expect(lostTimer).toBe(false);
  });
});
