import { number } from './formats.ts';

/** The settings of a strategy. */
export const strategySchema = {
  name: {
    doc: 'a bundled strategy by name, or the path of a plugin file',
    format: String,
    default: 'symmetric',
    env: 'TOUCHLINE_STRATEGY',
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
};
