import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { launchExchange, temporaryFolder } from '../support/exchange.ts';
import { hangingStrategy } from '../support/hanging-strategy.ts';
import { ownOrders } from '../support/own-orders.ts';
import { drafted, EAGER, environment, fault, forbidden, KEY } from '../support/paper-run.ts';
import { patient } from '../support/patience.ts';
import { adminOf, reported } from '../support/place.ts';
import { lastJson, touchline } from '../support/process.ts';
import { watchWire, type WireWatcher } from '../support/wire-watcher.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const OTHER_KEY = 'canary-key-number-two';

/** The largest number of events that were registered on one connection. */
function mostRegistered({ seen }: WireWatcher): number {
  const counts = [0];
  let events = new Set<string>();
  for (const each of seen) {
    const event = /^STREAM \["(?:un)?register_event",(.*)\]$/.exec(each)?.[1];
    if (each.startsWith('UPGRADE')) events = new Set();
    if (event !== undefined && each.includes('"unregister')) events.delete(event);
    else if (event !== undefined) events.add(event);
    counts.push(events.size);
  }
  return Math.max(...counts);
}

interface KilledStatus {
  readonly account: { readonly balance: number | null };
  readonly fills: number;
  readonly stakeMatched: number;
  readonly paperFills: {
    readonly account: string;
    readonly models: readonly {
      readonly model: string;
      readonly fills: number;
      readonly stakeMatched: number;
    }[];
  };
}

describe('a daemon on paper, whose exchange is another process', () => {
  it('trades, gets its first fill, and lets nothing leave that speaks of an account, under faults too', async () => {
    const exchange = await launchExchange(['--key', KEY, '--seed', '3', '--speed', '5']);
    const wire = await watchWire(exchange);
    const config = await drafted(folder, 'trading');
    const daemon = touchline(['start', '--json', ...config, ...EAGER], environment(wire));
    await daemon.until(/TOUCHLINE PAPER: REAL PRICES, NO ORDER/);
    const admin = await adminOf(daemon);
    await daemon.until(/order live/);

    await fault(exchange, { target: 'stream', fault: 'close' });
    let mark = daemon.written();
    await daemon.until(/stream synced/, mark);
    await fault(
      exchange,
      { target: 'stream', fault: 'raw_close' },
      { target: 'rest', fault: 'throttled', for_s: 2 },
      { target: 'rest', fault: 'server_error', for_s: 2 },
    );
    mark = daemon.written();
    await daemon.until(/stream synced/, mark);
    await fault(exchange, { target: 'stream', fault: 'clear_events' });
    mark = daemon.written();
    await daemon.until(/order live/, mark);
    await expect
      .poll(async () => ((await reported(admin, '/status')) as { fills: number }).fills, {
        timeout: patient(100_000),
        interval: 1_000,
      })
      .toBeGreaterThan(0);

    daemon.kill('SIGTERM');
    const exit = await daemon.exit;
    expect(exit.code).toBe(0);
    const summary = lastJson(exit);
    expect(summary).toMatchObject({ mode: 'paper', orders_open_at_exit: 0, exchange_orders_open_at_exit: 0 });
    expect(summary['orders_placed']).toBeGreaterThan(0);
    expect(exit.stdout + exit.stderr).not.toContain(KEY);

    expect(forbidden(wire)).toEqual([]);
    expect(wire.bodies).toEqual([]);
    expect(wire.seen).toContain('GET /v2/xrates/');
    expect(wire.seen.filter((each) => each.startsWith('STREAM ["register_event"')).length).toBeGreaterThan(1);
    expect(mostRegistered(wire)).toBe(2);
    expect(await ownOrders(exchange)).toEqual([]);
    await wire.close();
    exchange.run.kill('SIGTERM');
    await exchange.run.exit;
  });

  it('has its account again after kill -9: balance, bets and journal agree to the micro', async () => {
    const exchange = await launchExchange(['--key', KEY, '--seed', '3', '--speed', '5']);
    const wire = await watchWire(exchange);
    const config = [...(await drafted(folder, 'killed')), ...EAGER];
    const first = touchline(['start', '--json', ...config], environment(wire));
    let admin = await adminOf(first);
    const fills = async (): Promise<number> =>
      ((await reported(admin, '/status')) as { fills: number }).fills;
    await expect.poll(fills, { timeout: patient(100_000), interval: 500 }).toBeGreaterThan(1);
    first.kill('SIGKILL');
    await first.exit;

    const second = touchline(['start', '--json', ...config], environment(wire));
    admin = await adminOf(second);
    await second.until(/order live/);
    const balance = async () => ((await reported(admin, '/status')) as KilledStatus).account.balance;
    await expect.poll(balance, { timeout: patient(60_000), interval: 500 }).toBe(1_000);
    const status = (await reported(admin, '/status')) as KilledStatus;
    const account = status.paperFills.models.find(({ model }) => model === status.paperFills.account);
    expect(account?.fills).toBeGreaterThan(1);
    expect(status.fills).toBe(account?.fills);
    expect(status.stakeMatched).toBe(account?.stakeMatched);
    second.kill('SIGTERM');
    const exit = await second.exit;
    expect(exit.code).toBe(0);
    expect(exit.stderr + exit.stdout).not.toMatch(/forgotten|mismatch|another account/);
    expect(lastJson(exit)).toMatchObject({ orders_open_at_exit: 0, exchange_orders_open_at_exit: 0 });
    expect(forbidden(wire)).toEqual([]);
    expect(await ownOrders(exchange)).toEqual([]);
    await wire.close();
    exchange.run.kill('SIGTERM');
    await exchange.run.exit;
  });

  it('keeps real betslips if it is told to, within its share, and deletes them at the stop', async () => {
    const exchange = await launchExchange(['--key', KEY, '--seed', '3', '--speed', '20']);
    const wire = await watchWire(exchange);
    const config = [...(await drafted(folder, 'betslips')), ...EAGER, '--set', 'paper.betslips=real'];
    const doctor = await touchline(['doctor', ...config], environment(wire)).exit;
    expect(doctor.stdout).toContain('takes up to 495 of the account');
    const daemon = touchline(['start', '--json', ...config], environment(wire));
    await daemon.until(/paper betslips are real and count for the account/);
    await daemon.until(/order live/);
    daemon.kill('SIGTERM');
    const exit = await daemon.exit;
    expect(exit.code).toBe(0);
    expect(lastJson(exit)).toMatchObject({ orders_open_at_exit: 0, exchange_orders_open_at_exit: 0 });
    const betslip = /^(POST \/v2\/betslips\/([\w-]+\/refresh\/)?|DELETE \/v2\/betslips\/[\w-]+\/)$/;
    expect(forbidden(wire).filter((each) => !betslip.test(each))).toEqual([]);
    const opened = wire.seen.filter((each) => each === 'POST /v2/betslips/').length;
    expect(opened).toBeGreaterThan(0);
    expect(wire.bodies).toHaveLength(opened);
    const ofRealAccount = await fetch(new URL('betslips/', exchange.rest), { headers: { 'x-api-key': KEY } });
    expect(((await ofRealAccount.json()) as { data: unknown }).data).toEqual([]);
    expect(await ownOrders(exchange)).toEqual([]);
    await wire.close();
    exchange.run.kill('SIGTERM');
    await exchange.run.exit;
  });

  it('is no way to a real account for any command', async () => {
    const exchange = await launchExchange(['--key', KEY]);
    const wire = await watchWire(exchange);
    const config = await drafted(folder, 'commands');
    const run = async (...args: readonly string[]): Promise<number | null> =>
      (await touchline([...args, ...config], environment(wire)).exit).code;
    expect(await run('doctor')).toBe(0);
    expect(await run('exchange', 'balance')).not.toBe(0);
    expect(await run('exchange', 'orders')).not.toBe(0);
    expect(await run('exchange', 'close', '17')).not.toBe(0);
    expect(await run('exchange', 'flatten')).not.toBe(0);
    expect(await run('exchange', 'heartbeats')).not.toBe(0);
    expect(await run('exchange', 'events')).toBe(0);
    expect(await run('prove', '--live')).not.toBe(0);
    expect(await run('prove')).toBe(0);
    expect(await run('smoke', '--live', '--max-loss', '2')).not.toBe(0);
    expect(await run('run', '--live')).not.toBe(0);
    await run('kill', '--reason', 'nobody is there');
    expect(forbidden(wire)).toEqual([]);
    expect(wire.seen).toContain('GET /v2/xrates/');
    await wire.close();
    exchange.run.kill('SIGTERM');
    await exchange.run.exit;
  });

  it('takes another key of the account, and cannot become live by a reload', async () => {
    const exchange = await launchExchange(['--key', KEY, '--key', OTHER_KEY]);
    const wire = await watchWire(exchange);
    const config = await drafted(folder, 'reload');
    const paper = config[3] as string;
    const keyFile = folder.file('reload/api-key', KEY);
    const daemon = touchline(['start', '--json', ...config], { ...environment(wire), TOUCHLINE_API_KEY: '' });
    await daemon.until(/order live/);
    writeFileSync(keyFile, OTHER_KEY);
    let mark = daemon.written();
    daemon.kill('SIGHUP');
    await daemon.until(/the API key was changed/, mark);
    folder.file('reload/paper.toml', readFileSync(paper, 'utf8').replace('mode = "paper"', 'mode = "live"'));
    mark = daemon.written();
    daemon.kill('SIGHUP');
    expect(await daemon.until(/the configuration was not reloaded/, mark)).toContain('mode = \\"live\\"');
    await daemon.until(/order live/, mark);
    daemon.kill('SIGTERM');
    expect((await daemon.exit).code).toBe(0);
    expect(forbidden(wire)).toEqual([]);
    await wire.close();
    exchange.run.kill('SIGTERM');
    await exchange.run.exit;
  });

  it('closes nothing on the exchange when a strategy hangs', async () => {
    const exchange = await launchExchange(['--key', KEY]);
    const wire = await watchWire(exchange);
    const config = await drafted(folder, 'hanging');
    const strategy = hangingStrategy(folder, 'hangs');
    const common = readFileSync(config[1] as string, 'utf8');
    const named = `[strategy]\nname = "${strategy.module}"\n\n[universe]`;
    folder.file('hanging/touchline.toml', common.replace(/\[strategy\][^]*\[universe\]/, named));
    const daemon = touchline(['start', '--json', ...config], environment(wire));
    await daemon.until(/order live/);
    strategy.hang();
    expect((await daemon.exit).signal).toBe('SIGKILL');
    expect(forbidden(wire)).toEqual([]);
    await wire.close();
    exchange.run.kill('SIGTERM');
    await exchange.run.exit;
  });
});
