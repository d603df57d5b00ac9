import type { ExchangePrices } from '../../domain/exchange-prices.ts';
import type { PriceConvention } from '../../domain/odds.ts';
import { secondSideIn } from '../convention.ts';
import type { Config } from '../config/load.ts';

/**
 * The settings that decisions depend on. A recorded run carries them, so that it can be decided again. The tables of price sources are
 * left out: their options may hold secrets.
 */
export interface DecidingSettings extends Pick<
  Config,
  'mode' | 'market' | 'strategy' | 'risk' | 'tradingDay'
> {
  readonly strategies: Config['tables']['strategy'];
  readonly priceSources: number;
  /**
   * What prices mean at the start; null if the stream has to prove it first. The recorded turns hold each change. Recordings without
   * the field are of lay prices.
   */
  readonly exchangePrices?: ExchangePrices | null;
}

/** `convention` is what the start presumes; null if it presumes nothing. */
export const decidingSettings = (config: Config, convention: PriceConvention | null): DecidingSettings => ({
  ...pick(config),
  exchangePrices: convention && { convention, secondSide: secondSideIn(config) },
});

const pick = ({ mode, market, strategy, risk, tradingDay, tables }: Config) => ({
  mode,
  market,
  strategy,
  risk,
  tradingDay,
  strategies: tables.strategy,
  priceSources: tables.priceSource.length,
});
