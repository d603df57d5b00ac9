import convict from 'convict';
import { isTimeZone } from '../../../lib/trading-day.ts';

/** A list of texts, from TOML or from a comma-separated environment variable or flag. */
convict.addFormat({
  name: 'texts',
  validate: (value: unknown) => {
    if (typeof value === 'string')
      throw new Error('must be texts separated by commas alone, without brackets and quotes around them');
    if (!Array.isArray(value) || value.some((item) => typeof item !== 'string' || item === '')) {
      throw new Error('must be a list of non-empty texts');
    }
  },
  coerce: (value: unknown) => (typeof value === 'string' ? separated(value) : value),
});

/** A list in TOML syntax stays a text, which no check accepts: otherwise its fragments would pass for names. */
function separated(text: string): readonly string[] | string {
  const parts = text.split(',').map((part) => part.trim());
  return parts.some((part) => /^["'[]/.test(part)) ? text : parts.filter((part) => part !== '');
}

/** A free-form table that its consumer validates: strategy parameters, risk limits. */
convict.addFormat({
  name: 'object',
  validate: (value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new Error('must be a table');
  },
  // The library would throw on a text that is not JSON.
  coerce: (value: unknown) => value,
});

/** Converts a text that is entirely a number or a boolean; any other text stays as it is. */
export function literal(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** The library reads any text but "false" as true, and any text that begins with a number as that number. */
for (const name of ['number', 'boolean']) {
  convict.addFormat({
    name,
    validate: () => undefined,
    coerce: (value: unknown) => (typeof value === 'string' ? literal(value) : value),
  });
}

/** Validates a value by throwing; `allowed` describes the valid values. */
export interface Format {
  (value: unknown): void;
  readonly allowed: string;
}

const format = (allowed: string, passes: (value: unknown) => boolean): Format =>
  Object.assign(
    (value: unknown) => {
      if (!passes(value)) throw new Error(`must be ${allowed}`);
    },
    { allowed },
  );

const isWithin = (value: unknown, low: number, high: number): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= low && value <= high;

/** A finite number in a range, both bounds included. */
export const number = (low: number, high: number): Format =>
  format(`a number from ${low} to ${high}`, (value) => isWithin(value, low, high));

/** A whole number in a range, both bounds included. */
export const integer = (low: number, high: number): Format =>
  format(
    `a whole number from ${low} to ${high}`,
    (value) => isWithin(value, low, high) && Number.isInteger(value),
  );

export const someText: Format = format(
  'a text that is not empty',
  (value) => typeof value === 'string' && value.trim() !== '',
);

/** A time zone that this machine knows. */
export const timeZone: Format = format('an IANA time zone, such as Europe/London', isTimeZone);

/** A name for logs, files and metrics, or an empty text. */
export const shortName: Format = format(
  'a text of at most 100 characters, without control characters',
  (value) => typeof value === 'string' && value.length <= 100 && !/[\p{Cc}\p{Bidi_Control}]/u.test(value),
);

/** An address with one of these schemes (`https:`), or an empty text. */
export const url = (...schemes: readonly string[]): Format =>
  format(`an address that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`, (value) => {
    if (value === '') return true;
    return typeof value === 'string' && URL.canParse(value) && schemes.includes(new URL(value).protocol);
  });

/** Another format, or nothing: null, which no file can write. */
export const optional = (inner: Format): Format =>
  Object.assign((value: unknown) => (value === null ? undefined : inner(value)), { allowed: inner.allowed });

export const optionalBoolean: Format = optional(format('true, false', (value) => typeof value === 'boolean'));
