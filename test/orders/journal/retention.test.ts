import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { JournalDamage, JournalError } from '../../../src/domain/errors.ts';
import type { HeartbeatId, OrderId } from '../../../src/domain/ids.ts';
import { CHECKPOINT, foldJournal, prune } from '../../../src/orders/journal/checkpoint.ts';
import { emptyState, type FoldedState } from '../../../src/orders/journal/fold.ts';
import { JournalWriter } from '../../../src/orders/journal/journal-writer.ts';
import { Retention, Verification } from '../../../src/orders/journal/maintenance.ts';
import { entryOf, type Fact } from '../../../src/orders/journal/records.ts';
import { orderOptions } from '../../../src/orders/options.ts';
import type { OrderContext } from '../../../src/orders/state/context.ts';
import type { Journal } from '../../../src/ports/journal.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';
import { openSqliteJournal } from '../../../src/storage/sqlite-journal.ts';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';
import { facts } from '../support/facts.ts';

const DAY_MS = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), 'touchline-retention-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The parts of a rig that retention and verification use, on an earlier run’s journal. */
function rigOn(journal: Journal, clock: VirtualClock, retentionMs: number | null = DAY_MS) {
  const damage: unknown[] = [];
  const journalWriter = new JournalWriter(
    journal,
    () => clock.wallMs(),
    () => undefined,
    () => 0,
  );
  journalWriter.resume(foldJournal(journal));
  const parts = {
    deps: { journal, clock, onlyLastMatters: ['snapshot'] },
    options: orderOptions({ journal: { retentionMs } }),
    log: silentLogger,
    journalWriter,
  };
  const rig = parts as unknown as OrderContext;
  const onDamage = (error: unknown): void => void damage.push(error);
  return {
    journalWriter,
    damage,
    retention: () => new Retention(rig, onDamage),
    verification: () => new Verification(rig, onDamage),
  };
}

/** A state without the number of records, and without what a checkpoint drops as long over. */
function essence(state: FoldedState): unknown {
  const copy = structuredClone(state);
  prune(copy, () => 0);
  return { ...copy, records: 0 };
}

async function sweepFor(clock: VirtualClock, ms: number, sweep: () => void): Promise<void> {
  for (let atMs = 0; atMs < ms; atMs += 1_000) {
    sweep();
    await clock.advance(1_000);
  }
}

describe('retention', () => {
  it('changes nothing that recovery finds, wherever it is interrupted', async () => {
    const days = fc.array(fc.record({ facts, gapMs: fc.nat(DAY_MS) }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(days, fc.nat(3), fc.boolean(), async (given, slices, stoppedInOrder) => {
        const clock = new VirtualClock();
        const journal = createMemoryJournal(clock);
        for (const day of given) {
          journal.append([...day.facts.map(entryOf), { kind: 'of-risk', uuid: null, data: 1 }]);
          clock.jumpWall(day.gapMs);
        }
        // The last record is a checkpoint, and no run starts for two days.
        if (stoppedInOrder) rigOn(journal, clock).journalWriter.checkpoint();
        if (stoppedInOrder) clock.jumpWall(2 * DAY_MS);
        const before = essence(foldJournal(journal));
        const others = [...journal.ofKind('of-risk')].map(({ seq }) => seq);
        const killed = rigOn(journal, clock).retention();
        await sweepFor(clock, slices * 1_000, () => killed.sweep());
        expect(essence(foldJournal(journal))).toEqual(before);
        const next = rigOn(journal, clock).retention();
        await sweepFor(clock, 5_000, () => next.sweep());
        expect(essence(foldJournal(journal))).toEqual(before);
        expect([...journal.ofKind('of-risk')].map(({ seq }) => seq)).toEqual(others);
        const left = [...journal.read(journal.rootSeq())].filter(({ kind }) => kind !== CHECKPOINT);
        expect(left[0]?.atMs ?? Infinity).toBeGreaterThanOrEqual(clock.wallMs() - DAY_MS - 10_000);
      }),
      { numRuns: 60 },
    );
  });

  it('writes no checkpoint while the last one comes after every record that goes', async () => {
    const clock = new VirtualClock();
    const journal = createMemoryJournal(clock);
    const retention = rigOn(journal, clock).retention();
    for (let hour = 0; hour < 96; hour++) {
      journal.append([entryOf({ kind: 'cursor', updatesToMs: hour })]);
      await sweepFor(clock, 5_000, () => retention.sweep());
      await clock.advance(3_600_000 - 5_000);
    }
    const checkpoints = [...journal.read()].filter(({ kind }) => kind === CHECKPOINT);
    expect(checkpoints).toHaveLength(1);
    expect(journal.lastSeq() - journal.rootSeq()).toBeLessThan(30);
  });

  it('goes slice by slice, keeps the last snapshot, and checks again later', async () => {
    const clock = new VirtualClock();
    const journal = createMemoryJournal(clock);
    const old: Fact[] = Array.from({ length: 1_100 }, (_, n) => ({ kind: 'cursor', updatesToMs: n }));
    const snapshot = (data: string) => ({ kind: 'snapshot', uuid: null, data });
    journal.append([snapshot('first'), ...old.map(entryOf), snapshot('second')]);
    clock.jumpWall(2 * DAY_MS);
    journal.append([entryOf({ kind: 'cursor', updatesToMs: 9 })]);
    const retention = rigOn(journal, clock).retention();
    retention.sweep();
    expect(journal.rootSeq()).toBe(500);
    retention.sweep();
    expect(journal.rootSeq()).toBe(500);
    await sweepFor(clock, 5_000, () => retention.sweep());
    expect(journal.rootSeq()).toBe(1_102);
    expect(journal.last('snapshot')).toMatchObject({ seq: 1_102, data: 'second' });
    expect([...journal.read()].map(({ kind }) => kind)).toEqual(['snapshot', 'cursor', CHECKPOINT]);
    clock.jumpWall(2 * DAY_MS);
    await clock.advance(3_600_000);
    await sweepFor(clock, 5_000, () => retention.sweep());
    expect([...journal.read()].map(({ kind }) => kind)).toEqual(['snapshot', CHECKPOINT]);
  });

  it('keeps everything when configured to', async () => {
    const clock = new VirtualClock();
    const journal = createMemoryJournal(clock);
    journal.append([entryOf({ kind: 'run_started', run: '1' })]);
    clock.jumpWall(1_000 * DAY_MS);
    const retention = rigOn(journal, clock, null).retention();
    await sweepFor(clock, 5_000, () => retention.sweep());
    expect(journal.lastSeq()).toBe(1);
    expect(journal.rootSeq()).toBe(0);
  });

  it('reports damage and leaves everything unchanged; a failing write ends all writing', async () => {
    const clock = new VirtualClock();
    const journal = createMemoryJournal(clock);
    journal.append([entryOf({ kind: 'run_started', run: '1' })]);
    clock.jumpWall(2 * DAY_MS);
    const failing = (error: Error): Journal => ({
      ...journal,
      forget: () => {
        throw error;
      },
    });
    const damaged = rigOn(failing(new JournalDamage('damaged', { seq: 1 })), clock);
    damaged.retention().sweep();
    expect([damaged.damage.length, damaged.journalWriter.failed]).toEqual([1, false]);
    const full = rigOn(failing(new JournalError('disk full')), clock);
    full.retention().sweep();
    expect([full.damage.length, full.journalWriter.failed]).toEqual([0, true]);
  });
});

describe('verification', () => {
  it('finds damage before the last checkpoint, which recovery does not read', async () => {
    const path = join(folder, 'old-damage.sqlite');
    const clock = new VirtualClock();
    const journal = openSqliteJournal(path, clock);
    const cursor = (n: number) => entryOf({ kind: 'cursor', updatesToMs: n });
    journal.append(Array.from({ length: 250 }, (_, n) => cursor(n)));
    rigOn(journal, clock).journalWriter.checkpoint();
    journal.append([cursor(251)]);
    const whole = rigOn(journal, clock);
    const first = whole.verification();
    await sweepFor(clock, 5_000, () => first.sweep());
    expect(whole.damage).toEqual([]);

    const db = new DatabaseSync(path);
    db.exec(`DROP TRIGGER journal_no_UPDATE; UPDATE journal SET data = '{"updatesToMs":0}' WHERE seq = 120`);
    db.close();
    expect(foldJournal(journal, emptyState()).cursorMs).toBe(251);
    const { verification, damage } = rigOn(journal, clock);
    const second = verification();
    second.sweep();
    expect(damage).toEqual([]);
    await sweepFor(clock, 10_000, () => second.sweep());
    expect(damage.map((error) => (error as JournalDamage).details['seq'])).toEqual([120]);
    await sweepFor(clock, 3_000, () => second.sweep());
    expect(damage).toHaveLength(1);
    journal.close();
  });

  it('finds any amount of damage in retained records', async () => {
    const path = join(folder, 'kept-damage.sqlite');
    const clock = new VirtualClock();
    const journal = openSqliteJournal(path, clock);
    journal.append(Array.from({ length: 350 }, (_, data) => ({ kind: 'of-risk', uuid: null, data })));
    rigOn(journal, clock).journalWriter.checkpoint();
    journal.forget({ belowSeq: 301, writtenBeforeMs: Infinity, most: 300, keeps: () => true });
    const db = new DatabaseSync(path);
    db.exec(`DROP TRIGGER kept_no_UPDATE; UPDATE kept SET data = '0' WHERE seq = 220`);
    db.close();
    const { verification: make, damage } = rigOn(journal, clock);
    const verification = make();
    await sweepFor(clock, 10_000, () => verification.sweep());
    expect(damage.map((error) => (error as JournalDamage).details['seq'])).toEqual([220]);
    journal.close();
  });

  it('continues behind the root while retention removes what comes next', async () => {
    const clock = new VirtualClock();
    const journal = createMemoryJournal(clock);
    journal.append(Array.from({ length: 900 }, (_, n) => entryOf({ kind: 'cursor', updatesToMs: n })));
    const { verification: make, damage } = rigOn(journal, clock);
    const verification = make();
    verification.sweep();
    journal.forget({ belowSeq: 500, writtenBeforeMs: Infinity, most: 999, keeps: () => false });
    await sweepFor(clock, 10_000, () => verification.sweep());
    expect(damage).toEqual([]);
  });
});

it('recovers the records before a damaged checkpoint, and trusts nothing after it', () => {
  const path = join(folder, 'damaged-checkpoint.sqlite');
  const journal = openSqliteJournal(path, new VirtualClock());
  journal.append([entryOf({ kind: 'heartbeat_armed', heartbeatId: 'hb-1' as HeartbeatId })]);
  rigOn(journal, new VirtualClock()).journalWriter.checkpoint();
  journal.append([entryOf({ kind: 'latched', reason: 'later' })]);
  const db = new DatabaseSync(path);
  db.exec(`DROP TRIGGER journal_no_UPDATE; UPDATE journal SET at_ms = 1 WHERE kind = '${CHECKPOINT}'`);
  db.close();
  const state = emptyState();
  expect(() => foldJournal(journal, state)).toThrow(JournalDamage);
  expect([...state.heartbeats]).toEqual(['hb-1']);
  expect(state.latched).toBeNull();
  journal.close();
});

describe('the manager’s journal', () => {
  it('ends with a checkpoint when it has drained, and the next run begins there', async () => {
    const rig = new OrderManagerRig();
    await rig.start();
    rig.desire(quote());
    await rig.advance(3_000);
    const draining = rig.manager.drain(5_000);
    await rig.advance(5_000);
    expect(await draining).toMatchObject({ clean: true });
    expect(rig.kinds().at(-1)).toBe(CHECKPOINT);
  });

  it('hides nothing of earlier runs behind a checkpoint when it is stopped before it has recovered', async () => {
    const rig = new OrderManagerRig();
    await rig.start();
    rig.desire(quote());
    await rig.advance(3_000);
    const [live] = [...rig.manager.orders()];
    rig.kill();
    const updatesToMs = rig.clock.wallMs() - 70_000;
    const more = Array.from({ length: 10_000 }, () => entryOf({ kind: 'cursor', updatesToMs }));
    createMemoryJournal(rig.clock, { store: rig.store }).append(more);
    rig.revive();
    rig.manager.stopQuoting('killed by an earlier run');
    await rig.advance(10);
    expect(rig.kinds()).not.toContain(CHECKPOINT);
    await rig.start();
    // The order was found, so the stop could close it.
    expect(rig.orderEvents.map(({ orderId }) => orderId)).toContain(live?.orderId);
    expect(rig.venue.open()).toEqual([]);
    expect(rig.kinds()).toContain(CHECKPOINT);
  });

  it('still knows an order from before the retention that is not known to be over', async () => {
    const rig = new OrderManagerRig({ options: { journal: { retentionMs: DAY_MS } } });
    await rig.start();
    rig.desire(quote());
    await rig.advance(3_000);
    const [live] = [...rig.manager.orders()];
    rig.kill();
    rig.clock.jumpWall(3 * DAY_MS);
    rig.revive();
    await rig.start();
    await rig.advance(5_000);
    expect(rig.store.rootSeq).toBeGreaterThan(0);
    expect(rig.store.records[0]?.kind).not.toBe('order_intended');
    rig.kill();
    rig.revive();
    await rig.start();
    const { view } = rig.venue.held.get(live?.orderId as OrderId)!;
    rig.own = [];
    rig.venue.emit({ tag: 'order', order: view });
    await rig.advance(100);
    expect(rig.own.map(({ orderId }) => orderId)).toEqual([live?.orderId]);
    expect(rig.foreign).toEqual([]);
  });
});
