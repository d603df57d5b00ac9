import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/app/config/load.ts';
import { validateConfig } from '../../../src/app/config/validate.ts';
import { judgeAgain, runOnExchange } from '../../../src/app/run/run-service.ts';
import type { RunConsole } from '../../../src/app/run/run-signals.ts';
import { runOnSimulator } from '../../../src/app/run/run-simulated.ts';
import { ConfigError } from '../../../src/domain/errors.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import { temporaryFolder } from '../../support/exchange.ts';

type Settings = Readonly<Record<string, string>>;

const console: RunConsole = {
  logger: silentLogger,
  isTerminal: false,
  outputLost: new Promise(() => undefined),
  setLogLevel: () => undefined,
  bindLog: () => undefined,
  banner: () => undefined,
  show: () => undefined,
  command: () => undefined,
  dashboard: () => undefined,
  finish: () => undefined,
  failed: () => undefined,
  logTail: () => [],
  findInLog: () => [],
  logLines: { debug: 0, info: 0, warn: 0, error: 0, fatal: 0, dropped: 0 },
};
const read = (settings: Settings) => loadConfig({ files: [], environment: {}, settings });

/** No key is set, so a run with a valid configuration ends at the missing key. */
function runOf(settings: Settings, live = false): Promise<number> {
  const loaded = read(settings);
  return runOnExchange({
    loaded,
    readAgain: () => loaded,
    resets: false,
    live,
    durationMs: null,
    takesOver: false,
    acceptsAccount: false,
    shows: null,
    console,
  });
}

const startOf = (settings: Settings): Promise<number> =>
  runOnSimulator({
    loaded: read(settings),
    readAgain: () => read(settings),
    resets: false,
    durationMs: null,
    console,
    feed: { kind: 'model' },
    feedFromMs: null,
    opensBrowser: false,
    speed: 1,
    seed: 1,
    port: 0,
  });

const at = (rest: string, stream: string) => ({
  'exchange.restUrl': `http://${rest}/v2/`,
  'exchange.streamUrl': `ws://${stream}/stream`,
});

describe('the checks of a start', () => {
  const temporary = temporaryFolder();
  afterAll(() => temporary.remove());

  it.each([
    ['run', runOf],
    ['start', startOf],
  ])('end a %s before it opens anything', async (name, start) => {
    const path = join(temporary.path, name, 'journal.sqlite');
    mkdirSync(`${path}.tokens`, { recursive: true, mode: 0o700 });
    writeFileSync(`${path}.tokens/read.token`, 'short', { mode: 0o600 });
    await expect(start({ 'journal.path': path })).rejects.toThrow(/read\.token is too short: remove it/);
    expect(readdirSync(join(temporary.path, name))).toEqual(['journal.sqlite.tokens']);
  });
});

describe('a run in simulated mode', () => {
  it.each([
    ['exchange.restUrl', at('exchange.example', 'localhost')],
    ['exchange.streamUrl', at('localhost', '192.0.2.1')],
    ['exchange.restUrl', at('127.0.0.1.example', 'localhost')],
    ['exchange.restUrl', at('localhost@exchange.example', 'localhost')],
  ])('refuses an exchange on another machine: %s', async (key, settings) => {
    const run = runOf(settings);
    await expect(run).rejects.toThrow(ConfigError);
    await expect(run).rejects.toThrow(new RegExp(`${key} = .*not on this machine`));
  });

  it.each(['localhost:8080', '127.0.0.1:8080', '[::1]:8080'])(
    'accepts an exchange on this machine: %s',
    async (host) => {
      await expect(runOf(at(host, host))).rejects.toThrow('no API key');
    },
  );
});

it('a reload to live mode names what a person can do, and not the switch of a start', async () => {
  const [before, next] = [read({ mode: 'paper' }), read({ mode: 'live' })];
  await expect(judgeAgain(before.values, next, false)).rejects.toThrow(
    /^mode = "live": this run began with "paper", and a reload changes no mode: end it, and use "touchline run --live"/,
  );
});

describe('a key', () => {
  const live = (rest: string, stream: string): Promise<number> => {
    const addresses = {
      'exchange.restUrl': `${rest}/v2/`,
      'exchange.streamUrl': `${stream}/stream`,
      'exchange.apiKeyFile': '',
    };
    const limits = fileURLToPath(new URL('../../../config/live.example.toml', import.meta.url));
    const loaded = loadConfig({ files: [limits], environment: {}, settings: addresses });
    return runOnExchange({
      loaded,
      readAgain: () => loaded,
      resets: false,
      live: true,
      durationMs: null,
      takesOver: false,
      acceptsAccount: false,
      shows: null,
      console,
    });
  };

  it.each([
    ['restUrl', 'http://exchange.example', 'wss://exchange.example'],
    ['streamUrl', 'https://exchange.example', 'ws://exchange.example'],
    ['restUrl', 'http://127.0.0.1.example', 'wss://exchange.example'],
  ])('never leaves this machine unencrypted: exchange.%s', async (key, rest, stream) => {
    await expect(live(rest, stream)).rejects.toThrow(new RegExp(`^exchange\\.${key} = .*: not encrypted`));
  });

  it.each([
    ['https://exchange.example', 'wss://exchange.example'],
    ['http://localhost:8080', 'ws://[::1]:8080'],
  ])('may go to %s and %s', async (rest, stream) => {
    await expect(live(rest, stream)).rejects.toThrow('no API key');
  });
});

describe('both starts', () => {
  it.each([
    { 'risk.order.maxStakeUsdt': '-5' },
    { 'risk.collar.awayLogOdds': '0' },
    { 'risk.bogus.x': '1' },
    { 'strategy.name': 'nosuch' },
    { 'strategy.parameters.halfSpread': '-1' },
  ])('refuse what the judgement refuses, in its words: %j', async (settings) => {
    const said = async (refused: Promise<unknown>): Promise<string> =>
      refused.then(
        () => 'taken',
        (error: unknown) => (error as Error).message,
      );
    const [judged, ran, started] = await Promise.all(
      [validateConfig(read(settings)), runOf(settings), startOf(settings)].map(said),
    );
    expect(judged).toMatch(/^(--set: (risk|strategy)\.|strategy\.parameters: )/);
    expect([ran, started]).toEqual([judged, judged]);
  });
});

it('accepts the example of a live configuration, and refuses it without its journal', async () => {
  const example = fileURLToPath(new URL('../../../config/live.example.toml', import.meta.url));
  const live = (settings: Settings) =>
    validateConfig(loadConfig({ files: [example], environment: {}, settings }));
  expect((await live({})).limits.order.maxStakeUsdt).toBe(20);
  await expect(live({ 'journal.path': '' })).rejects.toThrow('journal.path is mandatory in live mode');
});
