/** Two reports side by side: figures of the scenarios that both have, and what was run differently. */
import { PAGE } from '../../lib/formats.ts';
import { eventKey } from '../../domain/events.ts';
import type { EventKey } from '../../domain/ids.ts';
import type { Scenario } from '../../fills/fill-model.ts';
import type { EventOutcome, ScenarioResult } from '../result.ts';
import { settlementOn } from '../statistics/summarise.ts';
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

/** A scenario of one report. */
interface Run {
  readonly summary: ScenarioSummary;
  readonly result: ScenarioResult;
  readonly seed: number;
}

/** The scenarios that both reports have. */
function runsOf(a: BacktestReport, b: BacktestReport): (readonly [Run, Run])[] {
  return a.summaries.flatMap(({ scenario }) => {
    const [one, other] = [runOf(a, scenario), runOf(b, scenario)];
    return one === null || other === null ? [] : [[one, other] as const];
  });
}

function runOf({ summaries, result }: BacktestReport, scenario: Scenario): Run | null {
  const summary = summaries.find((it) => it.scenario === scenario);
  const found = result.scenarios.find((it) => it.scenario === scenario);
  return summary === undefined || found === undefined ? null : { summary, result: found, seed: result.seed };
}

/** Figures of settled events are of the events that are settled in both, and their names say so. */
export function compared(a: BacktestReport, b: BacktestReport): ComparedScenario[] {
  return runsOf(a, b).map(([one, other]) => {
    const inBoth = sharedBy(settledIn(one), settledIn(other));
    const settled = [one, other].map((run) => narrowed(run, inBoth)) as [ScenarioSummary, ScenarioSummary];
    const betOn = sharedBy(new Set([...betsIn(one), ...betsIn(other)]), inBoth).size;
    const over = `, of ${countOf(betOn, 'event')} settled in both`;
    return {
      scenario: one.summary.scenario,
      rows: FIGURES.map((figure) =>
        figure.ofSettled === true
          ? rowOf({ ...figure, name: figure.name + over }, ...settled)
          : rowOf(figure, one.summary, other.summary),
      ),
    };
  });
}

type Events = ReadonlySet<EventKey>;

const sharedBy = (some: Events, others: Events): Events =>
  new Set([...some].filter((event) => others.has(event)));

const eventsIn = ({ result }: Run, isCounted: (event: EventOutcome) => boolean): Events =>
  new Set(result.events.filter(isCounted).map(({ event }) => eventKey(event)));

const settledIn = (run: Run): Events =>
  eventsIn(run, ({ afterCommissionMicros }) => afterCommissionMicros !== null);

const betsIn = (run: Run): Events => eventsIn(run, ({ fills }) => fills > 0);

/** The summary with the settlement of some events alone. Where nothing was bet on others, it is that already. */
function narrowed(run: Run, events: Events): ScenarioSummary {
  const bets = betsIn(run);
  if (sharedBy(bets, events).size === bets.size) return run.summary;
  const isChosen = ({ event }: EventOutcome): boolean => events.has(eventKey(event));
  return { ...run.summary, ...settlementOn(run.result, isChosen, run.seed) };
}

/** Beyond so many times the fills of the other, a run did something else. */
const MOST_TIMES = 2;

/** Warnings of runs that quoted other events or days, or have far more fills: figures then differ by this alone. */
export function differentRuns(a: BacktestReport, b: BacktestReport): string[] {
  return runsOf(a, b).flatMap(([one, other]) => {
    const [quotedByA, quotedByB] = [quotedIn(one), quotedIn(other)];
    const shared = sharedBy(quotedByA, quotedByB).size;
    const isSameEvents = shared === quotedByA.size && shared === quotedByB.size;
    const [fewer = 0, more = 0] = [one.summary.fills, other.summary.fills].toSorted((x, y) => x - y);
    if (isSameEvents && more <= MOST_TIMES * fewer) return [];
    const both = isSameEvents ? 'the same events' : `${countOf(shared, 'event')} in both`;
    return [
      `${one.summary.scenario}: A has ${extentOf(one, quotedByA)}, B ${extentOf(other, quotedByB)}; ${both}. Their figures are of different bets.`,
    ];
  });
}

const quotedIn = (run: Run): Events => eventsIn(run, ({ orders, fills }) => orders > 0 || fills > 0);

function extentOf({ summary, result }: Run, quoted: Events): string {
  const days = new Set(
    result.events.filter(({ event }) => quoted.has(eventKey(event))).map(({ day }) => day),
  );
  return `${countOf(summary.fills, 'fill')} on ${countOf(quoted.size, 'quoted event')} of ${countOf(days.size, 'match day')}`;
}

const countOf = (count: number, what: string): string =>
  `${PAGE.whole(count)} ${what}${count === 1 ? '' : 's'}`;

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
