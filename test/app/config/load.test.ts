import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/app/config/load.ts';
import { ConfigError } from '../../../src/domain/errors.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'touchline-config-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const load = (files: readonly string[], environment = {}, settings = {}) =>
  loadConfig({ files, environment, settings });

function failure(files: readonly string[], environment = {}, settings = {}): string {
  try {
    load(files, environment, settings);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error('the configuration was accepted');
}

describe('loadConfig', () => {
  it('merges limits key by key: a limit that a later file omits keeps its value', () => {
    const base = file(
      'limits.toml',
      '[risk.worstCase]\neventUsdt = 3000\nselectionUsdt = 1000\n[risk.guards.toxicity]\nfills = 3\n[risk.allow]\nsports = ["fb", "ih"]\n',
    );
    const over = file(
      'over.toml',
      '[risk.worstCase]\neventUsdt = 3500\n[risk.guards.divergence]\nmaxLogOdds = 1\n[risk.allow]\nsports = ["fb"]\n',
    );
    expect(load([base, over]).values.risk).toEqual({
      worstCase: { eventUsdt: 3500, selectionUsdt: 1000 },
      guards: { toxicity: { fills: 3 }, divergence: { maxLogOdds: 1 } },
      allow: { sports: ['fb'] },
    });
  });

  it('applies defaults, files, environment and flags, each overriding the one before', () => {
    const base = file('base.toml', '[log]\nlevel = "debug"\n[ops]\nport = 1\n[orders]\ndurationS = 40\n');
    const over = file('over.toml', '[ops]\nport = 2\n');
    const { values } = load(
      [base, over],
      { TOUCHLINE_LOG_LEVEL: 'warn', TOUCHLINE_OPS_PORT: '3' },
      { 'ops.port': '4' },
    );
    expect(values.ops.port).toBe(4);
    expect(values.log.level).toBe('warn');
    expect(values.orders.durationS).toBe(40);
    expect(values.universe.maxEvents).toBe(4);
  });

  it('reads free-form tables whole, and single settings into them', () => {
    const path = file('a.toml', '[strategy.parameters]\nstake = 5\n[strategy.parameters.inner]\nx = 1\n');
    const { values } = load([path], {}, { 'strategy.parameters.stake': '7.5' });
    expect(values.strategy.parameters).toEqual({ stake: 7.5, inner: { x: 1 } });
  });

  it('sets a value deep inside a free-form table and keeps its neighbours', () => {
    const path = file('a.toml', '[risk.inPlay]\nstopBeforeStartS = 5\n');
    const { values } = load([path], {}, { 'risk.inPlay.allowed': 'true' });
    expect(values.risk).toEqual({ inPlay: { stopBeforeStartS: 5, allowed: true } });
  });

  it('reads a list into a free-form table in TOML syntax, and keeps other texts as text', () => {
    const settings = {
      'risk.guards.disabled': '["toxicity", "price_jump"]',
      'risk.allow.competitions': '[101, 102]',
      'risk.allow.sports': '[]',
      'strategy.parameters.label': '[fb',
      'universe.sports': 'fb,tennis',
    };
    const { risk, strategy, universe } = load([], {}, settings).values;
    expect(risk).toEqual({
      guards: { disabled: ['toxicity', 'price_jump'] },
      allow: { competitions: [101, 102], sports: [] },
    });
    expect(strategy.parameters).toEqual({ label: '[fb' });
    expect(universe.sports).toEqual(['fb', 'tennis']);
  });

  it('trims blanks around the texts of a list', () => {
    expect(load([], {}, { 'universe.marketTypes': ' wdw, ah ,' }).values.universe.marketTypes).toEqual([
      'wdw',
      'ah',
    ]);
  });

  it('keeps names from a file exactly as written', () => {
    const names = ['Liga "B"', '[W] Cup', ' padded '];
    const path = file('names.toml', `[universe]\ncompetitions = ${JSON.stringify(names)}\n`);
    expect(load([path]).values.universe.competitions).toEqual(names);
  });

  it.each(['["fb"]', '[fb, tennis]', '"fb"', 'fb,"tennis"'])(
    'refuses a TOML list where a comma-separated one belongs: %s',
    (text) => {
      expect(failure([], {}, { 'universe.sports': text })).toMatch(/universe\.sports = .*without brackets/);
    },
  );

  it.each([
    ['an unknown key', '[orders]\ndurations = 3\n', ['orders.durations', '3', 'unknown key']],
    ['an unknown table', '[ordres]\ndurationS = 3\n', ['ordres', 'unknown key']],
    ['an empty unknown table', '[ops2]\n', ['ops2', '{}', 'unknown key (did you mean "ops"?)']],
    ['an empty unknown table within another', '[ops.more]\n', ['ops.more', '{}', 'unknown key']],
    ['a text for a number', '[orders]\ndurationS = "soon"\n', ['orders.durationS', '"soon"', 'whole number']],
    [
      'a number out of range',
      '[orders]\nheartbeatTimeoutS = 301\n',
      ['orders.heartbeatTimeoutS', '301', '300'],
    ],
    ['a zero out of range', '[universe]\nmaxEvents = 0\n', ['universe.maxEvents', '0', 'from 1']],
    ['a word that is not a choice', 'mode = "virtual"\n', ['mode', '"virtual"', 'simulated']],
    [
      'a wrong address',
      '[exchange]\nrestUrl = "ftp://x/v2/"\n',
      ['exchange.restUrl', 'ftp://x/v2/', 'http:'],
    ],
    ['a table where a value belongs', '[log.level]\na = 1\n', ['log.level']],
    ['a text for a switch', '[universe]\ninPlay = "no"\n', ['universe.inPlay', '"no"', 'Boolean']],
    ['a text that begins with a number', '[orders]\ndurationS = "30m"\n', ['orders.durationS', '"30m"']],
    ['a text for a table', 'risk = "none"\n', ['risk', '"none"', 'must be a table']],
    ['an empty address, which would bind every one', '[ops]\nhost = ""\n', ['ops.host', '""', 'not empty']],
    ['a wrong list', '[universe]\nsports = [1]\n', ['universe.sports', '[1]', 'texts']],
  ])('refuses %s, naming key, value and file', (_what, text, parts) => {
    const path = file('bad.toml', text);
    const message = failure([path]);
    for (const part of [path, ...parts]) expect(message).toContain(part);
  });

  it.each([
    ['orders = 5\n', 'orders = 5'],
    ['[[orders]]\ndurationS = 5\n', 'orders = [{"durationS":5}]'],
    ['strategy = "symmetric"\n', 'strategy = "symmetric"'],
  ])('refuses a value where a table of settings belongs, in one line: %s', (text, named) => {
    const [path, more] = [file('bad.toml', text), file('more.toml', '[strategy.parameters]\nstake = 5\n')];
    expect(failure([path, more])).toBe(`${path}: ${named}: must be a table`);
    expect(failure([path], {}, { 'strategy.parameters.stake': '5' })).toContain('must be a table');
  });

  it.each([
    ['[universe.sports]\nfb = true\n', 'universe.sports = {"fb":true}: must be a list of texts'],
    ['[universe]\nmarketTypes = {}\n', 'universe.marketTypes = {}: must be a list of texts'],
    [
      '[universe.sports.fb]\nmaxEvents = 2\n',
      'universe.sports = {"fb":{"maxEvents":2}}: must be a list of texts',
    ],
    ['[log.level.debug]\na = 1\n', 'log.level = {"debug":{"a":1}}: must be debug, info, warn, error, silent'],
    [
      '[journal]\nretentionDays = 2026-01-31\n',
      'journal.retentionDays = "2026-01-31": must be a number from 0 to 3650',
    ],
  ])('refuses a table where one value belongs, in one line: %s', (text, named) => {
    const path = file('bad.toml', text);
    expect(failure([path])).toBe(`${path}: ${named}`);
  });

  it('names who set one of two settings that contradict each other', () => {
    const path = file('bad.toml', '[exchange]\nrequestTimeoutS = 60\n');
    expect(failure([path])).toContain(`${path}: orders.latestLandingS = 30: must be at least exchange.req`);
    expect(failure([path])).not.toContain('defaults');
  });

  it.each([
    ['[ops]\nport = 9465\n', 'admin.port = 9465: is ops.port (9465), too, at the same host'],
    ['[admin]\nport = 9464\n', 'admin.port = 9464: is ops.port (9464), too, at the same host'],
    [
      '[admin]\nport = 7\nhost = "localhost"\n[ops]\nport = 7\nhost = "0.0.0.0"\n',
      'admin.port = 7: is ops.port (7)',
    ],
  ])('refuses one port for two servers: %s', (text, named) => {
    const path = file('bad.toml', text);
    expect(failure([path])).toContain(`${path}: ${named}`);
  });

  it.each([
    '[admin]\nport = 0\n[ops]\nport = 0\n',
    '[admin]\nport = 7\n[ops]\nport = 7\nhost = "10.0.0.1"\n',
  ])('takes ports that do not meet: %s', (text) => {
    expect(load([file('good.toml', text)]).faults).toEqual([]);
  });

  it('refuses a table in place of the key, and does not show it', () => {
    const path = file('bad.toml', '[exchange.apiKey.of]\nus = "canary"\n');
    expect(failure([path])).toContain('exchange.apiKey is a secret');
    expect(failure([path])).not.toContain('canary');
  });

  it('reports every problem at once', () => {
    const path = file('bad.toml', 'mode = "x"\n[orders]\ndurationS = -1\nwhat = 1\n');
    expect(failure([path]).split('\n')).toHaveLength(3);
  });

  it('names the environment variable or the flag that set a bad value', () => {
    expect(failure([], { TOUCHLINE_OPS_PORT: 'x' })).toContain(
      'environment variable TOUCHLINE_OPS_PORT: ops.port = "x"',
    );
    expect(failure([], {}, { 'ops.port': '70000' })).toContain('--set: ops.port = "70000"');
    expect(failure([], {}, { 'ops.prot': '1' })).toContain('ops.prot');
    expect(failure([], { TOUCHLINE_OPS_PORT: '9464x' })).toContain('ops.port = "9464x"');
    for (const text of ['no', 'off', '']) {
      expect(failure([], {}, { 'universe.inPlay': text })).toContain(`--set: universe.inPlay = "${text}"`);
    }
  });

  it('records who set a limit', () => {
    const base = file(
      'base.toml',
      '[risk.order]\nmaxStakeUsdt = 1\nmaxLiabilityUsdt = 2\n[risk.bogus]\nx = 1\n',
    );
    const over = file('over.toml', '[risk.order]\nmaxLiabilityUsdt = 3\n');
    const { complaint } = load(
      [base, over],
      { TOUCHLINE_STRATEGY: 'x' },
      { 'risk.allow.sports': '["fb", 7]' },
    );
    const sourceOf = (key: string): string => complaint(key, 'is wrong').replace(`${key}: is wrong`, '');
    expect(sourceOf('risk.order.maxStakeUsdt')).toBe(`${base}: `);
    expect(sourceOf('risk.order.maxLiabilityUsdt')).toBe(`${over}: `);
    expect(sourceOf('risk.bogus')).toBe(`${base}: `);
    expect(sourceOf('risk.allow.sports.1')).toBe('--set: ');
    expect(sourceOf('strategy.name')).toBe('environment variable TOUCHLINE_STRATEGY: ');
    for (const unsaid of ['risk.order.other', 'risk.gross.eventUsdt', 'risk.allow.marketTypes', 'mode']) {
      expect(sourceOf(unsaid)).toBe('');
    }
  });

  it('reads numbers and switches from texts', () => {
    const { values } = load([], { TOUCHLINE_OPS_PORT: '8080' }, { 'universe.inPlay': 'true' });
    expect([values.ops.port, values.universe.inPlay]).toEqual([8080, true]);
    expect(load([], {}, { 'universe.inPlay': 'false' }).values.universe.inPlay).toBe(false);
  });

  it('names a file that is missing or is not TOML, and where', () => {
    expect(failure([join(folder, 'none.toml')])).toContain('none.toml');
    expect(failure([file('bad.toml', 'a = 1\nb = = 2\n')])).toMatch(/bad\.toml:2:\d+: not valid TOML/);
  });

  it('takes the key from the environment, never from a file, and never shows it', () => {
    const config = load([], { TOUCHLINE_API_KEY: 'canary-key' });
    expect(config.values.exchange.apiKey).toBe('canary-key');
    expect(JSON.stringify(config.describe())).not.toContain('canary-key');
    const message = failure([file('key.toml', '[exchange]\napiKey = "canary-key"\n')]);
    expect(message).toContain('apiKeyFile');
    expect(message).not.toContain('canary-key');
  });

  it.each([
    ['[exchange]\napikey = "canary-key"\n', 'exchange.apikey'],
    ['[exchange]\napi_key = "canary-key"\n', 'exchange.api_key'],
    ['[exhange]\napiKey = "canary-key"\n', 'exhange.apiKey'],
    ['[exchange.secrets]\nfirst = "x"\ntoken = "canary-key"\n', 'exchange.secrets.token'],
  ])('does not show the key when it is given under an unknown name: %s', (text, key) => {
    const message = failure([file('typo.toml', text)]);
    expect(message).toContain(`${key} = (hidden): unknown key`);
    expect(message).not.toContain('canary-key');
  });

  it('refuses the key as a flag, because every user of the machine can read arguments', () => {
    const message = failure([], {}, { 'exchange.apiKey': 'canary-key' });
    expect(message).toContain('apiKeyFile');
    expect(message).not.toContain('canary-key');
  });
});
