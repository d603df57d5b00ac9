import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/app/config/load.ts';
import { configuredPriceSources } from '../../../src/app/config/price-sources.ts';
import { validateConfig } from '../../../src/app/config/validate.ts';
import { ConfigError } from '../../../src/domain/errors.ts';
import { sportEvent } from '../../market/support.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchline-sources-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

function load(text: string) {
  const path = join(folder, `${++files}.toml`);
  writeFileSync(path, text);
  return loadConfig({ files: [path], environment: {}, settings: {} });
}

const FILE = '[[priceSource]]\nname = "file"\noptions = { file = "odds.jsonl" }\n';

describe('[[priceSource]]', () => {
  it('has defaults for all but the name and the options', async () => {
    const [source, ...others] = await configuredPriceSources(load(FILE).values);
    expect(others).toEqual([]);
    expect(source).toMatchObject({
      name: 'file',
      options: { file: 'odds.jsonl', path: '', fields: { key: '{key}', price: 'price' } },
      rules: { name: 'file', staleAfterMs: 30_000, match: { sports: [], competitions: [], marketTypes: [] } },
    });
    expect(source?.rules.keyOf({ marketType: 'wdw', outcome: 'h' }, sportEvent())).toBe('A v B|wdw|h');
  });

  it('sets name, staleness, match, key and aliases', async () => {
    const text = `${FILE}as = "book.1"
staleAfterS = 2.5
key = "{home}/{outcome}"
[priceSource.match]
sports = ["fb"]
marketTypes = ["wdw"]
[priceSource.aliases]
"A" = "A.F.C. Ay"
"St. Pauli" = "FC St. Pauli"
`;
    const [source] = await configuredPriceSources(load(text).values);
    expect(source).toMatchObject({
      name: 'book.1',
      rules: { name: 'book.1', staleAfterMs: 2_500, match: { sports: ['fb'], marketTypes: ['wdw'] } },
    });
    const keyOf = (home: string) =>
      source?.rules.keyOf({ marketType: 'wdw', outcome: 'h' }, sportEvent({ home }));
    expect([keyOf('A'), keyOf('St. Pauli')]).toEqual(['A.F.C. Ay/h', 'FC St. Pauli/h']);
  });

  it('is absent by default', async () => {
    expect(await configuredPriceSources(load('').values)).toEqual([]);
  });

  it.each([
    ['as = 7', /priceSource\[1\]\.as = 7: must be/],
    ['staleAfterS = 0', /priceSource\[1\]\.staleAfterS = 0: must be a number from 0\.1/],
    ['unknown = 1', /priceSource\[1\]\.unknown = 1: unknown key/],
    ['[priceSource.match]\nsports = [1]', /priceSource\[1\]\.match\.sports = \[1\]: must be/],
    ['[[priceSource]]\nas = "b"', /priceSource\[2\]\.name.*must be a text that is not empty/],
  ])('refuses %j when it is read', (text, message) => {
    expect(() => load(`${FILE}${text}\n`)).toThrow(message);
  });

  it.each([
    ['key = "{hom}"', /priceSource\[1\]\.key: "\{hom\}" has an unknown field \{hom\}: known are sport/],
    ['as = "no spaces"', /priceSource\[1\]\.as: "no spaces" must begin with a letter/],
    ['as = "__proto__"', /priceSource\[1\]\.as: "__proto__" must begin with a letter/],
    ['[priceSource.aliases]\n"A" = 7', /priceSource\[1\]\.aliases\.A: must be a text/],
    [FILE, /priceSource\[2\]\.as: "file" is the name of another price source/],
    ['[[priceSource]]\nname = "other"', /priceSource\[2\]\.name: price source "other" is neither bundled/],
    [
      '[[priceSource]]\nname = "websocket"',
      /priceSource\[2\]\.options: price source websocket: url = nothing/,
    ],
  ])('refuses %j when the configuration is checked', async (text, message) => {
    const failure = validateConfig(load(`${FILE}${text}\n`));
    await expect(failure).rejects.toThrow(message);
    await expect(failure).rejects.toBeInstanceOf(ConfigError);
  });

  it('needs two brackets on each side', () => {
    expect(() => load('[priceSource]\nname = "file"\n')).toThrow(/priceSource: write \[\[priceSource\]\]/);
  });
});
