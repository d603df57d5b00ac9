import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { LIMITS } from '../../../src/app/journal/limits-memory.ts';
import { openJournal } from '../../../src/app/journal/open-journal.ts';
import { JournalDamage } from '../../../src/domain/errors.ts';
import { foldJournal } from '../../../src/orders/journal/checkpoint.ts';
import { entryOf } from '../../../src/orders/journal/records.ts';
import type { Journal } from '../../../src/ports/journal.ts';
import type { ChainedJournal } from '../../../src/storage/chained-journal.ts';
import { memoryFile } from '../../../src/storage/files/memory-file.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';

const clock = new VirtualClock();
const opened = (journal: ChainedJournal) =>
  openJournal('account', clock, {
    lock: () => ({ earlierOwner: 'unknown', trades: () => undefined, release: () => undefined }),
    journal: () => journal,
    backUp: () => null,
    permit: () => memoryFile(),
    mark: () => memoryFile(),
    lost: () => null,
    watch: () => null,
  });

it('reports damage where budgets are read, which recovery may never reach', () => {
  const journal = createMemoryJournal(clock);
  journal.append([entryOf({ kind: 'run_started', run: '1' })]);
  expect(opened(journal)).toMatchObject({ damage: null, earlierBudgets: { snapshot: null } });
  const damage = new JournalDamage('journal record is damaged', { seq: 2 });
  const last: Journal['last'] = (kind) => {
    if (kind === LIMITS) throw damage;
    return journal.last(kind);
  };
  const found = opened({ ...journal, last });
  expect(found).toMatchObject({ damage, earlierBudgets: {} });
  expect(foldJournal(found.journal)).toMatchObject({ runs: 1, records: 1 });
});

it('lets errors other than damage through', () => {
  const read = (): never => {
    throw new TypeError('a mistake of ours');
  };
  expect(() => opened({ ...createMemoryJournal(clock), read })).toThrow(TypeError);
});

const folder = mkdtempSync(join(tmpdir(), 'touchline-open-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('says whether its records end with the process', () => {
  const [inMemory, onDisk] = [openJournal('', clock), openJournal(join(folder, 'kept.sqlite'), clock)];
  expect([inMemory.inMemory, onDisk.inMemory]).toEqual([true, false]);
  onDisk.release();
});

it('lets only one process use an account, under whichever name of its journal another asks', () => {
  const [path, link] = [join(folder, 'journal.sqlite'), join(folder, 'linked.sqlite')];
  openJournal(path, clock).release();
  symlinkSync(path, link);
  const first = openJournal(path, clock);
  expect(() => openJournal(link, clock)).toThrow(expect.objectContaining({ code: 'locked' }));
  first.permit.write('of both');
  first.release();
  const second = openJournal(link, clock);
  expect(second.permit.read()).toBe('of both');
  second.release();
});

it.each(['', 'no JSON'])(
  'reports that another process holds the account, whatever the reason given: "%s"',
  (holder) => {
    const path = join(folder, 'held.sqlite');
    const first = openJournal(path, clock);
    writeFileSync(`${path}.lock.holder`, holder);
    expect(() => openJournal(path, clock)).toThrow(
      expect.objectContaining({
        code: 'locked',
        message: `the account is in use by another process: stop that one first (journal ${path})`,
      }),
    );
    first.release();
  },
);

it('locks the real name also where a link leads to a journal that does not exist yet', () => {
  const [path, link, further] = ['later.sqlite', 'first-link.sqlite', 'second-link.sqlite'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  symlinkSync('later.sqlite', link);
  symlinkSync(link, further);
  const first = openJournal(further, clock);
  for (const name of [path, link, further]) {
    expect(() => openJournal(name, clock)).toThrow(expect.objectContaining({ code: 'locked' }));
  }
  first.release();
});

it('refuses circular links', () => {
  const [one, other] = [join(folder, 'one.sqlite'), join(folder, 'other.sqlite')];
  symlinkSync(one, other);
  symlinkSync(other, one);
  expect(() => openJournal(one, clock)).toThrow(`journal.path = "${one}": cannot open the journal`);
});
