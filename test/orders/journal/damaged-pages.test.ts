import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { JournalDamage } from '../../../src/domain/errors.ts';
import { CHECKPOINT, checkpointOf, foldJournal } from '../../../src/orders/journal/checkpoint.ts';
import { emptyState } from '../../../src/orders/journal/fold.ts';
import { JournalWriter } from '../../../src/orders/journal/journal-writer.ts';
import { Retention } from '../../../src/orders/journal/maintenance.ts';
import { orderOptions } from '../../../src/orders/options.ts';
import type { OrderContext } from '../../../src/orders/state/context.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import { openSqliteJournal } from '../../../src/storage/sqlite-journal.ts';
import { indexPages } from '../../support/kind-index.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchline-pages-'));
afterAll(() => rmSync(folder, { recursive: true }));

const DAY_MS = 86_400_000;
const PAGE_BYTES = 4_096;
const FIRST = 'the first of all records';

/** A journal with a damaged file. A checkpoint follows its first thousand records. */
function damagedJournal(clock: VirtualClock, damage: (path: string) => void) {
  const path = join(mkdtempSync(join(folder, 'one-')), 'journal.sqlite');
  const journal = openSqliteJournal(path, clock);
  const others = Array.from({ length: 999 }, () => 'x'.repeat(100));
  journal.append([FIRST, ...others].map((data) => ({ kind: 'note', uuid: null, data })));
  journal.append([{ kind: CHECKPOINT, uuid: null, data: checkpointOf(emptyState()) }]);
  journal.close();
  damage(path);
  return openSqliteJournal(path, clock);
}

/** Overwrites a page, so that it is no valid page. */
function spoil(path: string, offset: number): void {
  const file = readFileSync(path);
  file.fill(0xff, offset, offset + 8);
  writeFileSync(path, file);
}

function spoilRecords(path: string): void {
  const at = readFileSync(path).indexOf(FIRST);
  spoil(path, at - (at % PAGE_BYTES));
}

/** The page with the oldest records follows the root. */
const spoilIndex = (path: string): void => spoil(path, indexPages(path)[2]?.offset as number);

it.each([
  ['of the oldest records', spoilRecords],
  ['of the index over them', spoilIndex],
])(
  'treats a page %s that cannot be read, where recovery does not look, as damage: the journal stays writable',
  async (_, damageFile) => {
    const clock = new VirtualClock();
    const journal = damagedJournal(clock, damageFile);
    await clock.advance(40 * DAY_MS);
    const failures: unknown[] = [];
    const journalWriter = new JournalWriter(
      journal,
      () => clock.wallMs(),
      (error) => void failures.push(error),
      () => 0,
    );
    journalWriter.resume(foldJournal(journal));
    const options = orderOptions({ journal: { retentionMs: DAY_MS } });
    const rig = {
      deps: { journal, clock },
      options,
      log: silentLogger,
      journalWriter,
    } as unknown as OrderContext;
    const damage: unknown[] = [];
    const retention = new Retention(rig, (error) => void damage.push(error));
    for (let second = 0; second < 4; second++) {
      retention.sweep();
      await clock.advance(1_000);
    }
    expect([failures, damage]).toEqual([[], [expect.any(JournalDamage)]]);
    journalWriter.commit({ kind: 'run_started', run: '2' });
    expect(journal.last('run_started')?.seq).toBeGreaterThan(1_001);
    journal.close();
  },
);
