/** Betfair's market definitions (Betfair Exchange Stream API, `marketDefinition`). */
export interface RunnerDefinition {
  readonly runnerId: number;
  /** The handicap of the runner; 0 in markets without. */
  readonly handicap: number;
  /** Null in files without names. */
  readonly name: string | null;
  readonly status: string;
  readonly sortPriority: number;
  /** By how much the prices of the others fall if this runner is removed, in percent; null where the file does not say. */
  readonly factor: number | null;
  /** When the runner was removed, as the file says it; null where it does not. */
  readonly removedMs: number | null;
  /** Betfair's starting price, which is known once the market has turned in play; null where there is none. */
  readonly startingPrice: number | null;
}

export interface MarketDefinition {
  /** Betfair's id of the match, or of the race day; the market's own where the file has none. */
  readonly matchId: string;
  /** Betfair's event type, such as `1` for football; empty where the file has none. */
  readonly sportCode: string;
  readonly marketType: string;
  readonly eventName: string;
  readonly country: string;
  readonly winners: number;
  readonly startMs: number;
  readonly inPlay: boolean;
  readonly status: string;
  readonly betDelayMs: number;
  /** How takers wait in play, such as `PASSIVE`; empty where the file does not say. */
  readonly betDelayModels: readonly string[];
  /** A fraction, such as 0.05; null if the file states none. */
  readonly commissionRate: number | null;
  /** By sort priority. Whoever an earlier definition listed stays in, as it was last described. */
  readonly runners: readonly RunnerDefinition[];
}

/** A member of a wrong type, by its name. */
class Wrong extends Error {}

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads a definition; the second value names the field that is wrong. What it leaves out is as `before` said it. Written by hand: a schema takes longer
 * than all other lines.
 */
export function readDefinition(
  marketId: string,
  value: unknown,
  before: MarketDefinition | null,
): [MarketDefinition, null] | [null, string] {
  try {
    return [definitionIn(membersOf(value, 'marketDefinition'), before ?? unsaid(marketId)), null];
  } catch (error) {
    if (error instanceof Wrong) return [null, error.message];
    throw error;
  }
}

/** The values that a first definition means by leaving them out. Its start is required. */
const unsaid = (marketId: string): MarketDefinition => ({
  matchId: marketId.replace('.', ''),
  sportCode: '',
  marketType: 'UNKNOWN',
  eventName: '',
  country: '',
  winners: 1,
  startMs: NaN,
  inPlay: false,
  status: 'OPEN',
  betDelayMs: 0,
  betDelayModels: [],
  commissionRate: null,
  runners: [],
});

function definitionIn(it: Members, before: MarketDefinition): MarketDefinition {
  const rate = numberIn(it, 'marketBaseRate', null);
  const delayS = numberIn(it, 'betDelay', null);
  return {
    matchId: idIn(it, 'eventId', before.matchId),
    sportCode: idIn(it, 'eventTypeId', before.sportCode),
    marketType: textIn(it, 'marketType', before.marketType),
    eventName: textIn(it, 'eventName', '') || before.eventName,
    country: textIn(it, 'countryCode', before.country),
    winners: numberIn(it, 'numberOfWinners', before.winners),
    startMs: startIn(it, before),
    inPlay: typeof it['inPlay'] === 'boolean' ? it['inPlay'] : before.inPlay,
    status: textIn(it, 'status', before.status),
    betDelayMs: delayS === null ? before.betDelayMs : Math.round(delayS * 1000),
    betDelayModels: textsIn(it, 'betDelayModels') ?? before.betDelayModels,
    commissionRate: rate === null ? before.commissionRate : rate / 100,
    runners: runnersIn(it['runners'] ?? [], before.runners),
  };
}

function startIn(it: Members, { startMs }: MarketDefinition): number {
  const found = instantIn(it, 'marketTime') ?? startMs;
  return Number.isNaN(found) ? required('marketTime') : found;
}

/** One number for a runner and its handicap, whose lines are quarters within ±500: texts would cost more to make. */
export const runnerKey = (runnerId: number, handicap: number): number =>
  runnerId * 4_096 + Math.round(handicap * 4) + 2_048;

/** The runners of all definitions so far. The new one's descriptions count. */
function runnersIn(value: unknown, before: readonly RunnerDefinition[]): RunnerDefinition[] {
  if (!Array.isArray(value)) throw new Wrong('marketDefinition.runners: is not a list');
  const known = new Map<number, RunnerDefinition>();
  for (const runner of before) known.set(runnerKey(runner.runnerId, runner.handicap), runner);
  for (const each of value) {
    const it = membersOf(each, 'marketDefinition.runners');
    const runnerId = numberIn(it, 'id', null) ?? required('runners.id');
    const handicap = numberIn(it, 'hc', 0);
    const key = runnerKey(runnerId, handicap);
    known.set(key, runnerIn(it, runnerId, handicap, known.get(key)));
  }
  return [...known.values()].sort((a, b) => a.sortPriority - b.sortPriority);
}

const UNDESCRIBED = {
  name: null,
  status: 'ACTIVE',
  sortPriority: 0,
  factor: null,
  removedMs: null,
  startingPrice: null,
};

function runnerIn(
  it: Members,
  runnerId: number,
  handicap: number,
  before: Omit<RunnerDefinition, 'runnerId' | 'handicap'> = UNDESCRIBED,
): RunnerDefinition {
  return {
    runnerId,
    handicap,
    name: textIn(it, 'name', '') || before.name,
    status: textIn(it, 'status', before.status),
    sortPriority: numberIn(it, 'sortPriority', before.sortPriority),
    factor: numberIn(it, 'adjustmentFactor', before.factor),
    removedMs: instantIn(it, 'removalDate') ?? before.removedMs,
    startingPrice: startingPriceIn(it) ?? before.startingPrice,
  };
}

/** Where nobody bet at the starting price, files say "NaN" or "Infinity". */
function startingPriceIn({ bsp }: Members): number | null {
  return typeof bsp === 'number' && Number.isFinite(bsp) && bsp > 1 ? bsp : null;
}

function membersOf(value: unknown, field: string): Members {
  if (value === null || typeof value !== 'object') throw new Wrong(`${field}: is not an object`);
  return value as Members;
}

function required(field: string): never {
  throw new Wrong(`marketDefinition.${field}: is missing`);
}

function textIn(it: Members, field: string, absent: string): string {
  const value = it[field] ?? absent;
  return typeof value === 'string' ? value : wrong(field, 'a text');
}

function textsIn(it: Members, field: string): readonly string[] | null {
  const value = it[field] ?? null;
  if (value === null) return null;
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
    ? value
    : wrong(field, 'a list of texts');
}

function numberIn<A extends number | null>(it: Members, field: string, absent: A): number | A {
  const value = it[field] ?? absent;
  return value === absent || (typeof value === 'number' && Number.isFinite(value))
    ? (value as number | A)
    : wrong(field, 'a number');
}

/** A number or a text. */
function idIn(it: Members, field: string, absent: string): string {
  const value = it[field] ?? absent;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : wrong(field, 'an id');
}

function instantIn(it: Members, field: string): number | null {
  const value = it[field] ?? null;
  if (value === null) return null;
  const ms = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isFinite(ms) ? ms : wrong(field, 'an instant');
}

function wrong(field: string, expected: string): never {
  throw new Wrong(`marketDefinition.${field}: is not ${expected}`);
}
