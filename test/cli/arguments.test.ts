import { describe, expect, it } from 'vitest';
import {
  collectSettings,
  parseDurationMs,
  parseFeed,
  parseInstantMs,
  parseInteger,
  parsePositive,
} from '../../src/cli/input/arguments.ts';

describe('arguments', () => {
  it.each([
    ['500ms', 500],
    ['60s', 60_000],
    ['2m', 120_000],
    ['1.5h', 5_400_000],
  ])('reads the duration %s', (text, ms) => expect(parseDurationMs(text)).toBe(ms));

  it.each(['60', '0s', '-1s', 's', '', '1d', '1 s', 'NaNs'])('refuses the duration %j', (text) =>
    expect(() => parseDurationMs(text)).toThrow('duration'),
  );

  it('reads whole numbers within bounds', () => {
    expect(parseInteger(0, 9)('9')).toBe(9);
    for (const text of ['10', '-1', '1.5', '', 'x', '1e0'])
      expect(() => parseInteger(0, 9)(text)).toThrow('0 to 9');
  });

  it('reads positive numbers', () => {
    expect(parsePositive('0.5')).toBe(0.5);
    for (const text of ['0', '-1', '', ' ', 'x', 'Infinity'])
      expect(() => parsePositive(text)).toThrow('above zero');
  });

  it('reads only instants with a zone', () => {
    expect(parseInstantMs('2022-07-11T10:30:00Z')).toBe(1657535400000);
    expect(parseInstantMs('2022-07-11T12:30:00+02:00')).toBe(1657535400000);
    for (const text of ['2022-07-11T10:30:00', 'yesterday', ''])
      expect(() => parseInstantMs(text)).toThrow('instant');
  });

  it('reads feeds', () => {
    expect(parseFeed('model')).toEqual({ kind: 'model' });
    expect(parseFeed('betfair:a:b.gz')).toEqual({ kind: 'betfair', file: 'a:b.gz' });
    for (const text of ['', 'betfair:', 'x']) expect(() => parseFeed(text)).toThrow('betfair:FILE');
  });

  it('gathers settings; the value may hold an equals sign', () => {
    expect(collectSettings('a.b=1', collectSettings('c=x=y'))).toEqual({ c: 'x=y', 'a.b': '1' });
    for (const text of ['a', '=1', '']) expect(() => collectSettings(text)).toThrow('key=value');
  });
});
