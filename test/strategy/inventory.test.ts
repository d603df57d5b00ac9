import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OwnQuote, PositionView } from '../../src/domain/event-view.ts';
import type { Fill } from '../../src/domain/live-order.ts';
import { ceilTick, floorTick, priceOf } from '../../src/domain/ladder.ts';
import { logOddsOf, priceOfLogOdds } from '../../src/domain/odds.ts';
import { normal, poisson, type Random, seededRandom, uniformBetween } from '../../src/lib/random.ts';
import { parseParameters } from '../../src/strategy/loader.ts';
import {
  edgeOf,
  type EventView,
  logit,
  type QuoteIntent,
  type SelectionView,
  type Tick,
  tickOf,
  topOfBook,
  type TopOfBook,
  weightedMid,
} from '../../src/strategy/sdk.ts';
import inventory from '../../strategies/inventory.ts';
import { hostedBy } from '../support/strategy-host.ts';
import { eventView, ownFill, selectionView } from './support.ts';

const START_MS = 1_700_000_000_000;
const S_PER_HOUR = 3600;

/** The figures that the quotes rest on, as their reason states them. */
interface Stated {
  readonly volatility: number;
  readonly perMinute: number;
  readonly decay: number;
  readonly fills: number;
}

function statedBy([first]: readonly QuoteIntent[]): Stated {
  const numbers = /^σ (.+)\/√h, A (.+)\/min, k (.+), fills seen: (\d+)$/.exec(first?.reason ?? '');
  const [volatility, perMinute, decay, fills] = (numbers ?? []).slice(1).map(Number);
  return { volatility, perMinute, decay, fills } as Stated;
}

/** A market of which the truth is known: fair diffuses, and a quote at a distance δ is filled at the rate A·e^(-kδ). */
interface Truth {
  readonly volatility: number;
  readonly perMinute: number;
  readonly decay: number;
}

/** An event of several selections on virtual time, with a view every so many seconds. */
class ModelledEvent {
  readonly #truth: Truth;
  readonly #everyS: number;
  readonly #random: Random;
  readonly #fairs: number[];
  readonly #positions: PositionView[];
  #quotes: readonly QuoteIntent[] = [];
  #passedS = 0;
  readonly fills: Fill[] = [];

  constructor(
    truth: Truth,
    { seed, selections, everyS }: { seed: number; selections: number; everyS: number },
  ) {
    this.#truth = truth;
    this.#everyS = everyS;
    this.#random = seededRandom(seed, 'modelled event');
    this.#fairs = Array.from({ length: selections }, () => uniformBetween(this.#random, -0.5, 0.5));
    this.#positions = this.#fairs.map(() => ({ ifWinMicros: 0, ifLoseMicros: 0 }));
  }

  get view(): EventView {
    const selections = this.#fairs.map((fair, i) => {
      const low = priceOf(floorTick(priceOfLogOdds(fair + 0.03)) as Tick);
      const high = priceOf(ceilTick(priceOfLogOdds(fair - 0.03)) as Tick);
      const changes = { outcome: `o${i}`, position: this.#positions[i] as PositionView };
      const selection = selectionView([[low, 100]], [[high, 100]], changes);
      return { ...selection, quotes: this.#ownOn(selection) };
    });
    return eventView(selections, { nowMs: START_MS + this.#passedS * 1000, startsInMs: 21_600_000 });
  }

  #ownOn({ selectionId }: SelectionView): OwnQuote[] {
    return this.#quotes
      .filter((quote) => quote.selectionId === selectionId)
      .map(({ direction, tick, stakeMicros }) => ({
        direction,
        tick,
        unfilledMicros: stakeMicros,
        phase: 'resting',
        aheadMicros: null,
      }));
  }

  /** The quotes rest until the next view. Returns the fills. */
  rest(quotes: readonly QuoteIntent[]): readonly Fill[] {
    const { selections } = this.view;
    this.#quotes = quotes;
    const fills = quotes.flatMap((quote) => {
      const selection = selections.find(({ selectionId }) => selectionId === quote.selectionId);
      const fair = logit(weightedMid(topOfBook((selection as SelectionView).market) as TopOfBook));
      const distance = edgeOf(quote.direction, quote.tick, fair);
      const rate = (this.#truth.perMinute / 60) * Math.exp(-this.#truth.decay * distance);
      const count = poisson(this.#random, rate * this.#everyS);
      return Array.from({ length: count }, () => this.#fill(quote));
    });
    this.#passedS += this.#everyS;
    const step = this.#truth.volatility * Math.sqrt(this.#everyS / S_PER_HOUR);
    for (const i of this.#fairs.keys())
      this.#fairs[i] = (this.#fairs[i] as number) + step * normal(this.#random);
    return fills;
  }

  #fill({ selectionId, direction, tick, stakeMicros }: QuoteIntent): Fill {
    const price = priceOf(tick);
    const at = this.view.selections.findIndex((selection) => selection.selectionId === selectionId);
    const { ifWinMicros, ifLoseMicros } = this.#positions[at] as PositionView;
    const sign = direction === 'for' ? 1 : -1;
    this.#positions[at] = {
      ifWinMicros: ifWinMicros + sign * Math.round(stakeMicros * (price - 1)),
      ifLoseMicros: ifLoseMicros - sign * stakeMicros,
    };
    const number = this.fills.length + 1;
    const terms = { direction, price, stakeMicros, atMs: this.view.nowMs };
    const fill = ownFill(number, selectionId, terms);
    this.fills.push(fill);
    return fill;
  }
}

const hosted = (parameters: object = {}) => hostedBy(inventory, parseParameters(inventory, parameters));

/** Plays hours of an event and returns what the last quotes rest on. */
function measuredIn(truth: Truth, seed: number, hours: number, parameters: object = {}): Stated {
  const event = new ModelledEvent(truth, { seed, selections: 4, everyS: 5 });
  const { host, quote } = hosted(parameters);
  let last: readonly QuoteIntent[] = [];
  for (let passedS = 0; passedS < hours * S_PER_HOUR; passedS += 5) {
    const { intents, problems } = quote(event.view);
    expect(problems).toEqual([]);
    if (intents.length > 0) last = intents;
    for (const fill of event.rest(intents)) host.onFill(fill);
  }
  return statedBy(last);
}

const market = selectionView([[1.9, 100]], [[2.1, 100]]);

describe('what inventory measures', () => {
  it('starts at the documented defaults', () => {
    const { intents } = hosted().quote(eventView([market]));
    expect(intents).toHaveLength(2);
    expect(statedBy(intents)).toEqual({ volatility: 0.08, perMinute: 3, decay: 40, fills: 0 });
  });

  it('is replaced by what is given', () => {
    const given = { volatilityPerHour: 0.123, fillsPerMinute: 4.56, decay: 78.9 };
    const { intents } = hosted(given).quote(eventView([market]));
    expect(statedBy(intents)).toEqual({ volatility: 0.123, perMinute: 4.56, decay: 78.9, fills: 0 });
  });

  it.each<[string, Truth]>([
    ['wild and busy', { volatility: 0.2, perMinute: 10, decay: 25 }],
    ['calm and patient', { volatility: 0.04, perMinute: 2, decay: 60 }],
  ])('converges to the truth of a market that is %s', (_, truth) => {
    const { volatility, perMinute, decay } = measuredIn(truth, 1, 3);
    expect(volatility / truth.volatility).toBeGreaterThan(0.75);
    expect(volatility / truth.volatility).toBeLessThan(1.35);
    expect(decay / truth.decay).toBeGreaterThan(0.75);
    expect(decay / truth.decay).toBeLessThan(1.35);
    // A is extrapolated to fair, where nothing is quoted: an error of k weighs on it.
    expect(perMinute / truth.perMinute).toBeGreaterThan(0.5);
    expect(perMinute / truth.perMinute).toBeLessThan(2);
  });

  it('is the rate of fills at a given decay, soon and closely', () => {
    const truth = { volatility: 0.1, perMinute: 10, decay: 30 };
    const { perMinute, decay } = measuredIn(truth, 3, 1, { decay: 30 });
    expect(decay).toBe(30);
    expect(perMinute / truth.perMinute).toBeGreaterThan(0.9);
    expect(perMinute / truth.perMinute).toBeLessThan(1.1);
  });

  it('does not count a break of the market as a move', () => {
    const { quote } = hosted();
    const at = (second: number, low: number, high: number): EventView => {
      const sides = selectionView([[low, 100]], [[high, 100]]);
      return eventView([sides], { nowMs: START_MS + second * 1000 });
    };
    for (let second = 0; second < 600; second++) quote(at(second, 1.9, 2.1));
    // Sides that are further apart than `maxWidth` have no mid.
    for (let second = 600; second < 660; second++) quote(at(second, 1.2, 5));
    const { intents } = quote(at(660, 1.5, 1.6));
    expect(statedBy(intents).volatility).toBe(0.08);
  });
});

describe('what inventory remembers', () => {
  type Step = 'view' | 'restart';
  const steps = fc.array(fc.constantFrom<Step>('view', 'view', 'view', 'restart'), {
    minLength: 20,
    maxLength: 60,
  });
  const BUSY: Truth = { volatility: 3, perMinute: 30, decay: 20 };
  const busyEvent = (seed: number) => new ModelledEvent(BUSY, { seed, selections: 2, everyS: 5 });

  /** Plays the steps, or the same without the restarts. Returns every answer. */
  function played(list: readonly Step[], seed: number, restarts: boolean) {
    const event = busyEvent(seed);
    let { host, quote } = hosted();
    const answers: unknown[] = [];
    for (const step of list) {
      if (step === 'restart') {
        if (!restarts) continue;
        const states = JSON.parse(JSON.stringify(host.save())) as ReturnType<typeof host.save>;
        ({ host, quote } = hosted());
        for (const state of states) host.restore(state);
        for (const fill of event.fills) host.onFill(fill);
        continue;
      }
      const { intents } = quote(event.view);
      answers.push(intents);
      for (const fill of event.rest(intents)) host.onFill(fill);
    }
    return { answers, fills: event.fills.length };
  }

  it('gives the same quotes over restarts between turns as without them', () => {
    let fills = 0;
    fc.assert(
      fc.property(steps, fc.nat(), (list, seed) => {
        const restarted = played(list, seed, true);
        expect(restarted).toEqual(played(list, seed, false));
        fills += restarted.fills;
      }),
      { numRuns: 25 },
    );
    expect(fills).toBeGreaterThan(100);
  });

  it('counts each fill once over kills at any time', () => {
    const step = fc.constantFrom('view', 'view', 'view', 'save', 'kill');
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.nat(), (list, seed) => {
        const event = busyEvent(seed);
        let { host, quote } = hosted();
        let states: ReturnType<typeof host.save> = [];
        for (const each of list) {
          if (each === 'save') states = JSON.parse(JSON.stringify(host.save())) as typeof states;
          else if (each === 'kill') {
            ({ host, quote } = hosted());
            for (const state of states) host.restore(state);
            for (const fill of event.fills) host.onFill(fill);
          } else for (const fill of event.rest(quote(event.view).intents)) host.onFill(fill);
        }
        const { intents } = quote(event.view);
        if (intents.length > 0) expect(statedBy(intents).fills).toBe(event.fills.length);
      }),
      { numRuns: 60 },
    );
  });

  it('measures the rate from fills that it saw, not from replayed ones', () => {
    const first = hosted({ decay: 40 });
    const { selectionId } = market;
    const fill = (number: number): Fill => ownFill(number, selectionId, { price: 2.06, stakeMicros: 19e6 });
    const { host, quote } = hosted({ decay: 40 });
    for (let number = 1; number <= 30; number++) host.onFill(fill(number));
    const replayed = statedBy(quote(eventView([market])).intents);
    expect(replayed).toEqual({ volatility: 0.08, perMinute: 3, decay: 40, fills: 30 });
    const resting = { phase: 'resting', aheadMicros: null } as const;
    const own = {
      quotes: [{ direction: 'for', tick: tickOf(2.06) as Tick, unfilledMicros: 19e6, ...resting }],
    } as const;
    const at = (second: number): EventView =>
      eventView([{ ...market, ...own }], { nowMs: START_MS + second * 1000 });
    for (let second = 0; second < 30; second++) first.quote(at(second));
    for (let number = 1; number <= 30; number++) first.host.onFill(fill(number));
    const seen = statedBy(first.quote(at(30)).intents);
    expect(seen.fills).toBe(30);
    expect(seen.perMinute).toBeGreaterThan(6);
  });
});

it('inventory quotes at extreme figures without a fault', () => {
  const number = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true });
  const parameters = fc.record({
    aversion: number(1e-9, 10),
    volatilityPerHour: number(1e-6, 10),
    fillsPerMinute: number(1e-6, 1e4),
    decay: number(1e-3, 1e4),
    maxFills: fc.integer({ min: 1, max: 30 }),
    horizonS: number(1, 1e6),
  });
  fc.assert(
    fc.property(parameters, fc.integer({ min: -1000, max: 1000 }), (given, held) => {
      const position = { ifWinMicros: held * 1e6, ifLoseMicros: -held * 1e6 };
      const { intents, problems } = hosted(given).quote(eventView([{ ...market, position }]));
      expect(problems).toEqual([]);
      for (const { direction, tick } of intents) {
        const distance = logOddsOf(priceOf(tick)) - logOddsOf(direction === 'for' ? 1.9 : 2.1);
        expect(direction === 'for' ? -distance : distance).toBeGreaterThan(0);
      }
    }),
  );
});
