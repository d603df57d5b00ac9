import { z } from 'zod';
import type { Score } from '../../domain/events.ts';
import { type Micros, MICROS_PER_UNIT, toMicros } from '../../domain/money.ts';

/** Matches strings, which stay as they are, and NaN and infinities, which are not JSON. */
const STRING_OR_NON_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\b(?:NaN|Infinity)\b/g;

/**
 * Parses a text of the exchange; undefined when it is not JSON. Some writers emit NaN and infinities, which JSON does not
 * have. They are read as null, so that only their own field is lost and not the whole message.
 */
export function parseJson(text: string): unknown {
  const value = parsed(text);
  return value === undefined && /NaN|Infinity/.test(text) ? parsed(withoutNonNumbers(text)) : value;
}

const withoutNonNumbers = (text: string): string =>
  text.replace(STRING_OR_NON_NUMBER, (token) => (token.startsWith('"') ? token : 'null'));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The currency of stakes and money (specification, What the service does). */
export const CURRENCY = 'USDT';

const NUMERIC = /^\s*-?\d+(\.\d+)?([eE][+-]?\d+)?\s*$/;

/** Reads a number, or a string that spells one. Anything else, NaN and infinities included, is null. */
export function readNumber(value: unknown): number | null {
  const number = typeof value === 'string' && NUMERIC.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** Reads a decimal amount as micros; null when it is no number or too large to be exact. */
function readAmount(value: unknown): Micros | null {
  const amount = readNumber(value);
  const exact = amount !== null && Math.abs(amount) < Number.MAX_SAFE_INTEGER / MICROS_PER_UNIT - 1;
  return exact ? toMicros(amount) : null;
}

/** Reads `["USDT", amount]` as micros; null when it is anything else, another currency included. */
export function readMoney(value: unknown): Micros | null {
  return Array.isArray(value) && value.length === 2 && value[0] === CURRENCY ? readAmount(value[1]) : null;
}

/** A number beyond this (the year 5138 in seconds) counts as milliseconds. */
const LAST_SECOND = 1e11;
/** The last instant that a `Date` can hold. Later ones (perhaps nanoseconds) cannot be read. */
const LAST_MS = 8.64e15;

const ZONE = /(Z|[+-]\d{2}:?\d{2})$/i;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;

/**
 * Reads a timestamp as wall-clock milliseconds: ISO 8601 (`Z`, `+00:00`, or no zone, which means UTC) or Unix seconds.
 * Null when it is neither, or an instant that a `Date` cannot hold.
 */
export function readTimestamp(value: unknown): number | null {
  if (typeof value === 'string' && DATE_TIME.test(value)) {
    const ms = Date.parse(ZONE.test(value) ? value : `${value}Z`);
    return Number.isNaN(ms) ? null : ms;
  }
  const seconds = readNumber(value);
  if (seconds === null) return null;
  const ms = seconds > LAST_SECOND ? seconds : seconds * 1000;
  return Math.abs(ms) <= LAST_MS ? ms : null;
}

/** Reads `[home, away]`, or `{home, away}`. */
export function readScore(value: unknown): Score | null {
  const pair: unknown[] = Array.isArray(value)
    ? value
    : isRecord(value)
      ? [value['home'], value['away']]
      : [];
  const home = readNumber(pair[0]);
  const away = readNumber(pair[1]);
  return home === null || away === null ? null : [home, away];
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A schema from one of the readers above. A null from the reader fails the field. */
const required = <T>(read: (value: unknown) => T | null, what: string) =>
  z.unknown().transform((value, context) => {
    const result = read(value);
    if (result !== null) return result;
    context.addIssue({ code: 'custom', message: `expected ${what}` });
    return z.NEVER;
  });

/** A field that may be absent, null or unreadable. All three give null. */
const optional = <T>(read: (value: unknown) => T | null) =>
  z.unknown().transform(read).optional().default(null);

export const number = required(readNumber, 'a number');
export const numberOrNull = optional(readNumber);
export const integer = required((value) => {
  const read = readNumber(value);
  return Number.isSafeInteger(read) ? read : null;
}, 'an integer');
export const money = required(readMoney, `a money pair in ${CURRENCY}`);
export const amount = required(readAmount, 'an amount');
export const moneyOrNull = optional(readMoney);
/** Reads a money pair, or a bare amount. */
export const amountOrNull = optional((value) => readMoney(value) ?? readAmount(value));
export const timestampOrNull = optional(readTimestamp);
export const scoreOrNull = optional(readScore);
export const text = z.string();
/** Descriptive text that nothing depends on. */
export const label = z.string().catch('');
export const textOrNull = z.string().nullable().catch(null);
export const flag = z.boolean().catch(false);
export const flagOrNull = z.boolean().nullable().catch(null);
/** An optional field that other code reads. */
export const anything = z.unknown().optional();

/** A descriptive list. An element that cannot be read is left out; a list that is absent, null or none is empty. */
export const listed = <T extends z.ZodType>(element: T) =>
  z
    .unknown()
    .optional()
    .transform((value): readonly z.output<T>[] =>
      (Array.isArray(value) ? (value as unknown[]) : []).flatMap((each) => {
        const read = element.safeParse(each);
        return read.success ? [read.data] : [];
      }),
    );
