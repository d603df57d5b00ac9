import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, expect, it } from 'vitest';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { openSqliteJournal } from '../../src/storage/sqlite-journal.ts';
import { temporaryFolder } from '../support/exchange.ts';
import { launch, touchline } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const RECORDS = 100_000;
/** Enough for the command itself, and not enough for the journal. */
const LITTLE_MEMORY = { NODE_OPTIONS: '--max-old-space-size=64' };

it('exports a journal through a pipe, however large it is', async () => {
  const path = join(folder.path, 'large.sqlite');
  const journal = openSqliteJournal(path, systemClock);
  const record = { kind: 'order_changed', uuid: null, data: { text: 'x'.repeat(300) } };
  journal.append(Array.from({ length: RECORDS }, () => record));
  journal.close();
  const { code, stdout } = await touchline(['journal', 'export', path], LITTLE_MEMORY).exit;
  expect([code, stdout.split('\n').length - 1]).toEqual([0, RECORDS]);
});

/** Nothing can be written to this device. Only Linux has it. */
const FULL_DEVICE = '/dev/full';

it.runIf(existsSync(FULL_DEVICE))('reports in one line an output that cannot be written', async () => {
  const line = `"${process.execPath}" src/cli/main.ts config show > ${FULL_DEVICE}`;
  const { code, stderr } = await launch('sh', ['-c', line]).exit;
  expect([code, stderr]).toEqual([1, 'touchline: the output could not be written: ENOSPC\n']);
});
