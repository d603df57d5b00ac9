import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/app/config/load.ts';
import { hedgeRulesOf } from '../../../src/app/config/part-options.ts';
import { NO_RULES } from '../../../src/hedge/rules.ts';

const rulesOf = (settings: Readonly<Record<string, string>> = {}) =>
  hedgeRulesOf(loadConfig({ files: [], environment: {}, settings }).values);

describe('the rules of hedges in the configuration', () => {
  it('are all off unless they are set', () => {
    expect(rulesOf()).toEqual(NO_RULES);
  });

  it.each([
    ['offsetTicks', '3', { offsetTicks: 3 }],
    ['stopTicks', '4', { stopTicks: 4 }],
    ['greenUpBeforeS', '90', { greenUpBeforeMs: 90_000 }],
    ['greenUpMinute', '75', { greenUpMinute: 75 }],
    ['boundAtShare', '0.8', { boundAtShare: 0.8 }],
    ['boundToShare', '0.25', { boundToShare: 0.25 }],
    // To bring the worst case to nothing is a share like any other.
    ['boundToShare', '0', { boundToShare: 0 }],
    ['offsetTicks', '0', {}],
    ['stopTicks', '0', {}],
    ['greenUpBeforeS', '0', {}],
    ['greenUpMinute', '0', {}],
    ['boundAtShare', '0', {}],
  ])('hedge.%s = %s changes one rule alone', (key, value, changed) => {
    expect(rulesOf({ [`hedge.${key}`]: value })).toEqual({ ...NO_RULES, ...changed });
  });

  it.each([
    ['offsetTicks', '-1'],
    ['offsetTicks', '301'],
    ['offsetTicks', '1.5'],
    ['stopTicks', '-1'],
    ['stopTicks', '301'],
    ['greenUpBeforeS', '-1'],
    ['greenUpBeforeS', '86401'],
    ['greenUpMinute', '201'],
    ['boundAtShare', '1.01'],
    ['boundAtShare', '-0.1'],
    ['boundToShare', '1.01'],
  ])('hedge.%s = %s is refused', (key, value) => {
    expect(() => rulesOf({ [`hedge.${key}`]: value })).toThrow(`hedge.${key}`);
  });
});
