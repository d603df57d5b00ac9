import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { JournalError } from '../../../src/domain/errors.ts';
import { betType } from '../../../src/domain/ids.ts';
import {
  conventionEntry,
  dependsOnConvention,
  directionEntry,
  isFresh,
  type ProvenDirection,
  provenDirections,
  recordedConvention,
} from '../../../src/engine/convention/journalled.ts';
import type { Journal } from '../../../src/ports/journal.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';

const journalOf = (...entries: Parameters<Journal['append']>[0]): Journal => {
  const journal = createMemoryJournal(new VirtualClock());
  if (entries.length > 0) journal.append(entries);
  return journal;
};
const PROVEN: ProvenDirection = {
  direction: 'for',
  priceKind: 'odds-for',
  convention: 'lay',
  how: 'position',
};

describe('what the journal tells of the convention', () => {
  it('is the last that was recorded, if it is known', () => {
    expect(recordedConvention(journalOf())).toBeNull();
    const [first, last] = [
      { convention: 'lay', how: 'stream' },
      { convention: 'odds', how: 'configured' },
    ] as const;
    expect(recordedConvention(journalOf(conventionEntry(first), conventionEntry(last)))).toEqual(last);
    const odd = conventionEntry({ convention: 'other' as never, how: 'stream' });
    expect(recordedConvention(journalOf(conventionEntry(first), odd))).toBeNull();
  });

  it('has every kind of price that was confirmed', () => {
    const other = { ...PROVEN, priceKind: 'lay-for', how: 'settled' } as const;
    expect(provenDirections(journalOf())).toEqual([]);
    const entries = [directionEntry(PROVEN), conventionEntry({ convention: 'lay', how: 'stream' })];
    expect(provenDirections(journalOf(...entries, directionEntry(other)))).toEqual([PROVEN, other]);
  });

  it('is of no earlier run before one has started, and after that of one, even if it was cut', () => {
    expect(isFresh(journalOf())).toBe(true);
    expect(isFresh(journalOf(conventionEntry({ convention: 'lay', how: 'stream' })))).toBe(true);
    expect(isFresh(journalOf({ kind: 'run_started', uuid: null, data: {} }))).toBe(false);
    expect(isFresh({ ...journalOf(), rootSeq: () => 1 })).toBe(false);
  });

  it.each<[string, unknown]>([
    ['nothing where it is damaged', new JournalError('damaged')],
    ['the fault where something else is wrong', new TypeError('a bug')],
  ])('is %s', (_, error) => {
    const fail = (): never => {
      throw error;
    };
    const journal = { ...journalOf(), last: fail, ofKind: fail };
    const read = [recordedConvention, provenDirections, isFresh].map((each) => () => each(journal));
    if (error instanceof JournalError) expect(read.map((each) => each())).toEqual([null, [], false]);
    else for (const each of read) expect(each).toThrow('a bug');
  });
});

it('only prices of bets against a selection depend on the convention', () => {
  expect(['against,h', 'for,h', 'other'].map((type) => dependsOnConvention(betType(type)))).toEqual([
    true,
    false,
    false,
  ]);
});
