import type { JournalEntry } from '../../src/ports/journal.ts';

/** One of many different ones, with text and structure to come back as it was. */
export const entry = (n: number): JournalEntry => ({
  kind: 'test',
  uuid: n % 2 === 0 ? null : `uuid-${n}`,
  data: { n, text: `snø ${n}`, nested: [1, null, { deep: true }] },
});
