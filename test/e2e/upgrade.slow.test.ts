import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, it } from 'vitest';
import { SCHEMA_VERSION } from '../../src/storage/migrations.ts';
import { auditBooks, readJournal } from '../crash/audit.ts';
import { patient } from '../support/patience.ts';
import { temporaryFolder } from '../support/exchange.ts';
import { newerBuild } from '../support/newer-build.ts';
import { ownOrders } from '../support/own-orders.ts';
import { KEY, makePlace, nextOrder, NOBODY, operate, type Place, runAt } from '../support/place.ts';
import { type Exit, launch, type Run } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const NEWER = newerBuild(join(folder.path, 'newer'));

const run = (program: string, { options }: Place, ...more: string[]): Run =>
  launch(process.execPath, [program, 'run', '--json', ...more, ...options], KEY);

const stopped = (daemon: Run): Promise<Exit> => (daemon.kill('SIGTERM'), daemon.exit);

const fillsOf = async ({ exchange }: Place): Promise<number> =>
  (await ownOrders(exchange)).reduce((sum, order) => sum + order.fills.length, 0);

async function tradeUntilFilled(place: Place, daemon: Run): Promise<void> {
  const before = await fillsOf(place);
  await daemon.until(/order live/);
  await expect
    .poll(() => fillsOf(place), { timeout: patient(90_000), interval: 500 })
    .toBeGreaterThan(before);
}

function versionOf(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true });
  const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
  db.close();
  return version;
}

/** The procedure of the page about the journal, "Upgrade and rollback". */
it('upgrades after a backup, and rolls back without losing a fill', async () => {
  const place = await makePlace(folder, 'upgraded');
  const { journal } = place;
  const first = runAt(place);
  await tradeUntilFilled(place, first);
  expect((await stopped(first)).code).toBe(0);

  const second = run(NEWER, place);
  await second.until(/"fromVersion":\d+,"backup":"[^"]+","msg":"the journal was upgraded"/);
  await tradeUntilFilled(place, second);
  expect((await stopped(second)).code).toBe(0);
  const [copy = ''] = readdirSync(`${journal}.backups`);
  const backup = join(`${journal}.backups`, copy);
  expect([versionOf(join(backup, 'upgraded.sqlite')), versionOf(journal)]).toEqual([
    SCHEMA_VERSION,
    SCHEMA_VERSION + 1,
  ]);

  const refused = await runAt(place).exit;
  expect(refused.code).toBe(78);
  expect(refused.stderr).toMatch(/newer version of Touchline.*touchline journal restore BACKUP FILE/);

  const restored = await launch(process.execPath, ['src/cli/main.ts', 'journal', 'restore', backup, journal])
    .exit;
  expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining('"restored":')]);
  const resumed = await operate(place, ['resume', '--reason', 'back to the earlier version'], NOBODY);
  expect([resumed.code, resumed.stdout]).toEqual([0, expect.stringContaining('no permit to trade')]);
  const next = await nextOrder(place);
  // The restored journal does not know the later orders, which could be those of another daemon.
  const third = run('src/cli/main.ts', place, '--take-over');
  await next();
  expect((await stopped(third)).code).toBe(0);
  expect(auditBooks(await ownOrders(place.exchange), readJournal(journal))).toEqual([]);
  place.exchange.run.kill('SIGTERM');
  await place.exchange.run.exit;
});
