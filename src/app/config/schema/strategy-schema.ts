import { integer, number, optional, optionalBoolean, shortName } from './formats.ts';

const LARGEST_USDT = 9e9;
const usdt = optional(number(0.01, LARGEST_USDT));

/** The settings of a strategy. */
export const strategySchema = {
  name: {
    doc: 'a bundled strategy by name, or the path of a plugin file',
    format: String,
    default: 'symmetric',
    env: 'TOUCHLINE_STRATEGY',
  },
  as: {
    doc: "its name in logs, journal, limits and metrics; empty: the plugin's own name",
    format: shortName,
    default: '' as string,
  },
  parameters: {
    doc: 'parameters of the strategy, checked by the strategy',
    format: 'object',
    default: {} as object,
    live: true,
  },
  hangS: {
    doc: 'a strategy that has not returned for this long hangs: its orders are closed, the process ends, and the next start leaves it off',
    format: number(0.5, 60),
    default: 2,
  },
  slowMs: {
    doc: 'a call of the strategy that takes this long is counted and logged as slow',
    format: number(1, 60_000),
    default: 50,
  },
  match: {
    sports: { doc: 'sport codes; empty: all', format: 'texts', default: [] as string[], live: true },
    competitions: {
      doc: 'competitions, by name or id; empty: all',
      format: 'texts',
      default: [] as string[],
      live: true,
    },
    marketTypes: { doc: 'market families; empty: all', format: 'texts', default: [] as string[], live: true },
    startsWithinMinutes: {
      doc: 'events that start within this time, or are in play; absent: any',
      format: optional(number(0, 20160)),
      default: null as number | null,
      live: true,
    },
    startsAfterMinutes: {
      doc: 'events that start no sooner than this; absent: any',
      format: optional(number(0, 20160)),
      default: null as number | null,
      live: true,
    },
    inPlay: {
      doc: 'true: events in play alone; false: only before the start; absent: both',
      format: optionalBoolean,
      default: null as boolean | null,
      live: true,
    },
    minLiquidityUsdt: {
      doc: 'selections with this stake offered in each direction',
      format: number(0, 1e9),
      default: 0,
      live: true,
    },
  },
  limits: {
    eventUsdt: {
      doc: 'the most that its own bets and orders may lose on one event; absent: no own limit',
      format: usdt,
      default: null as number | null,
      live: true,
    },
    totalUsdt: {
      doc: 'the most that they may lose on all its events; absent: no own limit',
      format: usdt,
      default: null as number | null,
      live: true,
    },
    openOrders: {
      doc: 'its orders that may still be matched; absent: no own limit',
      format: optional(integer(1, 10_000)),
      default: null as number | null,
      live: true,
    },
  },
  loss: {
    dayUsdt: {
      doc: 'a loss of the trading day that halts the strategy; absent: `risk.loss.strategyDayUsdt`',
      format: usdt,
      default: null as number | null,
      live: true,
    },
    fromPeakUsdt: {
      doc: 'a loss from its highest result that halts the strategy; absent: `risk.loss.strategyFromPeakUsdt`',
      format: usdt,
      default: null as number | null,
      live: true,
    },
  },
};
