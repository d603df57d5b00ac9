import { beforeEach, describe, expect, it } from 'vitest';
import { JournalDamage, JournalError } from '../../../src/domain/errors.ts';
import { JournalMaintenance, Retention, Verification } from '../../../src/orders/journal/maintenance.ts';
import type { Forgetting, JournalRecord } from '../../../src/ports/journal.ts';
import { PartRig } from '../support/part.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

let rig: PartRig;
let records: JournalRecord[];
let told: unknown[];
let forgotten: Forgetting[];
/** How many records each deletion removes. */
let removes: number[];
let damage: Error | null;
let checkpointMs: number | null;
let retentionMs: number | null;

const record = (seq: number, kind = 'other', atMs = 0): JournalRecord => ({
  seq,
  kind,
  atMs,
  uuid: null,
  data: {},
});

beforeEach(() => {
  [records, told, forgotten, removes, damage] = [[], [], [], [], null];
  [checkpointMs, retentionMs] = [null, 30 * DAY_MS];
  rig = new PartRig();
  const fail = (): void => {
    if (damage !== null) throw damage;
  };
  const journal = {
    *read(afterSeq = 0): Iterable<JournalRecord> {
      fail();
      yield* records.filter(({ seq }) => seq > afterSeq);
    },
    last: (kind: string) => {
      fail();
      if (kind !== 'checkpoint') return records.findLast((each) => each.kind === kind) ?? null;
      return checkpointMs === null ? null : record(1, kind, checkpointMs);
    },
    rootSeq: () => 0,
    forget: (of: Forgetting) => {
      fail();
      forgotten.push(of);
      return removes.shift() ?? 0;
    },
  };
  Object.assign(rig.context.deps, { journal, onlyLastMatters: ['limits'] });
  Object.assign(rig.context, {
    options: {
      ...rig.context.options,
      journal: {
        get retentionMs() {
          return retentionMs;
        },
      },
    },
    log: {
      ...rig.context.log,
      info: (message: string, fields: object) => void told.push({ message, ...fields }),
    },
    metrics: { alarms: { inc: ({ kind }: { kind: string }) => void told.push(`alarm ${kind}`) } },
  });
  Object.assign(rig.context.journalWriter, {
    checkpointSeq: 77,
    checkpoint: () => void told.push('checkpoint'),
    fail: () => void told.push('failed'),
  });
});

const onDamage = (): void => void told.push('damage');
const ms = (): number => rig.clock.monotonicMs();

describe('the verification of the journal', () => {
  it('reads a hundred records a sweep, tells that all are whole, and begins again after a day', async () => {
    records = Array.from({ length: 250 }, (_, at) => record(at + 1));
    const verification = new Verification(rig.context, onDamage);
    expect(verification.dueMs).toBe(-Infinity);
    for (let sweep = 0; sweep < 2; sweep++) verification.sweep();
    expect([told, verification.dueMs]).toEqual([[], -Infinity]);
    verification.sweep();
    expect(told).toEqual([{ message: 'the journal is whole', records: 250 }]);
    expect(verification.dueMs).toBe(ms() + DAY_MS);
    await rig.clock.advance(DAY_MS - 1);
    verification.sweep();
    expect(told).toHaveLength(1);
    await rig.clock.advance(1);
    for (let sweep = 0; sweep < 3; sweep++) verification.sweep();
    expect(told[1]).toEqual({ message: 'the journal is whole', records: 250 });
  });

  it('reports damage, and begins again after a day', async () => {
    damage = new JournalError('damaged');
    const verification = new Verification(rig.context, onDamage);
    verification.sweep();
    verification.sweep();
    expect([told, verification.dueMs]).toEqual([['damage'], ms() + DAY_MS]);
    await rig.clock.advance(DAY_MS);
    [damage, records] = [null, [record(1)]];
    verification.sweep();
    expect(told[1]).toEqual({ message: 'the journal is whole', records: 1 });
  });

  it('hides no bug, and does nothing once the journal has failed', () => {
    damage = new Error('a bug');
    expect(() => new Verification(rig.context, onDamage).sweep()).toThrow('a bug');
    Object.assign(rig.context.journalWriter, { failed: true });
    new Verification(rig.context, onDamage).sweep();
    expect(told).toEqual([]);
  });
});

describe('the retention of the journal', () => {
  let limitMs: number;
  let retention: Retention;

  beforeEach(() => {
    limitMs = rig.clock.wallMs() - 30 * DAY_MS;
    records = [record(1, 'other', limitMs - 1)];
    checkpointMs = limitMs;
    retention = new Retention(rig.context, onDamage);
  });

  it('deletes slices of old records before the checkpoint, one a second, and looks again in an hour', async () => {
    removes = [500, 30, 0];
    const dueMs: number[] = [];
    for (let slice = 0; slice < 3; slice++) {
      retention.sweep();
      dueMs.push(retention.dueMs - ms());
      await rig.clock.advance(1_000);
    }
    expect(dueMs).toEqual([1_000, 1_000, HOUR_MS]);
    expect(forgotten.map(({ keeps: _, ...rest }) => rest)).toEqual(
      Array.from({ length: 3 }, () => ({ belowSeq: 77, writtenBeforeMs: limitMs, most: 500 })),
    );
    expect(told).toEqual([{ message: 'old journal records were deleted', records: 530 }]);
    await rig.clock.advance(HOUR_MS - 1_001);
    retention.sweep();
    expect(forgotten).toHaveLength(3);
    await rig.clock.advance(1);
    removes = [7, 0];
    retention.sweep();
    await rig.clock.advance(1_000);
    retention.sweep();
    expect(told.slice(1)).toEqual([
      'checkpoint',
      { message: 'old journal records were deleted', records: 7 },
    ]);
  });

  it.each<[what: string, given: () => void]>([
    ['no record is old', () => void (records = [record(1, 'other', limitMs)])],
    ['there is no record', () => void (records = [])],
    ['everything is kept', () => void (retentionMs = null)],
    ['the journal has failed', () => void Object.assign(rig.context.journalWriter, { failed: true })],
  ])('deletes nothing if %s', (_, given) => {
    given();
    retention.sweep();
    expect([forgotten, told]).toEqual([[], []]);
    expect(retention.dueMs === Infinity).toBe(retentionMs === null);
  });

  it.each([
    ['there is none', null, ['checkpoint']],
    ['the last one is old', -1, ['checkpoint']],
    ['the last one is younger than the records to delete', 0, []],
  ])('writes a checkpoint first if %s', (_, laterMs, expected) => {
    checkpointMs = laterMs === null ? null : limitMs + laterMs;
    retention.sweep();
    expect(told).toEqual(expected);
  });

  it('keeps records of other parts, unless only the last of their kind matters', () => {
    retention.sweep();
    records = [record(1, 'limits'), record(2, 'limits'), record(3, 'other')];
    const { keeps } = forgotten[0] ?? {};
    const kept = [...records, record(4, 'checkpoint'), record(5, 'run_started')].map((each) => keeps?.(each));
    expect(kept).toEqual([false, true, true, false, false]);
  });

  it.each([
    ['damage, and keeps the records', new JournalDamage('damaged'), 'damage'],
    ['any other failure as one of the journal', new Error('disk full'), 'failed'],
  ])('reports %s', (_, error, report) => {
    damage = error;
    retention.sweep();
    expect(told).toEqual([report]);
    damage = null;
    expect(retention.dueMs).toBe(ms() + HOUR_MS);
  });
});

describe('the maintenance of the journal', () => {
  it('is due when the first of its parts is, and sweeps both', () => {
    const maintenance = new JournalMaintenance(rig.context);
    expect(maintenance.dueMs).toBe(-Infinity);
    records = [record(1, 'other', rig.clock.wallMs())];
    maintenance.sweep();
    expect(told).toEqual([{ message: 'the journal is whole', records: 1 }]);
    expect(maintenance.dueMs).toBe(ms() + HOUR_MS);
    retentionMs = null;
    expect(maintenance.dueMs).toBe(ms() + DAY_MS);
  });

  it('leaves damage to people', () => {
    damage = new JournalDamage('damaged');
    new JournalMaintenance(rig.context).sweep();
    expect(told).toEqual(['alarm journal_damage', 'alarm journal_damage']);
  });
});
