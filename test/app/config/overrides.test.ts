import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/app/config/load.ts';
import { changedOverrides, overridesOf, withOverrides } from '../../../src/app/config/overrides.ts';
import { temporaryFolder } from '../../support/exchange.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const load = (toml: string) =>
  loadConfig({ files: [folder.file('settings.toml', toml)], environment: {}, settings: {} });
const at = (path: string) => ({ journal: { ...load('').values.journal, path } });

describe('overrides', () => {
  it('lie over the parameters of their strategy, and leave all else alone', () => {
    const loaded = load(
      '[strategy]\nname = "symmetric"\n[strategy.parameters]\nstake = 5\nhalfSpread = 0.04\n',
    );
    const { values } = withOverrides(loaded, { symmetric: { stake: 7 }, inventory: { stake: 9 } });
    expect(values.strategy.parameters).toEqual({ stake: 7, halfSpread: 0.04 });
    expect({ ...values, strategy: null }).toEqual({ ...loaded.values, strategy: null });
  });

  it('find a strategy among several by the name that the configuration gives it', () => {
    const loaded = load(
      '[[strategy]]\nname = "symmetric"\nas = "wide"\nmatch.sports = ["fb"]\n[[strategy]]\nname = "symmetric"\n',
    );
    const { tables } = withOverrides(loaded, { wide: { stake: 7 } }).values;
    expect(tables.strategy.map(({ parameters }) => parameters)).toEqual([{ stake: 7 }, {}]);
  });

  it('change value by value, and are gone with the last of them', () => {
    const first = changedOverrides({}, 'symmetric', { stake: 7, halfSpread: 0.05 });
    const second = changedOverrides(first, 'symmetric', { stake: null });
    expect(second).toEqual({ symmetric: { halfSpread: 0.05 } });
    expect(changedOverrides(second, 'symmetric', { halfSpread: null })).toEqual({});
  });

  it('are kept in a file of the owner alone, and the last one takes the file with it', () => {
    const journal = join(folder.path, 'journal.sqlite');
    const kept = overridesOf(at(journal));
    expect(kept.read()).toEqual({});
    kept.write({ 'my strategy': { stake: 7, placement: 'join', levels: [1, 2] } });
    expect(overridesOf(at(journal)).read()).toEqual({
      'my strategy': { stake: 7, placement: 'join', levels: [1, 2] },
    });
    expect(statSync(kept.where).mode & 0o777).toBe(0o600);
    expect(readFileSync(kept.where, 'utf8')).toMatch(/^# Parameters that a person changed/);
    kept.write({});
    expect(() => statSync(kept.where)).toThrow('ENOENT');
    kept.write({});
  });

  it.each(['x = ', 'x = 1'])('that nobody can read (%s) name the file and the way out', (text) => {
    folder.file('broken.sqlite.overrides.toml', text);
    const kept = overridesOf(at(join(folder.path, 'broken.sqlite')));
    expect(() => kept.read()).toThrow(/broken\.sqlite\.overrides\.toml: .*--reset removes it/s);
  });

  it('end with the run if the journal is in memory', () => {
    const kept = overridesOf(at(''));
    kept.write({ symmetric: { stake: 7 } });
    expect(kept.read()).toEqual({ symmetric: { stake: 7 } });
    expect(overridesOf(at('')).read()).toEqual({});
  });
});
