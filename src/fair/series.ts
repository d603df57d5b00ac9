/**
 * The fair values of an event over time, as everything that judges fills reads them: marks, closing line, attribution, luck and
 * charts. They come from the recorded market alone, which cannot see orders of ours, so one series serves every strategy, parameter
 * set, scenario and engine. `docs/statistics.md` has the definition.
 */
import type { EventTape } from '../research/tape.ts';
import { type ClosingLine, lineBefore } from './closing-line.ts';
import type { Group } from './groups.ts';
import { type Mark, markOf } from './marks.ts';
import { FAIR, type FairOptions } from './options.ts';
import type { MarketState } from './market-state.ts';
import { passOver } from './pass.ts';
import { countUntil, type Fair, fairOfStep, type Steps } from './steps.ts';

/** A fair value with the last instant at which it stood: Infinity where nothing ended it. */
export interface LastFair {
  readonly logOdds: number;
  readonly atMs: number;
}

/** Fair values of an event. Selections are positions in `EventTape.selections`, instants wall-clock milliseconds. */
export interface FairSeries {
  readonly groups: readonly Group[];
  /** The fair value that stood before the updates of an instant. */
  fairAt(selection: number, atMs: number): Fair;
  /** The log-odds of the last fair value until an instant, its updates included; null without one. */
  lastAt(selection: number, atMs: number): number | null;
  /** The last fair value of the recording; null if none stood after an instant. */
  lastAfter(selection: number, atMs: number): LastFair | null;
  markAfter(selection: number, atMs: number, horizonS: number): Mark;
  closingLine(selection: number): ClosingLine;
  /** The last update of the selection before an instant. */
  updatedBefore(selection: number, atMs: number): number;
}

const computed = new WeakMap<EventTape, Map<FairOptions, FairSeries>>();

/** The series of a tape, which is computed once for each of `FAIR` and its variants. */
export function fairSeries(tape: EventTape, options: FairOptions = FAIR): FairSeries {
  const ofTape = computed.get(tape) ?? new Map<FairOptions, FairSeries>();
  computed.set(tape, ofTape);
  const series = ofTape.get(options) ?? seriesOf(tape, options);
  ofTape.set(options, series);
  return series;
}

function seriesOf(tape: EventTape, options: FairOptions): FairSeries {
  const { columns, updatedMs, markets, groups } = passOver(tape, options);
  const steps = columns.map((each) => each.steps());
  const updates = updatedMs.map((each) => Float64Array.from(each));
  const { atMs: instants, length } = tape.updates;
  const [startMs, endMs] = [instants[0] ?? tape.startMs, instants[length - 1] ?? tape.startMs];
  const stepsOf = (selection: number): Steps => steps[selection] as Steps;
  const marketOf = (selection: number): MarketState =>
    markets[tape.selections[selection]?.market ?? -1] as MarketState;
  const stepBefore = (selection: number, atMs: number): number =>
    countUntil(stepsOf(selection).atMs, atMs, false) - 1;
  const lines = tape.selections.map((_, selection) =>
    lineBefore(stepsOf(selection), marketOf(selection).beforePlayMs),
  );
  return {
    groups,
    fairAt: (selection, atMs) => fairOfStep(stepsOf(selection), stepBefore(selection, atMs)),
    lastAt: (selection, atMs) =>
      validValue(stepsOf(selection), countUntil(stepsOf(selection).atMs, atMs, true) - 1),
    lastAfter: (selection, afterMs) => lastOf(stepsOf(selection), afterMs),
    markAfter: (selection, atMs, horizonS) => {
      const hasResult = (tape.selections[selection]?.settlement ?? null) !== null;
      const { clock } = marketOf(selection);
      return markOf({ steps: stepsOf(selection), clock, endMs, hasResult }, atMs, horizonS);
    },
    closingLine: (selection) => lines[selection] as ClosingLine,
    updatedBefore: (selection, atMs) => {
      const updated = updates[selection] as Float64Array;
      return updated[countUntil(updated, atMs, false) - 1] ?? startMs;
    },
  };
}

function validValue({ logOdds, validBefore }: Steps, step: number): number | null {
  const valid = step < 0 ? -1 : (validBefore[step] as number);
  return valid < 0 ? null : (logOdds[valid] as number);
}

/** The last fair value, if it stood after an instant. */
function lastOf(steps: Steps, afterMs: number): LastFair | null {
  const last = steps.atMs.length - 1;
  const valid = last < 0 ? -1 : (steps.validBefore[last] as number);
  if (valid < 0) return null;
  const untilMs = valid === last ? Infinity : (steps.atMs[valid + 1] as number);
  return untilMs > afterMs ? { logOdds: steps.logOdds[valid] as number, atMs: untilMs - 1 } : null;
}
