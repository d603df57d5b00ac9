import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { exchangeSettings, launchExchange, temporaryFolder } from '../support/exchange.ts';
import type { ExchangeProcess } from '../support/exchange.ts';
import { ownOrders } from '../support/own-orders.ts';
import { launch, touchline } from '../support/process.ts';
import type { Exit, Run } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const KEY = { TOUCHLINE_API_KEY: 'test-key' };
const TURNS = /^touchline_engine_turns_total (\d+)$/m;
/** Quotes that the strategy wants and the kill forbids. */
const FORBIDDEN = /^touchline_quotes_blocked\{reason="state.halted"\} (\d+)$/m;
/** At least one each second: a daemon that trades places within a few. */
const QUIET_TURNS = 20;
const NOBODY = ['--url', 'http://127.0.0.1:9'];

/** Address of the admin interface, once it is served. */
async function adminOf(daemon: Run): Promise<string> {
  const text = await daemon.until(/metrics and health are served/);
  return /"url":"(http[^"]+)"/.exec(text)?.[1] ?? '';
}

interface Place {
  readonly exchange: ExchangeProcess;
  readonly journal: string;
  readonly options: readonly string[];
}

async function place(name: string): Promise<Place> {
  const exchange = await launchExchange();
  const journal = join(folder.path, `${name}.sqlite`);
  const config = folder.file(`${name}.toml`, exchangeSettings(exchange.rest, exchange.stream));
  return { exchange, journal, options: ['--config', config, '--set', `journal.path=${journal}`] };
}

const run = ({ options }: Place): Run => touchline(['run', '--json', ...options], KEY);

/** Runs a command on a daemon, or on what it left. */
function operate({ options }: Place, args: readonly string[], target = NOBODY): Promise<Exit> {
  return touchline([...args, ...target, ...options], KEY).exit;
}

async function endsBoth({ exchange }: Place, daemon: Run): Promise<void> {
  daemon.kill('SIGTERM');
  await daemon.exit;
  exchange.run.kill('SIGTERM');
  await exchange.run.exit;
}

const metric = async (admin: string, line: RegExp): Promise<number> =>
  Number(line.exec(await (await fetch(`${admin}/metrics`)).text())?.[1] ?? 0);

/** It must not trade: it says that it is killed, and places nothing while it goes on looking at what it would quote. */
async function staysKilled({ exchange }: Place, daemon: Run): Promise<string> {
  const admin = await adminOf(daemon);
  await daemon.until(/still killed since an earlier run/);
  const earlier = new Set((await ownOrders(exchange)).map(({ order_id: id }) => id));
  await daemon.until(/stream synced/);
  const turns = (): Promise<number> => metric(admin, TURNS);
  const enough = (await turns()) + QUIET_TURNS;
  await expect.poll(turns, { timeout: 30_000, interval: 100 }).toBeGreaterThanOrEqual(enough);
  expect((await ownOrders(exchange)).filter(({ order_id: id }) => !earlier.has(id))).toEqual([]);
  expect(await metric(admin, FORBIDDEN)).toBeGreaterThan(0);
  return admin;
}

describe('a kill', () => {
  it('holds over a restart when the disk takes no more of the journal', async () => {
    const at = await place('full');
    // Files may not grow beyond this: the journal's log cannot be written any more, as on a full disk.
    const limited = ['-c', 'ulimit -f 400; exec "$0" "$@"', process.execPath, 'src/cli/main.ts'];
    const daemon = launch(
      'bash',
      [...limited, 'run', '--json', ...at.options, '--set', 'orders.durationS=5'],
      KEY,
    );
    const admin = await adminOf(daemon);
    await daemon.until(/order live/);
    await daemon.until(/cannot be written: closing only/);
    const told = await operate(at, ['kill', '--reason', 'the disk is full'], ['--url', admin]);
    expect([told.code, told.stdout]).toEqual([0, expect.stringContaining('latched in permit')]);
    const refused = await operate(at, ['resume', '--reason', 'go on'], ['--url', admin]);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('the journal cannot be written; to release: make room');
    daemon.kill('SIGKILL');
    await daemon.exit;

    const next = run(at);
    const resumed = await operate(
      at,
      ['resume', '--reason', 'room made'],
      ['--url', await staysKilled(at, next)],
    );
    expect(resumed.stdout).toMatch(/released: killed by .*: the disk is full\nresumed\n/);
    await next.until(/order live/);
    await endsBoth(at, next);
  }, 90_000);

  it('by the command beside a daemon that does not answer withdraws the permit, which the daemon sees', async () => {
    const at = await place('deaf');
    const daemon = run(at);
    await daemon.until(/order live/);
    const told = await operate(at, ['kill', '--reason', 'deaf']);
    expect(told.stdout).toContain('closed our orders from here; ');
    expect(told.stdout).toContain('latched in permit');
    await daemon.until(/"reason":"deaf".*risk: killed/);
    await endsBoth(at, daemon);
  });

  it('is latched, and said to be, where the orders cannot be closed', async () => {
    const nobody = exchangeSettings('http://127.0.0.1:9/v2/', 'ws://127.0.0.1:9/v2/stream');
    const config = folder.file('nobody.toml', nobody);
    const kill = (...more: string[]): Promise<Exit> =>
      touchline(['kill', '--reason', 'x', ...NOBODY, '--config', config, ...more], KEY).exit;
    const latched = await kill('--set', `journal.path=${join(folder.path, 'nobody.sqlite')}`);
    expect([latched.code, latched.stderr]).toEqual([
      69,
      expect.stringMatching(/could not be closed.*; latched in journal/),
    ]);
    const lost = await kill('--set', `journal.path=${join(folder.path, 'no', 'such.sqlite')}`);
    expect([lost.code, lost.stderr]).toEqual([
      69,
      expect.stringMatching(/could not be closed.*; NOT LATCHED/),
    ]);
  });

  it('by taking the permit away stops the daemon, and the next one until a resume', async () => {
    const at = await place('taken');
    const daemon = run(at);
    await daemon.until(/order live/);
    expect(statSync(`${at.journal}.permit`).size).toBe(4096);
    rmSync(`${at.journal}.permit`);
    await daemon.until(/no permit to trade.*risk: killed/);
    await daemon.until(/quoting stops/);
    daemon.kill('SIGKILL');
    await daemon.exit;

    const next = run(at);
    await staysKilled(at, next);
    next.kill('SIGKILL');
    await next.exit;
    const resumed = await operate(at, ['resume', '--reason', 'nobody runs']);
    expect([resumed.code, resumed.stderr]).toEqual([0, '']);
    expect(existsSync(`${at.journal}.permit`)).toBe(true);
    const last = run(at);
    await last.until(/order live/);
    expect((await operate(at, ['resume', '--reason', 'x'])).code).toBe(69);
    await endsBoth(at, last);
  }, 60_000);
});

describe('trading states from the command line', () => {
  it('bind, are told, and are lifted by name', async () => {
    const at = await place('states');
    const daemon = run(at);
    const url = ['--url', await adminOf(daemon)];
    await daemon.until(/order live/);
    const halted = await operate(at, ['risk', 'state', 'halted', '--reason', 'lunch'], url);
    expect([halted.code, halted.stdout, halted.stderr]).toEqual([0, 'set: halted\n', '']);
    await expect
      .poll(async () => (await operate(at, ['risk'], url)).stdout, { timeout: 10_000 })
      .toContain('"openOrders": 0');
    expect((await operate(at, ['why'], url)).stdout).toMatch(/"state.halted"[\s\S]*"why": "lunch"/);
    const resumed = await operate(at, ['resume', '--reason', 'x'], url);
    expect(resumed.code).toBe(1);
    expect(resumed.stdout).toContain('lunch; to release: touchline risk state active --reason TEXT');
    const since = daemon.written();
    expect((await operate(at, ['risk', 'state', 'active', '--reason', 'back'], url)).code).toBe(0);
    await daemon.until(/order live/, since);
    await endsBoth(at, daemon);
  }, 60_000);

  it.each([
    [['risk', 'state', 'stopped', '--reason', 'x'], 'state'],
    [['risk', 'state', '--reason', 'x'], 'state'],
    [['risk', 'state', 'halted'], '--reason'],
    [['risk', 'state', 'halted', '--reason', ' '], '--reason'],
    [['risk', 'state', 'halted', '--reason', 'x', '--event', 'Arsenal'], '--event'],
    [
      ['risk', 'state', 'halted', '--reason', 'x', '--event', '2026-01-31,1,2', '--selection', 'h'],
      '--selection',
    ],
    [['risk', 'stat', 'halted'], 'stat'],
    [['kill'], '--reason'],
    [['kill', '--reason', ''], '--reason'],
    [['resume', '--reason', ''], '--reason'],
    [['resume'], '--reason'],
  ])('refuse %j: 2, naming the argument', async (args, named) => {
    const { code, stderr } = await touchline(args).exit;
    expect([code, stderr]).toEqual([2, expect.stringContaining(named)]);
  });

  it('refuse events and selections that the daemon does not know: 2, naming the argument', async () => {
    const at = await place('unknown');
    const daemon = run(at);
    const url = ['--url', await adminOf(daemon)];
    await daemon.until(/order live/);
    for (const part of [
      ['--event', '2026-01-31,1,2'],
      ['--selection', 'no such'],
    ]) {
      const { code, stderr } = await operate(at, ['risk', 'state', 'halted', '--reason', 'x', ...part], url);
      expect([code, stderr]).toEqual([2, expect.stringContaining(part.join(' '))]);
    }
    await endsBoth(at, daemon);
  }, 60_000);
});
