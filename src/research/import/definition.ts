/** The parts of Betfair's market definitions that an import reads (Betfair Exchange Stream API, `marketDefinition`). */
import { z } from 'zod';

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

const runner = z
  .object({
    id: z.number(),
    hc: z.number().nullish(),
    name: z.string().nullish(),
    status: z.string().default('ACTIVE'),
    sortPriority: z.number().default(0),
  })
  .transform((it): RunnerDefinition => ({
    runnerId: it.id,
    handicap: it.hc ?? 0,
    name: it.name ?? null,
    status: it.status,
    sortPriority: it.sortPriority,
  }));

const instant = z
  .string()
  .transform((text) => Date.parse(text))
  .refine(Number.isFinite, 'is not an instant');

const definition = z
  .object({
    eventId: z.coerce.string(),
    eventTypeId: z.coerce.string(),
    marketType: z.string().default('UNKNOWN'),
    eventName: z.string().default(''),
    countryCode: z.string().default(''),
    numberOfWinners: z.number().int().default(1),
    marketTime: instant,
    inPlay: z.boolean().default(false),
    status: z.string().default('OPEN'),
    betDelay: z.number().nonnegative().default(0),
    marketBaseRate: z.number().min(0).max(100).nullish(),
    runners: z.array(runner).default([]),
  })
  .transform((it): MarketDefinition => ({
    matchId: it.eventId,
    sportCode: it.eventTypeId,
    marketType: it.marketType,
    eventName: it.eventName,
    country: it.countryCode,
    winners: it.numberOfWinners,
    startMs: it.marketTime,
    inPlay: it.inPlay,
    status: it.status,
    betDelayMs: Math.round(it.betDelay * 1000),
    commissionRate:
      it.marketBaseRate === null || it.marketBaseRate === undefined ? null : it.marketBaseRate / 100,
    runners: it.runners.toSorted((a, b) => a.sortPriority - b.sortPriority),
  }));

/** Reads a definition; the second value names the field that is wrong. */
export function readDefinition(value: unknown): [MarketDefinition, null] | [null, string] {
  const parsed = definition.safeParse(value);
  if (parsed.success) return [parsed.data, null];
  const issue = parsed.error.issues[0];
  return [null, `marketDefinition.${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not readable'}`];
}
