import type { JournalEntry } from '../../src/ports/journal.ts';

/** An entry out of many different ones, whose text and structure must be read back unchanged. */
export const entry = (n: number): JournalEntry => ({
  kind: 'test',
  uuid: n % 2 === 0 ? null : `uuid-${n}`,
  data: { n, text: `snø ${n}`, nested: [1, null, { deep: true }] },
});
