/** The entries of the stream (specification, Server entries; further tags from the published facts). */
import { z } from 'zod';
import { RESOURCES } from './resources.ts';

const eventRef = { sport: z.string(), event_id: z.string() };
const score = z.tuple([z.int().min(0), z.int().min(0)]);

const commandResponse = z.union([
  z.strictObject({ status: z.literal('ok'), data: z.unknown() }),
  z.strictObject({ status: z.literal('error'), code: z.string() }),
]);

/** The payload of each tag. */
const ENTRIES = {
  event: RESOURCES.Event,
  sync: z.strictObject({ session_id: z.string() }),
  offer: RESOURCES.Offer,
  response: commandResponse,
  pmm: RESOURCES.Quote,
  order: RESOURCES.Order,
  bet: RESOURCES.Bet,
  betslip: RESOURCES.Betslip,
  betslip_closed: z.strictObject({ betslip_id: z.string(), close_reason: z.string() }),
  balance: RESOURCES.Balance,
  xrate: RESOURCES.ExchangeRate,
  info: z.strictObject({ registered_events: z.int().min(0) }),
  clear_events: z.null(),
  remove_event: z.strictObject(eventRef),
  remove_offer: z.strictObject({ ...eventRef, bet_type: z.string() }),
  event_time: z.strictObject({ ...eventRef, time: z.tuple([z.string(), z.number().nullable()]).nullable() }),
  event_score: z.strictObject({ ...eventRef, score }),
  event_red_cards: z.strictObject({ ...eventRef, score }),
} as const;

const entry = (tag: string, payload: z.ZodType): z.ZodType => z.tuple([z.literal(tag), payload]);

/** A server frame: every entry with the payload of its tag. */
export const streamFrame = z.strictObject({
  ts: z.union([z.iso.datetime({ offset: true }), z.number()]),
  data: z.array(z.union(Object.entries(ENTRIES).map(([tag, payload]) => entry(tag, payload)))),
});
