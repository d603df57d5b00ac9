/** The parts of Betfair's market definitions that an import reads (Betfair Exchange Stream API, `marketDefinition`). */
export interface RunnerDefinition {
  readonly runnerId: number;
  /** The handicap of the runner; 0 in markets without. */
  readonly handicap: number;
  /** Null in files without names. */
  readonly name: string | null;
  readonly status: string;
  readonly sortPriority: number;
}

export interface MarketDefinition {
  /** Betfair's id of the match, or of the race day. */
  readonly matchId: string;
  /** Betfair's event type, such as `1` for football. */
  readonly sportCode: string;
  readonly marketType: string;
  readonly eventName: string;
  readonly country: string;
  readonly winners: number;
  readonly startMs: number;
  readonly inPlay: boolean;
  readonly status: string;
  readonly betDelayMs: number;
  /** A fraction, such as 0.05; null if the file states none. */
  readonly commissionRate: number | null;
  /** By sort priority. */
  readonly runners: readonly RunnerDefinition[];
}

/** A member of a wrong type, by its name. */
class Wrong extends Error {}

type Members = Readonly<Record<string, unknown>>;

/** Reads a definition; the second value names the field that is wrong. Written by hand: a schema takes longer than all other lines. */
export function readDefinition(value: unknown): [MarketDefinition, null] | [null, string] {
  try {
    return [definitionIn(membersOf(value, 'marketDefinition')), null];
  } catch (error) {
    if (error instanceof Wrong) return [null, error.message];
    throw error;
  }
}

function definitionIn(it: Members): MarketDefinition {
  const rate = numberIn(it, 'marketBaseRate', null);
  return {
    matchId: idIn(it, 'eventId'),
    sportCode: idIn(it, 'eventTypeId'),
    marketType: textIn(it, 'marketType', 'UNKNOWN'),
    eventName: textIn(it, 'eventName', ''),
    country: textIn(it, 'countryCode', ''),
    winners: numberIn(it, 'numberOfWinners', 1),
    startMs: instantIn(it, 'marketTime'),
    inPlay: it['inPlay'] === true,
    status: textIn(it, 'status', 'OPEN'),
    betDelayMs: Math.round(numberIn(it, 'betDelay', 0) * 1000),
    commissionRate: rate === null ? null : rate / 100,
    runners: runnersIn(it['runners'] ?? []),
  };
}

function runnersIn(value: unknown): RunnerDefinition[] {
  if (!Array.isArray(value)) throw new Wrong('marketDefinition.runners: is not a list');
  return value.map(runnerIn).sort((a, b) => a.sortPriority - b.sortPriority);
}

function runnerIn(value: unknown): RunnerDefinition {
  const it = membersOf(value, 'marketDefinition.runners');
  const name = textIn(it, 'name', '');
  return {
    runnerId: numberIn(it, 'id', null) ?? required('runners.id'),
    handicap: numberIn(it, 'hc', 0),
    name: name === '' ? null : name,
    status: textIn(it, 'status', 'ACTIVE'),
    sortPriority: numberIn(it, 'sortPriority', 0),
  };
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

function numberIn<A extends number | null>(it: Members, field: string, absent: A): number | A {
  const value = it[field] ?? absent;
  return value === absent || (typeof value === 'number' && Number.isFinite(value))
    ? (value as number | A)
    : wrong(field, 'a number');
}

/** A number or a text. */
function idIn(it: Members, field: string): string {
  const value = it[field] ?? required(field);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : wrong(field, 'an id');
}

function instantIn(it: Members, field: string): number {
  const value = it[field] ?? required(field);
  const ms = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isFinite(ms) ? ms : wrong(field, 'an instant');
}

function wrong(field: string, expected: string): never {
  throw new Wrong(`marketDefinition.${field}: is not ${expected}`);
}
