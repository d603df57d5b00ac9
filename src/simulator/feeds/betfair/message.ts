import { z } from 'zod';
import { foreignJson } from '../../../lib/foreign-text.ts';

/** `[price, size, price, size, …]`: packed, because a recording has many messages with few levels each. */
export type FlatLevels = readonly number[];

/** A message's changes of one runner. Sizes replace the size at their price; `traded` is cumulative. */
export interface RunnerChange {
  readonly runnerId: number;
  /** Available to back: stake for `for` takers. */
  readonly toBack: FlatLevels;
  /** Available to lay: stake for `against` takers. */
  readonly toLay: FlatLevels;
  readonly traded: FlatLevels;
}

export interface RunnerDefinition {
  readonly runnerId: number;
  readonly name: string;
  readonly status: string;
}

export interface MarketDefinition {
  readonly sportCode: string;
  readonly marketType: string;
  readonly eventName: string;
  readonly country: string;
  readonly winners: number;
  readonly startMs: number;
  readonly inPlay: boolean;
  readonly status: string;
  /** Runners in the market's own order. */
  readonly runners: readonly RunnerDefinition[];
}

export interface MarketChange {
  readonly marketId: string;
  /** The change replaces everything known of the market's book. */
  readonly image: boolean;
  readonly definition: MarketDefinition | null;
  readonly runners: readonly RunnerChange[];
}

/** A line of a recording. */
export interface RecordedMessage {
  /** Publish time. */
  readonly atMs: number;
  readonly changes: readonly MarketChange[];
}

const levels = z
  .array(z.tuple([z.number(), z.number().nonnegative()]))
  .transform((pairs): FlatLevels => pairs.flat())
  .default([]);

/** A runner with a handicap is another selection of the same id; such markets are not replayed. */
const runnerChange = z
  .object({ id: z.number(), hc: z.number().default(0), atb: levels, atl: levels, trd: levels })
  .transform((rc): RunnerChange | null =>
    rc.hc === 0 ? { runnerId: rc.id, toBack: rc.atb, toLay: rc.atl, traded: rc.trd } : null,
  );

const runnerDefinition = z.object({
  id: z.number(),
  name: z.string().optional(),
  status: z.string(),
  sortPriority: z.number().default(0),
});

const instant = z
  .string()
  .transform((text) => Date.parse(text))
  .refine(Number.isFinite);

const definition = z
  .object({
    eventTypeId: z.string().default(''),
    marketType: z.string().default(''),
    eventName: z.string().default(''),
    countryCode: z.string().default(''),
    numberOfWinners: z.number().int().min(1).catch(1),
    marketTime: instant,
    inPlay: z.boolean(),
    status: z.string(),
    runners: z.array(runnerDefinition).min(1),
  })
  .transform((def): MarketDefinition => ({
    sportCode: def.eventTypeId,
    marketType: def.marketType,
    eventName: def.eventName,
    country: def.countryCode,
    winners: def.numberOfWinners,
    startMs: def.marketTime,
    inPlay: def.inPlay,
    status: def.status,
    runners: def.runners
      .toSorted((a, b) => a.sortPriority - b.sortPriority)
      .map((runner) => ({
        runnerId: runner.id,
        name: runner.name ?? `Runner ${runner.id}`,
        status: runner.status,
      })),
  }));

const marketChange = z
  .object({
    id: z.string(),
    img: z.boolean().default(false),
    marketDefinition: definition.optional(),
    rc: z.array(runnerChange).default([]),
  })
  .transform((mc): MarketChange => ({
    marketId: mc.id,
    image: mc.img,
    definition: mc.marketDefinition ?? null,
    runners: mc.rc.filter((change) => change !== null),
  }));

const message = z
  .object({ op: z.literal('mcm'), pt: z.number().int().positive(), mc: z.array(marketChange).default([]) })
  .transform((mcm): RecordedMessage => ({ atMs: mcm.pt, changes: mcm.mc }));

/** Reads a line of the Betfair Exchange Stream format; null when it is not a well-formed market change message. */
export function parseMessage(line: string): RecordedMessage | null {
  const json = parseJson(line);
  const parsed = message.safeParse(json);
  return parsed.success ? parsed.data : null;
}

function parseJson(line: string): unknown {
  try {
    return foreignJson(line);
  } catch {
    return null;
  }
}
