import { z } from 'zod';
import { TouchlineError } from '../../domain/errors.ts';
import type { HedgeQuestion } from '../../ops/commands/controls.ts';
import { isAtWork } from '../../read-model/hedge-words.ts';
import { type Clock, sleep } from '../../ports/clock.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { clientOf, type Operation, operator } from './daemon.ts';

const betSchema = z.object({
  name: z.string(),
  direction: z.string(),
  price: z.number(),
  stakeUsdt: z.number(),
  /** What the order is called and priced on the exchange, where that differs. */
  exchange: z.object({ label: z.string(), price: z.number(), stake: z.number() }).optional(),
});

/** A hedge leaves these out. A daemon of an earlier version does not send them. */
const aroundShape = {
  /** The worst case now, with the orders that rest. */
  withOpenUsdt: z.number().optional(),
  /** The state in force on the event: while it is active, quoting goes on. */
  tradingState: z.enum(['active', 'reducing', 'halted']).optional(),
};

/** What a hedge would do. Amounts in USDT, results after commission. */
const previewSchema = z.looseObject({
  plan: z.string(),
  event: z.string(),
  goal: z.string(),
  boundUsdt: z.number().optional(),
  way: z.string(),
  bets: z.array(betSchema.extend({ hasBetslip: z.boolean() })),
  worstUsdt: z.object({ before: z.number(), after: z.number(), ifHalf: z.number(), least: z.number() }),
  ...aroundShape,
  outcomes: z.array(
    z.object({ name: z.string(), beforeUsdt: z.number(), afterUsdt: z.number(), ifHalfUsdt: z.number() }),
  ),
  expectedLossUsdt: z.number().nullable(),
  commissionUsdt: z.number(),
  betslips: z.number(),
  seconds: z.number(),
  confirmWithinS: z.number(),
});

export type HedgePreviewReport = z.infer<typeof previewSchema>;

/** What became of a hedge. Amounts in USDT. */
const progressSchema = z.looseObject({
  plan: z.string(),
  event: z.string(),
  bets: z.array(
    betSchema.extend({
      state: z.enum(['wanted', 'sent', 'ended']),
      filledUsdt: z.number(),
      /** Why nothing of it is matched. */
      why: z.string().optional(),
    }),
  ),
  /** The loss to which it was to bound the event. */
  boundUsdt: z.number().optional(),
  /** The worst case of what is matched now, recounted from the fills. */
  worstUsdt: z.number(),
  ...aroundShape,
  isOver: z.boolean(),
  secondsLeft: z.number(),
});

export type HedgeProgressReport = z.infer<typeof progressSchema>;

const isPreview = (body: unknown): body is HedgePreviewReport => previewSchema.safeParse(body).success;
const isProgress = (body: unknown): body is HedgeProgressReport => progressSchema.safeParse(body).success;

/** What a hedge would do. Nothing is sent. Rejects with TouchlineError `usage` for a name that means nothing or several things. */
export async function previewHedge(
  operation: Operation,
  question: HedgeQuestion,
): Promise<HedgePreviewReport> {
  const query = new URLSearchParams(
    Object.entries(question).map(([name, value]): [string, string] => [name, String(value)]),
  );
  try {
    return await (
      await clientOf(operation)
    ).get({ path: `/hedge?${query.toString()}`, shape: isPreview, names: true });
  } catch (error) {
    throw asUsage(error, 'the daemon knows no such event, or no such selection of it');
  }
}

const LOOK_EVERY_MS = 500;

/**
 * Makes a previewed hedge, and follows its takes until they are over. The bets of an offer rest: they are reported as they are at once.
 */
export async function makeHedge(
  operation: Operation,
  plan: string,
  reason: string,
  clock: Clock = systemClock,
): Promise<HedgeProgressReport> {
  const daemon = await clientOf(operation);
  const body = { plan, reason, by: operator() };
  let progress = await daemon
    .post({ path: '/hedge', shape: isProgress, names: true }, body)
    .catch((error: unknown) => {
      throw asUsage(error, `no preview ${plan} waits to be confirmed: ask for the hedge again`);
    });
  const question = {
    path: `/hedge/progress?plan=${encodeURIComponent(plan)}`,
    shape: isProgress,
    names: true,
  };
  const untilMs = clock.monotonicMs() + LONGEST_FOLLOWED_MS;
  while (isAtWork(progress) && clock.monotonicMs() < untilMs) {
    await sleep(clock, LOOK_EVERY_MS);
    progress = await daemon.get(question);
  }
  return progress;
}

/** Takes are over within half a minute, unless it is not known what became of their orders. */
const LONGEST_FOLLOWED_MS = 60_000;

function asUsage(error: unknown, unknown: string): unknown {
  if (!(error instanceof TouchlineError)) return error;
  if (error.code === 'ambiguous') return new TouchlineError('usage', error.message);
  return error.code === 'not_found' ? new TouchlineError('usage', unknown) : error;
}
