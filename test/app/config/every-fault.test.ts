import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Faults } from '../../../src/app/config/faults.ts';
import { loadConfig, readConfig } from '../../../src/app/config/load.ts';
import { loadForStart, validateConfig } from '../../../src/app/config/validate.ts';
import { ConfigError } from '../../../src/domain/errors.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'touchline-faults-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function file(text: string): string {
  const path = join(folder, 'a.toml');
  writeFileSync(path, text);
  return path;
}

const sources = (text: string, settings: Readonly<Record<string, string>> = {}, environment = {}) => ({
  files: [file(text)],
  environment,
  settings,
});

/** The lines of the error with which a start ends, without the folder. */
async function faultsOf(...given: Parameters<typeof sources>): Promise<readonly string[]> {
  const error = await validateConfig(readConfig(sources(...given))).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  return (error as ConfigError).message.replaceAll(`${folder}/`, '').split('\n');
}

describe('a configuration with several mistakes', () => {
  it('names all of them at once, whatever finds them', async () => {
    const text = `
      mode = "lvie"
      [exchange]
      apiKey = "secret"
      restUrl = 5
      [ordrs]
      durationS = 20
      [orders]
      duration = 3
      heartbeat = 4
      renewLeadS = { a = 1 }
      [universe]
      sports = ["fbb"]
      [strategy.parameters]
      halfSpred = 1
      [strategy.limits]
      eventUsdt = 10
      totalUsdt = 5
      [[priceSource]]
      name = "fiel"
      [[priceSource]]
      name = "file"
      key = "{hom}"
    `;
    const lines = await faultsOf(text, { 'orders.durationS': '4', 'log.levle': 'info' });
    const has = [
      /^a\.toml: exchange\.apiKey is a secret/,
      /^a\.toml: orders\.heartbeat = 4: must be a table/,
      /^a\.toml: orders\.renewLeadS = \{"a":1\}: must be a number/,
      /^a\.toml: mode = "lvie": must be one of simulated, paper, live \(did you mean "live"\?\)/,
      /^a\.toml: exchange\.restUrl = 5: must be an address/,
      /^--set: orders\.durationS = "4": must be a whole number/,
      /^--set log\.levle: no such key \(did you mean "log\.level"\?\)/,
      /^a\.toml: ordrs\.durationS = 20: unknown key \(did you mean "orders\.durationS"\?\)/,
      /^a\.toml: orders\.duration = 3: unknown key \(did you mean "orders\.durationS"\?\)/,
      /^a\.toml: universe\.sports: "fbb" is not known \(did you mean "fb"\?\)/,
      /^a\.toml: strategy\.parameters: .*there is no "halfSpred" \(did you mean "halfSpread"\?\)/,
      /^a\.toml: priceSource\[1\]\.name: .*"fiel".*\(did you mean "file"\?\)/,
      /^a\.toml: priceSource\[2\]\.key: .*hom/,
    ];
    for (const pattern of has) expect(lines.filter((line) => pattern.test(line))).toHaveLength(1);
    expect(lines.filter((line) => !has.some((pattern) => pattern.test(line)))).toEqual([
      expect.stringMatching(/^priceSource\[2\]\.options: /),
    ]);
  });

  it('names the mistakes of every strategy', async () => {
    const lines = await faultsOf(`
      [[strategy]]
      name = "symmetrc"
      [[strategy]]
      name = "inventory"
      [strategy.parameters]
      stak = 1
      [[strategy]]
      name = "symmetric"
      as = "inventory"
      [[strategy]]
      name = "consensus"
      [strategy.limits]
      eventUsdt = 10
      totalUsdt = 5
    `);
    expect(lines).toEqual([
      expect.stringMatching(/strategy\[1\]\.name: .*\(did you mean "symmetric"\?\)/),
      expect.stringMatching(
        /^a\.toml: strategy\[2\]\.parameters: .*there is no "stak" \(did you mean "stake"\?\)/,
      ),
      expect.stringMatching(/strategy\[3\]\.as: inventory is the name of strategy\[2\]/),
      expect.stringMatching(/strategy\[4\]\.limits\.eventUsdt: is 10, above limits\.totalUsdt/),
    ]);
  });

  it('names file and line of a strategy that cannot be loaded', async () => {
    const strategy = join(folder, 'broken.mjs');
    writeFileSync(strategy, 'const a = 1;\nconst b = ;\n');
    expect(await faultsOf(`[strategy]\nname = ${JSON.stringify(strategy)}\n`)).toEqual([
      expect.stringMatching(/^a\.toml: strategy\.name: .*cannot be loaded: .*\(.*broken\.mjs:2\)$/),
    ]);
  });

  it('names each faulty parameter of a strategy on a line of its own, with the file that sets it', async () => {
    const lines = await faultsOf('[strategy.parameters]\nhalfSpread = 9\nstake = "2"\n', {
      'strategy.parameters.minEdge': 'none',
    });
    expect(lines.toSorted()).toEqual([
      '--set: strategy.parameters: strategy symmetric: minEdge = "none": must be a number',
      expect.stringMatching(
        /^a\.toml: strategy\.parameters: strategy symmetric: halfSpread = 9: must be at most \d/,
      ),
      'a.toml: strategy.parameters: strategy symmetric: stake = "2": must be a number',
    ]);
  });

  it('does the same for the options of a price source', async () => {
    const text = '[[priceSource]]\nname = "file"\noptions = { file = 7, fields = { pric = "p" } }\n';
    expect(await faultsOf(text)).toEqual([
      'a.toml: priceSource[1].options: price source file: file = 7: must be a text',
      expect.stringMatching(
        /^a\.toml: priceSource\[1\]\.options: price source file: fields: there is no "pric"/,
      ),
    ]);
  });

  it('judges nothing by a value that is wrong itself', async () => {
    expect(await faultsOf('[orders]\nrenewLeadS = 40\ndurationS = 1')).toEqual([
      expect.stringMatching(/durationS = 1: must be/),
    ]);
    expect(await faultsOf('[strategy]\nnme = "inventory"\n[strategy.parameters]\nriskAversion = 1')).toEqual([
      expect.stringMatching(/strategy\.nme = "inventory": unknown key \(did you mean "strategy\.name"\?\)/),
    ]);
    expect(await faultsOf('mode = "liv"\n[risk]\norder = { maxStakeUsdt = 1 }')).toHaveLength(1);
  });

  it('still names two contradictions beside a mistake elsewhere', async () => {
    const text = '[orders]\nrenewLeadS = 40\n[orders.betslips]\ndailyReserve = 400\nperDay = 300\nlife = 3';
    const lines = await faultsOf(text);
    expect(lines.map((line) => / ([\w.]+) = /.exec(line)?.[1])).toEqual([
      'orders.betslips.life',
      'orders.renewLeadS',
      'orders.betslips.dailyReserve',
    ]);
  });

  it('says in a file that cannot be read no more than that', async () => {
    const lines = await faultsOf('a = = 1', { 'universe.maxEvents': '-1' });
    expect(lines).toEqual([
      expect.stringMatching(/^a\.toml:1:5: not valid TOML/),
      expect.stringMatching(/^--set: universe\.maxEvents = "-1": must be/),
    ]);
  });

  it.each([
    ['durationS = 20', 'durationS', '"orders.durationS"'],
    ['[rsk.order]\nmaxStakeUsdt = 1', 'rsk.order.maxStakeUsdt', '"risk.order.maxStakeUsdt"'],
    ['[strategy.parametrs]\nstake = 1', 'strategy.parametrs.stake', '"strategy.parameters.stake"'],
    ['[exchange]\nmaxEvents = 3', 'exchange.maxEvents', '"universe.maxEvents"'],
    ['[[strategy]]\nslow_ms = 3', 'strategy[1].slow_ms', '"strategy[1].slowMs"'],
    ['[orders.heartbet]\nretryS = 1', 'orders.heartbet.retryS', '"orders.heartbeat.retryS"'],
  ])('suggests for %j the nearest key', async (text, key, meant) => {
    const [line] = await faultsOf(text);
    expect(line).toContain(`${key} = `);
    expect(line).toContain(`unknown key (did you mean ${meant}?)`);
  });

  it('suggests nothing where nothing is near', async () => {
    expect(await faultsOf('zebra = 1')).toEqual(['a.toml: zebra = 1: unknown key']);
  });

  it.each([
    ['[risk.ordr]\nmaxStakeUsdt = 1', /risk\.ordr: is not a known limit \(did you mean "order"\?\)/],
    [
      '[risk.order]\nmaxStake = 1',
      /risk\.order\.maxStake: is not a known limit \(did you mean "maxStakeUsdt"\?\)/,
    ],
    [
      '[risk.guards.looplag]\nmaxS = 1',
      /risk\.guards\.looplag: is not a known limit \(did you mean "loopLag"\?\)/,
    ],
    [
      '[risk.guards.loopLag]\nmax = 1',
      /risk\.guards\.loopLag\.max: is not a known limit \(did you mean "maxS"\?\)/,
    ],
  ])('suggests the nearest limit for %j', async (text, pattern) => {
    expect(await faultsOf(text)).toEqual([expect.stringMatching(pattern)]);
  });

  it('does not say what secret was misspelt', async () => {
    const lines = await faultsOf(
      '[exchange]\napiKeey = "hunter2"\n[notify]\ntelegramToken = { a = "hunter2" }',
    );
    expect(lines).toHaveLength(2);
    expect(lines.join('\n')).not.toContain('hunter2');
  });
});

describe('loading', () => {
  const BOTH = 'mode = "lvie"\n[universe]\nsports = ["fbb"]';

  it('for a start names what later checks find, too', async () => {
    await expect(loadForStart(sources(BOTH))).rejects.toThrow(/lvie[\s\S]*fbb/);
    expect((await loadForStart(sources('[log]\nlevel = "warn"'))).values.log.level).toBe('warn');
  });

  it('for another command names what it needs', () => {
    expect(() => loadConfig(sources(BOTH))).toThrow(/lvie/);
    expect(() => loadConfig(sources(BOTH))).not.toThrow(/fbb/);
  });

  it('gives a key with a wrong value its default', () => {
    const { values, faults } = readConfig(sources('mode = "lvie"\n[orders]\ndurationS = 1\nretryS = 7'));
    expect([values.mode, values.orders.durationS, values.orders.retryS]).toEqual(['simulated', 30, 7]);
    expect(faults.map(({ key }) => key)).toEqual(['mode', 'orders.durationS']);
  });
});

describe('faults', () => {
  const wrong = (key: string | null, meant?: string) =>
    new Faults([{ key, message: 'x', ...(meant && { meant }) }]);

  it.each([
    [wrong('risk.order.maxStakeUsdt'), 'risk', false],
    [wrong('risk'), 'risk', false],
    [wrong('risky'), 'risk', true],
    [wrong('strategy[2].name'), 'strategy', false],
    [wrong('strategy[2].name'), 'strategy[1].name', true],
    [wrong('rsk', 'risk'), 'risk', false],
    [wrong(null), 'risk', false],
    [new Faults(), 'risk', true],
  ])('know what is sound (%#)', (faults, key, isSound) => {
    expect(faults.isSound(key)).toBe(isSound);
    expect(faults.isSound('ops', key)).toBe(isSound);
  });

  it('collect configuration errors alone', async () => {
    const faults = new Faults();
    const bug = (): never => {
      throw new TypeError('bug');
    };
    expect(() => faults.attempt('a', bug)).toThrow(TypeError);
    await expect(faults.attemptLater('a', async () => bug())).rejects.toThrow(TypeError);
    faults.throwIfAny();
    const bad = (): never => {
      throw new ConfigError('bad', { key: 'b' });
    };
    expect([faults.attempt('a', bad), await faults.attemptLater('a', async () => bad())]).toEqual([
      undefined,
      undefined,
    ]);
    expect(faults.all.map(({ key }) => key)).toEqual(['b', 'b']);
    expect(() => faults.throwIfAny()).toThrow('bad\nbad');
  });
});
