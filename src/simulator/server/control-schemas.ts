import { z } from 'zod';

const eventId = z.string().min(1);
const goals = z.int().min(0).max(99);

/** Bodies of the control interface's verbs. */
export const eventSchema = z.strictObject({ event_id: eventId });

export const goalSchema = z.strictObject({ event_id: eventId, side: z.enum(['home', 'away']) });

export const settleSchema = z.union([
  z.strictObject({
    event_id: eventId,
    home: goals,
    away: goals,
    half_time_home: goals.default(0),
    half_time_away: goals.default(0),
  }),
  z.strictObject({
    event_id: eventId,
    /** Finishing places by team id. */
    places: z.record(z.string().regex(/^\d+$/, 'is no team id'), z.int().min(1)),
  }),
]);

export const markBetSchema = z.strictObject({
  bet_id: z.int(),
  status: z.enum(['success', 'danger', 'void']),
});

export const refuseSchema = z.strictObject({
  status: z.int().min(400).max(599).default(503),
  body: z.string().optional(),
});

export const nothingSchema = z.strictObject({});

export const removeFaultSchema = z.strictObject({ id: z.int().min(1) });
