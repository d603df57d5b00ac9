import type { EventResult } from '../../core/api.ts';
import type { EventModel, ModelOutcome, PlayState } from './event-model.ts';
import type { FootballModel } from './football.ts';
import type { PayoffTable } from './payoffs.ts';

const OUTCOMES: readonly ModelOutcome[] = [
  ...['h', 'd', 'a', 'over,0.5', 'under,0.5', 'over,1.5', 'under,1.5'],
  ...['ah,h,0', 'ah,a,0', 'score,both,yes', 'score,both,no'],
].map((outcome) => ({ outcome, popularity: 0.4 }));

/**
 * The first half of a football match as an event of its own: sport `fb_ht`, under the event id of the match. This model
 * moves nothing itself: it is a view of the match, whose own runner plays it and reports its incidents.
 */
export class FirstHalfModel implements EventModel {
  readonly outcomes = OUTCOMES;
  readonly closedInPlay = false;
  readonly #match: FootballModel;
  readonly #payoffs: PayoffTable;
  #seen: string;

  constructor(match: FootballModel, payoffs: PayoffTable) {
    this.#match = match;
    this.#payoffs = payoffs;
    this.#seen = this.#incidents();
  }

  get over(): boolean {
    return this.#match.halfOver;
  }

  drift(): void {
    // The match itself drifts.
  }

  play(): boolean {
    const before = this.#seen;
    this.#seen = this.#incidents();
    return !this.over && this.#seen !== before;
  }

  /** The match has counted the goal. This view shows it unless the half is over. */
  goal(): boolean {
    return this.play();
  }

  fair(): Float64Array {
    const grid = this.#match.halfTimeGrid();
    return Float64Array.from(OUTCOMES, ({ outcome }) => this.#payoffs.fairLogOdds(outcome, grid));
  }

  state(): PlayState {
    return { ...this.#match.state(), score: this.#match.halfTimeScore };
  }

  result(): EventResult {
    const [home, away] = this.#match.halfTimeScore;
    return { kind: 'score', home, away, halfTimeHome: home, halfTimeAway: away };
  }

  #incidents(): string {
    const { score, redCards } = this.#match.state();
    return `${score?.join('-')} ${redCards?.join('-')}`;
  }
}
