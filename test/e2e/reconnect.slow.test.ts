import { afterAll, describe, expect, it } from 'vitest';
import { exchangeSettings, launchExchange, temporaryFolder } from '../support/exchange.ts';
import { lastJson, touchline } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

// An order whose create request died with the exchange is unknown until it can no longer land and live. The drain waits
// for that. The duration is as short as possible here.
const SETTINGS = [
  'exchange.requestTimeoutS=5',
  'orders.latestLandingS=5',
  'orders.durationS=5',
  'orders.drainTimeoutS=60',
].flatMap((setting) => ['--set', setting]);

describe('an exchange that dies and comes back', () => {
  it('is reconnected to, resynced and quoted on again', async () => {
    const first = await launchExchange();
    const port = new URL(first.rest).port;
    const config = folder.file('touchline.toml', exchangeSettings(first.rest, first.stream));
    const daemon = touchline(['run', '--json', '--config', config, ...SETTINGS], {
      TOUCHLINE_API_KEY: 'test-key',
    });
    await daemon.until(/order live/);

    first.run.kill('SIGKILL');
    await first.run.exit;
    await daemon.until(/stream closed/);

    const beforeRestart = daemon.written();
    const second = await launchExchange(['--port', port]);
    await daemon.until(/stream synced/, beforeRestart);
    const afterResync = daemon.written();
    await daemon.until(/order live/, afterResync);

    daemon.kill('SIGTERM');
    const exit = await daemon.exit;
    expect(exit).toMatchObject({ code: 0, signal: null });
    expect(lastJson(exit)).toMatchObject({ orders_open_at_exit: 0, exchange_orders_open_at_exit: 0 });
    expect(lastJson(exit)['reconnects']).toBeGreaterThanOrEqual(1);
    second.run.kill('SIGTERM');
    expect((await second.run.exit).code).toBe(0);
  });
});
