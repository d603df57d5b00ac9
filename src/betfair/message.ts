/** Reads one line of Betfair's stream format. What it returns is checked: the numbers are numbers, and they can be prices and sizes. */
import { foreignJson } from '../lib/foreign-text.ts';
import { reasonOf } from '../lib/reason.ts';

/** Pairs of price and size. A size of 0 empties the price. */
export type Levels = readonly (readonly [price: number, size: number])[];

/** Triples of rank, price and size: the best levels alone. A size of 0 empties the rank. */
export type RankedLevels = readonly (readonly [rank: number, price: number, size: number])[];

/** A message's change of one runner. */
export interface RunnerChange {
  readonly id: number;
  readonly hc?: number | null;
  /** Available to back and to lay, at every price. */
  readonly atb?: Levels | null;
  readonly atl?: Levels | null;
  /** The same, the best levels alone. */
  readonly batb?: RankedLevels | null;
  readonly batl?: RankedLevels | null;
  /** The offers that takers see: the best levels with the prices that Betfair matches across selections. */
  readonly bdatb?: RankedLevels | null;
  readonly bdatl?: RankedLevels | null;
  /** Traded volume at each price. */
  readonly trd?: Levels | null;
  /** The last traded price. */
  readonly ltp?: number | null;
}

/** A market's part of a message. */
export interface MarketChange {
  readonly id: string;
  /** The change replaces everything that was known of the market's book. */
  readonly img?: boolean | null;
  /** As JSON has it, see `readDefinition`. */
  readonly marketDefinition?: unknown;
  readonly rc?: readonly RunnerChange[] | null;
}

/** A message of changes. */
export interface Message {
  /** Publish time, wall-clock milliseconds. */
  readonly atMs: number;
  readonly changes: readonly MarketChange[];
}

/** A line that is not understood. `kind` is the same for all lines with the same fault. */
export class NotUnderstood extends Error {
  readonly kind: string;

  constructor(kind: string, message: string) {
    super(message);
    this.kind = kind;
  }
}

interface RawMessage {
  readonly op?: unknown;
  readonly pt?: unknown;
  readonly mc?: unknown;
}

/** A message, or the kind of a line that is another one, such as `connection`. Throws NotUnderstood, with the field's name. */
export function readLine(text: string): Message | string {
  const line = jsonIn(text);
  if (line?.op !== 'mcm') return typeof line?.op === 'string' ? line.op : 'without op';
  const { pt, mc } = line;
  if (typeof pt !== 'number' || !(pt > 0)) throw wrong('pt', 'is not an instant in milliseconds');
  if (mc === undefined || mc === null) return { atMs: pt, changes: [] };
  if (!Array.isArray(mc)) throw wrong('mc', 'is not a list');
  for (let at = 0; at < mc.length; at++) checkMarket(mc[at] as MarketChange | null);
  return { atMs: pt, changes: mc as readonly MarketChange[] };
}

function jsonIn(text: string): RawMessage | null {
  try {
    return foreignJson(text) as RawMessage | null;
  } catch (error) {
    throw new NotUnderstood('no JSON', reasonOf(error));
  }
}

function checkMarket(market: MarketChange | null | undefined): void {
  const id: unknown = market?.id;
  if (typeof id !== 'string' || id === '') throw wrong('mc.id', 'is not the id of a market');
  const runners: unknown = market?.rc;
  if (runners === undefined || runners === null) return;
  if (!Array.isArray(runners)) throw wrong('mc.rc', 'is not a list');
  for (let at = 0; at < runners.length; at++) checkRunner(runners[at] as RunnerChange | null);
}

function checkRunner(runner: RunnerChange | null | undefined): void {
  if (!Number.isSafeInteger(runner?.id)) throw wrong('mc.rc.id', 'is not a number');
  const { hc, atb, atl, trd } = runner as RunnerChange;
  if (hc !== undefined && hc !== null && !Number.isFinite(hc)) throw wrong('mc.rc.hc', 'is not a number');
  if (atb !== undefined) checkLevels(atb, 'mc.rc.atb');
  if (atl !== undefined) checkLevels(atl, 'mc.rc.atl');
  if (trd !== undefined) checkLevels(trd, 'mc.rc.trd');
  checkRankedSides(runner as RunnerChange);
}

function checkRankedSides({ batb, batl, bdatb, bdatl }: RunnerChange): void {
  if (batb !== undefined) checkRanks(batb, 'mc.rc.batb');
  if (batl !== undefined) checkRanks(batl, 'mc.rc.batl');
  if (bdatb !== undefined) checkRanks(bdatb, 'mc.rc.bdatb');
  if (bdatl !== undefined) checkRanks(bdatl, 'mc.rc.bdatl');
}

function checkLevels(levels: Levels | null, field: string): void {
  if (levels === null) return;
  if (!Array.isArray(levels)) throw wrong(field, 'is not a list');
  for (let at = 0; at < levels.length; at++) {
    const level = levels[at] as Levels[number];
    if (!Array.isArray(level)) throw wrong(field, 'has a level that is no pair of price and size');
    if (!isPrice(level[0]))
      throw wrong(field, `the price ${JSON.stringify(level[0])} is not a number above 0`);
    if (!isSize(level[1]))
      throw wrong(field, `the size ${JSON.stringify(level[1])} is not a number of at least 0`);
  }
}

function checkRanks(levels: RankedLevels | null, field: string): void {
  if (levels === null) return;
  if (!Array.isArray(levels)) throw wrong(field, 'is not a list');
  for (const level of levels) {
    if (!Array.isArray(level)) throw wrong(field, 'has a level that is no triple of rank, price and size');
    const [rank, price, size] = level as readonly number[] as RankedLevels[number];
    if (!Number.isSafeInteger(rank) || rank < 0 || rank > MOST_RANK)
      throw wrong(field, `the rank ${JSON.stringify(rank)} is not a place in a list`);
    if (!isSize(size)) throw wrong(field, `the size ${JSON.stringify(size)} is not a number of at least 0`);
    if (size > 0 && !isPrice(price))
      throw wrong(field, `the price ${JSON.stringify(price)} is not a number above 0`);
  }
}

/** The stream has ten ranks at most. */
const MOST_RANK = 1_000;
/** Beyond this a size is no money. */
const MOST_SIZE = 1e9;

const isPrice = (price: unknown): boolean => typeof price === 'number' && price > 0 && price < Infinity;
const isSize = (size: unknown): boolean => typeof size === 'number' && size >= 0 && size <= MOST_SIZE;

const wrong = (field: string, what: string): NotUnderstood => new NotUnderstood(field, `${field}: ${what}`);
