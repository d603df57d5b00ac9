import type { SelectionView } from '../../domain/event-view.ts';
import type { Score } from '../../domain/events.ts';
import { ceilTick, floorTick, priceOf, type Tick } from '../../domain/ladder.ts';
import { logOddsOf, priceOfLogOdds } from '../../domain/odds.ts';
import { GRID_SIZE, LOSS, type SettlementGrid, settlementGrid, WIN } from '../../domain/payoff.ts';
import { type Direction, selectionId } from '../../domain/selection.ts';
import { invariant } from '../../lib/assert.ts';
import { normal, type Random } from '../../lib/random.ts';
import { fairPrice, handicapGrid, type ScoreGrid, scoreGrid, totalGrid } from '../../strategy/sdk.ts';
import { anEvent, type Levels } from '../builders.ts';
import type { Conditions } from './scenario.ts';

/** The event of every scenario. */
export const EVENT = anEvent();

/** A selection of the match, and the makers who quote it. */
export interface Place extends Pick<SelectionView, 'selectionId' | 'marketType' | 'outcome' | 'name'> {
  readonly grid: SettlementGrid;
  /** Distance of the other makers' best prices from fair, in log-odds. */
  readonly halfSpread: number;
  /** Takers in a second, on both sides together. */
  readonly takersPerS: number;
  /** Stake at the best price of the other makers, in USDT. */
  readonly stake: number;
}

type Described = Omit<Place, 'selectionId' | 'halfSpread' | 'takersPerS' | 'stake'>;

const LIQUID = { halfSpread: 0.04, takersPerS: 0.06, stake: 60 };
const THIN = { halfSpread: 0.25, takersPerS: 0.02, stake: 15 };

const placed = (described: Described, makers: typeof LIQUID): Place => ({
  selectionId: selectionId(EVENT.sport, EVENT.eventId, described.outcome),
  ...described,
  ...makers,
});

const result = (outcome: string, name: string, wins: (home: number, away: number) => boolean): Place =>
  placed(
    { marketType: 'wdw', outcome, name, grid: settlementGrid((h, a) => (wins(h, a) ? WIN : LOSS)) },
    LIQUID,
  );

/** Four liquid selections and a thin one, so that strategies of every kind find something to quote. */
export const PLACES: readonly Place[] = [
  result('h', EVENT.home ?? '', (home, away) => home > away),
  result('d', 'Draw', (home, away) => home === away),
  result('a', EVENT.away ?? '', (home, away) => home < away),
  placed({ marketType: 'ou', outcome: 'over,2.5', name: 'Over 2.5', grid: totalGrid('over', 10) }, LIQUID),
  placed(
    { marketType: 'ah', outcome: 'ah,h,-1', name: `${EVENT.home} -0.25`, grid: handicapGrid('home', -1) },
    THIN,
  ),
];

const GOALS = { home: 1.5, away: 1.2, rho: -0.06 };
const MATCH_S = 90 * 60;
/** Standard deviation of the noise in each team's log scoring rate, per square root of a second. */
const NOISE = 0.001;

/** The truth about the match: how likely each final score is. */
export class Match {
  readonly #random: Random;
  readonly #noise: [home: number, away: number] = [0, 0];

  constructor(random: Random) {
    this.#random = random;
  }

  /** Probabilities of the final scores, given the score. `playedS` counts seconds of play. Each call is a second later. */
  next({ home, away, score }: Conditions, playedS: number): ScoreGrid {
    for (const team of [0, 1] as const) this.#noise[team] += NOISE * normal(this.#random);
    const left = 1 - playedS / MATCH_S;
    const rates = {
      home: GOALS.home * home * left * Math.exp(this.#noise[0]),
      away: GOALS.away * away * left * Math.exp(this.#noise[1]),
      rho: GOALS.rho * left,
    };
    const toCome = scoreGrid(rates);
    invariant(toCome !== null, 'the scoring rates of a scenario are positive', rates);
    return moved(toCome, score);
  }
}

/** Adds goals that have been scored. Scores beyond the grid are too unlikely to matter. */
function moved(toCome: ScoreGrid, [home, away]: Score): ScoreGrid {
  const final = new Float64Array(toCome.length);
  for (let at = 0; at < toCome.length; at++) {
    const h = Math.min(GRID_SIZE - 1, Math.floor(at / GRID_SIZE) + home);
    const a = Math.min(GRID_SIZE - 1, (at % GRID_SIZE) + away);
    const index = h * GRID_SIZE + a;
    final[index] = (final[index] as number) + (toCome[at] as number);
  }
  return final;
}

/** Indexes of final scores that can still be: one for each way in which the selections can settle together. */
export function waysToSettle([home, away]: Score): readonly number[] {
  const ways = new Map<string, number>();
  for (let at = 0; at < GRID_SIZE ** 2; at++) {
    if (Math.floor(at / GRID_SIZE) < home || at % GRID_SIZE < away) continue;
    const way = PLACES.map(({ grid }) => `${grid.won[at]} ${grid.lost[at]}`).join();
    if (!ways.has(way)) ways.set(way, at);
  }
  return [...ways.values()];
}

/** Fair log-odds of a selection. */
export const fairLogOdds = ({ grid }: Place, scores: ScoreGrid): number => logOddsOf(fairPrice(scores, grid));

const LEVELS = 3;

/** A level of the other makers. */
export interface MakerLevel {
  readonly tick: Tick;
  readonly stake: number;
}

/** The best level of the other makers first. `for` is what `for` takers get: their resting `against` orders. */
export type Makers = Readonly<Record<Direction, readonly MakerLevel[]>>;

/** The other makers' quotes around fair: three levels on each side, a tick apart. */
export function makersAround({ halfSpread, stake }: Place, fair: number): Makers {
  const forTakers = floorTick(priceOfLogOdds(fair + halfSpread));
  const againstTakers = ceilTick(priceOfLogOdds(fair - halfSpread));
  const levels = (best: Tick | null, step: number): MakerLevel[] =>
    best === null
      ? []
      : Array.from({ length: LEVELS }, (_, i) => ({ tick: best + step * i, stake: stake * (i + 1) })).filter(
          ({ tick }) => tick >= 0,
        );
  return { for: levels(forTakers, -1), against: levels(againstTakers, 1) };
}

/** The levels as `prices` takes them. */
export const levelsOf = (levels: readonly MakerLevel[]): Levels =>
  levels.map(({ tick, stake }) => [priceOf(tick), stake] as const);
