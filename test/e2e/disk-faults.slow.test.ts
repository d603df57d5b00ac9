import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { verifyJournal } from '../../src/app/journal/journal-tools.ts';
import { auditIdentity, readJournal } from '../crash/audit.ts';
import { patient } from '../support/patience.ts';
import {
  type ExchangeProcess,
  exchangeSettings,
  launchExchange,
  temporaryFolder,
} from '../support/exchange.ts';
import { ownOrders, type SimOrder } from '../support/own-orders.ts';
import { metricsOf, KEY, turnsOn } from '../support/place.ts';
import { launch, type Run, touchline } from '../support/process.ts';

const folder = temporaryFolder();
const HOOK = new URL('../crash/disk-faults.ts', import.meta.url).href;
const SETTLING_TURNS = 2;
const QUIET_TURNS = 10;
const PRLIMIT = '/usr/bin/prlimit';

let exchange: ExchangeProcess;
beforeAll(async () => void (exchange = await launchExchange()));
afterAll(async () => {
  exchange.run.kill('SIGTERM');
  await exchange.run.exit;
  folder.remove();
});

const ours = (): Promise<readonly SimOrder[]> => ownOrders(exchange);

interface Subject {
  readonly run: Run;
  readonly journal: string;
  readonly config: string;
}

function start(fault: string): Subject {
  const journal = join(folder.path, `${fault}.sqlite`);
  const config = folder.file(
    `${fault}.toml`,
    `${exchangeSettings(exchange.rest, exchange.stream)}[journal]\npath = "${journal}"\n`,
  );
  // Each journal is an installation of its own on the one account.
  const options = ['--json', '--take-over', '--config', config];
  const hooked = ['--import', HOOK, 'src/cli/main.ts', 'run', ...options];
  const run = launch(process.execPath, hooked, { ...KEY, DISK_FAULT: fault, DISK_FAULT_FILE: journal });
  return { run, journal, config };
}

const limitFileSize = ({ run }: Subject): void => {
  expect(spawnSync(PRLIMIT, ['--pid', String(run.child.pid), '--fsize=0']).status).toBe(0);
};
const signal = ({ run }: Subject): void => run.kill('SIGWINCH');

const FAULTS = [
  { name: 'writes that the system refuses', fault: 'refused', inject: limitFileSize },
  { name: 'a sync that fails after writes that seemed to succeed', fault: 'unsyncable', inject: signal },
  {
    name: 'a commit that is reported as failed though it is on the disk',
    fault: 'late-error',
    inject: signal,
  },
] as const;

/**
 * Checks the daemon's own report and the exchange: nothing more is sent, everything is closed, and the alarm is raised.
 */
async function expectCloseOnly(subject: Subject): Promise<void> {
  await subject.run.until(/journal cannot be written: closing only/);
  const metrics = await metricsOf(subject.run);
  // Requests that left before the failure may still be in flight.
  await turnsOn(metrics, SETTLING_TURNS);
  const sent = (await ours()).length;
  await expect
    .poll(async () => (await ours()).filter(({ closed }) => !closed), { timeout: patient(20_000) })
    .toEqual([]);
  // Quotes move within this time and would be sent if anything were sent.
  await turnsOn(metrics, QUIET_TURNS);
  expect(await ours()).toHaveLength(sent);
  const answer = await fetch(`${metrics}/readyz`);
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('journal_failed')]);
  const exposed = await (await fetch(`${metrics}/metrics`)).text();
  expect(exposed).toMatch(/^touchline_orders_alarms_total\{kind="journal"\} 1$/m);
}

/** The journal is whole and holds every order that was sent. */
async function expectWhole({ journal }: Subject, before: ReadonlySet<number>): Promise<void> {
  expect(verifyJournal(journal, systemClock)).toMatchObject({ damage: null });
  const sent = (await ours()).filter(({ order_id: id }) => !before.has(id));
  expect(sent.length).toBeGreaterThan(0);
  expect(auditIdentity(sent, readJournal(journal))).toEqual([]);
}

/**
 * A new process trades again. For a while nobody knows whether an order that was journalled and not sent exists
 * (`inDoubt`). A stop before then is not clean, and says so.
 */
async function expectRestart({ config }: Subject, inDoubt: boolean): Promise<void> {
  // Once the outcome is known, closing takes a moment. The bound only allows for a busy machine.
  const timeout = `orders.drainTimeoutS=${inDoubt ? 4 : 30}`;
  const again = touchline(['run', '--json', '--config', config, '--set', timeout], KEY);
  await again.until(/order live/);
  again.kill('SIGTERM');
  const { code, stdout, stderr } = await again.exit;
  const isUnclean = `${stdout}${stderr}`.includes('own orders may still be open');
  expect([code, isUnclean && !inDoubt]).toEqual([isUnclean ? 1 : 0, false]);
  expect((await ours()).filter(({ closed }) => !closed)).toEqual([]);
}

describe.runIf(process.platform === 'linux' && existsSync(PRLIMIT))('a daemon whose disk fails', () => {
  it.each(FAULTS)('survives $name: sends nothing, closes, and starts again', async ({ fault, inject }) => {
    const before = new Set((await ours()).map(({ order_id: id }) => id));
    const subject = start(fault);
    await subject.run.until(/order live/);
    inject(subject);
    await expectCloseOnly(subject);
    await expectWhole(subject, before);
    subject.run.kill('SIGTERM');
    expect((await subject.run.exit).code).toBe(0);
    await expectWhole(subject, before);
    await expectRestart(subject, fault === 'late-error');
    await expectWhole(subject, before);
  });
});
