import { TERMINAL } from '../../lib/formats.ts';
import type { ScenarioProblem, ScenarioResult } from '../../app/strategies/scenarios.ts';
import { thrownIn } from '../../app/strategies/stack.ts';
import { fromMicros } from '../../domain/money.ts';
import { plainText } from '../../lib/plain-text.ts';
import type { Row } from './output.ts';

const usdt = (micros: number): number => Math.round(fromMicros(micros) * 100) / 100;
const signed = (micros: number): string => TERMINAL.gainInCents(usdt(micros));

const errorsOf = ({ problems }: ScenarioResult): number =>
  problems.reduce((sum, { times }) => sum + times, 0);

/** A row of the table. Amounts are USDT. */
export const rowOf = (result: ScenarioResult): Row => ({
  scenario: result.scenario,
  two_sided: `${Math.round(100 * result.twoSidedRatio)} %`,
  orders: result.ordersPlaced,
  requotes: result.requotes,
  fills: result.fills,
  matched: usdt(result.stakeMatchedMicros),
  largest_stake: usdt(result.largestStakeMicros),
  worst_case: usdt(result.worstCaseMicros),
  profit: usdt(result.profitMicros),
  errors: errorsOf(result),
});

/** Positions at the end and problems, a line each. */
export function detailsOf(result: ScenarioResult, folder: string): string[] {
  const { scenario, positions, problems, wouldTake } = result;
  const held = positions.map(
    ({ selection, ifWinMicros, ifLoseMicros }) =>
      `${selection} ${signed(ifWinMicros)}/${signed(ifLoseMicros)}`,
  );
  return [
    `${scenario}: ${held.length === 0 ? 'no position' : `if it wins/loses: ${held.join(', ')}`}`,
    ...(wouldTake > 0
      ? [`${scenario}: ${wouldTake} quotes were held back, because they would have taken`]
      : []),
    ...problems.map((problem) => `${scenario}: ${problemLine(problem, folder)}`),
  ];
}

function problemLine({ kind, message, times, firstAtS, error }: ScenarioProblem, folder: string): string {
  const where = thrownIn(folder, error);
  const place = where === null ? '' : ` (${where})`;
  return `${kind}: ${plainText(message)}${place}, first at second ${firstAtS}, ${times} times`;
}

export const jsonOfScenario = (result: ScenarioResult, folder: string) => ({
  scenario: result.scenario,
  seed: result.seed,
  minutes: result.minutes,
  views: result.views,
  two_sided_ratio: result.twoSidedRatio,
  orders_placed: result.ordersPlaced,
  requotes: result.requotes,
  would_take: result.wouldTake,
  fills: result.fills,
  stake_matched_usdt: usdt(result.stakeMatchedMicros),
  largest_stake_usdt: usdt(result.largestStakeMicros),
  worst_case_usdt: usdt(result.worstCaseMicros),
  profit_usdt: usdt(result.profitMicros),
  positions: result.positions.map(({ selection, ifWinMicros, ifLoseMicros }) => ({
    selection,
    if_win_usdt: usdt(ifWinMicros),
    if_lose_usdt: usdt(ifLoseMicros),
  })),
  errors: errorsOf(result),
  problems: result.problems.map(({ kind, message, times, firstAtS, error }) => ({
    kind,
    message,
    times,
    first_at_s: firstAtS,
    where: thrownIn(folder, error),
  })),
});
