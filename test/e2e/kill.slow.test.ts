import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import { patient } from '../support/patience.ts';
import { exchangeSettings, launchExchange, temporaryFolder } from '../support/exchange.ts';
import { ownOrdersSince } from '../support/own-orders.ts';
import { adminOf, KEY, tokenAt } from '../support/place.ts';
import { lastJson, type Run, touchline } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

async function operate(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await touchline(args, KEY).exit;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

async function openOrders(admin: string): Promise<number> {
  const { openOrders: open } = JSON.parse(await operate(['risk', '--json', '--url', admin])) as {
    openOrders: number;
  };
  return open;
}

/** A daemon that holds the account and is not served yet, because it reads its journal. */
async function starting(journal: string, ...more: readonly string[]): Promise<Run> {
  const daemon = touchline(['start', '--json', ...more, '--set', `journal.path=${journal}`]);
  await expect.poll(() => existsSync(`${journal}.lock`), { interval: 2 }).toBe(true);
  return daemon;
}

/** Whether a process handles SIGUSR2, signal 12, which ends any other process. */
function handlesKill(pid: number | undefined): boolean {
  const caught = /^SigCgt:\s*(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return (BigInt(`0x${caught}`) & (1n << 11n)) !== 0n;
}

describe('a signal to a daemon that starts', () => {
  it.runIf(process.platform === 'linux')('kills while its program is loaded', async () => {
    const journal = join(folder.path, 'first-moment.sqlite');
    const daemon = touchline(['start', '--json', '--for', '2s', '--set', `journal.path=${journal}`]);
    await expect
      .poll(() => handlesKill(daemon.child.pid), { interval: 2, timeout: patient(20_000) })
      .toBe(true);
    expect(daemon.written()).toBe(0);
    daemon.kill('SIGUSR2');
    const { code, stderr } = await daemon.exit;
    expect([code, stderr]).toEqual([0, expect.stringMatching(/"reason":"SIGUSR2".*risk: killed/)]);
  });

  it('kills as it does after the start', async () => {
    const journal = join(folder.path, 'early-kill.sqlite');
    const daemon = await starting(journal, '--for', '2s');
    daemon.kill('SIGUSR2');
    const { code, signal, stderr } = await daemon.exit;
    expect([code, signal, stderr]).toEqual([
      0,
      null,
      expect.stringMatching(/"reason":"SIGUSR2".*risk: killed/),
    ]);
    const next = touchline(['start', '--for', '1s', '--set', `journal.path=${journal}`]);
    expect((await next.exit).stdout).toMatch(/"reason":"SIGUSR2".*still killed since an earlier run/);
  });

  it('stops it in order', async () => {
    const daemon = await starting(join(folder.path, 'early-stop.sqlite'));
    daemon.kill('SIGTERM');
    const exit = await daemon.exit;
    expect([exit.code, exit.signal]).toEqual([0, null]);
    expect(lastJson(exit)).toMatchObject({ orders_open_at_exit: 0, exchange_orders_open_at_exit: 0 });
  });

  it('to kill is latched also when the start fails on its port', async () => {
    const journal = join(folder.path, 'no-port.sqlite');
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const daemon = await starting(journal, '--set', `ops.port=${port}`);
    daemon.kill('SIGUSR2');
    expect((await daemon.exit).code).toBe(69);
    other.close();
    const next = touchline(['start', '--for', '1s', '--set', `journal.path=${journal}`]);
    expect((await next.exit).stdout).toMatch(/"reason":"SIGUSR2".*still killed since an earlier run/);
  });
});

describe('a request to kill that is cut in its body', () => {
  it('kills, and is latched', async () => {
    const journal = `journal.path=${join(folder.path, 'cut.sqlite')}`;
    const daemon = touchline(['start', '--json', '--set', journal]);
    const admin = new URL(await adminOf(daemon));
    await daemon.until(/order live/);
    const socket = connect(Number(admin.port), admin.hostname);
    const token = tokenAt(admin.href);
    const head = ['POST /kill HTTP/1.1', 'host: localhost', `authorization: Bearer ${token}`];
    socket.end([...head, 'content-length: 2000000', '', '{"reason": "dr'].join('\r\n'));
    await daemon.until(/"reason":"POST \/kill".*risk: killed/);
    await expect.poll(() => openOrders(admin.href), { timeout: patient(20_000) }).toBe(0);
    daemon.kill('SIGTERM');
    await daemon.exit;
    const next = touchline(['start', '--for', '1s', '--set', journal]);
    expect((await next.exit).stdout).toMatch(/"reason":"POST \/kill".*still killed since an earlier run/);
  });
});

describe('kill switch', () => {
  it('stops orders by command, file and signal, and releases them on resume', async () => {
    const killFile = folder.file('stop', '');
    rmSync(killFile);
    const daemon = touchline(['start', '--json', '--set', `ops.killFile=${killFile}`]);
    const admin = await adminOf(daemon);
    await daemon.until(/order live/);

    expect(await operate(['kill', '--reason', 'drill', '--url', admin])).toContain(
      'none of our orders is open; kept for this run alone: its journal is in memory',
    );
    expect(await operate(['why', '--url', admin])).toContain('state.halted');
    const afterKill = daemon.written();
    await operate(['resume', '--reason', 'drill over', '--url', admin]);
    await daemon.until(/order live/, afterKill);

    writeFileSync(killFile, 'by file\n');
    await daemon.until(/"reason":"by file".*risk: killed/);
    const refused = await touchline(['resume', '--reason', 'too early', '--url', admin], KEY).exit;
    expect([refused.code, refused.stdout]).toEqual([
      1,
      expect.stringContaining('ops.killFile is there; to release: remove it'),
    ]);
    rmSync(killFile);
    await expect.poll(() => openOrders(admin), { timeout: patient(20_000) }).toBe(0);
    await operate(['resume', '--reason', 'file removed', '--url', admin]);

    daemon.kill('SIGUSR2');
    await daemon.until(/"reason":"SIGUSR2".*risk: killed/);
    daemon.kill('SIGTERM');
    expect(lastJson(await daemon.exit)).toMatchObject({
      orders_open_at_exit: 0,
      exchange_orders_open_at_exit: 0,
    });
  });

  it('closes the orders of a daemon that is gone, and keeps the next one from trading until resume', async () => {
    const exchange = await launchExchange();
    const journal = `journal.path=${folder.file('journal.sqlite', '')}`;
    const config = folder.file('killed.toml', exchangeSettings(exchange.rest, exchange.stream));
    const run = ['--config', config, '--set', journal, '--set', 'orders.durationS=300'];
    const gone = touchline(['run', '--json', ...run], KEY);
    await gone.until(/order live/);
    gone.kill('SIGKILL');
    await gone.exit;

    const output = await operate(['kill', '--reason', 'it died', '--url', 'http://127.0.0.1:9', ...run]);
    expect(output).toContain('closed our orders from here; none of our orders is open; latched in journal');

    const next = touchline(['run', '--json', ...run], KEY);
    const admin = await adminOf(next);
    await next.until(/still killed since an earlier run/);
    await next.until(/stream synced/);
    const created = await ownOrdersSince(exchange);
    await operate(['resume', '--reason', 'looked into it', '--url', admin]);
    await expect.poll(async () => (await created()).length, { timeout: patient(40_000) }).toBeGreaterThan(0);
    next.kill('SIGTERM');
    expect(lastJson(await next.exit)).toMatchObject({ exchange_orders_open_at_exit: 0 });
    exchange.run.kill('SIGTERM');
    expect((await exchange.run.exit).code).toBe(0);
  });
});
