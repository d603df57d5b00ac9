import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { rememberedLimits } from '../../src/app/journal/limits-memory.ts';
import { openSqliteJournal } from '../../src/storage/sqlite-journal.ts';
import { patient } from '../support/patience.ts';
import { exchangeSettings, launchExchange, temporaryFolder } from '../support/exchange.ts';
import { ownOrders } from '../support/own-orders.ts';
import { adminOf, metricsOf, reported } from '../support/place.ts';
import { touchline } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const KEY = { TOUCHLINE_API_KEY: 'test-key' };

describe('the daemon as a service', () => {
  it('serves metrics, health, readiness and status', async () => {
    const run = touchline(['start', '--json']);
    const url = await metricsOf(run);
    await run.until(/order live/);
    expect((await request(`${url}/healthz`)).statusCode).toBe(200);
    expect((await request(`${url}/readyz`)).statusCode).toBe(200);
    const metrics = await (await request(`${url}/metrics`)).body.text();
    expect(metrics).toMatch(/^touchline_engine_turns_total [1-9]/m);
    expect(metrics).toMatch(/^process_resident_memory_bytes /m);
    const admin = await adminOf(run);
    const status = (): Promise<unknown> => reported(admin, '/status');
    expect(await status()).toMatchObject({ mode: 'simulated', strategy: 'symmetric', stream: 'synced' });
    // The first order may already be filled or withdrawn.
    const open = expect.objectContaining({ ordersOpen: expect.toSatisfy((count: number) => count > 0) });
    await expect.poll(status, { timeout: patient(20_000) }).toEqual(open);
    run.kill('SIGTERM');
    expect((await run.exit).code).toBe(0);
  });

  it.each(['stdout', 'stderr'] as const)(
    'stops in order when nothing reads its %s any more',
    async (lost) => {
      const exchange = await launchExchange();
      const config = folder.file(`${lost}.toml`, exchangeSettings(exchange.rest, exchange.stream));
      const json = lost === 'stderr' ? ['--json'] : [];
      const run = touchline(['run', ...json, '--config', config, '--set', 'orders.durationS=300'], KEY);
      await run.until(/order live/);
      run.child[lost]?.destroy();
      expect((await run.exit).code).toBe(1);
      const orders = await ownOrders(exchange);
      expect(orders.length).toBeGreaterThan(0);
      expect(orders.filter(({ closed }) => !closed)).toEqual([]);
      exchange.run.kill('SIGTERM');
      await exchange.run.exit;
    },
  );

  it('is forced by a second signal when the exchange does not answer', async () => {
    const exchange = await launchExchange();
    const config = folder.file('force.toml', exchangeSettings(exchange.rest, exchange.stream));
    const run = touchline(['run', '--json', '--config', config, '--set', 'orders.drainTimeoutS=60'], KEY);
    await run.until(/order live/);
    exchange.run.kill('SIGSTOP');
    run.kill('SIGTERM');
    await run.until(/stopping/);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    run.kill('SIGTERM');
    expect((await run.exit).code).toBe(1);
    exchange.run.kill('SIGKILL');
    await exchange.run.exit;
  });

  it('shows by its exit code that the exchange did not confirm the end', async () => {
    const exchange = await launchExchange();
    const config = folder.file('unconfirmed.toml', exchangeSettings(exchange.rest, exchange.stream));
    const run = touchline(['run', '--json', '--config', config, '--set', 'orders.drainTimeoutS=3'], KEY);
    await run.until(/order live/);
    exchange.run.kill('SIGKILL');
    await exchange.run.exit;
    run.kill('SIGTERM');
    const exit = await run.exit;
    expect(exit.code).toBe(1);
    expect(exit.stderr).toContain('own orders may still be open');
  });

  it('refuses to be the second on one account, and names the holder', async () => {
    const path = join(folder.path, 'journal.sqlite');
    const first = touchline(['start', '--json', '--set', `journal.path=${path}`]);
    await first.until(/order live/);
    const second = await touchline(['start', '--set', `journal.path=${path}`, '--set', 'log.level=silent'])
      .exit;
    expect(second.code).toBe(69);
    expect(second.stderr).toContain(`process ${first.child.pid} `);
    first.kill('SIGTERM');
    expect((await first.exit).code).toBe(0);
    const journal = openSqliteJournal(path, systemClock);
    expect(rememberedLimits(journal)).toMatchObject({ ended: true, seq: journal.lastSeq() });
    journal.close();
  });

  it('shows the settings in force, with the key masked', async () => {
    const config = folder.file('show.toml', '[orders]\ndurationS = 45\n');
    const exit = await touchline(['config', 'show', '--config', config, '--set', 'ops.port=1'], {
      TOUCHLINE_API_KEY: 'canary-key',
    }).exit;
    expect(exit.code).toBe(0);
    expect(JSON.parse(exit.stdout)).toMatchObject({ orders: { durationS: 45 }, ops: { port: 1 } });
    expect(exit.stdout + exit.stderr).not.toContain('canary-key');
  });
});
