import { describe, expect, it } from 'vitest';
import { readRiskLimits } from '../../../src/risk/index.ts';

type Table = Readonly<Record<string, unknown>>;

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The paths of all limits that are numbers. */
const numbersIn = (table: Table, path: readonly string[] = []): readonly (readonly string[])[] =>
  Object.entries(table).flatMap(([key, value]) => {
    if (isTable(value)) return numbersIn(value, [...path, key]);
    return typeof value === 'number' ? [[...path, key]] : [];
  });

/** A table with one value. */
const at = ([key = '', ...rest]: readonly string[], value: unknown): Table => ({
  [key]: rest.length === 0 ? value : at(rest, value),
});

const defaults = readRiskLimits({}, 'simulated');
if (!defaults.ok) throw new Error('the defaults are refused');
const NUMBERS = numbersIn(defaults.limits).map((path) => [path.join('.'), path] as const);

const keysOf = (table: unknown): readonly string[] => {
  const result = readRiskLimits(table, 'simulated');
  return result.ok ? [] : result.problems.map(({ key }) => key);
};

/** Limits that may be 0. */
const MAY_BE_ZERO = [
  'balance.reserveUsdt',
  'collar.driftWindowS',
  'inPlay.stopBeforeStartS',
  'throttle.duplicateWindowS',
  'take.minEdge',
];

/** Limits below 1. */
const SHARES = ['collar.adverseProbability', 'collar.driftProbability'];

const COUNTS =
  /^openOrders\.|ordersPerMinute$|repeatedFills$|^guards\.(?:toxicity|unintendedTaking)\.fills$|minOrders$/;

describe('each limit that is a number', () => {
  it.each(NUMBERS)('%s is refused by its name if it is none, or out of its range', (name, path) => {
    for (const wrong of [-1, '1', NaN, Infinity, null, true])
      expect([wrong, keysOf(at(path, wrong)).includes(`risk.${name}`)]).toEqual([wrong, true]);
    const zero = keysOf(at(path, 0)).filter((key) => key === `risk.${name}`);
    expect(zero).toHaveLength(MAY_BE_ZERO.includes(name) ? 0 : 1);
    const half = keysOf(at(path, 0.5)).filter((key) => key === `risk.${name}`);
    expect(half).toHaveLength(COUNTS.test(name) ? 1 : 0);
    const one = keysOf(at(path, 1)).filter((key) => key === `risk.${name}`);
    if (SHARES.includes(name)) expect(one).toHaveLength(1);
  });

  it('of a table that is unknown, or has an unknown limit, is refused in each section', () => {
    for (const [section, table] of Object.entries(defaults.limits)) {
      expect(keysOf({ [section]: { ...table, other: 1 } })).toEqual([`risk.${section}.other`]);
      expect(keysOf({ [section]: table })).toEqual([]);
    }
    for (const [guard, table] of Object.entries(defaults.limits.guards))
      if (isTable(table))
        expect(keysOf({ guards: { [guard]: { ...table, other: 1 } } })).toEqual([
          `risk.guards.${guard}.other`,
        ]);
  });
});

/** An inner limit with the outer one that it must not exceed. */
const WITHIN = [
  ['order.maxStakeUsdt', 'turnover.dayUsdt'],
  ['order.maxLiabilityUsdt', 'worstCase.selectionUsdt'],
  ['worstCase.selectionUsdt', 'worstCase.eventUsdt'],
  ['worstCase.eventUsdt', 'worstCase.competitionUsdt'],
  ['worstCase.competitionUsdt', 'worstCase.sportUsdt'],
  ['worstCase.sportUsdt', 'worstCase.accountUsdt'],
  ['worstCase.dayUsdt', 'worstCase.accountUsdt'],
  ['worstCase.eventUsdt', 'gross.eventUsdt'],
  ['worstCase.accountUsdt', 'gross.accountUsdt'],
  ['gross.eventUsdt', 'gross.accountUsdt'],
  ['openOrders.selection', 'openOrders.event'],
  ['openOrders.event', 'openOrders.account'],
  ['loss.strategyDayUsdt', 'loss.dayUsdt'],
  ['loss.strategyFromPeakUsdt', 'loss.fromPeakUsdt'],
  ['collar.adverseLogOdds', 'collar.awayLogOdds'],
] as const;

/** Every limit at 10, but these. */
function tableWith(changes: Readonly<Record<string, number>>): Table {
  const table: Record<string, Record<string, unknown>> = {};
  for (const [name, [section = '', key = '', ...deeper]] of NUMBERS)
    if (deeper.length === 0 && !SHARES.includes(name)) (table[section] ??= {})[key] = changes[name] ?? 10;
  return table;
}

describe('a limit within another', () => {
  it.each(WITHIN)('may reach it, and not exceed it: %s in %s', (inner, outer) => {
    expect(keysOf(tableWith({}))).toEqual([]);
    const others = WITHIN.filter(([each]) => each === inner).length;
    const result = readRiskLimits(tableWith({ [inner]: 11 }), 'simulated');
    const problems = result.ok ? [] : result.problems;
    expect(problems).toHaveLength(others);
    expect(problems).toContainEqual({
      key: `risk.${inner}`,
      message: `is 11, above ${outer} (10): it could never be reached`,
    });
    expect(keysOf(tableWith({ [outer]: 9 }))).toContain(`risk.${inner}`);
  });
});

it('live mode needs no limit beside those of money', () => {
  const money = { ...tableWith({}) } as Record<string, object>;
  for (const section of ['collar', 'inPlay', 'throttle']) delete money[section];
  const live = { ...money, balance: { reserveUsdt: 10, required: true } };
  const result = readRiskLimits(live, 'live');
  expect(result.ok && result.limits).toMatchObject({
    collar: defaults.limits.collar,
    inPlay: defaults.limits.inPlay,
    throttle: defaults.limits.throttle,
    allow: defaults.limits.allow,
    grids: { ...defaults.limits.grids, onceProven: ['ah'] },
    guards: defaults.limits.guards,
  });
});

it('a limit that is misspelt is answered with the name that it may be', () => {
  const messageOf = (table: Table): string => {
    const result = readRiskLimits(table, 'simulated');
    return result.ok ? '' : result.problems.map(({ message }) => message).join();
  };
  expect(messageOf({ ordr: {} })).toMatch(/order/);
  expect(messageOf({ order: { maxStakUsdt: 1 } })).toMatch(/maxStakeUsdt/);
  expect(messageOf({ guards: { loopLag: { maxSs: 1 } } })).toMatch(/maxS\b/);
  expect(messageOf({ guards: { loopLagg: {} } })).toMatch(/loopLag\b/);
});
