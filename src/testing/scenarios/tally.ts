import type { Micros } from '../../domain/money.ts';
import type { HedgeIntent } from '../../domain/hedge-intent.ts';
import type { QuoteIntent } from '../../domain/quote-intent.ts';
import type { StrategyAnswer, StrategyProblemKind } from '../../strategy/host.ts';
import type { RefusedIntent } from '../../strategy/intents.ts';
import type { ScoreGrid } from '../../strategy/sdk.ts';
import type { Account } from './account.ts';
import { PLACES } from './match.ts';
import type { Scenario } from './scenario.ts';

/**
 * A fault of the strategy's answers, counted.
 *
 * @example
 * const lineOf = ({ kind, message, times }: ScenarioProblem): string => `${kind}: ${message} (${times} times)`;
 */
export interface ScenarioProblem {
  readonly kind: StrategyProblemKind;
  readonly message: string;
  readonly times: number;
  /** Second of the scenario at which it was first seen. */
  readonly firstAtS: number;
  /** Thrown by the strategy, the first time. */
  readonly error: unknown;
  /** The first intent that was refused so; undefined for a fault that concerns no intent. */
  readonly refused: RefusedIntent | undefined;
}

/**
 * The answer to a view.
 *
 * @example
 * const quotes = (turns: readonly ScenarioTurn[]): number => turns.reduce((sum, turn) => sum + turn.intents.length, 0);
 */
export interface ScenarioTurn {
  /** Milliseconds since the beginning. */
  readonly atMs: number;
  /** The quotes and takes, with the bets of hedges. */
  readonly intents: readonly QuoteIntent[];
  /** The hedges that the strategy wants. Absent without one. */
  readonly hedges?: readonly HedgeIntent[];
}

/**
 * A position at the end of a scenario.
 *
 * @example
 * const net = ({ ifWinMicros, ifLoseMicros }: ScenarioPosition): number => fromMicros(ifWinMicros - ifLoseMicros);
 */
export interface ScenarioPosition {
  /** The selection's name for people. */
  readonly selection: string;
  readonly ifWinMicros: Micros;
  readonly ifLoseMicros: Micros;
}

/** What a strategy did in a scenario. */
export interface Counts {
  readonly scenario: string;
  readonly seed: number;
  readonly minutes: number;
  readonly views: number;
  /** Share of the selections, over all views, that had a quote on both sides. */
  readonly twoSidedRatio: number;
  readonly ordersPlaced: number;
  /** Orders that were replaced because price or stake changed. */
  readonly requotes: number;
  /** Quotes that were held back because they would have taken. */
  readonly wouldTake: number;
  readonly fills: number;
  readonly stakeMatchedMicros: Micros;
  readonly largestStakeMicros: Micros;
  /** The least profit in any final score, whichever open orders are filled; the lowest of the scenario. */
  readonly worstCaseMicros: Micros;
  /** Expected at the end, by the true probabilities. */
  readonly profitMicros: Micros;
  /** Positions at the end, of the selections that have any. */
  readonly positions: readonly ScenarioPosition[];
  readonly problems: readonly ScenarioProblem[];
  readonly turns: readonly ScenarioTurn[];
}

/** What becomes of an answer. */
interface Placed {
  readonly second: number;
  readonly atMs: number;
  /** Its quotes that become orders. */
  readonly placed: readonly QuoteIntent[];
  /** How many of its intents are quotes. */
  readonly quotes: number;
}

/** Counts what a strategy does in a scenario. */
export class Tally {
  readonly #scenario: Scenario;
  readonly #seed: number;
  readonly #account: Account;
  readonly #turns: ScenarioTurn[] = [];
  readonly #problems = new Map<string, ScenarioProblem>();
  #twoSided = 0;
  #wouldTake = 0;
  #worstMicros = 0;

  constructor(scenario: Scenario, seed: number, account: Account) {
    this.#scenario = scenario;
    this.#seed = seed;
    this.#account = account;
  }

  /** Counts the answer to a view. */
  answer({ intents, hedges, problems }: StrategyAnswer, { second, atMs, placed, quotes }: Placed): void {
    this.#turns.push({ atMs, intents, ...(hedges && { hedges }) });
    this.#wouldTake += quotes - placed.length;
    this.#twoSided += PLACES.filter(({ selectionId }) => {
      const directions = new Set(
        placed.filter((intent) => intent.selectionId === selectionId).map(({ direction }) => direction),
      );
      return directions.size === 2;
    }).length;
    for (const { kind, message, error, refused } of problems) {
      const key = [kind, refused?.rule, message].join(' ');
      const known = this.#problems.get(key) ?? { kind, message, refused, times: 0, firstAtS: second, error };
      this.#problems.set(key, { ...known, times: known.times + 1 });
    }
  }

  /** Judges the account at an instant by the final scores that can still be. */
  worst(scores: readonly number[]): void {
    for (const score of scores) this.#worstMicros = Math.min(this.#worstMicros, this.#account.worstIn(score));
  }

  /** `scores`: the true probabilities at the end. */
  result(scores: ScoreGrid): Counts {
    const account = this.#account;
    const views = this.#turns.length;
    return {
      scenario: this.#scenario.name,
      seed: this.#seed,
      minutes: this.#scenario.minutes,
      views,
      twoSidedRatio: views === 0 ? 0 : this.#twoSided / (views * PLACES.length),
      ordersPlaced: account.placed,
      requotes: account.requotes,
      wouldTake: this.#wouldTake,
      fills: account.fills.length,
      stakeMatchedMicros: account.stakeMatchedMicros,
      largestStakeMicros: account.largestStakeMicros,
      worstCaseMicros: Math.round(this.#worstMicros),
      profitMicros: Math.round(
        scores.reduce((sum, share, score) => sum + share * account.profitIn(score), 0),
      ),
      positions: PLACES.map(({ selectionId, name }) => ({
        selection: name,
        ...account.position(selectionId),
      })).filter(({ ifWinMicros, ifLoseMicros }) => ifWinMicros !== 0 || ifLoseMicros !== 0),
      problems: [...this.#problems.values()],
      turns: this.#turns,
    };
  }
}
