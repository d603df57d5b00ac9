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
}

export const decidingSettings = ({
  mode,
  market,
  strategy,
  risk,
  tradingDay,
  tables,
}: Config): DecidingSettings => ({
  ...{ mode, market, strategy, risk, tradingDay },
  strategies: tables.strategy,
  priceSources: tables.priceSource.length,
});
