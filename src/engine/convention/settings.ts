import type { ExchangePrices } from '../../domain/exchange-prices.ts';
import { PRICE_CONVENTIONS, type PriceConvention } from '../../domain/odds.ts';

/** What a person says of the prices of `against` markets. `auto`: the stream proves it. */
export type AgainstPrices = (typeof AGAINST_PRICES)[number];

export const AGAINST_PRICES = ['auto', ...PRICE_CONVENTIONS] as const;

/** How a person wants orders against a selection to go out. */
export type SecondSideChoice = (typeof SECOND_SIDE_CHOICES)[number];

export const SECOND_SIDE_CHOICES = ['auto', 'against', 'lay'] as const;

/** On which markets an order against a selection was found visible to others. */
export interface VisibleSides {
  readonly against: boolean;
  readonly lay: boolean;
}

/** The configured convention; null if the stream is to prove it. */
export const configuredConvention = (setting: AgainstPrices): PriceConvention | null =>
  setting === 'auto' ? null : setting;

/** How orders against a selection go out. Without a measurement they go where the specification puts them. */
export function secondSideOf(
  setting: SecondSideChoice,
  visible: VisibleSides | null,
): ExchangePrices['secondSide'] {
  if (setting !== 'auto') return setting;
  if (visible === null || !visible.lay) return 'against';
  return visible.against ? 'finer' : 'lay';
}
