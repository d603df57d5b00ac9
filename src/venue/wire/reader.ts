import { z } from 'zod';
import { ProtocolError } from '../../domain/errors.ts';
import { withinBounds } from './bounds.ts';
import { isRecord } from './scalars.ts';
import type { Survey } from './survey.ts';

/** Turns one wire value into a domain value. Throws ProtocolError when it cannot. Notes unknown parts in the survey. */
export type Reader<T> = (raw: unknown, survey: Survey) => T;

/** `path: message` of the first three faults. Never a value, because it may be anything. */
function faultsOf(error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join('.') || 'value'}: ${issue.message}`)
    .join('; ');
}

/**
 * Reader of an object: `shape` has its fields, and `build` makes the domain value of them. Numbers with bounds (`bounds.ts`) are within
 * them.
 */
export function objectReader<S extends z.ZodRawShape, T>(
  name: string,
  shape: S,
  build: (fields: z.output<z.ZodObject<S>>, survey: Survey) => T,
): Reader<T> {
  const schema = z.object(shape);
  return (raw, survey) => {
    const parsed = schema.safeParse(withinBounds(name, raw, survey));
    if (!parsed.success) throw new ProtocolError(`unreadable ${name}: ${faultsOf(parsed.error)}`);
    noteUnknownFields(name, raw, shape, survey);
    return build(parsed.data, survey);
  };
}

function noteUnknownFields(name: string, raw: unknown, shape: object, survey: Survey): void {
  if (!isRecord(raw)) return;
  for (const field of Object.keys(raw)) {
    if (!Object.hasOwn(shape, field)) survey.note('field', `${name}.${field}`);
  }
}

/** Reader of an array in which every element must be readable: for answers that decide about money. */
export function arrayReader<T>(name: string, item: Reader<T>): Reader<readonly T[]> {
  return (raw, survey) => listOf(name, raw).map((element) => item(element, survey));
}

/** Reader of an array that counts and leaves out unreadable elements: for market data. */
export function lenientArrayReader<T>(name: string, item: Reader<T>): Reader<readonly T[]> {
  return (raw, survey) =>
    listOf(name, raw).flatMap((element) => attempted(name, element, item, survey) ?? []);
}

export function listOf(name: string, raw: unknown): readonly unknown[] {
  if (!Array.isArray(raw)) throw new ProtocolError(`unreadable ${name}: expected an array`);
  return raw;
}

/** The value in a list of one; null when it cannot be read, which is counted by the name of its list. */
export function attempted<T>(name: string, raw: unknown, item: Reader<T>, survey: Survey): [T] | null {
  try {
    return [item(raw, survey)];
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    survey.note('bad-entry', `${name}: ${error.message}`);
    return null;
  }
}

/** Notes a value of an open set that is not published. */
export function noteValue(
  survey: Survey,
  field: string,
  value: string | null,
  known: ReadonlySet<string>,
): void {
  if (value !== null && !known.has(value)) survey.note('value', `${field}=${value.slice(0, 64)}`);
}

/** Reader for answers whose `data` is null or of no use. */
export const readNothing: Reader<void> = () => undefined;
