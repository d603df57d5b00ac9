import { z } from 'zod';
import { PRICE_CONVENTIONS } from '../../domain/odds.ts';
import { isRequestTarget } from './targets.ts';

/** Seconds after the fault was added, or an ISO 8601 instant. */
const at = z
  .union([z.number().min(0), z.iso.datetime({ offset: true })], 'is neither seconds nor an ISO 8601 instant')
  .default(0);
const delayMs = z.number().min(0).max(3_600_000);

const closeCode = z.union(
  [z.int().min(1000).max(1003), z.int().min(1007).max(1014), z.int().min(3000).max(4999)],
  'is not a code of a close frame (1000 to 1003, 1007 to 1014, 3000 to 4999)',
);

/** A control frame carries 125 bytes, two of them the code (RFC 6455, section 5.5). */
const closeReason = z
  .string()
  .refine((text) => Buffer.byteLength(text) <= 123, 'is longer than the 123 bytes of a close frame');

/** When and how often a fault happens; the same fields for every kind. */
const common = {
  at,
  /** How long the fault stays, in seconds; absent: until it is removed. */
  for_s: z.number().positive().optional(),
  /** How often the fault happens at most. */
  times: z.int().min(1).optional(),
  /** How many of its targets pass unharmed first. */
  skip: z.int().min(0).default(0),
  probability: z.number().gt(0).max(1).default(1),
};

/** Faults that act at an instant may repeat after this many seconds. */
const repeating = { every_s: z.number().min(0.001).optional() };

const requestTarget = z
  .string()
  .refine(isRequestTarget, 'names no request (like orders.create, orders.*, rest)');
const entryTarget = z
  .string()
  .regex(/^stream\.([a-z_]+|\*)$/, 'names no stream entry (like stream.offer, stream.*)');

function kindOf<K extends string, T extends z.ZodType, S extends z.ZodRawShape>(kind: K, target: T, more: S) {
  return z.strictObject({ ...common, target, fault: z.literal(kind), ...more });
}

const ofRequest = <K extends string, S extends z.ZodRawShape>(kind: K, more: S) =>
  kindOf(kind, requestTarget, more);
const ofEntry = <K extends string, S extends z.ZodRawShape>(kind: K, more: S) =>
  kindOf(kind, entryTarget, more);
const ofHandshake = <K extends string, S extends z.ZodRawShape>(kind: K, more: S) =>
  kindOf(kind, z.literal('handshake'), more);
const ofBetslips = <K extends string, S extends z.ZodRawShape>(kind: K, more: S) =>
  kindOf(kind, z.literal('betslips'), more);
const ofStream = <K extends string, S extends z.ZodRawShape>(kind: K, more: S) =>
  kindOf(kind, z.literal('stream'), { ...repeating, ...more });
const ofAccount = <K extends string, S extends z.ZodRawShape>(kind: K, more: S) =>
  kindOf(kind, z.literal('account'), { ...repeating, ...more });

const ofExchange = <K extends string, S extends z.ZodRawShape>(kind: K, more: S) =>
  kindOf(kind, z.literal('exchange'), more);

/** Whether the exchange acted on the request before the false answer. */
const applied = z.boolean().default(false);

const requestFaults = [
  ofRequest('request_lost', {}),
  ofRequest('answer_lost', {}),
  ofRequest('reset', {}),
  ofRequest('reset_after', {}),
  ofRequest('delayed', { delay_ms: delayMs }),
  ofRequest('answer_delayed', { delay_ms: delayMs }),
  ofRequest('late', { delay_ms: delayMs }),
  ofRequest('applied_twice', { answer: z.enum(['first', 'second']).default('second') }),
  ofRequest('stall', {}),
  ofRequest('cut_body', {}),
  ofRequest('invalid_body', {}),
  ofRequest('other_shape', {}),
  ofRequest('other_terms', { differs: z.enum(['price', 'stake', 'lifetime']) }),
  ofRequest('conflict', { with_body: z.boolean().default(true), applied: z.boolean().default(true) }),
  ofRequest('rejected', { reasons: z.record(z.string(), z.array(z.string()).min(1)) }),
  ofRequest('throttled', { retry_after_s: z.int().min(0).nullable().default(1) }),
  ofRequest('server_error', { applied }),
  ofRequest('unavailable', { applied }),
  ofRequest('close_ignored', {}),
  ofRequest('answer', {
    status: z.int().min(200).max(599),
    code: z.string().optional(),
    data: z.json().default(null),
    applied,
  }),
] as const;

const streamFaults = [
  ofHandshake('refused_upgrade', {
    status: z.int().min(400).max(599).default(503),
    body: z.string().optional(),
  }),
  ofHandshake('upgrade_reset', {}),
  ofHandshake('upgrade_stall', {}),
  ofStream('raw_close', { mid_frame: z.boolean().default(false) }),
  ofStream('close', {
    code: closeCode.default(1008),
    reason: closeReason.default(''),
  }),
  ofStream('half_open', { release: z.boolean().default(false) }),
  ofStream('junk_frame', { text: z.string().default('{"ts":') }),
  ofStream('huge_frame', { bytes: z.int().min(1).max(100_000_000).default(10_000_000) }),
  ofStream('unknown_tag', { tag: z.string().default('something_new') }),
  ofStream('clear_events', {}),
  kindOf('command_fails', z.literal('commands'), { code: z.string().min(1).default('system_error') }),
  ofEntry('missing', {}),
  ofEntry('duplicate', {}),
  ofEntry('reorder', {}),
  ofEntry('late_entry', { delay_ms: delayMs }),
  ofEntry('numbers_as_strings', {}),
  ofEntry('not_numbers', {}),
] as const;

const accountFaults = [
  ofBetslips('quote_never', {}),
  ofBetslips('quote_freezes', {}),
  ofRequest('betslip_gone', {}),
  ofAccount('heartbeats_deleted', {}),
  ofAccount('betslips_deleted', {}),
  ofAccount('foreign_heartbeat', { timeout_s: z.int().min(10).max(300).default(30) }),
  ofAccount('bets_voided', { last: z.int().min(1).default(1) }),
  kindOf('events_suspended', z.literal('market'), repeating),
  ofAccount('foreign_order', {
    sport: z.string(),
    event_id: z.string(),
    bet_type: z.string(),
    price: z.number(),
    stake: z.number().positive(),
    duration_s: z.number().positive().default(60),
  }),
] as const;

/** Kinds that change how the exchange itself works while they are active. */
const exchangeFaults = [
  ofExchange('fill_after_close', { delay_ms: delayMs }),
  ofExchange('placement_delayed', { delay_ms: delayMs }),
  ofExchange('pending_forever', {}),
  ofExchange('bets_in_danger', { delay_ms: delayMs, ends: z.enum(['success', 'void']).default('success') }),
  ofExchange('results_in_turn', { over_s: z.number().positive().max(3_600) }),
  ofExchange('events_told_once', {}),
  ofExchange('betslip_cap', { cap: z.int().min(0) }),
  ofExchange('betslips_short_lived', { life_s: z.number().positive() }),
  ofExchange('tracked_forgotten', { after_s: z.number().min(0) }),
  ofExchange('quotes_late', { delay_ms: delayMs }),
  ofExchange('prices_change', { against_prices: z.enum(PRICE_CONVENTIONS) }),
] as const;

const networkFaults = [kindOf('connect_refused', z.literal('network'), {})] as const;

/** A fault: its time, target, kind and parameters. */
export const faultSchema = z.discriminatedUnion('fault', [
  ...requestFaults,
  ...streamFaults,
  ...accountFaults,
  ...exchangeFaults,
  ...networkFaults,
]);

/** A list of faults, as in a file. */
export const faultsSchema = z.array(faultSchema);

export type Fault = z.output<typeof faultSchema>;
export type FaultKind = Fault['fault'];
/** The fault of one kind. */
export type FaultOf<K extends FaultKind> = Extract<Fault, { fault: K }>;

export const FAULT_KINDS: readonly FaultKind[] = faultSchema.options.map(
  (option) => option.shape.fault.value,
);
