import { z } from 'zod';
import { ConfigError, TouchlineError, TransportError } from '../../domain/errors.ts';
import type { ResumeReport } from '../../engine/kill/resume.ts';
import type { AdjustWish, StateWish } from '../../ops/commands/controls.ts';
import type { LiveState } from '../../read-model/live/message.ts';
import type { Status } from '../../read-model/status.ts';
import type { TradingState } from '../../risk/index.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { clientOf, type Operation, operator } from './daemon.ts';
import { holderIn } from './holder.ts';
import { RISK } from './kill.ts';

export type { ResumeReport } from '../../engine/kill/resume.ts';
export type { Operation } from './daemon.ts';

/** Whether an answer has the part that a command reads. An answer without it came from another program. */
const readAs =
  <T>(schema: z.ZodType<T>) =>
  (body: unknown): body is T =>
    schema.safeParse(body).success;

const quoteSchema = z.object({
  direction: z.string(),
  price: z.number(),
  stakeUsdt: z.number(),
  /** What the order is called and priced on the exchange, where that differs. */
  exchange: z.object({ label: z.string(), price: z.number(), stake: z.number() }).optional(),
  reason: z.string().optional(),
});

const verdictSchema = z.object({
  stage: z.string(),
  direction: z.string().nullable(),
  code: z.string(),
  message: z.string(),
});

const alarmsSchema = z.array(z.object({ guard: z.string(), why: z.string() }));

const reasonSchema = z.string().nullable();

/** The reasons why a selection is not quoted. Amounts in USDT. */
const whySchema = z.looseObject({
  selectionId: z.string(),
  /** What people call the event, and the selection within it; absent from a daemon of an earlier version. */
  event: z.string().optional(),
  name: z.string().optional(),
  wanted: z.array(quoteSchema),
  reason: z.object({ for: reasonSchema, against: reasonSchema }),
  verdicts: z.array(verdictSchema),
  state: z.string(),
  alarms: alarmsSchema,
});

export type WhyAnswer = z.infer<typeof whySchema>;

const isWhyAnswer = readAs(z.array(whySchema));

const exposureSchema = z.object({ worstCaseUsdt: z.number(), grossUsdt: z.number() });

/** What a person wants of an event. */
const adjustmentSchema = z.object({
  what: z.enum(['leave', 'stake', 'widen']),
  amount: z.number(),
  by: z.string(),
  why: z.string(),
  untilMs: z.number().nullable(),
});

export type ShownAdjustment = z.infer<typeof adjustmentSchema>;

const isAdjustAnswer = readAs(z.object({ of: z.string(), adjustments: z.array(adjustmentSchema) }));

/** Exposure, what stops trading, and what was refused. Amounts in USDT. */
const riskSchema = z.looseObject({
  openOrders: z.number().nullable(),
  remaining: z.array(z.object({ what: z.string(), release: z.string() })),
  /** Absent from a daemon of an earlier version. */
  adjustments: z.array(adjustmentSchema.extend({ event: z.string() })).optional(),
  alarms: alarmsSchema,
  refusals: z.record(z.string(), z.number()),
  blocked: z.record(z.string(), z.number()),
  /** Each limit of the account beside its use. Absent from a daemon of an earlier version. */
  limits: z
    .array(
      z.object({ name: z.string(), use: z.number(), limit: z.number(), unit: z.enum(['usdt', 'count']) }),
    )
    .optional(),
  exposure: z.object({
    account: exposureSchema.extend({ openUsdt: z.number() }),
    scopes: z.array(exposureSchema.extend({ kind: z.string(), name: z.string() })),
    events: z.array(
      exposureSchema.extend({ sport: z.string(), eventId: z.string(), name: z.string().optional() }),
    ),
  }),
});

export type RiskReport = z.infer<typeof riskSchema>;

const isRiskReport = readAs(riskSchema);

const isStateAnswer = readAs(
  z.object({
    binding: z.enum(['active', 'reducing', 'halted']),
    of: z.string().optional(),
    by: z.string().optional(),
    why: z.string().optional(),
  }),
);

const isResumeAnswer = readAs(
  z.object({
    released: z.array(z.string()),
    remaining: z.array(z.object({ what: z.string(), release: z.string() })),
    trading: z.boolean(),
    reducing: z.boolean(),
  }),
);

const RESUME = { path: '/resume', shape: isResumeAnswer };

/**
 * Resumes on a person's command: through the daemon or, if there is none, through the journal for the next one. Rejects with
 * TransportError if there is neither, or if a process holds the journal and does not answer.
 */
export async function resume(operation: Operation, reason: string): Promise<ResumeReport> {
  try {
    return await (await clientOf(operation)).post(RESUME, { reason, by: operator() });
  } catch (error) {
    if (!(error instanceof TransportError) || holderIn(error) !== null) throw error;
    const config = await operation.config();
    if (config.journal.path === '') throw error;
    const record = { by: operator(), reason, atMs: systemClock.wallMs() };
    // Takes long to load, and is not needed where a daemon answers.
    const { resumeOffline } = await import('./offline.ts');
    return resumeOffline(config, record, systemClock);
  }
}

/** The state in force in a scope after it was set. A wider scope or the kill switch may be stricter. */
export interface StateReport {
  readonly binding: TradingState;
  /** The part of the account, by its name; absent from a daemon of an earlier version. */
  readonly of?: string | undefined;
  readonly by?: string | undefined;
  readonly why?: string | undefined;
}

/** Sets a trading state. Rejects with TouchlineError `usage` when the daemon does not know the event or selection. */
export async function setState(operation: Operation, wish: StateWish): Promise<StateReport> {
  const names = wish.event !== undefined || wish.selection !== undefined;
  const question = { path: '/state', shape: isStateAnswer, names };
  try {
    return await (await clientOf(operation)).post(question, { ...wish, by: operator() });
  } catch (error) {
    const named = wish.event === undefined ? `--selection ${wish.selection}` : `--event ${wish.event}`;
    throw asUsage(error, `${named}: the daemon does not know it`);
  }
}

/** Adjusts how an event is quoted. Rejects with TouchlineError `usage` when the daemon does not know it. */
export async function adjust(
  operation: Operation,
  wish: AdjustWish,
): Promise<{ readonly of: string; readonly adjustments: readonly ShownAdjustment[] }> {
  const question = { path: '/adjust', shape: isAdjustAnswer, names: true };
  try {
    return await (await clientOf(operation)).post(question, { ...wish, by: operator() });
  } catch (error) {
    throw asUsage(error, `${wish.event}: the daemon does not know it`);
  }
}

/** A name that means nothing (detail `unknown`), or several things, is a mistake of the caller. Any other error stays as it is. */
function asUsage(error: unknown, unknown: string): unknown {
  if (!(error instanceof TouchlineError)) return error;
  if (error.code === 'ambiguous') return new TouchlineError('usage', error.message);
  return error.code === 'not_found' ? new TouchlineError('usage', unknown, { unknown: true }) : error;
}

/** Closes the daemon's orders, and places none until a resume. Resolves to the state of the account. */
export const pause = async (operation: Operation, reason: string): Promise<StateReport> =>
  (await clientOf(operation)).post({ path: '/pause', shape: isStateAnswer }, { reason, by: operator() });

/**
 * Whether a daemon answers at the configured address. Rejects with ConfigError if the address is not known, and with TransportError if a
 * process holds the journal and does not answer.
 */
export async function isDaemonThere(operation: Operation): Promise<boolean> {
  try {
    await (await clientOf(operation)).get(RISK);
    return true;
  } catch (error) {
    const isUnsure = error instanceof ConfigError || !(error instanceof TouchlineError);
    if (isUnsure || holderIn(error) !== null) throw error;
    // A refused token is an answer, too.
    return !(error instanceof TransportError);
  }
}

/** The reasons why a selection (or each one) is not quoted. Rejects with TouchlineError `not_found`. */
export async function why(operation: Operation, selection: string | null): Promise<readonly WhyAnswer[]> {
  const query = selection === null ? '' : `?selection=${encodeURIComponent(selection)}`;
  const question = { path: `/why${query}`, shape: isWhyAnswer, names: selection !== null };
  try {
    return await (await clientOf(operation)).get(question);
  } catch (error) {
    throw asUsage(
      error,
      `the daemon has chosen no selection named ${selection}: touchline why lists those that it has`,
    );
  }
}

/** A daemon of another version may lack fields: then it is no status that this program can show. */
const isStatus = (body: unknown): body is Status =>
  z
    .looseObject({
      version: z.string(),
      mode: z.string(),
      profit: z.looseObject({ run: z.looseObject({ settled: z.number() }) }),
      events: z.array(z.unknown()),
      limits: z.array(z.unknown()),
      recentFills: z.array(z.unknown()),
    })
    .safeParse(body).success;

/** What the daemon quotes, holds and has earned. */
export const statusReport = async (operation: Operation): Promise<Status> =>
  (await clientOf(operation)).get({ path: '/status', shape: isStatus });

const isLiveState = (body: unknown): body is LiveState =>
  z.looseObject({ atMs: z.number(), pieces: z.array(z.looseObject({ name: z.string() })) }).safeParse(body)
    .success;

/** The state for pages, with the details of some events. */
export async function liveReport(operation: Operation, events: ReadonlySet<string>): Promise<LiveState> {
  const query = new URLSearchParams(Array.from(events, (key): [string, string] => ['event', key]));
  return (await clientOf(operation)).get({ path: `/live/now?${query.toString()}`, shape: isLiveState });
}

const isLog = readAs(z.array(z.string()));

/** The last lines of the log as JSON, the newest last. */
export const logReport = async (operation: Operation): Promise<readonly string[]> =>
  (await clientOf(operation)).get({ path: '/log', shape: isLog });

/** Exposure, states, guards and refusals. */
export const riskReport = async (operation: Operation): Promise<RiskReport> =>
  (await clientOf(operation)).get({ path: RISK.path, shape: isRiskReport });
