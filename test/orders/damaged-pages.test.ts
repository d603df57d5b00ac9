import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { JournalDamage } from '../../src/domain/errors.ts';
import { CHECKPOINT, checkpointOf, foldJournal } from '../../src/orders/checkpoint.ts';
import type { Desk } from '../../src/orders/desk.ts';
import { emptyState } from '../../src/orders/fold.ts';
import { orderOptions } from '../../src/orders/options.ts';
import { Retention } from '../../src/orders/retention.ts';
import { Scribe } from '../../src/orders/scribe.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { openSqliteJournal } from '../../src/storage/sqlite-journal.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchline-pages-'));
afterAll(() => rmSync(folder, { recursive: true }));

const DAY_MS = 86_400_000;
const PAGE_BYTES = 4_096;
const FIRST = 'the first of all records';

/** A journal whose oldest records lie on a page that is no page any more. A checkpoint comes long after them. */
function damagedJournal(clock: VirtualClock) {
  const path = join(folder, 'journal.sqlite');
  const journal = openSqliteJournal(path, clock);
  const others = Array.from({ length: 399 }, () => 'x'.repeat(100));
  journal.append([FIRST, ...others].map((data) => ({ kind: 'note', uuid: null, data })));
  journal.append([{ kind: CHECKPOINT, uuid: null, data: checkpointOf(emptyState()) }]);
  journal.close();
  const file = readFileSync(path);
  const page = Math.floor(file.indexOf(FIRST) / PAGE_BYTES);
  file.fill(0xff, page * PAGE_BYTES, page * PAGE_BYTES + 8);
  writeFileSync(path, file);
  return openSqliteJournal(path, clock);
}

it('takes a page that cannot be read, where recovery does not look, for damage: the journal can be written', async () => {
  const clock = new VirtualClock();
  const journal = damagedJournal(clock);
  await clock.advance(40 * DAY_MS);
  const failures: unknown[] = [];
  const scribe = new Scribe(
    journal,
    () => clock.wallMs(),
    (error) => void failures.push(error),
    () => 0,
  );
  scribe.resume(foldJournal(journal));
  const options = orderOptions({ journal: { retentionMs: DAY_MS } });
  const desk = { deps: { journal, clock }, options, log: silentLogger, scribe } as unknown as Desk;
  const damage: unknown[] = [];
  new Retention(desk, (error) => void damage.push(error)).sweep();
  expect([failures, damage]).toEqual([[], [expect.any(JournalDamage)]]);
  scribe.commit({ kind: 'run_started', run: '2' });
  expect(journal.last('run_started')?.seq).toBe(402);
  journal.close();
});
