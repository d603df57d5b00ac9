/** The full engine of a backtest: the whole daemon and the exchange, with every timer, budget and guard, on virtual time. */
import { FILL_MODELS } from '../../../fills/scenarios.ts';
import type { BacktestEngine, BacktestInput } from '../../../research/backtest-engine.ts';
import { explicitTape } from '../../../research/explicit-levels.ts';
import { mergeEquity } from '../../../research/records/equity.ts';
import type { EventRunResult } from '../../../research/records/event-records.ts';
import type { Scenario } from '../../../fills/fill-model.ts';
import type { ScenarioResult } from '../../../research/result.ts';
import type { EventTape } from '../../../research/tape.ts';
import type { ExchangeSettings } from '../../../simulator/core/settings.ts';
import type { Config } from '../../config/load.ts';
import { playSession } from './session.ts';

/** The choices of the full engine besides the input of every engine. */
export interface FullChoice {
  readonly config: Config;
  /** A bundled strategy's name, or a file. */
  readonly strategy: string;
  /** As given, before the strategy's schema read them. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Settings of the exchange that replace those of the configuration. */
  readonly settings?: Partial<ExchangeSettings>;
}

/** An engine that runs this configuration with the strategy in the place of its own. */
export const fullEngine =
  (choice: FullChoice): BacktestEngine =>
  async (input) => {
    const config = configOf(choice);
    const spans = await spansOf(input);
    const totalMs = spans.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0) * input.scenarios.length;
    let doneMs = 0;
    const results: ScenarioResult[] = [];
    for (const scenario of input.scenarios) {
      const events: EventRunResult[] = [];
      for await (const tapes of sessionsOf(input.tapes())) {
        const { fromMs, toMs } = spanOf(tapes, input);
        const { events: played } = await playSession({
          ...input,
          config,
          tapes,
          fillModel: FILL_MODELS[scenario],
          ...(choice.settings === undefined ? {} : { settings: choice.settings }),
          onTime: (nowMs) => input.onProgress?.(doneMs + nowMs - fromMs, totalMs),
        });
        doneMs += toMs - fromMs;
        events.push(...played);
      }
      results.push(resultOf(scenario, events));
    }
    return results;
  };

/** The journal lives in memory, and the strategy under test is the only one. */
function configOf({ config, strategy, parameters }: FullChoice): Config {
  return {
    ...config,
    mode: 'simulated',
    journal: { ...config.journal, path: '' },
    strategy: { ...config.strategy, name: strategy, parameters },
    tables: { ...config.tables, strategy: [] },
  };
}

const resultOf = (scenario: Scenario, events: readonly EventRunResult[]): ScenarioResult => ({
  scenario,
  fills: events.flatMap(({ fills }) => fills),
  events: events.map(({ outcome }) => outcome),
  equity: mergeEquity(events.map(({ equity }) => equity)),
});

/** Groups tapes that overlap in time: one daemon plays them, with one set of budgets and limits. */
async function* sessionsOf(tapes: AsyncIterable<EventTape>): AsyncIterable<readonly EventTape[]> {
  let group: EventTape[] = [];
  let endMs = -Infinity;
  for await (const tape of tapes) {
    const { atMs, length } = tape.updates;
    if (length === 0) continue;
    if (group.length > 0 && (atMs[0] as number) > endMs) {
      yield group;
      group = [];
    }
    group.push(explicitTape(tape));
    endMs = Math.max(endMs, atMs[length - 1] as number);
  }
  if (group.length > 0) yield group;
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The market time of a session. */
function spanOf(tapes: readonly EventTape[], { fromMs }: Pick<BacktestInput, 'fromMs'>): Span {
  const firstMs = Math.min(...tapes.map(({ updates: { atMs } }) => atMs[0] ?? Infinity));
  const toMs = Math.max(...tapes.map(({ updates: { atMs, length } }) => atMs[length - 1] ?? -Infinity));
  return { fromMs: Math.min(Math.max(firstMs, fromMs ?? -Infinity), toMs), toMs };
}

async function spansOf(input: BacktestInput): Promise<readonly Span[]> {
  const spans: Span[] = [];
  if (input.onProgress === undefined) return spans;
  for await (const tapes of sessionsOf(input.tapes())) spans.push(spanOf(tapes, input));
  return spans;
}
