import { z } from 'zod';
import { type Fault, faultSchema, faultsSchema } from '../faults/schema.ts';

/** The sport may be left out when events of only one sport have the id. */
const event = { event_id: z.string().min(1), sport: z.string().min(1).optional() };
const goals = z.int().min(0).max(99);

/** Bodies of the control interface's verbs. */
export const eventSchema = z.strictObject(event);

export type NamedEvent = z.output<typeof eventSchema>;

export const goalSchema = z.strictObject({ ...event, side: z.enum(['home', 'away']) });

const scoreSchema = z.strictObject({
  ...event,
  home: goals,
  away: goals,
  half_time_home: goals.default(0),
  half_time_away: goals.default(0),
});

const placesSchema = z.strictObject({
  ...event,
  /** Finishing places by team id. */
  places: z.record(z.string().regex(/^\d+$/), z.int().min(1), {
    error: ({ code }) => (code === 'invalid_key' ? 'is not a team id' : undefined),
  }),
});

export type Settle = z.output<typeof scoreSchema> | z.output<typeof placesSchema>;

/** The schema of a result, chosen by the body: the errors of a union do not name the wrong field. */
export const settleSchemaOf = (body: unknown): z.ZodType<Settle> =>
  typeof body === 'object' && body !== null && 'places' in body ? placesSchema : scoreSchema;

/** The schema of one fault or of a list, chosen by the body for the same reason. */
export const faultsSchemaOf = (body: unknown): z.ZodType<readonly Fault[]> =>
  Array.isArray(body) ? faultsSchema : faultSchema.transform((fault) => [fault]);

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
