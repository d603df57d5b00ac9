import type { ExchangePrices } from '../../domain/exchange-prices.ts';
import type { PriceConvention } from '../../domain/odds.ts';
import { configuredConvention } from '../../engine/convention/settings.ts';
import type { Config } from '../config/load.ts';
import { lastProof, proofBeside } from '../prove/proof-file.ts';

/**
 * What the exchange's prices are to a command that asks it: as the person says, else as the configuration does, else as
 * `touchline prove` found; odds if none of them tells.
 */
export const pricesFor = (
  { exchange, journal }: Pick<Config, 'exchange' | 'journal'>,
  said: PriceConvention | undefined,
): ExchangePrices => ({
  convention:
    said ??
    configuredConvention(exchange.againstPrices) ??
    lastProof(proofBeside(journal.path))?.convention ??
    'odds',
  secondSide: 'against',
});
