import { type Config, loadConfig } from '../../src/app/config/load.ts';
import { bundledConfig } from '../../src/app/adapters/own-files.ts';
import { settingsOf } from './limits.ts';
import type { DaemonPlan, SimPlan, StrategyTable } from './plan.ts';

/** The configuration of a daemon in simulated time; `more` are further settings, `files` further files of them. */
export function daemonConfig(
  daemon: DaemonPlan,
  more: Readonly<Record<string, string>> = {},
  files: readonly string[] = [],
): Config {
  const { durationS, heartbeatS, strategy, maxSelections, inPlay, eventLimitUsdt, limits } = daemon;
  const { marketTypes = [], strategies } = daemon;
  const { values } = loadConfig({
    files: [bundledConfig('simulated'), ...files],
    environment: {},
    settings: {
      'exchange.againstPrices': 'lay',
      'orders.durationS': `${durationS}`,
      'orders.heartbeatTimeoutS': `${heartbeatS}`,
      'strategy.name': strategy,
      ...(strategy === 'guarded-ladder' ? { 'strategy.parameters.inPlay': `${inPlay}` } : {}),
      'universe.maxSelections': `${maxSelections}`,
      'universe.inPlay': `${inPlay}`,
      'universe.marketTypes': marketTypes.join(','),
      'risk.inPlay.allowed': `${inPlay}`,
      'risk.order.maxLiabilityUsdt': `${eventLimitUsdt / 2}`,
      'risk.worstCase.selectionUsdt': `${eventLimitUsdt / 2}`,
      'risk.worstCase.eventUsdt': `${eventLimitUsdt}`,
      ...settingsOf(limits ?? {}, eventLimitUsdt),
      ...more,
    },
  });
  return strategies === undefined ? values : withStrategies(values, strategies);
}

const SECOND_SIDES = ['against', 'lay', 'auto'] as const;

/** On an exchange of odds, half of the days prove the prices from the stream, and orders against go out in every way. */
export function priceSettings({ seed, world }: Pick<SimPlan, 'seed' | 'world'>): Record<string, string> {
  if (world.againstPrices !== 'odds') return {};
  return {
    'exchange.againstPrices': seed % 2 === 0 ? 'odds' : 'auto',
    'exchange.secondSide': SECOND_SIDES[seed % 3] as string,
  };
}

/** The configuration with tables of several strategies, as files would give them. */
export function withStrategies(config: Config, strategies: readonly StrategyTable[]): Config {
  const { strategy: defaults } = loadConfig({ files: [], environment: {}, settings: {} }).values;
  const tables = strategies.map(({ match, limits, loss, ...rest }) => ({
    ...defaults,
    ...rest,
    match: { ...defaults.match, ...match },
    limits: { ...defaults.limits, ...limits },
    loss: { ...defaults.loss, ...loss },
  }));
  return { ...config, tables: { ...config.tables, strategy: tables } };
}
