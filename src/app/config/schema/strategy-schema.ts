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
    doc: "name of the strategy in logs, journal, limits and metrics; empty: the plugin's own name",
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
    doc: 'a strategy hangs if a call takes this long: its orders are closed, the process ends, and the next start leaves the strategy off',
    format: number(0.5, 60),
    default: 2,
  },
  slowMs: {
    doc: 'count and log a call of the strategy as slow if it takes this long',
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
      doc: 'only events that start within this time, or are in play; absent: any',
      format: optional(number(0, 20160)),
      default: null as number | null,
      live: true,
    },
    startsAfterMinutes: {
      doc: 'only events that start later than this; absent: any',
      format: optional(number(0, 20160)),
      default: null as number | null,
      live: true,
    },
    inPlay: {
      doc: 'true: only events in play; false: only before the start; absent: both',
      format: optionalBoolean,
      default: null as boolean | null,
      live: true,
    },
    minLiquidityUsdt: {
      doc: 'only selections with at least this stake offered in each direction',
      format: number(0, 1e9),
      default: 0,
      live: true,
    },
  },
  limits: {
    eventUsdt: {
      doc: 'most that the strategy’s bets and orders may lose on one event; absent: no limit of its own',
      format: usdt,
      default: null as number | null,
      live: true,
    },
    totalUsdt: {
      doc: 'most that the strategy’s bets and orders may lose on all its events; absent: no limit of its own',
      format: usdt,
      default: null as number | null,
      live: true,
    },
    openOrders: {
      doc: 'most open orders of the strategy; absent: no limit of its own',
      format: optional(integer(1, 10_000)),
      default: null as number | null,
      live: true,
    },
  },
  loss: {
    dayUsdt: {
      doc: 'loss in a trading day that halts the strategy; absent: `risk.loss.strategyDayUsdt`',
      format: usdt,
      default: null as number | null,
      live: true,
    },
    fromPeakUsdt: {
      doc: 'loss from its highest result that halts the strategy; absent: `risk.loss.strategyFromPeakUsdt`',
      format: usdt,
      default: null as number | null,
      live: true,
    },
  },
};
