import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { quickAdminUrl } from '../../../src/app/config/admin-address.ts';
import { type ConfigSources, loadConfig } from '../../../src/app/config/load.ts';
import { adminUrl } from '../../../src/ops/admin-controls.ts';
import { temporaryFolder } from '../../support/exchange.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** The address by the whole configuration; null if that is invalid. */
function wholeAdminUrl(sources: ConfigSources): string | null {
  try {
    const { host, port } = loadConfig(sources).values.ops;
    return adminUrl(host, port);
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
  fc.constantFrom('9464', 'soon', '', '1.5', '0x10', '1e3'),
);
const tomlLine = fc.oneof(
  host.map((name) => `host = ${JSON.stringify(name)}`),
  port.map((text) => `port = ${/^-?\d+$/.test(text) ? text : JSON.stringify(text)}`),
  fc.constant('killFile = "/run/kill"'),
);
const toml = fc.uniqueArray(tomlLine, { maxLength: 3, selector: (line) => line.split(' ')[0] });
const flags = fc.record(
  { 'ops.host': host, 'ops.port': port, 'journal.path': fc.constant('/tmp/x') },
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
            files: tables.map((lines) => fileOf(`[ops]\n${lines.join('\n')}\n`)),
            environment: variable === null ? {} : { TOUCHLINE_OPS_PORT: variable },
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
    ['no source', NOTHING, 'http://127.0.0.1:9464'],
    [
      'flags',
      { ...NOTHING, settings: { 'ops.port': '7', 'ops.host': '::1', 'orders.durationS': '9' } },
      'http://[::1]:7',
    ],
    ['the environment', { ...NOTHING, environment: { TOUCHLINE_OPS_PORT: '8' } }, 'http://127.0.0.1:8'],
  ])('is found in %s', async (_, sources, url) => {
    expect(await quickAdminUrl(sources)).toBe(url);
    expect(wholeAdminUrl(sources)).toBe(url);
  });

  it('is found in a file whose other settings are invalid, so that a kill is sent', async () => {
    const sources = { ...NOTHING, files: [fileOf('[orders]\ndurationS = "soon"\n[ops]\nport = 9\n')] };
    expect(wholeAdminUrl(sources)).toBeNull();
    expect(await quickAdminUrl(sources)).toBe('http://127.0.0.1:9');
  });

  it.each([
    ['a file that is missing', { ...NOTHING, files: ['/no/such.toml'] }],
    ['a file that is not TOML', { ...NOTHING, files: [fileOf('[ops')] }],
    ['a flag that names no setting', { ...NOTHING, settings: { 'ops.prot': '7' } }],
    ['a flag that cannot be one', { ...NOTHING, settings: { 'o p': '1' } }],
    ['a flag for the whole table', { ...NOTHING, settings: { ops: '7' } }],
  ])('is left to the whole configuration for %s', async (_, sources) => {
    expect(await quickAdminUrl(sources)).toBeNull();
  });
});
