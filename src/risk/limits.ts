import { z } from 'zod';

/** Amounts of the configuration are in USDT, as people think of them. */
const usdt = z.number().positive();
const probability = z.number().gt(0).lt(1);
const count = z.int().positive();
const seconds = z.number().nonnegative();
const names = z.array(z.string().min(1));

const sections = {
  order: z.strictObject({
    /** Largest stake of one order. */
    maxStakeUsdt: usdt,
    /** The most that one order may lose. */
    maxLiabilityUsdt: usdt,
  }),
  /** The most that may be lost in the worst final state, over matched bets and live orders together. */
  worstCase: z.strictObject({
    selectionUsdt: usdt,
    eventUsdt: usdt,
    competitionUsdt: usdt,
    sportUsdt: usdt,
    /** Events that start on the same UTC day. */
    dayUsdt: usdt,
    accountUsdt: usdt,
  }),
  /** The sum of what every bet and live order could lose by itself, without netting. */
  gross: z.strictObject({ eventUsdt: usdt, accountUsdt: usdt }),
  /** Orders that may still be matched. */
  openOrders: z.strictObject({ selection: count, event: count, account: count }),
  collar: z.strictObject({
    /** A consensus older than this is none, and without one there is no order. */
    maxReferenceAgeS: seconds.positive(),
    /** How much worse for us than the consensus a price may be, in probability. */
    adverseProbability: probability,
    /** The same in log-odds, which binds on favourites and long shots. */
    adverseLogOdds: z.number().positive(),
    /** How far from the consensus on the good side, in log-odds: beyond it, somebody is mistaken. */
    awayLogOdds: z.number().positive(),
  }),
  inPlay: z.strictObject({
    allowed: z.boolean(),
    /** Without in play, orders stop this long before the start. */
    stopBeforeStartS: seconds,
  }),
  throttle: z.strictObject({
    /** An order equal to one that was approved within this time and is still open is a duplicate. */
    duplicateWindowS: seconds,
  }),
  grids: z.strictObject({
    /** Sports whose final scores fit the exchange's 20 by 20 grid. */
    scoreSports: names,
    /** Market families in which exactly one selection of the event wins. */
    winnerMarketTypes: names,
  }),
};

/** What may be left out in simulated mode. Live mode wants every amount of money said. */
const MODERATE = {
  order: { maxStakeUsdt: 500, maxLiabilityUsdt: 2_000 },
  worstCase: {
    selectionUsdt: 2_000,
    eventUsdt: 4_000,
    competitionUsdt: 8_000,
    sportUsdt: 8_000,
    dayUsdt: 8_000,
    accountUsdt: 9_000,
  },
  gross: { eventUsdt: 40_000, accountUsdt: 100_000 },
  openOrders: { selection: 12, event: 60, account: 400 },
  collar: { maxReferenceAgeS: 60, adverseProbability: 0.05, adverseLogOdds: 0.5, awayLogOdds: 2 },
  inPlay: { allowed: false, stopBeforeStartS: 0 },
  throttle: { duplicateWindowS: 1 },
  grids: { scoreSports: ['fb', 'fb_ht'], winnerMarketTypes: ['win'] },
} as const;

type Section = keyof typeof sections;

/** Sections that a live configuration may leave out: they hold no money and their defaults are the careful ones. */
const OPTIONAL_WHEN_LIVE: readonly Section[] = ['collar', 'inPlay', 'throttle', 'grids'];

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

/** Every limit, amounts in USDT. Made by `readRiskLimits` or the schemas alone. */
export type RiskLimits = { readonly [S in Section]: Readonly<z.output<(typeof sections)[S]>> };

/** Pairs of limits, inner before outer: an inner one above its outer could never be used. */
const ASCENDING: readonly (readonly [inner: string, outer: string])[] = [
  ['order.maxLiabilityUsdt', 'worstCase.selectionUsdt'],
  ['worstCase.selectionUsdt', 'worstCase.eventUsdt'],
  ['worstCase.eventUsdt', 'worstCase.competitionUsdt'],
  ['worstCase.competitionUsdt', 'worstCase.sportUsdt'],
  ['worstCase.sportUsdt', 'worstCase.accountUsdt'],
  ['worstCase.dayUsdt', 'worstCase.accountUsdt'],
  ['worstCase.eventUsdt', 'gross.eventUsdt'],
  ['worstCase.accountUsdt', 'gross.accountUsdt'],
  ['gross.eventUsdt', 'gross.accountUsdt'],
  ['openOrders.selection', 'openOrders.event'],
  ['openOrders.event', 'openOrders.account'],
  ['collar.adverseLogOdds', 'collar.awayLogOdds'],
];

function numberAt(written: RiskLimits, path: string): number {
  const [section, key] = path.split('.') as [Section, string];
  return (written[section] as Readonly<Record<string, unknown>>)[key] as number;
}

function refuseContradictions(written: RiskLimits, context: z.RefinementCtx): void {
  for (const [inner, outer] of ASCENDING) {
    const [low, high] = [numberAt(written, inner), numberAt(written, outer)];
    if (low <= high) continue;
    const message = `is ${low}, above ${outer} (${high}): it could never be reached`;
    context.addIssue({ code: 'custom', path: inner.split('.'), message });
  }
}

function schemaFor(mode: 'simulated' | 'live'): z.ZodType<RiskLimits> {
  return z.strictObject(sectionsFor(mode)).superRefine(refuseContradictions);
}

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
