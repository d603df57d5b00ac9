/** The fast engine of a backtest: strategy, limits and fill model over tapes, without the daemon around them. */
import { FILL_MODELS } from '../../fills/scenarios.ts';
import type { BacktestEngine, BacktestInput } from '../backtest-engine.ts';
import { explicitTape } from '../explicit-levels.ts';
import type { Scenario } from '../../fills/fill-model.ts';
import type { EquityPoint, EventOutcome, ResearchFill, ScenarioResult } from '../result.ts';
import type { EventTape } from '../tape.ts';
import { mergeEquity } from '../records/equity.ts';
import { runEvent } from './event-run.ts';
import { type FastSettings, fastSettings } from './settings.ts';

interface Collected {
  readonly scenario: Scenario;
  readonly fills: ResearchFill[];
  readonly events: EventOutcome[];
  readonly equity: (readonly EquityPoint[])[];
}

/** Runs each tape once for every scenario; a tape is read once. */
export const runFast: BacktestEngine = (input) => runFastWith(input, fastSettings());

/** The same with other times of the exchange and the order manager. */
export async function runFastWith(
  input: BacktestInput,
  settings: FastSettings,
): Promise<readonly ScenarioResult[]> {
  const collected: Collected[] = input.scenarios.map((scenario) => ({
    scenario,
    fills: [],
    events: [],
    equity: [],
  }));
  const total = input.onProgress === undefined ? 0 : await rowsOf(input);
  let done = 0;
  for await (const tape of input.tapes()) {
    const explicit = explicitTape(tape);
    for (const each of collected) {
      collect(each, explicit, input, settings, (row) => input.onProgress?.(done + row, total));
      done += explicit.updates.length;
      input.onProgress?.(done, total);
    }
  }
  return collected.map(({ scenario, fills, events, equity }) => ({
    scenario,
    fills,
    events,
    equity: mergeEquity(equity),
  }));
}

function collect(
  to: Collected,
  tape: EventTape,
  input: BacktestInput,
  settings: FastSettings,
  onRow: (row: number) => void,
): void {
  const model = FILL_MODELS[to.scenario];
  const { outcome, fills, equity } = runEvent({ ...input, tape, model, settings, onRow });
  to.events.push(outcome);
  for (const fill of fills) to.fills.push(fill);
  to.equity.push(equity);
}

/** The rows of all tapes, once for each scenario. */
async function rowsOf({ tapes, scenarios }: BacktestInput): Promise<number> {
  let total = 0;
  for await (const tape of tapes()) total += tape.updates.length * scenarios.length;
  return total;
}
