/** How the selections of an event settled, by what Betfair says of the runners. */
import type { EventResult } from '../../domain/bet-types/result.ts';
import { parseBetType } from '../../domain/bet-types/index.ts';
import { GRID_SIZE, LOSS, PUSH, type Settlement, WIN } from '../../domain/payoff.ts';

/** A selection with the status of its runner; `ended` once its market has closed. */
export interface Ended {
  readonly outcome: string;
  readonly status: string;
  readonly ended: boolean;
  /** Runners of the market that won, and places that it pays. */
  readonly winners: number;
  readonly paid: number;
}

export interface Settled {
  readonly settlements: readonly (Settlement | null)[];
  /** The only score that agrees with every runner; null if there are several, or none. */
  readonly score: readonly [home: number, away: number] | null;
  /** What a reader must know of the settlement. */
  readonly remarks: readonly string[];
}

type SettleAt = (home: number, away: number) => Settlement | null;

/**
 * Betfair says who won, but not who won half: a quarter line can return half the stake. The scores that agree with every runner
 * tell it, if they agree with each other. Otherwise the runner's own status settles the whole stake.
 */
export function settle(sport: string, selections: readonly Ended[]): Settled {
  const rules = selections.map(({ outcome }) => ruleOf(sport, outcome));
  const known = selections.some(({ ended, status }) => ended && (status === 'WINNER' || status === 'LOSER'));
  const scores = known && rules.some((rule) => rule !== null) ? scoresThatAgree(selections, rules) : [];
  const [score] = scores;
  const remarks: string[] = [];
  if (known && score === undefined && rules.every((rule) => rule !== null))
    remarks.push('no score agrees with every result: each selection is settled by its own runner');
  const settlements = selections.map((selection, at) => settlementOf(selection, rules[at] ?? null, scores));
  return { settlements, score: scores.length === 1 && score !== undefined ? score : null, remarks };
}

/** Only football has bet types that tell scores apart. */
function ruleOf(sport: string, outcome: string): SettleAt | null {
  if (sport !== 'fb' && !sport.startsWith('fb_')) return null;
  const parsed = parseBetType(sport, `for,${outcome}`);
  if (parsed === null || !parsed.onGrid) return null;
  return (home, away) => parsed.settle(scored(home, away));
}

const scored = (home: number, away: number): EventResult => ({
  kind: 'score',
  home,
  away,
  halfTimeHome: home,
  halfTimeAway: away,
});

function scoresThatAgree(
  selections: readonly Ended[],
  rules: readonly (SettleAt | null)[],
): (readonly [number, number])[] {
  const scores: (readonly [number, number])[] = [];
  for (let home = 0; home < GRID_SIZE; home++)
    for (let away = 0; away < GRID_SIZE; away++)
      if (selections.every((selection, at) => agrees(selection, rules[at]?.(home, away) ?? null)))
        scores.push([home, away]);
  return scores;
}

/** A removed runner tells nothing: its market may be void. */
function agrees({ ended, status }: Ended, settlement: Settlement | null): boolean {
  if (!ended || settlement === null) return true;
  if (status === 'WINNER') return settlement.won > 0;
  return status !== 'LOSER' || settlement.lost > 0;
}

function settlementOf(
  selection: Ended,
  rule: SettleAt | null,
  scores: readonly (readonly [number, number])[],
): Settlement | null {
  if (selection.ended && selection.status === 'REMOVED') return PUSH;
  const agreed = rule === null ? null : unanimous(scores.map(([home, away]) => rule(home, away)));
  if (agreed !== null) return agreed;
  if (!selection.ended) return null;
  if (selection.status === 'LOSER') return LOSS;
  if (selection.status !== 'WINNER' && selection.status !== 'PLACED') return null;
  if (selection.winners <= selection.paid) return WIN;
  // A dead heat: the winners share the places.
  const won = selection.paid / selection.winners;
  return { won, lost: 1 - won };
}

function unanimous(settlements: readonly (Settlement | null)[]): Settlement | null {
  const [first] = settlements;
  if (first === undefined || first === null) return null;
  return settlements.every((it) => it !== null && it.won === first.won && it.lost === first.lost)
    ? first
    : null;
}
