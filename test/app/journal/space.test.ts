import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { cwd } from 'node:process';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/app/adapters/system-clock.ts';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { judgeSpace, type SpaceReadings, spaceOf, warnOfSpace } from '../../../src/app/journal/space.ts';
import type { LogFields } from '../../../src/ports/logger.ts';
import { openSqliteJournal } from '../../../src/storage/sqlite-journal.ts';
import { temporaryFolder } from '../../support/exchange.ts';

const temporary = temporaryFolder();
afterAll(() => temporary.remove());

const MB = 1024 * 1024;
const DAY_MS = 86_400_000;

/** 10 MB a day, of which two days are kept so far. */
const BUSY: SpaceReadings = {
  freeBytes: 10_000 * MB,
  journalBytes: 20 * MB,
  journalSpanMs: 2 * DAY_MS,
  retentionDays: 30,
  recordingBytes: 0,
};

describe('the space that a run needs', () => {
  it('is 256 MB, and what the journal will grow by until it forgets', () => {
    // 30 days of 10 MB, less the 20 MB that are there.
    const needed = 256 + 280;
    expect(judgeSpace({ ...BUSY, freeBytes: needed * MB }).isEnough).toBe(true);
    expect(judgeSpace({ ...BUSY, freeBytes: needed * MB - 1 })).toEqual({
      isEnough: false,
      found:
        '536 MB free; a run needs 536 MB: 256 MB at least, the journal 280 MB more, at 10 MB a day for 30 days',
    });
  });

  it.each([
    ['a journal that is as old as its records are kept', { retentionDays: 2 }, 256],
    ['a journal that is older', { retentionDays: 1 }, 256],
    ['a journal that never forgets: 30 days', { retentionDays: 0 }, 256 + 300],
    ['a journal of less than an hour', { journalSpanMs: 3_599_999 }, 256],
    ['a journal of an hour', { journalSpanMs: 3_600_000 }, 256 + 20 * 24 * 30 - 20],
    ['a new journal', { journalBytes: 0, journalSpanMs: 0 }, 256],
    ['a recording', { recordingBytes: 9_000 * MB }, 256 + 280 + 9_000],
  ] as const)('of %s', (_, part, neededMb) => {
    expect(judgeSpace({ ...BUSY, ...part, freeBytes: neededMb * MB }).isEnough).toBe(true);
    expect(judgeSpace({ ...BUSY, ...part, freeBytes: neededMb * MB - 1 }).isEnough).toBe(false);
  });

  it('never falls when records are kept for longer, or more is recorded', () => {
    const whole = fc.integer({ min: 0, max: 10_000_000_000 });
    const days = fc.integer({ min: 1, max: 3_650 });
    fc.assert(
      fc.property(whole, whole, whole, whole, days, days, (free, journal, span, recording, a, b) => {
        const at = (retentionDays: number, recordingBytes: number): boolean =>
          judgeSpace({
            freeBytes: free,
            journalBytes: journal,
            journalSpanMs: span,
            retentionDays,
            recordingBytes,
          }).isEnough;
        if (at(Math.max(a, b), recording)) expect(at(Math.min(a, b), recording)).toBe(true);
        if (at(a, recording + 1)) expect(at(a, recording)).toBe(true);
      }),
    );
  });

  it('is none for a journal in memory, and unknown where there is no folder', () => {
    const config = (path: string) => ({
      journal: { path, retentionDays: 30 },
      record: { path: '', maxMb: 0, turns: false },
    });
    expect(spaceOf(config(''), null)).toBeNull();
    expect(() => spaceOf(config('/no/such/folder/journal.sqlite'), null)).toThrow('ENOENT');
  });

  it('is in the log of a start that lacks it, in the same words, and prevents no start', () => {
    const path = join(temporary.path, 'journal.sqlite');
    const journal = openSqliteJournal(path, systemClock);
    const lines: unknown[] = [];
    const logger = { warn: (message: string, fields?: LogFields) => void lines.push([message, fields]) };
    const plenty = { journal: { path, retentionDays: 30 }, record: { path: '', maxMb: 0, turns: false } };
    warnOfSpace([plenty, journal], logger);
    expect(lines).toEqual([]);
    // A recording of 100 TB.
    const short = {
      ...plenty,
      record: { path: join(temporary.path, 'new', 'one'), maxMb: 1e8, turns: true },
    };
    warnOfSpace([short, journal], logger);
    expect(lines).toEqual([['the disk may become full', { found: spaceOf(short, journal)?.found }]]);
    warnOfSpace([{ ...plenty, journal: { path: '/no/such/folder/j', retentionDays: 1 } }, null], logger);
    expect(lines).toHaveLength(1);
    journal.close();
  });

  it.each([
    ['an absolute path', (folder: string) => folder],
    ['a path from the folder of the process', (folder: string) => relative(cwd(), folder)],
    ['a path with a slash at its end', (folder: string) => `${folder}/`],
    ['a path with detours', (folder: string) => join(folder, 'x', '..') + sep + '.'],
  ])('counts the files of a recording that are there, named by %s', (name, written) => {
    const path = join(temporary.path, 'other.sqlite');
    const folder = join(temporary.path, `recording by ${name}`);
    const growth = (): string =>
      /the recording (\d+) MB more/.exec(
        spaceOf(
          {
            journal: { path, retentionDays: 1 },
            record: { path: written(folder), maxMb: 10, turns: true },
          },
          null,
        )?.found ?? '',
      )?.[1] ?? 'none';
    // What lies beside a recording that is not there yet is no part of it.
    writeFileSync(join(temporary.path, 'beside'), Buffer.alloc(MB));
    expect(growth()).toBe('10');
    mkdirSync(folder);
    expect(growth()).toBe('10');
    writeFileSync(join(folder, 'a'), Buffer.alloc(4 * MB));
    expect(growth()).toBe('6');
    writeFileSync(join(folder, 'b'), Buffer.alloc(7 * MB));
    expect(growth()).toBe('none');
  });

  it('takes the age of a journal from its first and its last record', async () => {
    const path = join(temporary.path, 'aged.sqlite');
    const clock = new VirtualClock();
    const journal = openSqliteJournal(path, clock);
    const config = { journal: { path, retentionDays: 30 }, record: { path: '', maxMb: 0, turns: false } };
    const entry = { kind: 'note', uuid: null, data: 'x' };
    journal.append([entry]);
    expect(spaceOf(config, journal)?.found).toContain('not known yet');
    await clock.advance(7_200_000);
    journal.append([entry]);
    expect(spaceOf(config, journal)?.found).toMatch(/more, at \d+ MB a day for 30 days/);
    journal.close();
  });
});
