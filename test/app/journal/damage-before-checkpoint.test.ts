import { expect, it } from 'vitest';
import { LIMITS } from '../../../src/app/journal/limits-memory.ts';
import { SETTLED, SNAPSHOT } from '../../../src/engine/risk-inputs/risk-memory.ts';
import { CHECKPOINT, checkpointOf, foldJournal } from '../../../src/orders/journal/checkpoint.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';
import { CalmDay } from '../../support/calm-day.ts';

/** A day that was killed and has ended. Its last record is a checkpoint, so recovery reads nothing else. */
async function deadDay(): Promise<CalmDay> {
  const day = new CalmDay();
  await day.begin();
  await day.pass(70_000);
  day.controls.kill('drill', 'a person');
  day.run.composed.parts.memories[0]?.end();
  await day.crash();
  const journal = createMemoryJournal(day.world.clock, { store: day.world.disk.store });
  const settled = { orderId: 1, profitLossMicros: 0, eventId: 'over', betIds: [] };
  journal.append([{ kind: SETTLED, uuid: null, data: settled }]);
  journal.append([{ kind: CHECKPOINT, uuid: null, data: checkpointOf(foldJournal(journal)) }]);
  return day;
}

it.each([LIMITS, SNAPSHOT, SETTLED])(
  'stops quoting, and lifts no kill, on a damaged record of %s before the last checkpoint',
  async (kind) => {
    const day = await deadDay();
    const { disk } = day.world;
    disk.damagedSeq = disk.store.records.findLast((record) => record.kind === kind)?.seq ?? null;
    expect(disk.damagedSeq).not.toBeNull();
    await day.begin(false);
    await day.pass(70_000);
    expect(day.run.composed.parts.orders.status()).toMatchObject({ journalFailed: true });
    day.resume();
    await day.pass(20_000);
    expect(day.creates()).toBe(0);
    await day.crash();
    disk.repair();
    await day.begin(false);
    expect(day.run.composed.core.risk.killed).toMatchObject({ reason: expect.any(String) });
  },
);

it('quotes again after a resume on the same journal undamaged', async () => {
  const day = await deadDay();
  await day.begin(false);
  day.resume();
  await day.until('quoting', () => day.open().length > 1);
  expect(day.run.composed.parts.orders.status()).toMatchObject({ journalFailed: false });
});
