import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/app/config/load.ts';
import { orderOptionsOf, requestLimitsOf } from '../../../src/app/config/part-options.ts';
import { settingsOf } from '../../../src/app/config/settings.ts';
import { DEFAULT_ORDER_OPTIONS } from '../../../src/orders/options.ts';
import { DEFAULT_LIMITS } from '../../../src/venue/index.ts';

const load = (settings: Readonly<Record<string, string>> = {}) =>
  loadConfig({ files: [], environment: {}, settings }).values;

/** Maps each leaf’s dotted name to its value. */
function flat(value: object, prefix = ''): Map<string, unknown> {
  const leaves = new Map<string, unknown>();
  for (const [name, each] of Object.entries(value) as [string, unknown][]) {
    const isTable = typeof each === 'object' && each !== null;
    if (isTable) for (const [key, leaf] of flat(each, `${prefix}${name}.`)) leaves.set(key, leaf);
    else leaves.set(prefix + name, each);
  }
  return leaves;
}

/** Settings of the daemon whose default differs from the order manager's own. */
const OWN_DEFAULTS = { durationS: 30, betslips: { openCap: 9 } };

/** A second valid value of each setting that is a word. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  'orders.replacement': 'close-first',
  'orders.otherHeartbeats': 'tolerate',
};

describe('the order manager’s options in the configuration', () => {
  it('are its own defaults, except those that the daemon chooses', () => {
    const { betslips, ...rest } = DEFAULT_ORDER_OPTIONS;
    const expected = { ...rest, ...OWN_DEFAULTS, betslips: { ...betslips, ...OWN_DEFAULTS.betslips } };
    expect(orderOptionsOf(load())).toEqual(expected);
  });

  it('are all there: each key of the table changes exactly one option', () => {
    const before = flat(orderOptionsOf(load()));
    const keys = settingsOf().filter(
      ({ key }) => key.startsWith('orders.') && key !== 'orders.drainTimeoutS',
    );
    const touched = keys.map(({ key, fallback }) => {
      const changed =
        typeof fallback === 'number' ? String(nudged(key, fallback)) : (OTHER_WORDS[key] ?? 'no other word');
      const after = flat(orderOptionsOf(load({ [key]: changed })));
      const names = [...after.keys()].filter((name) => after.get(name) !== before.get(name));
      expect([key, names]).toEqual([key, [names[0]]]);
      return names[0];
    });
    const configured = [...touched, 'calmSweepMs', 'journal.retentionMs', 'sweepMs'].sort();
    expect(configured).toEqual([...before.keys()].sort());
  });

  it.each([
    ['orders.renewLeadS', '45', /orders\.renewLeadS = 45: must be below orders\.durationS \(30\)/],
    [
      'exchange.requestTimeoutS',
      '60',
      /orders\.latestLandingS = 30: must be at least exchange\.requestTimeoutS/,
    ],
    ['orders.heartbeat.sendReserveS', '2', /orders\.heartbeat\.sendReserveS = 2: must be at least/],
    ['orders.betslips.refreshLeadS', '20', /orders\.betslips\.refreshLeadS = 20: must be below/],
    ['orders.betslips.perDay', '40', /orders\.betslips\.dailyReserve = 50: must be below/],
    ['orders.betslips.longestDurationS', '10', /longestDurationS = 10: must be at least orders\.durationS/],
    ['orders.replacement', 'both', /orders\.replacement/],
    ['orders.maxInFlight', '2.5', /orders\.maxInFlight.*whole number/],
    ['orders.betslips.nothing', '1', /no such key/],
    ['universe.stopBeforeStartS', '86500', /stopBeforeStartS/],
  ])('%s = %s is refused', (key, value, message) => {
    expect(() => load({ [key]: value })).toThrow(message);
  });
});

it('allow as many betslips a day, and reserve as many, as the client does', () => {
  const { betslipsPerDay, betslipsPerDayReserve } = DEFAULT_LIMITS;
  expect(betslipsPerDayReserve).toBe(DEFAULT_ORDER_OPTIONS.betslips.dailyReserve);
  expect(requestLimitsOf(load())).toEqual({ betslipsPerDay, betslipsPerDayReserve });
  const given = load({ 'orders.betslips.dailyReserve': '7', 'orders.betslips.perDay': '300' });
  expect(requestLimitsOf(given)).toEqual({
    betslipsPerDay: orderOptionsOf(given).betslips.perDay,
    betslipsPerDayReserve: orderOptionsOf(given).betslips.dailyReserve,
  });
});

/** A second valid value, consistent with the other defaults. */
function nudged(key: string, value: number): number {
  if (key.endsWith('Ratio')) return value * 0.9 + (key.endsWith('maxStakeRatio') ? 1 : 0);
  if (key === 'orders.maxInFlight' || key === 'orders.betslips.perDay') return value - 1;
  return value + 1;
}
