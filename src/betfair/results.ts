/** How the selections of an event settled, by what Betfair says of the runners. */
import type { EventResult } from '../domain/bet-types/result.ts';
import { parseBetType } from '../domain/bet-types/index.ts';
import type { FoldedMarket } from './market-fold.ts';
import { GRID_SIZE, LOSS, PUSH, type Settlement, WIN } from '../domain/payoff.ts';

/** A selection with the status of its runner; `ended` once its market has closed. */
export interface Ended {
  readonly outcome: string;
  readonly status: string;
  readonly ended: boolean;
  /** Runners of the market that won, and places that it pays; Infinity where any number may win. */
  readonly winners: number;
  readonly paid: number;
}

/** Families of which so many runners win as the market says. */
const WITH_PLACES: ReadonlySet<string> = new Set(['win', 'top', 'ml', 'wdw', 'dnb', 'cs', 'oe', 'score']);

/** How a runner of a market ended, by its position. */
export function endOf(
  { definition, runners }: FoldedMarket,
  of: number,
  family: string,
  outcome: string,
): Ended {
  return {
    outcome,
    status: runners[of]?.status ?? 'ACTIVE',
    ended: definition.status === 'CLOSED',
    winners: runners.filter(({ status }) => status === 'WINNER').length,
    paid: WITH_PLACES.has(family) ? Math.max(1, definition.winners) : Infinity,
  };
}

export interface Settled {
  readonly settlements: readonly (Settlement | null)[];
  /** The only score that agrees with every runner; null if there are several, or none. */
  readonly score: readonly [home: number, away: number] | null;
  /** A remark on the settlement for the reader. */
  readonly remarks: readonly string[];
}

type SettleAt = (home: number, away: number) => Settlement | null;

/**
 * Betfair says who won, but not who won half: a quarter line can return half the stake. The scores that agree with every runner
 * tell it, if they agree with each other. Otherwise the runner's own status settles the whole stake, unless it would be a guess: then there is no
 * settlement.
 */
export function settle(sport: string, selections: readonly Ended[]): Settled {
  const rules = selections.map(({ outcome }) => ruleOf(sport, outcome));
  const known = selections.some(({ ended, status }) => ended && (status === 'WINNER' || status === 'LOSER'));
  const pushed = pushedLines(selections);
  const isAgreeing = (selection: Ended, settlement: Settlement | null): boolean =>
    settlement === null || agrees(selection, settlement, pushed.has(selection.outcome));
  const scores =
    known && rules.some((rule) => rule !== null) ? scoresThatAgree(selections, rules, isAgreeing) : [];
  const [score] = scores;
  const settlements = selections.map((selection, at) =>
    pushed.has(selection.outcome) ? PUSH : settlementOf(selection, rules[at] ?? null, scores),
  );
  const remarks: string[] = [];
  if (known && score === undefined && rules.every((rule) => rule !== null))
    remarks.push('no score agrees with every result: each selection is settled by its own runner');
  remarks.push(...guesses(selections, settlements));
  return { settlements, score: scores.length === 1 && score !== undefined ? score : null, remarks };
}

/** Results that the file does not tell whole. */
function guesses(selections: readonly Ended[], settlements: readonly (Settlement | null)[]): string[] {
  const open = selections.filter(({ ended, status }, at) => {
    return ended && settlements[at] === null && (status === 'WINNER' || status === 'LOSER');
  });
  const [first] = open;
  if (first === undefined) return [];
  const names = open.map(({ outcome }) => outcome).join(' ');
  const why =
    first.winners > first.paid
      ? `${first.winners} runners won and the market pays ${first.paid} places`
      : 'the file does not tell whether half of the stake is returned';
  return [`any settlement of ${names} would be guessed, so that there is none: ${why}`];
}

/** The other side of a line; null for what is no line. */
function otherSideOf(outcome: string): string | null {
  const [family = '', ...rest] = outcome.split(',');
  if (family === 'ah') return `ah,${rest[0] === 'h' ? 'a' : 'h'},${rest[1]}`;
  if (family === 'ahover') return `ahunder,${rest[0]}`;
  return family === 'ahunder' ? `ahover,${rest[0]}` : null;
}

/** The line of an Asian bet type in quarters; null for what is none. */
const quartersIn = (outcome: string): number | null =>
  otherSideOf(outcome) === null ? null : Number(outcome.split(',').at(-1));

/** Level lines of which both sides have one status: both stakes are returned. */
function pushedLines(selections: readonly Ended[]): ReadonlySet<string> {
  const statuses = new Map(
    selections.flatMap(({ outcome, status, ended }) => (ended ? [[outcome, status] as const] : [])),
  );
  return new Set(
    [...statuses].flatMap(([outcome, status]) => {
      const isLevel = (quartersIn(outcome) ?? 1) % 4 === 0;
      const isSame = status !== 'ACTIVE' && statuses.get(otherSideOf(outcome) ?? '') === status;
      return isLevel && isSame ? [outcome] : [];
    }),
  );
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
  isAgreeing: (selection: Ended, settlement: Settlement | null) => boolean,
): (readonly [number, number])[] {
  const scores: (readonly [number, number])[] = [];
  for (let home = 0; home < GRID_SIZE; home++)
    for (let away = 0; away < GRID_SIZE; away++)
      if (selections.every((selection, at) => isAgreeing(selection, rules[at]?.(home, away) ?? null)))
        scores.push([home, away]);
  return scores;
}

/** A removed runner tells nothing: its market may be void. */
function agrees({ ended, status }: Ended, { won, lost }: Settlement, isPushed: boolean): boolean {
  if (!ended) return true;
  if (isPushed) return won === 0 && lost === 0;
  if (status === 'WINNER') return won > 0;
  return status !== 'LOSER' || lost > 0;
}

function settlementOf(
  selection: Ended,
  rule: SettleAt | null,
  scores: readonly (readonly [number, number])[],
): Settlement | null {
  const { outcome, ended, status } = selection;
  if (ended && status === 'REMOVED') return PUSH;
  const agreed = rule === null ? null : unanimous(scores.map(([home, away]) => rule(home, away)));
  if (agreed !== null) return agreed;
  // The status of a quarter line does not tell a half from the whole.
  if (!ended || (quartersIn(outcome) ?? 0) % 2 !== 0) return null;
  return ofStatus(selection);
}

function ofStatus({ status, winners, paid }: Ended): Settlement | null {
  if (status === 'LOSER') return LOSS;
  if (status !== 'WINNER' && status !== 'PLACED') return null;
  if (winners <= paid) return WIN;
  // A dead heat for one place divides the stake. Of several places nobody knows which winners share.
  return paid === 1 ? { won: 1 / winners, lost: 1 - 1 / winners } : null;
}

function unanimous(settlements: readonly (Settlement | null)[]): Settlement | null {
  const [first] = settlements;
  if (first === undefined || first === null) return null;
  return settlements.every((it) => it !== null && it.won === first.won && it.lost === first.lost)
    ? first
    : null;
}
