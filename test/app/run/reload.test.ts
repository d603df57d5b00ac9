import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { type Config, loadConfig } from '../../../src/app/config/load.ts';
import { bundledConfig } from '../../../src/app/adapters/own-files.ts';
import { validateConfig } from '../../../src/app/config/validate.ts';
import { Reloader } from '../../../src/app/run/reload.ts';
import { ConfigError, JournalError } from '../../../src/domain/errors.ts';
import { type Logger, silentLogger } from '../../../src/ports/logger.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';
import { CalmDay } from '../../support/calm-day.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchline-reload-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'settings.toml');
const write = (text: string): void => writeFileSync(file, text);

const loaded = () => loadConfig({ files: [bundledConfig('simulated'), file], environment: {}, settings: {} });
const load = (): Config => loaded().values;
const judged = async (): Promise<Config> => (await validateConfig(loaded())).config;

beforeEach(() => write(''));

/** A reloader whose owner only records what it receives. */
function bench(prepare: (config: Config) => void = () => undefined, read = judged) {
  const taken: Config[] = [];
  const said: string[] = [];
  const say = (message: string, fields: object = {}): void =>
    void said.push(`${message} ${JSON.stringify(fields)}`);
  const logger: Logger = { ...silentLogger, info: say, warn: say, error: say };
  const journal = createMemoryJournal(new VirtualClock());
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const reloader = new Reloader(load(), {
    read,
    journal,
    logger,
    metrics,
    prepare: (config) => (prepare(config), () => void taken.push(config)),
  });
  /** A number of the metrics. */
  const shown = async (name: string): Promise<number> =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec((await metrics.expose()).text)?.[1]);
  return { reloader, taken, said, journal, shown };
}

describe('a reload', () => {
  it('applies what may change, names what needs a restart, and records both', async () => {
    const { reloader, taken, said, journal } = bench();
    write(
      '[orders]\ndurationS = 50\nheartbeatTimeoutS = 40\n[risk.order]\nmaxStakeUsdt = 5\n[risk.guards]\ndisabled = ["start"]\n',
    );
    expect(await reloader.reload('SIGHUP')).toBe('applied');
    expect(taken).toHaveLength(1);
    expect(taken[0]).toMatchObject({
      orders: { durationS: 50, heartbeatTimeoutS: 30 },
      risk: { order: { maxStakeUsdt: 5 } },
    });
    expect(taken[0]?.risk).not.toHaveProperty('guards');
    expect(said.join('\n')).toMatch(/next restart .*"orders\.heartbeatTimeoutS","risk\.guards"/s);
    expect([...journal.read()].map(({ kind, data }) => ({ kind, data }))).toEqual([
      {
        kind: 'config_changed',
        data: {
          by: 'SIGHUP',
          changed: [
            { key: 'orders.durationS', from: 30, to: 50 },
            { key: 'risk.order', from: null, to: { maxStakeUsdt: 5 } },
          ],
          waiting: ['orders.heartbeatTimeoutS', 'risk.guards'],
        },
      },
    ]);
  });

  it('shows how many settings wait for a restart now, and none once the file has the old values again', async () => {
    const { reloader, shown } = bench();
    const waiting: number[] = [];
    for (const text of [
      '[orders]\nheartbeatTimeoutS = 40\n[risk.guards]\ndisabled = ["start"]\n',
      '[orders]\nheartbeatTimeoutS = 50\ndurationS = 50\n',
      '[orders]\nheartbeatTimeoutS = -1\n',
      '',
    ]) {
      write(text);
      await reloader.reload('test');
      waiting.push(await shown('touchline_config_waiting_for_restart'));
    }
    expect(waiting).toEqual([2, 1, 1, 0]);
    const results = ['applied', 'unchanged', 'refused'].map((result) =>
      shown(`touchline_config_reloads_total\\{result="${result}"\\}`),
    );
    expect(await Promise.all(results)).toEqual([2, 1, 1]);
  });

  it('compares with the settings in force, and restores those that a file no longer sets', async () => {
    const { reloader, taken } = bench();
    write('[orders]\ndurationS = 50\nheartbeatTimeoutS = 40\n[strategy.parameters]\nstake = 2\n');
    expect(await reloader.reload('test')).toBe('applied');
    expect(await reloader.reload('test')).toBe('unchanged');
    write('');
    expect(await reloader.reload('test')).toBe('applied');
    expect(taken.at(-1)).toEqual(load());
    expect(await reloader.reload('test')).toBe('unchanged');
  });

  it.each([
    ['an unknown key', '[orders]\ndurationsS = 5\n', 'orders.durationsS'],
    ['a value out of range', '[orders]\ndurationS = 0\n', 'orders.durationS'],
    ['invalid TOML', '[orders\n', 'not valid TOML'],
    ['a contradiction within the file', '[orders]\ndurationS = 5\nrenewLeadS = 6\n', 'orders.renewLeadS'],
    [
      'an invalid limit that waits for a restart',
      '[risk.collar]\nawayLogOdds = -1\n',
      'risk.collar.awayLogOdds: is -1',
    ],
    ['an unknown limit', '[risk.bogus]\nx = 1\n', 'risk.bogus'],
    [
      'a strategy that does not exist',
      '[strategy]\nname = "nosuch"\n',
      'strategy.name: strategy "nosuch" is neither bundled',
    ],
    [
      'parameters that do not suit the waiting strategy',
      '[strategy]\nname = "inventory"\nparameters = { bogus = 1 }\n',
      'strategy.parameters: strategy inventory: ',
    ],
  ])('changes nothing for %s, and reports what is wrong', async (_, text, named) => {
    const { reloader, taken, said, journal } = bench();
    write(`[log]\nlevel = "debug"\n`);
    expect(await reloader.reload('test')).toBe('applied');
    write(`[log]\nlevel = "warn"\n${text}`);
    expect(await reloader.reload('test')).toBe('refused');
    expect(said.at(-1)).toContain(named);
    expect([taken.length, journal.lastSeq()]).toEqual([1, 1]);
    expect(taken[0]?.log.level).toBe('debug');
  });

  it('changes nothing when a changed setting conflicts with one that cannot change', async () => {
    const { reloader, taken, said } = bench();
    // The other time-out would make these values valid, but it needs a restart.
    write('[exchange]\nrequestTimeoutS = 4\n[orders]\ndurationS = 40\nrenewLeadS = 35\n');
    expect(await reloader.reload('test')).toBe('applied');
    write('[orders.betslips]\nlifeS = 40\nrefreshLeadS = 30\n');
    expect(await reloader.reload('test')).toBe('refused');
    expect(said.at(-1)).toMatch(
      /while orders\.betslips\.lifeS cannot change without a restart: orders\.betslips\.refreshLeadS = 30/,
    );
    expect(taken).toHaveLength(1);
  });

  it('applies the configuration read last, however long reading takes', async () => {
    const reads = [Promise.withResolvers<Config>(), Promise.withResolvers<Config>()];
    const { reloader, taken } = bench(undefined, () => (reads.shift() as (typeof reads)[0]).promise);
    const [first, second] = [...reads];
    const both = Promise.all([reloader.reload('first'), reloader.reload('second')]);
    write('[orders]\ndurationS = 50\n');
    second?.resolve(load());
    write('[orders]\ndurationS = 40\n');
    first?.resolve(load());
    expect(await both).toEqual(['applied', 'applied']);
    expect(taken.map(({ orders }) => orders.durationS)).toEqual([40, 50]);
  });

  it('changes nothing, and ends nothing, when reading fails unexpectedly', async () => {
    const fails = [true, false];
    const { reloader, taken, said } = bench(undefined, () =>
      fails.shift() === true ? Promise.reject(new TypeError('what is this')) : judged(),
    );
    write('[orders]\ndurationS = 45\n');
    expect(await reloader.reload('SIGHUP')).toBe('refused');
    expect(said.at(-1)).toContain('what is this');
    expect(taken).toEqual([]);
    expect(await reloader.reload('SIGHUP')).toBe('applied');
  });

  it('changes nothing that its owner rejects, or that cannot be recorded', async () => {
    const picky = bench(() => {
      throw new ConfigError('strategy x: stake = 99');
    });
    write('[strategy.parameters]\nstake = 99\n');
    expect(await picky.reloader.reload('test')).toBe('refused');
    expect(picky.said.at(-1)).toContain('stake = 99');
    write('');
    const unwritten = bench();
    unwritten.journal.append = () => {
      throw new JournalError('disk full');
    };
    write('[orders]\ndurationS = 40\n');
    expect(await unwritten.reloader.reload('test')).toBe('refused');
    expect(unwritten.taken).toEqual([]);
  });
});

describe('a daemon that applies a changed configuration', () => {
  const DAY = { world: { events: 3 } };

  /** Sets the day’s own configuration with these changes. */
  const next = (day: CalmDay, change: (config: Config) => void): void => {
    const config = structuredClone(day.run.config);
    change(config);
    day.run.composed.prepare(config)();
  };

  it('gives the strategy its new parameters, and quotes new stakes', async () => {
    const day = new CalmDay(DAY);
    await day.begin();
    const largestMicros = (): number => Math.max(...day.open().map(({ stakeMicros }) => stakeMicros));
    expect(largestMicros()).toBeLessThan(25_000_000);
    next(day, (config) => (config.strategy.parameters = { ...config.strategy.parameters, stake: 77 }));
    await day.until('larger stakes', () => largestMicros() > 70_000_000);
  });

  it('judges new orders by the new limits at once', async () => {
    const day = new CalmDay(DAY);
    await day.begin();
    next(
      day,
      (config) => (config.risk = { ...config.risk, order: { maxStakeUsdt: 0.01, maxLiabilityUsdt: 1 } }),
    );
    await day.pass(1_000);
    const creates = day.creates();
    await day.pass(120_000);
    expect(day.creates()).toBe(creates);
    expect([...day.run.composed.core.risk.refusals().keys()]).toContain('stake_limit');
    expect(day.open()).toEqual([]);
  });

  it('leaves events that the universe no longer holds, and quotes those that it now does', async () => {
    const day = new CalmDay(DAY);
    await day.begin();
    const events = new Set(day.open().map(({ eventId }) => eventId));
    next(day, (config) => (config.universe = { ...config.universe, sports: ['basket'] }));
    await day.until('nothing open', () => day.open().length === 0);
    await day.pass(5_000);
    expect(day.open()).toEqual([]);
    next(day, (config) => (config.universe = { ...config.universe, sports: [], maxSelections: 6 }));
    await day.until('all back', () => day.open().length > 4);
    expect(events.size).toBeGreaterThan(0);
  });

  it('places later orders with the new duration', async () => {
    const day = new CalmDay(DAY);
    await day.begin();
    next(day, (config) => (config.orders = { ...config.orders, durationS: 20 }));
    await day.pass(90_000);
    const lives = day.open().map(({ expiryMs, createdMs }) => (expiryMs - createdMs) / 1000);
    expect(lives.length).toBeGreaterThan(0);
    expect(Math.max(...lives)).toBeLessThanOrEqual(21);
  });
});

it.each(['simulated', 'paper'] as const)(
  'changes nothing of a run in %s mode for a live configuration',
  async (mode) => {
    const read = (): Promise<Config> =>
      Promise.resolve({ ...load(), mode: 'live', orders: { ...load().orders, durationS: 50 } });
    const journal = createMemoryJournal(new VirtualClock());
    const said: string[] = [];
    const taken: Config[] = [];
    const reloader = new Reloader(
      { ...load(), mode },
      {
        read,
        journal,
        metrics: createPrometheusMetrics({ processMetrics: false }),
        logger: { ...silentLogger, error: (message: string) => void said.push(message) },
        prepare: (config) => () => void taken.push(config),
      },
    );
    expect(await reloader.reload('SIGHUP')).toBe('refused');
    expect(said).toEqual([expect.stringContaining(`this run began with "${mode}"`)]);
    expect([taken, [...journal.read()], reloader.config.mode]).toEqual([[], [], mode]);
  },
);
