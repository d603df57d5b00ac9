import { z } from 'zod';
import { didYouMean } from '../../lib/nearest.ts';
import { type Mode, MODE_NAMES, type ModeRules, MODES } from '../../domain/mode.ts';
import {
  ALWAYS_OPTIONAL,
  ASCENDING,
  MANDATORY_DEFAULTS,
  MODERATE,
  type Section,
  sections,
} from './sections.ts';

/** Every limit, amounts in USDT. Made by `readRiskLimits` alone. */
export type RiskLimits = { readonly [S in Section]: Readonly<z.output<(typeof sections)[S]>> };

type Sections = { [S in Section]: z.ZodType<z.output<(typeof sections)[S]>> };

/** A section that may be left out in part or in whole. */
function withDefaults<T extends z.ZodObject>(section: T, defaults: object): z.ZodType<z.output<T>> {
  return z.preprocess((given) => mergeDefaults(given, defaults), section) as z.ZodType<z.output<T>>;
}

/** A section whose limits are all required. If the section is missing, each limit is reported separately. */
function allRequired<T extends z.ZodObject>(section: T): z.ZodType<z.output<T>> {
  return z.preprocess((given) => given ?? {}, section) as z.ZodType<z.output<T>>;
}

/** The given values, with defaults for missing ones at every depth. */
function mergeDefaults(given: unknown, defaults: unknown): unknown {
  if (given === undefined) return defaults;
  if (!isRecord(given) || !isRecord(defaults)) return given;
  const keys = new Set([...Object.keys(defaults), ...Object.keys(given)]);
  return Object.fromEntries(Array.from(keys, (key) => [key, mergeDefaults(given[key], defaults[key])]));
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function sectionsFor({ limitsAreMandatory }: ModeRules): Sections {
  const defaults = limitsAreMandatory ? MANDATORY_DEFAULTS : MODERATE;
  const shaped = (Object.keys(sections) as Section[]).map((name) => {
    const mayDefault = !limitsAreMandatory || ALWAYS_OPTIONAL.includes(name);
    return [name, mayDefault ? withDefaults(sections[name], defaults[name]) : allRequired(sections[name])];
  });
  return Object.fromEntries(shaped) as Sections;
}

function numberAt(written: RiskLimits, path: string): number {
  const [section, key] = path.split('.') as [Section, string];
  return (written[section] as Readonly<Record<string, unknown>>)[key] as number;
}

function refuseContradictions(written: RiskLimits, context: z.RefinementCtx): void {
  for (const [inner, outer] of ASCENDING) {
    const low = numberAt(written, inner);
    const high = numberAt(written, outer);
    if (low <= high) continue;
    const message = `is ${low}, above ${outer} (${high}): it could never be reached`;
    context.addIssue({ code: 'custom', path: inner.split('.'), message });
  }
}

const schemaFor = (mode: Mode): z.ZodType<RiskLimits> =>
  z.strictObject(sectionsFor(MODES[mode])).superRefine(refuseContradictions);

/** The configuration's table `risk`, by the rules of each mode. */
const schemas = Object.fromEntries(MODE_NAMES.map((mode) => [mode, schemaFor(mode)])) as Readonly<
  Record<Mode, z.ZodType<RiskLimits>>
>;

/** A limit that cannot be used, by its name in the configuration. */
export interface LimitProblem {
  readonly key: string;
  readonly message: string;
}

export type RiskLimitsResult =
  | { readonly ok: true; readonly limits: RiskLimits }
  | { readonly ok: false; readonly problems: readonly LimitProblem[] };

/** Reads the table `risk`; every bad limit is named, not only the first. */
export function readRiskLimits(table: unknown, mode: Mode): RiskLimitsResult {
  const result = schemas[mode].safeParse(table);
  if (result.success) return { ok: true, limits: result.data };
  return { ok: false, problems: result.error.issues.flatMap((issue) => problemsOf(issue, table)) };
}

function problemsOf(issue: z.core.$ZodIssue, table: unknown): LimitProblem[] {
  const at = (key: PropertyKey | null): string =>
    ['risk', ...issue.path, ...(key === null ? [] : [key])].map(String).join('.');
  if (issue.code === 'custom') return [{ key: at(null), message: issue.message }];
  if (issue.code !== 'unrecognized_keys') return [{ key: at(null), message: defectOf(issue, table) }];
  const known = namesAt(issue.path.map(String));
  return issue.keys.map((key) => ({
    key: at(key),
    message: `is not a known limit${didYouMean(key, known)}`,
  }));
}

/** The names of the limits at a path below `risk`. */
function namesAt(path: readonly string[]): readonly string[] {
  const [section, ...rest] = path;
  if (section === undefined) return Object.keys(sections);
  const at = rest.reduce<z.ZodType | undefined>(
    (inner, name) =>
      inner instanceof z.ZodObject ? (inner.shape[name] as z.ZodType | undefined) : undefined,
    sections[section as Section],
  );
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

/** Describes the defect of a value. */
function defectOf(issue: z.core.$ZodIssue, table: unknown): string {
  const value = issue.path.reduce<unknown>(
    (inner, key) => (isRecord(inner) ? inner[String(key)] : inner),
    table,
  );
  if (value === undefined) return 'is missing';
  const wanted = issue.message.replace(/^(Invalid input|Too small|Too big): /, '');
  return `is ${typeof value === 'number' ? value : JSON.stringify(value)}: ${wanted}`;
}
