import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { auditBooks, readJournal } from '../crash/audit.ts';
import { patient } from '../support/patience.ts';
import { exchangeSettings, launchExchange, temporaryFolder } from '../support/exchange.ts';
import { ownOrders, ownOrdersSince } from '../support/own-orders.ts';
import { metricsOf, KEY, turnsOn } from '../support/place.ts';
import { type Exit, type Run, touchline } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const TURNS_OF_TRADING = 20;

/**
 * The drill of the guide: a backup while the daemon trades, the loss of its machine, and a restore of the copy
 * elsewhere.
 */
it('trades from a restored backup after a resume, with books equal to the exchange’s', async () => {
  const exchange = await launchExchange();
  const config = folder.file('touchline.toml', exchangeSettings(exchange.rest, exchange.stream));
  const [lost, backups, elsewhere] = ['lost', 'backups', 'elsewhere'].map((name) =>
    join(folder.path, name),
  ) as [string, string, string];
  mkdirSync(lost);
  const at = (home: string): string[] => [
    '--config',
    config,
    '--set',
    `journal.path=${join(home, 'journal.sqlite')}`,
  ];
  const start = (home: string, ...more: string[]): Run =>
    touchline(['run', '--json', ...more, ...at(home)], KEY);
  const command = (...args: string[]): Promise<Exit> => touchline(args, KEY).exit;

  const first = start(lost);
  const metrics = await metricsOf(first);
  await first.until(/order live/);
  await turnsOn(metrics, TURNS_OF_TRADING);
  const { code, stdout } = await command('journal', 'backup', join(lost, 'journal.sqlite'), backups);
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { damage: null, markProblem: null }]);
  expect(readdirSync(backups).sort()).toEqual(['journal.sqlite', 'journal.sqlite.mark']);
  // The daemon goes on trading. No journal holds what follows the backup when the machine is lost.
  await turnsOn(metrics, TURNS_OF_TRADING);
  first.kill('SIGKILL');
  await first.exit;
  rmSync(lost, { recursive: true });

  cpSync(backups, elsewhere, { recursive: true });
  const journal = join(elsewhere, 'journal.sqlite');
  expect((await command('journal', 'verify', journal)).code).toBe(0);
  const resumed = await command(
    'resume',
    '--reason',
    'restored',
    ...at(elsewhere),
    '--url',
    'http://127.0.0.1:9',
  );
  expect([resumed.code, resumed.stdout]).toEqual([0, expect.stringContaining('no permit to trade')]);
  const created = await ownOrdersSince(exchange);
  const next = start(elsewhere, '--take-over');
  await expect.poll(async () => (await created()).length, { timeout: patient(90_000) }).toBeGreaterThan(0);
  next.kill('SIGTERM');
  expect((await next.exit).code).toBe(0);
  expect(auditBooks(await ownOrders(exchange), readJournal(journal))).toEqual([]);
  exchange.run.kill('SIGTERM');
  await exchange.run.exit;
});
