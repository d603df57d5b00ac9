import type { Formats } from '../lib/formats.ts';
import type { FillCause } from '../domain/fill-cause.ts';

/**
 * The fills of a paper run under every fill model, from the most generous to the strictest. The account has those of one of them. What a
 * live order would have got lies somewhere between, so people are always shown all.
 */
export interface FillRange {
  /** The model of the account's own fills. */
  readonly account: string;
  readonly models: readonly ModelFills[];
  /** How many fills of the account have each cause (`domain/fill-cause.ts`). */
  readonly causes: Readonly<Partial<Record<FillCause, number>>>;
  /** Orders that `touch` filled further than `queue`. */
  readonly nearMisses: number;
}

/** What the same orders have come to under one fill model, since the paper account began. Amounts in USDT. */
export interface ModelFills {
  readonly model: string;
  readonly fills: number;
  readonly stakeMatched: number;
  /** Of its own fills: results, and open bets at their fair probabilities. */
  readonly profitLoss: number;
  /** Open bets without a fair probability: their worth is not known, and not in the profit. */
  readonly unpriced: number;
}

/** For people: `queue ahead traded 4, price crossed 1; 2 near misses`. */
export function causesInWords({ causes, nearMisses }: FillRange): string {
  const counted = Object.entries(causes).map(([cause, fills]) => `${cause} ${fills}`);
  const missed = `${nearMisses} near ${nearMisses === 1 ? 'miss' : 'misses'}`;
  return `${counted.join(', ') || 'no fills'}; ${missed}`;
}

/** For people: `fills 3 to 7, profit -1.20 to +4.50 (touch 7, +4.50; queue 5, +2.00, the account; through 3, -1.20)`. */
export function rangeInWords(range: FillRange, formats: Formats): string {
  const parts = range.models.map((each) => {
    const whose = each.model === range.account ? ', the account' : '';
    return `${each.model} ${each.fills}, ${profitInWords(each, formats)}${whose}`;
  });
  const fills = span(
    range.models.map((model) => model.fills),
    String,
  );
  return `fills ${fills}, profit ${profitSpan(range.models, formats)} (${parts.join('; ')})`;
}

/** The least and the most profit: `-1.20 to +4.50`; with the most bets whose worth is not known. */
export function profitRangeInWords({ models }: FillRange, formats: Formats): string {
  const range = profitSpan(models, formats);
  const most = Math.max(...models.map(({ unpriced }) => unpriced));
  return `${range}${withoutPrice(most)}`;
}

/** The profit of a model: `+4.50`, or `+4.50 and 2 bets without a price`. */
export const profitInWords = (
  { profitLoss, unpriced }: Pick<ModelFills, 'profitLoss' | 'unpriced'>,
  formats: Formats,
): string => `${formats.gain(profitLoss)}${withoutPrice(unpriced)}`;

const withoutPrice = (bets: number): string =>
  bets === 0 ? '' : ` and ${bets} ${bets === 1 ? 'bet' : 'bets'} without a price`;

const profitSpan = (models: FillRange['models'], formats: Formats): string =>
  span(
    models.map(({ profitLoss }) => profitLoss),
    (profitLoss) => formats.gain(profitLoss),
  );

const span = (values: readonly number[], shown: (value: number) => string): string =>
  `${shown(Math.min(...values))} to ${shown(Math.max(...values))}`;
