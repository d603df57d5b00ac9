import { beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { JournalError } from '../../../src/domain/errors.ts';
import type { BetId } from '../../../src/domain/ids.ts';
import { CHECKPOINT } from '../../../src/orders/journal/checkpoint.ts';
import { emptyState } from '../../../src/orders/journal/fold.ts';
import { JournalWriter } from '../../../src/orders/journal/journal-writer.ts';
import type { Fact } from '../../../src/orders/journal/records.ts';
import { createMemoryJournal, type MemoryStore, memoryStore } from '../../../src/storage/memory-journal.ts';

let store: MemoryStore;
let writer: JournalWriter;
let failures: unknown[];
let isFull: boolean;
let appends: number;

beforeEach(() => {
  [store, failures, isFull, appends] = [memoryStore(), [], false, 0];
  const clock = new VirtualClock();
  const beforeAppend = (): void => {
    if (isFull) throw new Error('disk full');
    appends++;
  };
  const journal = createMemoryJournal(clock, { store, beforeAppend });
  writer = new JournalWriter(
    journal,
    () => clock.wallMs(),
    (error) => void failures.push(error),
    () => null,
  );
});

const latched = (reason: string): Fact => ({ kind: 'latched', reason });
const written = (): unknown[] =>
  store.records.map(({ kind, data }) => (kind === CHECKPOINT ? kind : (data as { reason: string }).reason));

describe('facts', () => {
  it('that are noted are written together at the end of the turn, once', () => {
    writer.note(latched('a'));
    writer.note(latched('b'));
    expect([written(), appends]).toEqual([[], 0]);
    writer.flush();
    writer.flush();
    expect([written(), appends]).toEqual([['a', 'b'], 1]);
  });

  it('that are committed are written at once, after all that was noted', () => {
    writer.note(latched('a'));
    writer.commit(latched('b'), latched('c'));
    writer.flush();
    expect([written(), appends]).toEqual([['a', 'b', 'c'], 1]);
    writer.commit();
    expect(appends).toBe(1);
  });

  it('are part of what the journal knows as soon as they are written, once it was read', () => {
    const fill = { betId: 7 as BetId, sport: 'fb', eventId: 'e' } as never;
    writer.commit({ kind: 'fill_booked', fill });
    expect([[...writer.bookedFills()], writer.account()]).toEqual([
      [],
      { orders: [], heartbeats: new Set(), covered: null },
    ]);
    writer.resume(emptyState());
    writer.note({ kind: 'fill_booked', fill });
    expect([...writer.bookedFills()]).toEqual([]);
    writer.flush();
    expect([...writer.bookedFills()]).toEqual([fill]);
  });
});

describe('a journal that cannot be written', () => {
  it('fails the act that needs it, is reported once, and takes nothing more', () => {
    writer.resume(emptyState());
    isFull = true;
    expect(() => writer.commit(latched('a'))).toThrow(JournalError);
    expect([writer.failed, writer.unread, failures.length]).toEqual([true, false, 1]);
    isFull = false;
    expect(() => writer.commit(latched('b'))).toThrow('the journal failed before');
    writer.note(latched('c'));
    writer.flush();
    writer.checkpoint();
    writer.fail(new Error('another'));
    expect([written(), failures.length]).toEqual([[], 1]);
  });

  it('is reported at the end of a turn, and does not stop that', () => {
    writer.note(latched('a'));
    isFull = true;
    writer.flush();
    expect([writer.failed, writer.unread, failures.length]).toEqual([true, true, 1]);
  });

  it('is trusted until then', () => {
    expect([writer.failed, writer.unread]).toEqual([false, false]);
  });
});

describe('a checkpoint', () => {
  it('is written only once the journal was read, and only if there is something new', () => {
    writer.note(latched('a'));
    writer.checkpoint();
    expect([written(), writer.checkpointSeq]).toEqual([['a'], 0]);
    writer.resume(emptyState());
    writer.checkpoint();
    expect([written(), writer.checkpointSeq]).toEqual([['a', CHECKPOINT], 2]);
    writer.checkpoint();
    expect(written()).toHaveLength(2);
    writer.note(latched('b'));
    writer.checkpoint();
    expect([written(), writer.checkpointSeq]).toEqual([['a', CHECKPOINT, 'b', CHECKPOINT], 4]);
  });

  it('counts as a record of the state that it holds', () => {
    const state = emptyState();
    writer.resume(state);
    writer.note(latched('a'));
    writer.checkpoint();
    expect([state.records, state.latched]).toEqual([2, 'a']);
  });

  it('is found when a later run goes on', () => {
    writer.resume(emptyState());
    writer.note(latched('a'));
    writer.checkpoint();
    const later = new JournalWriter(
      createMemoryJournal(new VirtualClock(), { store }),
      () => 0,
      () => undefined,
      () => null,
    );
    later.resume(emptyState());
    later.checkpoint();
    expect([later.checkpointSeq, store.records.length]).toEqual([2, 2]);
  });

  it('is written by itself at the end of the turn in which ten thousand records have come', () => {
    writer.resume(emptyState());
    writer.commit(...Array.from({ length: 9_998 }, () => latched('a')));
    writer.note(latched('b'));
    writer.flush();
    expect(writer.checkpointSeq).toBe(0);
    writer.note(latched('c'));
    writer.flush();
    expect(writer.checkpointSeq).toBe(10_001);
  });
});
