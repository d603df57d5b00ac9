import { expect, it } from 'vitest';
import type { MemoryStore } from '../../src/storage/memory-journal.ts';
import { JournalView } from './journal-view.ts';

it('goes back to the cursor that a crash has left', () => {
  const records = [10, 20, 30].map((updatesToMs, at) => ({
    seq: at + 1,
    kind: 'cursor',
    data: { updatesToMs },
  }));
  const store = { rootSeq: 0, records } as unknown as MemoryStore;
  const ignored = (): void => undefined;
  const view = new JournalView(store, { onBookedTwice: ignored, onMeantAgain: ignored, onPath: ignored });
  view.read();
  expect(view.cursorMs).toBe(30);
  records.length = 1;
  view.rewind();
  expect(view.cursorMs).toBe(10);
  records.length = 0;
  view.rewind();
  expect(view.cursorMs).toBeNull();
});
