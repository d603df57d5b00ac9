import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { LIMITS } from '../../../src/app/journal/limits-memory.ts';
import { previousRun } from '../../../src/app/journal/previous-run.ts';
import { JournalDamage } from '../../../src/domain/errors.ts';
import type { OrderState } from '../../../src/domain/lifecycle.ts';
import { entryOf, type Fact } from '../../../src/orders/journal/records.ts';
import type { Journal, JournalEntry } from '../../../src/ports/journal.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';
import { CalmDay } from '../../support/calm-day.ts';

const STARTED = entryOf({ kind: 'run_started', run: 'x' });
const ended = (isEnd: boolean): JournalEntry => ({ kind: LIMITS, uuid: null, data: { ended: isEnd } });
const KILL: JournalEntry = { kind: 'risk_snapshot', uuid: null, data: {} };

function intended(uuid: string): JournalEntry {
  const place = { sport: 'fb', eventId: '2026-01-01,1,2' };
  const fact = { kind: 'order_intended', uuid, place, selectionId: 's', owner: 'mine', repeat: false };
  return entryOf(fact as unknown as Fact);
}

const changed = (uuid: string, state: OrderState): JournalEntry =>
  entryOf({
    kind: 'order_changed',
    uuid,
    state,
    orderId: null,
    expiryMs: null,
    filledMicros: 0,
    closeReason: null,
    source: 'answer',
  } as unknown as Fact);

/** A journal with these records, a second apart. */
async function journalOf(...entries: readonly JournalEntry[]): Promise<{ journal: Journal; lastMs: number }> {
  const clock = new VirtualClock();
  const journal = createMemoryJournal(clock);
  for (const entry of entries) {
    await clock.advance(1_000);
    journal.append([entry]);
  }
  return { journal, lastMs: clock.wallMs() };
}

describe('the previous run', () => {
  it('is none in a new journal', async () => {
    const { journal } = await journalOf(KILL);
    expect(previousRun(journal)).toEqual({ epoch: 0, endedAtMs: null, how: 'none', ordersLeft: 0 });
  });

  it('ended clean with its last record, whatever a command wrote after it', async () => {
    const { journal, lastMs } = await journalOf(STARTED, ended(false), ended(true), KILL);
    expect(previousRun(journal)).toEqual({
      epoch: 1,
      endedAtMs: lastMs - 1_000,
      how: 'clean',
      ordersLeft: 0,
    });
  });

  it.each<[string, readonly JournalEntry[]]>([
    ['it wrote no last record', [STARTED, ended(false)]],
    ['it wrote no record of limits', [STARTED]],
    ['only the run before it wrote a last record', [STARTED, ended(true), STARTED]],
    ['an order followed the last record', [STARTED, ended(true), intended('a'), changed('a', 'closed')]],
  ])('did not end clean if %s', async (_, entries) => {
    const { journal, lastMs } = await journalOf(...entries);
    expect(previousRun(journal)).toMatchObject({ how: 'not clean', endedAtMs: lastMs, ordersLeft: 0 });
  });

  it('left the orders that may still have been open', async () => {
    const { journal } = await journalOf(
      STARTED,
      intended('a'),
      intended('b'),
      intended('c'),
      changed('a', 'closed'),
      changed('b', 'unknown'),
    );
    expect(previousRun(journal)).toMatchObject({ how: 'not clean', ordersLeft: 2 });
  });

  it('is not known if the journal cannot be read', async () => {
    const { journal } = await journalOf(STARTED);
    const damaged = (): never => {
      throw new JournalDamage('unreadable', {});
    };
    expect(previousRun({ ...journal, read: damaged, last: damaged })).toBeNull();
  });
});

it('is shown by the next run, after a crash and after a stop', async () => {
  const day = new CalmDay();
  const shown = () => day.run.daemon.status().previousRun;
  await day.begin();
  expect(shown()).toMatchObject({ epoch: 0, how: 'none' });
  day.world.kill();
  await day.begin();
  expect(shown()).toMatchObject({ epoch: 1, how: 'not clean' });
  expect(shown()!.ordersLeft).toBeGreaterThan(0);
  await day.stop();
  await day.begin();
  expect(shown()).toMatchObject({ epoch: 2, how: 'clean', ordersLeft: 0 });
});
