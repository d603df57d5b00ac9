import { endOfEntry, readOpening, walkEntries } from './frame-text.ts';

/** Where an entry's text is in its frame. */
export interface EntrySpan {
  readonly from: number;
  readonly to: number;
}

/** The entries of a frame by their positions, unread; null when the text of the frame is unexpected. */
export function entrySpans(array: Uint8Array): readonly EntrySpan[] | null {
  const opening = readOpening(array);
  if (opening === null) return null;
  const spans: EntrySpan[] = [];
  const isExpected = walkEntries(array, opening.entries, (from) => {
    const to = endOfEntry(array, from);
    spans.push({ from, to });
    return to;
  });
  return isExpected ? spans : null;
}
