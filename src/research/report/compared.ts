/** Two reports side by side: figures of the scenarios that both have, and what was run differently. */
import { PAGE } from '../../lib/formats.ts';
import type { Scenario } from '../../fills/fill-model.ts';
import type { BacktestReport, ScenarioSummary } from '../summary.ts';
import { FIGURES, type FigureRow } from './figures.ts';

export interface ComparedRow {
  readonly name: string;
  readonly a: string;
  readonly b: string;
  /** B less A; `–` where a value is missing. */
  readonly difference: string;
  /** The sign of a difference that is good or bad news, else null. */
  readonly sign: number | null;
}

export interface ComparedScenario {
  readonly scenario: Scenario;
  readonly rows: readonly ComparedRow[];
}

export function compared(a: BacktestReport, b: BacktestReport): ComparedScenario[] {
  return a.summaries.flatMap((one) => {
    const other = b.summaries.find(({ scenario }) => scenario === one.scenario);
    if (other === undefined) return [];
    return [{ scenario: one.scenario, rows: FIGURES.map((figure) => rowOf(figure, one, other)) }];
  });
}

function rowOf(figure: FigureRow, one: ScenarioSummary, other: ScenarioSummary): ComparedRow {
  const [before, after] = [figure.value(one), figure.value(other)];
  const difference = before === null || after === null ? null : after - before;
  return {
    name: figure.name,
    a: figure.text(one),
    b: figure.text(other),
    difference: difference === null ? PAGE.nothing : figure.difference(difference),
    sign: figure.signed ? difference : null,
  };
}

/** Name, value of A and value of B, of everything that differs in how the reports were made. */
export function differentEntries(
  a: BacktestReport,
  b: BacktestReport,
): (readonly [string, string, string])[] {
  const [before, after] = [settingsOf(a), settingsOf(b)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((name) => [name, before.get(name) ?? PAGE.nothing, after.get(name) ?? PAGE.nothing] as const)
    .filter(([, one, other]) => one !== other);
}

function settingsOf({ result }: BacktestReport): Map<string, string> {
  const { strategy, engine, seed, latencyMs, commission, parameters, coverage } = result;
  const settings = { strategy, engine, seed, 'latency, ms': latencyMs, commission, data: coverage.dataHash };
  return new Map(
    [...Object.entries(settings), ...Object.entries(parameters)].map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}
