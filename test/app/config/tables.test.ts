import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { changesOf, withChanges } from '../../../src/app/config/changes.ts';
import { type LoadedConfig, loadConfig } from '../../../src/app/config/load.ts';
import { ConfigError } from '../../../src/domain/errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchline-tables-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
const file = (text: string): string => {
  const path = join(folder, `${++files}.toml`);
  writeFileSync(path, text);
  return path;
};

interface Beside {
  readonly environment?: Record<string, string>;
  readonly settings?: Record<string, string>;
}

const load = (texts: readonly string[], { environment = {}, settings = {} }: Beside = {}): LoadedConfig =>
  loadConfig({ files: texts.map(file), environment, settings });

function failure(texts: readonly string[], beside: Beside = {}): string {
  try {
    load(texts, beside);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error('the configuration was accepted');
}

const ONE = '[strategy]\nname = "inventory"\n[strategy.parameters]\nstake = 5\n';
const TWO = `
[[strategy]]
name = "inventory"
slowMs = 20
[strategy.parameters]
stake = 7
[[strategy]]
`;

describe('repeated tables', () => {
  it('are read in their order, each with its own defaults', () => {
    const { values, describe: shown } = load([TWO]);
    expect(values.tables.strategy).toMatchObject([
      { name: 'inventory', slowMs: 20, hangS: 2, parameters: { stake: 7 } },
      { name: 'symmetric', slowMs: 50, hangS: 2, parameters: {} },
    ]);
    expect(shown()).toMatchObject({ strategy: [{ name: 'inventory' }, { name: 'symmetric' }] });
  });

  it('are absent while a section takes their place', () => {
    const { values, describe: shown } = load([ONE]);
    expect(values.tables.strategy).toEqual([]);
    expect(shown()).toMatchObject({ strategy: { name: 'inventory', parameters: { stake: 5 } } });
  });

  it('replace the section or the tables of an earlier file, and are replaced by a section', () => {
    expect(load([ONE, TWO]).values.tables.strategy).toHaveLength(2);
    expect(load([TWO, '[[strategy]]\nname = "consensus"\n']).values.tables.strategy).toMatchObject([
      { name: 'consensus', slowMs: 50, parameters: {} },
    ]);
    const { tables, strategy } = load([TWO, ONE]).values;
    expect([tables.strategy, strategy]).toMatchObject([[], { name: 'inventory', slowMs: 50 }]);
  });

  it.each([
    ['an unknown key', 'slowS = 1', 'strategy[2].slowS = 1: unknown key'],
    ['a number out of range', 'hangS = 0', 'strategy[2].hangS = 0: must be a number from 0.5 to 60'],
    ['a text for a table', 'parameters = "x"', 'strategy[2].parameters = "x": must be a table'],
    [
      'a table for a number',
      '[strategy.slowMs]\nx = 1',
      'strategy[2].slowMs = {"x":1}: must be a number from',
    ],
  ])('name the table, the key and the file of %s', (_, text, message) => {
    expect(failure([`${TWO}${text}\n`])).toContain(`${files}.toml: ${message}`);
  });

  it('must be tables', () => {
    expect(failure(['strategy = [1]\n'])).toContain('strategy[1] = 1: must be a table below [[strategy]]');
  });

  it('refuse settings of the section, which would name none of them', () => {
    const words = 'the configuration has [[strategy]] tables';
    const environment = { TOUCHLINE_STRATEGY: 'symmetric' };
    expect(failure([TWO], { environment })).toContain(
      `environment variable TOUCHLINE_STRATEGY: strategy.name: ${words}`,
    );
    for (const key of ['strategy.name', 'strategy.parameters.stake', 'strategy.slowMs'])
      expect(failure([TWO], { settings: { [key]: '1' } })).toContain(`--set: ${key}: ${words}`);
    expect(load([ONE], { environment }).values.strategy.name).toBe('symmetric');
  });
});

describe('a change of repeated tables', () => {
  const changes = (before: string, after: string) =>
    changesOf(load([before]).values, load([after]).values, {}).map(({ key, from, to, live }) => [
      key,
      from,
      to,
      live,
    ]);

  it('is told table by table, and can be applied', () => {
    const after = TWO.replace('stake = 7', 'stake = 8').replace('slowMs = 20', 'slowMs = 30');
    expect(changes(TWO, after)).toEqual([
      ['strategy[1].parameters.stake', 7, 8, true],
      ['strategy[1].slowMs', 20, 30, false],
    ]);
    const [config, next] = [load([TWO]).values, load([after]).values];
    expect(withChanges(config, changesOf(config, next, {}))).toEqual(next);
  });

  it('needs a restart if a table is added or removed, or if the section replaces the tables', () => {
    expect(changes(TWO, `${TWO}[[strategy]]\nname = "consensus"\n`)).toEqual([
      ['strategy', ['inventory', 'symmetric'], ['inventory', 'symmetric', 'consensus'], false],
    ]);
    expect(changes(TWO, ONE)).toEqual([['strategy', ['inventory', 'symmetric'], [], false]]);
  });
});
