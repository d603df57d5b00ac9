import { afterAll, expect, it } from 'vitest';
import type { Status } from '../../src/read-model/status.ts';
import { temporaryFolder } from '../support/exchange.ts';
import { adminOf, endBoth, makePlace, metricsOf, reported, runAt } from '../support/place.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

it('shows one run as status and as metrics, and to the next run how it ended', async () => {
  const place = await makePlace(folder, 'shown');
  const first = runAt(place);
  await first.until(/order live/);
  first.kill('SIGTERM');
  await first.exit;

  const run = runAt(place);
  const [metrics, admin] = [await metricsOf(run), await adminOf(run)];
  await run.until(/order live/);
  const status = (await reported(admin, '/status')) as Status;
  expect(status).toMatchObject({
    state: 'quoting',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
    runId: expect.stringMatching(/^2-[\da-f]{8}$/) as string,
    previousRun: { epoch: 1, how: 'clean', ordersLeft: 0 },
  });
  expect(status.recentOrders[0]).toMatchObject({ strategy: status.strategy });
  const scraped = async (): Promise<string> => (await fetch(`${metrics}/metrics`)).text();
  // A quote may be replaced just now.
  await expect.poll(scraped).toMatch(/^touchline_selections\{state="quoted"\} [1-9]/m);
  await expect.poll(scraped).toMatch(/^touchline_open_orders [1-9]/m);
  const text = await scraped();
  for (const { name, limit } of status.limits)
    expect(text).toContain(`touchline_risk_limit{limit="${name}"} ${limit}\n`);
  expect(text).toMatch(/^touchline_ready 1$/m);
  expect(text).toMatch(/^touchline_balance_usdt /m);
  for (const kind of ['settled', 'locked', 'expected', 'close_now'])
    expect(text).toContain(`touchline_profit_usdt{kind="${kind}",strategy="${status.strategy}"}`);
  await endBoth(place, run);
});
