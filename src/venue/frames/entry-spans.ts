import { BYTE } from './bytes.ts';
import { endOfEntry, isClosing, readOpening, skipBlanks } from './frame-text.ts';

const { CLOSE, COMMA } = BYTE;

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
  let next = skipBlanks(array, opening.entries);
  if (array[next] === CLOSE) return isClosing(array, next + 1) ? spans : null;
  for (;;) {
    const to = endOfEntry(array, next);
    if (to < 0) return null;
    spans.push({ from: next, to });
    next = skipBlanks(array, to);
    if (array[next] === CLOSE) return isClosing(array, next + 1) ? spans : null;
    if (array[next] !== COMMA) return null;
    next = skipBlanks(array, next + 1);
  }
}
