import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/exchange.ts';
import { ownOrders, ownOrdersSince } from '../support/own-orders.ts';
import {
  adminOf,
  endBoth,
  KEY,
  makePlace,
  metricsOf,
  operate,
  type Place,
  runAt,
  turnsOn,
} from '../support/place.ts';
import { type Exit, type Run, touchline } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** A daemon that trades places an order within a few of these. */
const QUIET_TURNS = 20;
/** Requests that left before the loss was found may still be in flight. */
const SETTLING_TURNS = 2;

const verify = (journal: string): Promise<Exit> => touchline(['journal', 'verify', journal]).exit;

/** Waits long enough for quotes to move. Returns the number of orders created meanwhile. */
async function ordersOf({ exchange }: Place, daemon: Run): Promise<number> {
  const metrics = await metricsOf(daemon);
  const created = await ownOrdersSince(exchange);
  await daemon.until(/stream synced/);
  await turnsOn(metrics, QUIET_TURNS);
  return (await created()).length;
}

async function dies(daemon: Run): Promise<void> {
  daemon.kill('SIGKILL');
  await daemon.exit;
}

describe('a killed daemon', () => {
  it.each(['a byte of the log flipped', 'the log deleted'])('stays killed: %s', async (what) => {
    const at = await makePlace(folder, what.replaceAll(' ', '-'));
    const daemon = runAt(at);
    const admin = await adminOf(daemon);
    await daemon.until(/order live/);
    const drill = await operate(at, ['kill', '--reason', 'drill'], ['--url', admin]);
    expect([drill.code, drill.stdout]).toEqual([0, expect.stringContaining('latched in journal')]);
    await dies(daemon);
    const log = readFileSync(`${at.journal}-wal`);
    const middle = Math.floor(log.length / 2);
    log[middle] = (log[middle] ?? 0) ^ 1;
    if (what.includes('deleted')) rmSync(`${at.journal}-wal`);
    else writeFileSync(`${at.journal}-wal`, log);
    const { code, stdout } = await verify(at.journal);
    expect([code, stdout]).toEqual([1, expect.stringContaining('journal records are missing at the end')]);

    const next = runAt(at);
    expect(await ordersOf(at, next)).toBe(0);
    await endBoth(at, next);
  });
});

describe.runIf(process.platform === 'linux')('a journal under a running daemon', () => {
  it.each([
    ['deleted', (path: string) => rmSync(path)],
    ['moved away', (path: string) => renameSync(path, `${path}.moved`)],
  ])('ends trading when it is %s, and no start begins a new one in its place', async (what, lose) => {
    const at = await makePlace(folder, what.replaceAll(' ', '-'));
    const daemon = runAt(at);
    const [admin, metrics] = [await adminOf(daemon), await metricsOf(daemon)];
    await daemon.until(/order live/);
    lose(at.journal);
    await daemon.until(/the journal is lost/);
    await turnsOn(metrics, SETTLING_TURNS);
    const created = await ownOrdersSince(at.exchange);
    await turnsOn(metrics, QUIET_TURNS);
    expect(await created()).toEqual([]);
    expect((await ownOrders(at.exchange)).filter(({ closed }) => !closed)).toEqual([]);
    const killed = await operate(at, ['kill', '--reason', 'drill'], ['--url', admin]);
    expect(killed.stdout).toContain('latched in permit');
    daemon.kill('SIGTERM');
    await daemon.exit;
    expect(existsSync(at.journal)).toBe(false);

    const next = runAt(at);
    expect(await ordersOf(at, next)).toBe(0);
    await next.until(/tells that there was one/);
    await endBoth(at, next);
    expect(existsSync(at.journal)).toBe(false);
    const { code, stderr } = await touchline(['journal', 'verify', at.journal], KEY).exit;
    expect([code, stderr]).toEqual([1, expect.stringContaining('put it back, or restore a backup')]);
  });
});
