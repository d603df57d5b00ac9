import { type Config, loadConfig } from '../../src/app/config/load.ts';
import { bundledConfig } from '../../src/app/adapters/own-files.ts';
import { settingsOf } from './limits.ts';
import type { DaemonPlan } from './plan.ts';

/** The configuration of a daemon in simulated time; `more` are further settings. */
export function daemonConfig(daemon: DaemonPlan, more: Readonly<Record<string, string>> = {}): Config {
  const { durationS, heartbeatS, strategy, maxSelections, inPlay, eventLimitUsdt, limits } = daemon;
  const { marketTypes = [] } = daemon;
  return loadConfig({
    files: [bundledConfig('simulated')],
    environment: {},
    settings: {
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
  }).values;
}
