import { z } from 'zod';

// What commands read of a daemon's answers: whatever lacks it was said by another program.

/** Anything: what counts is what is told of risk then. */
export const KILL_ANSWER = z.unknown();

export const RISK_ANSWER = z.object({
  openOrders: z.number().nullable(),
  latchedIn: z.string().nullish(),
});

/** Of one selection each. */
export const WHY_ANSWER = z.array(z.object({ selectionId: z.string() }));

export const STATE_ANSWER = z.object({
  binding: z.enum(['active', 'reducing', 'halted']),
  by: z.string().optional(),
  why: z.string().optional(),
});

export const RESUME_ANSWER = z.object({
  released: z.array(z.string()),
  remaining: z.array(z.object({ what: z.string(), release: z.string() })),
  trading: z.boolean(),
  reducing: z.boolean(),
});
