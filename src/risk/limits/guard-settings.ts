import { z } from 'zod';

export const GUARDS = [
  'stale_data',
  'divergence',
  'score_change',
  'red_card',
  'score_age',
  'suspension',
  'feed_cleared',
  'start',
  'price_jump',
  'toxicity',
  'unintended_taking',
  'order_errors',
  'clock_offset',
  'loop_lag',
  'position_mismatch',
] as const;

export type GuardName = (typeof GUARDS)[number];

const seconds = z.number().positive();
const logOdds = z.number().positive();
const count = z.int().positive();
const coolDownS = seconds;

/** The table `risk.guards`: what each guard tolerates, and how long it stays in force after the last trigger. */
export const guardSections = z.strictObject({
  /** Guards that are switched off, by name. */
  disabled: z.array(z.enum(GUARDS)),
  staleData: z.strictObject({ maxAgeS: seconds, coolDownS }),
  divergence: z.strictObject({ maxLogOdds: logOdds, coolDownS }),
  /** `backCoolDownS`: after a score that went back, as when a goal is annulled. */
  scoreChange: z.strictObject({ coolDownS, backCoolDownS: seconds }),
  redCard: z.strictObject({ coolDownS }),
  scoreAge: z.strictObject({ coolDownS }),
  suspension: z.strictObject({ coolDownS }),
  feedCleared: z.strictObject({ coolDownS }),
  start: z.strictObject({ coolDownS }),
  priceJump: z.strictObject({ maxLogOdds: logOdds, windowS: seconds, coolDownS }),
  toxicity: z.strictObject({ fills: count, windowS: seconds, widenLogOdds: logOdds, coolDownS }),
  unintendedTaking: z.strictObject({ fills: count, windowS: seconds, coolDownS }),
  orderErrors: z.strictObject({
    rate: z.number().gt(0).max(1),
    minOrders: count,
    windowS: seconds,
    coolDownS,
  }),
  clockOffset: z.strictObject({ maxS: seconds, coolDownS }),
  loopLag: z.strictObject({ maxS: seconds, coolDownS }),
  positionMismatch: z.strictObject({ coolDownS }),
});

export const GUARD_DEFAULTS: z.output<typeof guardSections> = {
  disabled: [],
  staleData: { maxAgeS: 30, coolDownS: 2 },
  divergence: { maxLogOdds: 0.3, coolDownS: 5 },
  scoreChange: { coolDownS: 10, backCoolDownS: 180 },
  redCard: { coolDownS: 10 },
  scoreAge: { coolDownS: 2 },
  suspension: { coolDownS: 5 },
  feedCleared: { coolDownS: 5 },
  start: { coolDownS: 10 },
  priceJump: { maxLogOdds: 0.4, windowS: 5, coolDownS: 5 },
  toxicity: { fills: 10, windowS: 20, widenLogOdds: 0.1, coolDownS: 20 },
  unintendedTaking: { fills: 5, windowS: 30, coolDownS: 10 },
  orderErrors: { rate: 0.5, minOrders: 10, windowS: 60, coolDownS: 30 },
  clockOffset: { maxS: 2, coolDownS: 10 },
  loopLag: { maxS: 1, coolDownS: 2 },
  positionMismatch: { coolDownS: 60 },
};
