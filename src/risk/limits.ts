import { z } from 'zod';
import type { CamelKeys } from '../lib/camel-case.ts';
import { camelKeys } from '../lib/camel-case.ts';

/** Amounts of the configuration are in USDT, as people think of them. */
const usdt = z.number().positive();
const probability = z.number().gt(0).lt(1);
const count = z.int().positive();
const seconds = z.number().nonnegative();
const names = z.array(z.string().min(1));

const sections = {
  order: z.strictObject({
    /** Largest stake of one order. */
    max_stake_usdt: usdt,
    /** The most that one order may lose. */
    max_liability_usdt: usdt,
  }),
  /** The most that may be lost in the worst final state, over matched bets and live orders together. */
  worst_case: z.strictObject({
    selection_usdt: usdt,
    event_usdt: usdt,
    competition_usdt: usdt,
    sport_usdt: usdt,
    /** Events that start on the same UTC day. */
    day_usdt: usdt,
    account_usdt: usdt,
  }),
  /** The sum of what every bet and live order could lose by itself, without netting. */
  gross: z.strictObject({ event_usdt: usdt, account_usdt: usdt }),
  /** Orders that may still be matched. */
  open_orders: z.strictObject({ selection: count, event: count, account: count }),
  collar: z.strictObject({
    /** A consensus older than this is none, and without one there is no order. */
    max_reference_age_s: seconds.positive(),
    /** How much worse for us than the consensus a price may be, in probability. */
    adverse_probability: probability,
    /** The same in log-odds, which binds on favourites and long shots. */
    adverse_log_odds: z.number().positive(),
    /** How far from the consensus on the good side, in log-odds: beyond it, somebody is mistaken. */
    away_log_odds: z.number().positive(),
  }),
  in_play: z.strictObject({
    allowed: z.boolean(),
    /** Without in play, orders stop this long before the start. */
    stop_before_start_s: seconds,
  }),
  throttle: z.strictObject({
    /** An order equal to one that was approved within this time and is still open is a duplicate. */
    duplicate_window_s: seconds,
  }),
  grids: z.strictObject({
    /** Sports whose final scores fit the exchange's 20 by 20 grid. */
    score_sports: names,
    /** Market families in which exactly one selection of the event wins. */
    winner_market_types: names,
  }),
};

/** What may be left out in simulated mode. Live mode wants every amount of money said. */
const MODERATE = {
  order: { max_stake_usdt: 500, max_liability_usdt: 2_000 },
  worst_case: {
    selection_usdt: 2_000,
    event_usdt: 4_000,
    competition_usdt: 8_000,
    sport_usdt: 8_000,
    day_usdt: 8_000,
    account_usdt: 9_000,
  },
  gross: { event_usdt: 40_000, account_usdt: 100_000 },
  open_orders: { selection: 12, event: 60, account: 400 },
  collar: { max_reference_age_s: 60, adverse_probability: 0.05, adverse_log_odds: 0.5, away_log_odds: 2 },
  in_play: { allowed: false, stop_before_start_s: 0 },
  throttle: { duplicate_window_s: 1 },
  grids: { score_sports: ['fb', 'fb_ht'], winner_market_types: ['win'] },
} as const;

type Section = keyof typeof sections;

/** Sections that a live configuration may leave out: they hold no money and their defaults are the careful ones. */
const OPTIONAL_WHEN_LIVE: readonly Section[] = ['collar', 'in_play', 'throttle', 'grids'];

/** A section that may be left out in part or in whole. */
function withDefaults<T extends z.ZodObject>(section: T, defaults: object): z.ZodType<z.output<T>> {
  const fill = (given: unknown): unknown =>
    given === undefined || isRecord(given) ? { ...defaults, ...given } : given;
  return z.preprocess(fill, section) as z.ZodType<z.output<T>>;
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Sections = { [S in Section]: z.ZodType<z.output<(typeof sections)[S]>> };

function sectionsFor(mode: 'simulated' | 'live'): Sections {
  const shaped = (Object.keys(sections) as Section[]).map((name) => {
    const mayDefault = mode === 'simulated' || OPTIONAL_WHEN_LIVE.includes(name);
    return [name, mayDefault ? withDefaults(sections[name], MODERATE[name]) : sections[name]];
  });
  return Object.fromEntries(shaped) as Sections;
}

type Written = { [S in Section]: z.output<(typeof sections)[S]> };

/** Pairs of limits, inner before outer: an inner one above its outer could never be used. */
const ASCENDING: readonly (readonly [inner: string, outer: string])[] = [
  ['order.max_liability_usdt', 'worst_case.selection_usdt'],
  ['worst_case.selection_usdt', 'worst_case.event_usdt'],
  ['worst_case.event_usdt', 'worst_case.competition_usdt'],
  ['worst_case.competition_usdt', 'worst_case.sport_usdt'],
  ['worst_case.sport_usdt', 'worst_case.account_usdt'],
  ['worst_case.day_usdt', 'worst_case.account_usdt'],
  ['worst_case.event_usdt', 'gross.event_usdt'],
  ['worst_case.account_usdt', 'gross.account_usdt'],
  ['gross.event_usdt', 'gross.account_usdt'],
  ['open_orders.selection', 'open_orders.event'],
  ['open_orders.event', 'open_orders.account'],
  ['collar.adverse_log_odds', 'collar.away_log_odds'],
];

function numberAt(written: Written, path: string): number {
  const [section, key] = path.split('.') as [Section, string];
  return (written[section] as Readonly<Record<string, unknown>>)[key] as number;
}

function refuseContradictions(written: Written, context: z.RefinementCtx): void {
  for (const [inner, outer] of ASCENDING) {
    const [low, high] = [numberAt(written, inner), numberAt(written, outer)];
    if (low <= high) continue;
    const message = `is ${low}, above ${outer} (${high}): it could never be reached`;
    context.addIssue({ code: 'custom', path: inner.split('.'), message });
  }
}

function schemaFor(mode: 'simulated' | 'live'): z.ZodType<RiskLimits> {
  const object = z.strictObject(sectionsFor(mode)).superRefine(refuseContradictions);
  return object.transform((written) => camelKeys(written as Written));
}

/** Every limit, amounts in USDT. Made by `readRiskLimits` or the schemas alone. */
export type RiskLimits = CamelKeys<Written>;

/** The configuration's table `risk` in simulated mode: what is left out has a moderate default. */
export const riskLimitsSchema = schemaFor('simulated');

/** The same in live mode: every limit of money and of orders must be said. */
export const liveRiskLimitsSchema = schemaFor('live');

/** One limit that cannot be used, named as the configuration does. */
export interface LimitProblem {
  readonly key: string;
  readonly message: string;
}

export type RiskLimitsResult =
  | { readonly ok: true; readonly limits: RiskLimits }
  | { readonly ok: false; readonly problems: readonly LimitProblem[] };

/** Reads the table `risk`; every bad limit is named, not only the first. */
export function readRiskLimits(table: unknown, mode: 'simulated' | 'live'): RiskLimitsResult {
  const schema = mode === 'live' ? liveRiskLimitsSchema : riskLimitsSchema;
  const result = schema.safeParse(table);
  if (result.success) return { ok: true, limits: result.data };
  return { ok: false, problems: result.error.issues.flatMap(problemsOf) };
}

function problemsOf(issue: z.core.$ZodIssue): LimitProblem[] {
  const at = (key: PropertyKey | null): string =>
    ['risk', ...issue.path, ...(key === null ? [] : [key])].map(String).join('.');
  if (issue.code !== 'unrecognized_keys') return [{ key: at(null), message: issue.message }];
  return issue.keys.map((key) => ({ key: at(key), message: 'is not a known limit' }));
}
