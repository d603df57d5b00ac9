import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { quickAdminUrl } from '../../../src/app/admin/admin-address.ts';
import { type ConfigSources, loadConfig } from '../../../src/app/config/load.ts';
import { urlOf } from '../../../src/ops/addresses.ts';
import { temporaryFolder } from '../../support/exchange.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** The address by the whole configuration; null if that is invalid. */
function wholeAdminUrl(sources: ConfigSources): string | null {
  try {
    const { admin } = loadConfig(sources).values;
    return urlOf(admin.certFile === '' ? 'http' : 'https', admin);
  } catch {
    return null;
  }
}

const NOTHING: ConfigSources = { files: [], environment: {}, settings: {} };

let files = 0;
const fileOf = (text: string): string => folder.file(`${files++}.toml`, text);

const host = fc.constantFrom('127.0.0.1', '::1', 'localhost', '10.0.0.1', ' ', '');
const port = fc.oneof(
  fc.integer({ min: -1, max: 65_536 }).map(String),
  fc.constantFrom('9465', 'soon', '', '1.5', '0x10', '1e3'),
);
const tomlLine = fc.oneof(
  host.map((name) => `host = ${JSON.stringify(name)}`),
  port.map((text) => `port = ${/^-?\d+$/.test(text) ? text : JSON.stringify(text)}`),
  fc.constant('tokens = "/run/tokens"'),
  fc.constant('certFile = "/etc/cert"'),
);
const toml = fc.uniqueArray(tomlLine, { maxLength: 3, selector: (line) => line.split(' ')[0] });
const flags = fc.record(
  { 'admin.host': host, 'admin.port': port, 'journal.path': fc.constant('/tmp/x') },
  { requiredKeys: [] },
);

describe('the address of the admin interface', () => {
  it('is the one of the whole configuration wherever the quick reading gives one', () => {
    return fc.assert(
      fc.asyncProperty(
        fc.array(toml, { maxLength: 2 }),
        fc.option(port),
        flags,
        async (tables, variable, given) => {
          const sources: ConfigSources = {
            files: tables.map((lines) => fileOf(`[admin]\n${lines.join('\n')}\n`)),
            environment: variable === null ? {} : { TOUCHLINE_ADMIN_PORT: variable },
            settings: given,
          };
          const quick = await quickAdminUrl(sources);
          if (quick !== null) expect(quick).toBe(wholeAdminUrl(sources));
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each([
    ['no source', NOTHING, 'http://127.0.0.1:9465'],
    [
      'flags',
      { ...NOTHING, settings: { 'admin.port': '7', 'admin.host': '::1', 'orders.durationS': '9' } },
      'http://[::1]:7',
    ],
    ['the environment', { ...NOTHING, environment: { TOUCHLINE_ADMIN_PORT: '8' } }, 'http://127.0.0.1:8'],
  ])('is found in %s', async (_, sources, url) => {
    expect(await quickAdminUrl(sources)).toBe(url);
    expect(wholeAdminUrl(sources)).toBe(url);
  });

  it('is found in a file whose other settings are invalid, so that a kill is sent', async () => {
    const sources = { ...NOTHING, files: [fileOf('[orders]\ndurationS = "soon"\n[admin]\nport = 9\n')] };
    expect(wholeAdminUrl(sources)).toBeNull();
    expect(await quickAdminUrl(sources)).toBe('http://127.0.0.1:9');
  });

  it.each([
    ['a file that is missing', { ...NOTHING, files: ['/no/such.toml'] }],
    ['a file that is not TOML', { ...NOTHING, files: [fileOf('[admin')] }],
    ['a flag that names no setting', { ...NOTHING, settings: { 'admin.prot': '7' } }],
    ['a flag that cannot be one', { ...NOTHING, settings: { 'o p': '1' } }],
    ['a flag for the whole table', { ...NOTHING, settings: { admin: '7' } }],
  ])('is left to the whole configuration for %s', async (_, sources) => {
    expect(await quickAdminUrl(sources)).toBeNull();
  });
});

describe('the quick reading', () => {
  it.each<[port: string, url: string | null]>([
    ['0', 'http://127.0.0.1:0'],
    ['1', 'http://127.0.0.1:1'],
    ['65535', 'http://127.0.0.1:65535'],
    ['65536', null],
    ['-1', null],
    ['1.5', null],
    ['', null],
  ])('of port "%s" gives %s', async (text, url) => {
    expect(await quickAdminUrl({ ...NOTHING, settings: { 'admin.port': text } })).toBe(url);
    if (text !== '') {
      const file = fileOf(`[admin]\nport = ${text}\n`);
      expect(await quickAdminUrl({ ...NOTHING, files: [file] })).toBe(url);
      expect(await quickAdminUrl({ ...NOTHING, environment: { TOUCHLINE_ADMIN_PORT: text } })).toBe(url);
    }
  });
});
