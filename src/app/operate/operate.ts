import { z } from 'zod';
import { TouchlineError, TransportError } from '../../domain/errors.ts';
import type { ResumeReport } from '../../engine/kill/resume.ts';
import type { StateWish } from '../../ops/admin-controls.ts';
import type { TradingState } from '../../risk/index.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { clientOf, type Operation, operator } from './daemon.ts';
import { RISK } from './kill.ts';
import { resumeOffline } from './offline.ts';

export type { ResumeReport } from '../../engine/kill/resume.ts';
export type { Operation } from './daemon.ts';

/** Whether an answer has the part that a command reads. An answer without it came from another program. */
const readAs =
  <T>(schema: z.ZodType<T>) =>
  (body: unknown): body is T =>
    schema.safeParse(body).success;

/** Reasons, one entry for each selection. */
const isWhyAnswer = readAs(z.array(z.object({ selectionId: z.string() })));

const isStateAnswer = readAs(
  z.object({
    binding: z.enum(['active', 'reducing', 'halted']),
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
 * Resumes on a person's command: through the daemon or, if none answers, through the journal for the next one. Rejects with
 * TransportError if there is neither.
 */
export async function resume(operation: Operation, reason: string): Promise<ResumeReport> {
  try {
    return await (await clientOf(operation)).post(RESUME, { reason, by: operator() });
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const config = await operation.config();
    if (config.journal.path === '') throw error;
    const record = { by: operator(), reason, atMs: systemClock.wallMs() };
    return resumeOffline(config, record, systemClock);
  }
}

/** The state in force in a scope after it was set. A wider scope or the kill switch may be stricter. */
export interface StateReport {
  readonly binding: TradingState;
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
    if (!(error instanceof TouchlineError) || error.code !== 'not_found') throw error;
    const named = wish.event === undefined ? `--selection ${wish.selection}` : `--event ${wish.event}`;
    throw new TouchlineError('usage', `${named}: the daemon does not know it, or more than one of that name`);
  }
}

/** The reasons why a selection (or each one) is not quoted. Rejects with TouchlineError `not_found`. */
export async function why(operation: Operation, selection: string | null): Promise<unknown> {
  const query = selection === null ? '' : `?selection=${encodeURIComponent(selection)}`;
  return (await clientOf(operation)).get({
    path: `/why${query}`,
    shape: isWhyAnswer,
    names: selection !== null,
  });
}

/** Exposure, states, guards and refusals. */
export const riskReport = async (operation: Operation): Promise<unknown> =>
  (await clientOf(operation)).get(RISK);
