import { afterAll, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { measuredJournal, showJournalSize } from '../../../src/app/journal/journal-metrics.ts';
import { JournalError } from '../../../src/domain/errors.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';
import type { Journal } from '../../../src/ports/journal.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';
import { temporaryFolder } from '../../support/exchange.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const ENTRY = { kind: 'noted', uuid: null, data: null };

/** A journal on a disk that takes `tookMs` for a commit, and the exposition of its metrics. */
function measured(append: (journal: Journal) => void, tookMs: number) {
  let nowMs = 0;
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const memory = createMemoryJournal(new VirtualClock());
  const slow: Journal = {
    ...memory,
    append(entries) {
      nowMs += tookMs;
      memory.append(entries);
      append(memory);
    },
    read: (afterSeq) => memory.read(afterSeq),
  };
  const journal = measuredJournal(slow, metrics, { monotonicMs: () => nowMs });
  return { journal, text: async () => (await metrics.expose()).text };
}

describe('the metrics of the journal', () => {
  it('show how long commits take', async () => {
    const { journal, text } = measured(() => undefined, 4);
    journal.append([ENTRY]);
    journal.append([ENTRY]);
    expect([...journal.read()]).toHaveLength(2);
    expect(await text()).toContain('touchline_journal_commit_seconds_count 2\n');
    expect(await text()).toContain('touchline_journal_commit_seconds_bucket{le="0.0025"} 0\n');
    expect(await text()).toContain('touchline_journal_commit_seconds_bucket{le="0.005"} 2\n');
  });

  it('include commits that fail', async () => {
    const fail = (): void => {
      throw new JournalError('the disk is full');
    };
    const { journal, text } = measured(fail, 2_000);
    expect(() => journal.append([ENTRY])).toThrow('the disk is full');
    expect(await text()).toContain('touchline_journal_commit_seconds_sum 2\n');
  });

  it('show the size of the file and of its log, as they are at each exposition', async () => {
    const metrics = createPrometheusMetrics({ processMetrics: false });
    const path = folder.file('j.sqlite', '12345');
    showJournalSize(metrics, path);
    expect((await metrics.expose()).text).toContain('touchline_journal_bytes 5\n');
    folder.file('j.sqlite-wal', '123');
    expect((await metrics.expose()).text).toContain('touchline_journal_bytes 8\n');
  });

  it('show no size for a journal in memory', async () => {
    const metrics = createPrometheusMetrics({ processMetrics: false });
    showJournalSize(metrics, '');
    expect((await metrics.expose()).text).toContain('touchline_journal_bytes 0\n');
  });
});
