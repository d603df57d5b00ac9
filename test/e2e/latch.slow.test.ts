import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { openSqliteJournal } from '../../src/storage/sqlite-journal.ts';
import { exchangeSettings, temporaryFolder } from '../support/exchange.ts';
import { ownOrdersSince } from '../support/own-orders.ts';
import {
  adminOf,
  metricsOf,
  endBoth,
  KEY,
  makePlace,
  metricOf,
  nextOrder,
  NOBODY,
  operate,
  type Place,
  runAt,
  turnsOn,
} from '../support/place.ts';
import { type Exit, launch, type Run, touchline } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Quotes that the strategy wants and the kill forbids. */
const FORBIDDEN = /^touchline_quotes_blocked\{reason="state.halted"\} (\d+)$/m;
/** A daemon that trades places an order within a few of these. */
const QUIET_TURNS = 20;

/**
 * Expects no trading: the daemon reports that it is killed, and places nothing while it goes on viewing what it would
 * quote.
 */
async function staysKilled({ exchange }: Place, daemon: Run): Promise<string> {
  const metrics = await metricsOf(daemon);
  await daemon.until(/still killed since an earlier run/);
  const created = await ownOrdersSince(exchange);
  await daemon.until(/stream synced/);
  await turnsOn(metrics, QUIET_TURNS);
  expect(await created()).toEqual([]);
  await expect.poll(() => metricOf(metrics, FORBIDDEN)).toBeGreaterThan(0);
  return adminOf(daemon);
}

describe('a kill', () => {
  it('holds over a restart when the disk accepts no more journal records', async () => {
    const at = await makePlace(folder, 'full');
    // Files may not grow beyond this. The journal's log cannot be written any more, as on a full disk.
    const limited = ['-c', 'ulimit -f 300; exec "$0" "$@"', process.execPath, 'src/cli/main.ts'];
    const daemon = launch(
      'bash',
      [...limited, 'run', '--json', ...at.options, '--set', 'orders.durationS=5'],
      KEY,
    );
    const admin = await adminOf(daemon);
    await daemon.until(/order live/);
    await daemon.until(/cannot be written: closing only/);
    const killed = await operate(at, ['kill', '--reason', 'the disk is full'], ['--url', admin]);
    expect([killed.code, killed.stdout]).toEqual([0, expect.stringContaining('latched in permit')]);
    const refused = await operate(at, ['resume', '--reason', 'go on'], ['--url', admin]);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('the journal cannot be written; to release: make room');
    daemon.kill('SIGKILL');
    await daemon.exit;

    const next = runAt(at);
    const url = ['--url', await staysKilled(at, next)];
    const trades = await nextOrder(at);
    const resumed = await operate(at, ['resume', '--reason', 'room made'], url);
    expect(resumed.stdout).toMatch(/released: killed by .*: the disk is full\nresumed\n/);
    await trades();
    await endBoth(at, next);
  });

  it('by the command beside a daemon that does not answer withdraws the permit, which the daemon sees', async () => {
    const at = await makePlace(folder, 'deaf');
    const daemon = runAt(at);
    await daemon.until(/order live/);
    const killed = await operate(at, ['kill', '--reason', 'deaf']);
    expect(killed.stdout).toContain('closed our orders from here; ');
    expect(killed.stdout).toContain('latched in permit');
    await daemon.until(/"reason":"deaf".*risk: killed/);
    await endBoth(at, daemon);
  });

  it('is latched, and reported as latched, when the orders cannot be closed', async () => {
    const nobody = exchangeSettings('http://127.0.0.1:9/v2/', 'ws://127.0.0.1:9/v2/stream');
    const config = folder.file('nobody.toml', nobody);
    const journal = join(folder.path, 'nobody.sqlite');
    openSqliteJournal(journal, systemClock).close();
    const kill = (...more: string[]): Promise<Exit> =>
      touchline(['kill', '--reason', 'x', ...NOBODY, '--config', config, ...more], KEY).exit;
    const missing = join(folder.path, 'no', 'such.sqlite');
    const [latched, lost] = await Promise.all([
      kill('--set', `journal.path=${journal}`),
      kill('--set', `journal.path=${missing}`),
    ]);
    expect([latched.code, latched.stderr]).toEqual([
      69,
      expect.stringContaining(`; latched in journal ${journal}`),
    ]);
    expect(latched.stderr).toContain('could not be closed');
    expect([lost.code, lost.stderr]).toEqual([
      69,
      expect.stringMatching(/could not be closed.*; NOT LATCHED.*; there is no journal at .*such.sqlite/),
    ]);
  });

  it('by taking the permit away stops the daemon, and the next one until a resume', async () => {
    const at = await makePlace(folder, 'taken');
    const daemon = runAt(at);
    await daemon.until(/order live/);
    expect(statSync(`${at.journal}.permit`).size).toBe(4096);
    rmSync(`${at.journal}.permit`);
    await daemon.until(/no permit to trade.*risk: killed/);
    await daemon.until(/quoting stops/);
    daemon.kill('SIGKILL');
    await daemon.exit;

    const next = runAt(at);
    await staysKilled(at, next);
    next.kill('SIGKILL');
    await next.exit;
    const resumed = await operate(at, ['resume', '--reason', 'nobody runs']);
    expect([resumed.code, resumed.stderr]).toEqual([0, '']);
    expect(existsSync(`${at.journal}.permit`)).toBe(true);
    const trades = await nextOrder(at);
    const last = runAt(at);
    await trades();
    expect((await operate(at, ['resume', '--reason', 'x'])).code).toBe(69);
    await endBoth(at, last);
  });
});
