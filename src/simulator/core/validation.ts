/** Validates requests against their schemas and builds the error replies. */
import type { z } from 'zod';
import { invalid, invalidTogether, type Reasons, type Reply } from './replies.ts';
import type { QueryForm } from './schemas.ts';

export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reply: Reply };

const refuse = (reply: Reply): { ok: false; reply: Reply } => ({ ok: false, reply });

/** Reads a JSON body. An empty body counts as `{}`. */
export function readBody<T>(schema: z.ZodType<T>, body: string, maxChars: number): Read<T> {
  if (body.length > maxChars) return refuse(invalidTogether('request body too large'));
  const parsed = parseJson(body);
  if (parsed === undefined) return refuse(invalidTogether('JSON parse error'));
  return readValue(schema, parsed);
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)$/;

/** Reads a query string. The last value of a repeated parameter counts, unless the parameter is a list. */
export function readQuery<T>(schema: z.ZodType<T>, query: URLSearchParams, form: QueryForm): Read<T> {
  const raw = Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const texts = query.getAll(name);
      const values = form.numbers.includes(name) ? texts.map(numberIn) : texts;
      return [name, form.repeatable.includes(name) ? values : values.at(-1)];
    }),
  );
  return readValue(schema, raw);
}

/** The number of a decimal text; any other text stays as it is. */
const numberIn = (text: string): unknown => (DECIMAL.test(text) ? Number(text) : text);

function readValue<T>(schema: z.ZodType<T>, raw: unknown): Read<T> {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return refuse(invalidTogether('Invalid data. Expected an object.'));
  }
  const result = schema.safeParse(raw);
  return result.success
    ? { ok: true, value: result.data }
    : refuse(invalid(reasonsOf(result.error.issues, raw)));
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

type Issue = z.core.$ZodIssue;

/** Zod's issues in the documented form. */
function reasonsOf(issues: readonly Issue[], raw: unknown): Reasons {
  const fields: Record<string, string[] | Record<string, string[]>> = {};
  for (const issue of issues) addReason(fields, issue, reasonOf(issue, raw));
  return fields;
}

function addReason(
  fields: Record<string, string[] | Record<string, string[]>>,
  issue: Issue,
  reason: string,
): void {
  const [field = 'non_field_errors', index] = issue.path;
  const name = String(field);
  if (typeof index === 'number') {
    const byIndex = Array.isArray(fields[name]) ? {} : (fields[name] ?? {});
    (byIndex[String(index)] ??= []).push(reason);
    fields[name] = byIndex;
  } else if (fields[name] === undefined || Array.isArray(fields[name])) {
    fields[name] = [...(fields[name] ?? []), reason];
  }
}

function reasonOf(issue: Issue, raw: unknown): string {
  if (valueAt(raw, issue.path) === undefined && issue.code !== 'custom') return 'This field is required.';
  if (issue.code === 'too_big') return tooBig(issue);
  if (issue.code === 'too_small') return tooSmall(issue);
  if (issue.code === 'invalid_type') return wrongType(issue.expected);
  if (issue.code === 'invalid_value') return `Expected one of: ${issue.values.join(', ')}.`;
  return issue.message;
}

function tooBig(issue: Extract<Issue, { code: 'too_big' }>): string {
  if (issue.origin === 'string') return `Ensure this field has no more than ${issue.maximum} characters.`;
  if (issue.origin === 'array') return `Ensure this field has no more than ${issue.maximum} elements.`;
  return `Ensure this value is less than or equal to ${issue.maximum}.`;
}

function tooSmall(issue: Extract<Issue, { code: 'too_small' }>): string {
  if (issue.origin === 'string') return 'This field may not be blank.';
  if (issue.origin === 'array') return `Ensure this field has at least ${issue.minimum} elements.`;
  const bound = issue.inclusive === false ? 'greater than' : 'greater than or equal to';
  return `Ensure this value is ${bound} ${issue.minimum}.`;
}

function wrongType(expected: string): string {
  const reasons: Readonly<Record<string, string>> = {
    string: 'Not a valid string.',
    number: 'A valid number is required.',
    int: 'A valid integer is required.',
    boolean: 'Must be a valid boolean.',
  };
  return reasons[expected] ?? `Expected a ${expected}.`;
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let value = raw;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}
