import { type ExchangePrices, LAY_PRICES } from '../../domain/exchange-prices.ts';
import type { PriceConvention } from '../../domain/odds.ts';
import type { Config } from '../config/load.ts';

/** What the exchange's prices are to a command that asks it: as the person says, else as the configuration does. */
export const pricesFor = (_config: Config, said: PriceConvention | undefined): ExchangePrices => ({
  ...LAY_PRICES,
  ...(said === undefined ? {} : { convention: said }),
});
