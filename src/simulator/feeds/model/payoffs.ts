import { GRID_SIZE } from '../../../domain/payoff.ts';
import { invariant } from '../../../lib/assert.ts';
import { parseBetType } from '../../core/bet-types/index.ts';
import type { ScoreGrid } from './score-grid.ts';

/** The fractions of the stake that an outcome wins and loses at each score, by index into the grid. */
interface Payoff {
  readonly won: Float64Array;
  readonly lost: Float64Array;
}

/** Payoffs of football outcomes over the score grid, computed once each. */
export class PayoffTable {
  readonly #payoffs = new Map<string, Payoff>();

  /** Fair log-odds of an outcome; infinite when it cannot win or cannot lose. */
  fairLogOdds(outcome: string, grid: ScoreGrid): number {
    const { won, lost } = this.#of(outcome);
    let win = 0;
    let lose = 0;
    for (let at = 0; at < grid.length; at++) {
      const probability = grid[at] as number;
      win += probability * (won[at] as number);
      lose += probability * (lost[at] as number);
    }
    return Math.log(win / lose);
  }

  #of(outcome: string): Payoff {
    const known = this.#payoffs.get(outcome);
    if (known !== undefined) return known;
    const payoff = payoffOf(outcome);
    this.#payoffs.set(outcome, payoff);
    return payoff;
  }
}

function payoffOf(outcome: string): Payoff {
  const parsed = parseBetType('fb', `for,${outcome}`);
  invariant(parsed !== null, 'modelled outcome does not parse', { outcome });
  const won = new Float64Array(GRID_SIZE * GRID_SIZE);
  const lost = new Float64Array(GRID_SIZE * GRID_SIZE);
  for (let at = 0; at < won.length; at++) {
    const home = Math.floor(at / GRID_SIZE);
    const away = at % GRID_SIZE;
    const settled = parsed.settle({ kind: 'score', home, away, halfTimeHome: home, halfTimeAway: away });
    won[at] = settled?.won ?? 0;
    lost[at] = settled?.lost ?? 0;
  }
  return { won, lost };
}
