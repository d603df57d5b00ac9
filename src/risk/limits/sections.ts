import { z } from 'zod';
import { GUARD_DEFAULTS, guardSections } from './guard-settings.ts';

/** The largest amount whose micros are still exact; write it for no limit. */
const LARGEST_USDT = 9e9;

/** Amounts of the configuration are in USDT, as people think of them. */
const usdt = z.number().positive().max(LARGEST_USDT);
const probability = z.number().gt(0).lt(1);
const count = z.int().positive();
const seconds = z.number().nonnegative();
const names = z.array(z.string().min(1));

/** Sections that may change while orders rest: each is read again for every order. */
export const LIVE_LIMITS = [
  'order',
  'worstCase',
  'gross',
  'openOrders',
  'loss',
  'turnover',
  'balance',
  'take',
  'allow',
] as const;

/** The tables of `risk` in the configuration. */
export const sections = {
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
  /** Losses of the trading day, and from the highest result so far, that stop everything (a strategy's: that strategy). */
  loss: z.strictObject({
    dayUsdt: usdt,
    fromPeakUsdt: usdt,
    strategyDayUsdt: usdt,
    strategyFromPeakUsdt: usdt,
  }),
  /** Stake matched in one trading day. */
  turnover: z.strictObject({ dayUsdt: usdt }),
  balance: z.strictObject({
    /** The part of the balance that orders must not use. */
    reserveUsdt: z.number().nonnegative().max(LARGEST_USDT),
    /** No order while the balance is not known. */
    required: z.boolean(),
  }),
  /** Takes that do not certainly reduce the risk of their event. */
  take: z.strictObject({
    /** The most that they may lose on an event. */
    eventUsdt: usdt,
    /** The same of all that were placed within an hour. */
    hourUsdt: usdt,
    /** The least edge, by the strategy's own fair probability: expected profit for each USDT that the take may lose. */
    minEdge: z.number().nonnegative(),
  }),
  collar: z.strictObject({
    /** A consensus older than this is stale; without a fresh consensus no order is sent. */
    maxReferenceAgeS: seconds.positive(),
    /** How much worse for us than the consensus a price may be, in probability. */
    adverseProbability: probability,
    /** The same in log-odds, which binds on favourites and long shots. */
    adverseLogOdds: z.number().positive(),
    /** Largest distance from the consensus on our good side, in log-odds. Beyond it, our price or the consensus is wrong. */
    awayLogOdds: z.number().positive(),
    /** How far the consensus may have moved, in probability, within `driftWindowS`. */
    driftProbability: probability,
    driftWindowS: seconds,
  }),
  inPlay: z.strictObject({
    allowed: z.boolean(),
    /** If in play is not allowed, orders stop this long before the start. */
    stopBeforeStartS: seconds,
    /** No order on football in play while its score was not confirmed for longer; orders that rest are closed. */
    scoreMaxAgeS: seconds.positive(),
  }),
  throttle: z.strictObject({
    /** An order equal to one that was approved within this time and is still open is a duplicate. */
    duplicateWindowS: seconds,
    /** Passing this stops the account until a person resumes. */
    ordersPerMinute: count,
    /** More fills of one selection in one direction within the window stop it until a person resumes. */
    repeatedFills: count,
    repeatedWindowS: seconds.positive(),
    /** An approval that never becomes an order lapses after this time. */
    approvalTtlS: seconds.positive(),
  }),
  /** Lists of what may be traded; an empty list allows all. */
  allow: z.strictObject({ sports: names, competitions: z.array(z.int()), marketTypes: names }),
  grids: z.strictObject({
    /** Sports whose final scores fit the exchange's 20 by 20 grid. */
    scoreSports: names,
    /** Market families in which exactly one selection of the event wins. */
    winnerMarketTypes: names,
    /** First parts of bet types, such as `ah`, that count by the grid only once the exchange's `payoff_grid` agrees with a matched bet of them. */
    onceProven: names,
  }),
  guards: guardSections,
};

export type Section = keyof typeof sections;

/** The values of limits that are left out, in modes where money limits are not mandatory. */
export const MODERATE: { readonly [S in Section]: z.output<(typeof sections)[S]> } = {
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
  loss: { dayUsdt: 5_000, fromPeakUsdt: 5_000, strategyDayUsdt: 5_000, strategyFromPeakUsdt: 5_000 },
  turnover: { dayUsdt: 1_000_000 },
  balance: { reserveUsdt: 0, required: false },
  take: { eventUsdt: 500, hourUsdt: 1_000, minEdge: 0.01 },
  collar: {
    maxReferenceAgeS: 60,
    adverseProbability: 0.05,
    adverseLogOdds: 0.5,
    awayLogOdds: 2,
    driftProbability: 0.2,
    driftWindowS: 10,
  },
  inPlay: { allowed: false, stopBeforeStartS: 0, scoreMaxAgeS: 90 },
  throttle: {
    duplicateWindowS: 1,
    ordersPerMinute: 400,
    repeatedFills: 200,
    repeatedWindowS: 60,
    approvalTtlS: 30,
  },
  allow: { sports: [], competitions: [], marketTypes: [] },
  grids: { scoreSports: ['fb', 'fb_ht'], winnerMarketTypes: ['win'], onceProven: [] },
  guards: GUARD_DEFAULTS,
};

/** Where money is real, or is to be, what a handicap pays is believed once the exchange has shown it. */
export const MANDATORY_DEFAULTS: typeof MODERATE = {
  ...MODERATE,
  grids: { ...MODERATE.grids, onceProven: ['ah'] },
};

/** Sections that may be left out even where limits are mandatory: they hold no money, and their defaults are careful. */
export const ALWAYS_OPTIONAL: readonly Section[] = [
  'collar',
  'inPlay',
  'throttle',
  'allow',
  'grids',
  'guards',
];

/** Pairs of limits, inner before outer: an inner limit above its outer one could never be reached. */
export const ASCENDING: readonly (readonly [inner: string, outer: string])[] = [
  ['order.maxStakeUsdt', 'turnover.dayUsdt'],
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
  ['loss.strategyDayUsdt', 'loss.dayUsdt'],
  ['loss.strategyFromPeakUsdt', 'loss.fromPeakUsdt'],
  ['collar.adverseLogOdds', 'collar.awayLogOdds'],
];
