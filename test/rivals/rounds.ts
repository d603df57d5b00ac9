import { type Figure, type Outcome, Round } from './round.ts';
import type { Scenario } from './scenarios.ts';

/** All rounds of a scenario. */
export interface Result {
  readonly scenario: string;
  readonly outcomes: readonly Outcome[];
}

/** Plays this many rounds of a scenario. `seed` draws the first. */
export async function playRounds({ name, play }: Scenario, rounds: number, seed: number): Promise<Result> {
  const outcomes: Outcome[] = [];
  for (let at = 0; at < rounds; at++) outcomes.push(await new Round(seed + at).play(play));
  return { scenario: name, outcomes };
}

export const missed = ({ outcomes }: Result): readonly Outcome[] =>
  outcomes.filter(({ miss }) => miss !== null);

/** A line of text: the number of rounds, of rounds with a broken rule, and the figures of all. */
export function lineOf(result: Result): string {
  const { scenario, outcomes } = result;
  const figures = Map.groupBy(
    outcomes.flatMap((outcome) => outcome.figures),
    ({ name }) => name,
  );
  const totals = Array.from(figures, ([name, all]) => `${name} ${together(all)}`);
  const bothPlaced = outcomes.filter(({ miss }) => miss?.includes('both placed') === true).length;
  return [
    `${scenario}: ${outcomes.length} rounds`,
    `missed ${missed(result).length}`,
    `both placed ${bothPlaced}`,
    ...totals,
  ].join(', ');
}

function together(figures: readonly Figure[]): string {
  const values = figures.map(({ value }) => value);
  if (figures[0]?.kind === 'sum') return `${values.reduce((sum, value) => sum + value, 0)}`;
  return `${Math.max(...values).toFixed(1)} at most`;
}
