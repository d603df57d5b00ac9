/** Compares the fills of a paper account with those of a real one that followed the same intents. Pure. */
import type { FillCause } from '../../src/domain/fill-cause.ts';
import { opposite, splitBetType } from '../../src/domain/selection.ts';
import { type Random, seededRandom } from '../../src/lib/random.ts';

import type { MarketTrade } from './market.ts';

export interface ComparedFill {
  /** `sport|event`. */
  readonly event: string;
  readonly betType: string;
  readonly price: number;
  readonly stake: number;
  readonly cause: FillCause;
  /** Wall-clock milliseconds. */
  readonly atMs: number;
  /** The worth of a unit of stake 10 s and 60 s later, at the fair price of then; null where none was known. */
  readonly marks: readonly [number | null, number | null];
}

/** A figure with its interval of 95 %, by event. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface ModelComparison {
  readonly model: string;
  readonly fills: number;
  readonly stake: number;
  /** The share of live fills that have a paper fill beside them. */
  readonly recall: Estimate;
  /** The same without the one trade. */
  readonly recallInTime: Estimate;
  /** The share of paper fills that have a live fill beside them. */
  readonly precision: Estimate;
  /** Filled stake, paper over live, less 1. */
  readonly stakeDifference: Estimate;
  /** Mean mark of a unit of stake after 10 s and after 60 s. */
  readonly marks: readonly [Estimate, Estimate];
  /** Live fills without a paper fill, and paper fills without a live one, by the cause of the fill. */
  readonly missed: Readonly<Record<string, number>>;
  readonly extra: Readonly<Record<string, number>>;
}

/**
 * A change of the book is shown at the next broadcast of its event, up to two seconds later: no paper fill can know of it before. Beyond
 * that a fill may be a second apart.
 */
export const BROADCAST_MS = 2_000;
export const APART_MS = 1_000;

const RESAMPLES = 1_000;

/** Whether a paper fill may be that of a live one: at the same time, or with no more than one trade between. */
const isBeside = (paper: ComparedFill, live: ComparedFill, trades: Trades): boolean =>
  isInTime(paper, live) || trades.between(paper, live) <= 1;

const isInTime = (paper: ComparedFill, live: ComparedFill): boolean =>
  paper.atMs >= live.atMs - APART_MS && paper.atMs <= live.atMs + BROADCAST_MS + APART_MS;

/** The trades of the undisturbed market by the orders that they can fill. */
export class Trades {
  readonly #timesMs: ReadonlyMap<string, readonly number[]>;

  constructor(trades: readonly MarketTrade[]) {
    const byOrder = Map.groupBy(trades, ({ key, taker }) => `${key}|${opposite(taker)}`);
    this.#timesMs = new Map(Array.from(byOrder, ([key, of]) => [key, of.map(({ atMs }) => atMs)]));
  }

  /** How many trades of the selection and side happened between two fills, ends left out; Infinity where nothing is known of trades. */
  between(a: ComparedFill, b: ComparedFill): number {
    const side = splitBetType(a.betType);
    const timesMs = this.#timesMs.get(`${a.event}|${side?.outcome ?? ''}|${side?.direction ?? ''}`);
    if (timesMs === undefined) return Infinity;
    const [fromMs, untilMs] = a.atMs < b.atMs ? [a.atMs, b.atMs] : [b.atMs, a.atMs];
    return timesMs.filter((atMs) => atMs > fromMs && atMs < untilMs).length;
  }
}

const keyOf = ({ event, betType, price }: ComparedFill): string => `${event}|${betType}|${price}`;

/** The fills that have one of the others beside them. */
function beside(
  fills: readonly ComparedFill[],
  others: readonly ComparedFill[],
  are: (fill: ComparedFill, other: ComparedFill) => boolean,
): ReadonlySet<ComparedFill> {
  const byKey = Map.groupBy(others, keyOf);
  return new Set(fills.filter((fill) => byKey.get(keyOf(fill))?.some((other) => are(fill, other)) ?? false));
}

/** Compares the fills of one model with those of the live account. */
export function compareModel(
  model: string,
  live: readonly ComparedFill[],
  paper: readonly ComparedFill[],
  trades: Trades,
  seed: number,
): ModelComparison {
  const found = beside(live, paper, (fill, other) => isBeside(other, fill, trades));
  const right = beside(paper, live, (fill, other) => isBeside(fill, other, trades));
  const inTime = beside(live, paper, (fill, other) => isInTime(other, fill));
  const events = [...new Set([...live, ...paper].map(({ event }) => event))];
  const [ofLive, ofPaper] = [Map.groupBy(live, eventOf), Map.groupBy(paper, eventOf)];
  const estimate = (statistic: Statistic): Estimate =>
    bootstrapped(
      events.map((event) => [ofLive.get(event) ?? [], ofPaper.get(event) ?? []]),
      statistic,
      seededRandom(seed, `bootstrap of ${model}`),
    );
  return {
    model,
    fills: paper.length,
    stake: stakeOf(paper),
    recall: estimate((l) => partOf(l, found)),
    recallInTime: estimate((l) => partOf(l, inTime)),
    precision: estimate((_, p) => partOf(p, right)),
    stakeDifference: estimate((l, p) => stakeOf(p) / stakeOf(l) - 1),
    marks: [estimate((_, p) => meanMark(p, 0)), estimate((_, p) => meanMark(p, 1))],
    missed: causesOf(live.filter((fill) => !found.has(fill))),
    extra: causesOf(paper.filter((fill) => !right.has(fill))),
  };
}

/** The marks of the live fills. */
export function liveMarks(live: readonly ComparedFill[], seed: number): readonly [Estimate, Estimate] {
  const groups = [...Map.groupBy(live, eventOf).values()].map((fills) => [fills, []] as const);
  const estimate = (at: 0 | 1): Estimate =>
    bootstrapped(groups, (fills) => meanMark(fills, at), seededRandom(seed, 'bootstrap of live'));
  return [estimate(0), estimate(1)];
}

type Statistic = (live: readonly ComparedFill[], paper: readonly ComparedFill[]) => number;
type Group = readonly [live: readonly ComparedFill[], paper: readonly ComparedFill[]];

const eventOf = ({ event }: ComparedFill): string => event;

/** Resamples whole events: fills of one event depend on each other. */
function bootstrapped(groups: readonly Group[], statistic: Statistic, random: Random): Estimate {
  const of = (chosen: readonly Group[]): number =>
    statistic(
      chosen.flatMap(([live]) => live),
      chosen.flatMap(([, paper]) => paper),
    );
  const draw = (): Group => groups[Math.floor(random.next() * groups.length)] as Group;
  const values = Array.from({ length: groups.length === 0 ? 0 : RESAMPLES }, () => of(groups.map(draw)))
    .filter((value) => Number.isFinite(value))
    .sort((a, b) => a - b);
  const at = (part: number): number => values[Math.floor(part * (values.length - 1))] ?? NaN;
  return { value: of(groups), low: at(0.025), high: at(0.975) };
}

const partOf = (fills: readonly ComparedFill[], marked: ReadonlySet<ComparedFill>): number =>
  fills.filter((fill) => marked.has(fill)).length / fills.length;

const stakeOf = (fills: readonly ComparedFill[]): number => fills.reduce((sum, { stake }) => sum + stake, 0);

function meanMark(fills: readonly ComparedFill[], at: 0 | 1): number {
  const marked = fills.filter(({ marks }) => marks[at] !== null);
  return marked.reduce((sum, { stake, marks }) => sum + stake * (marks[at] ?? 0), 0) / stakeOf(marked);
}

const causesOf = (fills: readonly ComparedFill[]): Record<string, number> =>
  Object.fromEntries(
    Array.from(
      Map.groupBy(fills, ({ cause }) => cause),
      ([cause, of]) => [cause, of.length],
    ),
  );
