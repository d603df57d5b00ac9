import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { verifyJournal } from '../../../src/app/journal/journal-tools.ts';
import { LIMITS } from '../../../src/app/journal/limits-memory.ts';
import { openJournal } from '../../../src/app/journal/open-journal.ts';
import {
  EMPTY_SNAPSHOT,
  RiskMemory,
  SETTLED,
  type SettledBets,
  SNAPSHOT,
} from '../../../src/engine/risk-inputs/risk-memory.ts';
import { CHECKPOINT, checkpointOf, foldJournal } from '../../../src/orders/journal/checkpoint.ts';
import { entryOf } from '../../../src/orders/journal/records.ts';
import { entryAt, flipBit } from '../../support/kind-index.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchline-hidden-'));
afterAll(() => rmSync(folder, { recursive: true }));

const clock = new VirtualClock();
const KILL = { by: 'a person', reason: 'drill', atMs: 1 };
const settled = (orderId: number): SettledBets =>
  ({ orderId, sport: 'fb', profitLossMicros: -5e6, eventId: 'over', betIds: [] }) as unknown as SettledBets;

let path = '';
let count = 0;

/** A run settled bets and was killed. Its last record is a checkpoint, so recovery reads nothing else. */
beforeEach(() => {
  path = join(folder, `${count++}.sqlite`);
  const { journal, release } = openJournal(path, clock);
  const memory = new RiskMemory(journal);
  memory.load();
  memory.notePermit();
  journal.append([entryOf({ kind: 'run_started', run: '1' }), { kind: LIMITS, uuid: null, data: {} }]);
  memory.save(EMPTY_SNAPSHOT);
  for (const id of [1, 2, 3]) memory.saveSettled(settled(id));
  memory.save({ ...EMPTY_SNAPSHOT, kill: KILL });
  journal.append([{ kind: CHECKPOINT, uuid: null, data: checkpointOf(foldJournal(journal)) }]);
  release();
});

/** Reads everything that a start reads. */
function start() {
  const { journal, damage, release } = openJournal(path, clock);
  try {
    if (damage !== null) throw damage;
    foldJournal(journal);
    const memory = new RiskMemory(journal);
    return { ...memory.load(), wantsPermit: memory.wantsPermit() };
  } finally {
    release();
  }
}

it('starts with every record found while the index over kinds is whole', () => {
  const settlements = [1, 2, 3].map((id) => ({ ...settled(id), reportedMs: clock.wallMs() }));
  expect(start()).toEqual({
    snapshot: { ...EMPTY_SNAPSHOT, kill: KILL },
    settled: settlements,
    standing: new Map(),
    wantsPermit: true,
  });
  expect(verifyJournal(path, clock).damage).toBeNull();
});

it.each([SNAPSHOT, SETTLED, LIMITS, CHECKPOINT])(
  'reports a record of %s that the index over kinds hides as damage, at a start and in `journal verify`',
  (kind) => {
    flipBit(path, entryAt(path, kind, 'last'));
    expect(start).toThrow(/missing/);
    // The record itself is whole.
    expect(verifyJournal(path, clock)).toMatchObject({
      damage: null,
      index: {
        message: 'journal record is missing in the index over kinds',
        seq: expect.any(Number) as number,
      },
    });
  },
);

it('requires the permit although the index over kinds hides that it was granted', () => {
  flipBit(path, entryAt(path, 'permit_granted', 'last'));
  const { journal, release } = openJournal(path, clock);
  expect(() => new RiskMemory(journal).wantsPermit()).toThrow('missing in the index');
  release();
});
