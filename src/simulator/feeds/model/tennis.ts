import { logit } from '../../../domain/odds.ts';
import { normal, type Random, uniformBetween } from '../../../lib/random.ts';
import type { EventResult } from '../../../domain/bet-types/result.ts';
import { type EventModel, type ModelOutcome, type PlayState, sigmoid, twoWay } from './event-model.ts';

const GAME_S = 230;
/** Standard deviation of the log-odds of winning a game, per square root of an hour before the start. */
const DRIFT = 0.02;
const GAMES_TO_WIN = 6;
const TIE_BREAK = 6;
const SETS_TO_WIN = 2;

/** Chance that a player who wins each game with chance `g` wins a set from `home`-`away` games. */
export function setChance(g: number, home: number, away: number): number {
  if ((home >= 6 && home - away >= 2) || home > TIE_BREAK) return 1;
  if ((away >= 6 && away - home >= 2) || away > TIE_BREAK) return 0;
  // At 6-6 one game, the tie-break, decides.
  return g * setChance(g, home + 1, away) + (1 - g) * setChance(g, home, away + 1);
}

/** Chance to win a best of three from `home`-`away` sets, when the next set is won with `first` and later ones with `later`. */
export function matchChance(first: number, later: number, home: number, away: number): number {
  if (home >= SETS_TO_WIN) return 1;
  if (away >= SETS_TO_WIN) return 0;
  return (
    first * matchChance(later, later, home + 1, away) +
    (1 - first) * matchChance(later, later, home, away + 1)
  );
}

/** A best-of-three match, game by game. `strength` is the log-odds that home wins a game. */
export class TennisModel implements EventModel {
  readonly outcomes: readonly ModelOutcome[];
  readonly #random: Random;
  #strength: number;
  readonly #sets: [home: number, away: number] = [0, 0];
  #games: [home: number, away: number] = [0, 0];
  /** The games of the sets that are over. */
  readonly #finished: (readonly [home: number, away: number])[] = [];
  #clockS = 0;
  #gameEndsS: number;

  constructor(random: Random, strength: number) {
    this.#random = random;
    this.#strength = strength;
    this.outcomes = twoWay(random, strength >= 0);
    this.#gameEndsS = this.#nextGameS(0);
  }

  get over(): boolean {
    return Math.max(...this.#sets) >= SETS_TO_WIN;
  }

  drift(hours: number): void {
    this.#strength += DRIFT * Math.sqrt(hours) * normal(this.#random);
  }

  play(seconds: number): boolean {
    this.#clockS += seconds;
    while (this.#clockS >= this.#gameEndsS && !this.over) {
      this.#gameEndsS = this.#nextGameS(this.#gameEndsS);
      this.#games[this.#random.next() < sigmoid(this.#strength) ? 0 : 1]++;
      this.#closeSet();
    }
    return false;
  }

  /** Adds a set, because the score counts sets. */
  goal(team: 0 | 1): boolean {
    if (this.over) return false;
    this.#endSet(team, team === 0 ? [GAMES_TO_WIN, this.#behind(1)] : [this.#behind(0), GAMES_TO_WIN]);
    return false;
  }

  fair(): Float64Array {
    const g = sigmoid(this.#strength);
    const current = setChance(g, ...this.#games);
    const home = logit(matchChance(current, setChance(g, 0, 0), ...this.#sets));
    return Float64Array.of(home, -home);
  }

  state(): PlayState {
    const set = this.#sets[0] + this.#sets[1] + 1;
    return { score: [this.#sets[0], this.#sets[1]], redCards: null, period: `set ${set}`, minutes: null };
  }

  result(): EventResult {
    const [home, away] = this.#sets;
    return { kind: 'score', home, away, halfTimeHome: 0, halfTimeAway: 0, periods: [...this.#finished] };
  }

  /** The games of a player who loses the set at this moment. */
  #behind(player: 0 | 1): number {
    return Math.min(this.#games[player], GAMES_TO_WIN - 2);
  }

  #endSet(winner: 0 | 1, games: readonly [home: number, away: number]): void {
    this.#finished.push(games);
    this.#sets[winner]++;
    this.#games = [0, 0];
  }

  #nextGameS(from: number): number {
    return from + GAME_S * uniformBetween(this.#random, 0.6, 1.4);
  }

  #closeSet(): void {
    const winner = setChance(0.5, ...this.#games);
    if (winner > 0 && winner < 1) return;
    this.#endSet(winner === 1 ? 0 : 1, this.#games);
  }
}
