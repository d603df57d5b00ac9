import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { JournalError } from '../../src/domain/errors.ts';
import type { Journal, JournalRecord } from '../../src/ports/journal.ts';
import { openSqliteJournal } from '../../src/storage/sqlite-journal.ts';
import { entryAt, flipBit, indexPages } from '../support/kind-index.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchline-kinds-'));
afterAll(() => rmSync(folder, { recursive: true }));

const RECORDS = 130;
/** Bytes between two tried bytes. It does not divide an entry’s length. */
const STRIDE = 7;

/** The last record is of none of the rare kinds. */
const kindOf = (seq: number): string => (seq % 50 === 0 ? 'kill' : seq % 9 === 0 ? 'bet' : 'order');
const ALL = Array.from({ length: RECORDS }, (_, at) => at + 1);
const BY_KIND = ['kill', 'bet', 'order'].map(
  (kind) => [kind, ALL.filter((seq) => kindOf(seq) === kind)] as const,
);

let path = '';
let count = 0;
beforeEach(() => {
  path = join(folder, `${count++}.sqlite`);
  const journal = openSqliteJournal(path, new VirtualClock());
  journal.append(ALL.map((seq) => ({ kind: kindOf(seq), uuid: null, data: seq })));
  journal.close();
});

/** The result of `work`, or the damage that it meets. */
function unlessDamaged<T>(work: () => T): T | JournalError {
  try {
    return work();
  } catch (error) {
    if (error instanceof JournalError) return error;
    throw error;
  }
}

function opened<T>(work: (journal: Journal) => T): T {
  const journal = openSqliteJournal(path, new VirtualClock());
  try {
    return work(journal);
  } finally {
    journal.close();
  }
}

const seqs = (records: Iterable<JournalRecord>): readonly number[] => Array.from(records, ({ seq }) => seq);
const last = (kind: string) => unlessDamaged(() => opened((journal) => journal.last(kind)?.seq));
const whole = () => unlessDamaged(() => opened((journal) => seqs(journal.read())));
const damageAt = (seq: number) => expect.objectContaining({ code: 'journal', details: { seq } }) as unknown;

/** Whether the answer is right, or reports damage. */
const isRightOrDamage = (answer: unknown, right: unknown): boolean =>
  answer instanceof JournalError || isDeepStrictEqual(answer, right);

/** Wrong answers that report no damage. */
function lies(journal: Journal): readonly string[] {
  const hidden = BY_KIND.filter(
    ([kind, all]) =>
      !isRightOrDamage(
        unlessDamaged(() => seqs(journal.ofKind(kind))),
        all,
      ),
  );
  const found = unlessDamaged(() => seqs(journal.read())) instanceof JournalError;
  return [
    ...BY_KIND.filter(
      ([kind, all]) =>
        !isRightOrDamage(
          unlessDamaged(() => journal.last(kind)?.seq),
          all.at(-1),
        ),
    ),
    ...(found ? [] : hidden),
  ].map(([kind]) => kind);
}

describe('an index over kinds with a flipped bit', () => {
  it('never hides the last record of a kind', () => {
    flipBit(path, entryAt(path, 'kill', 'last'), 2);
    expect([last('kill'), last('order'), last('none')]).toEqual([damageAt(100), 130, undefined]);
  });

  it('is detected when the whole journal is read, after every record before it', () => {
    flipBit(path, entryAt(path, 'bet', 'last'));
    const read: number[] = [];
    const reading = () =>
      opened((journal) => {
        for (const { seq } of journal.read()) read.push(seq);
      });
    expect(unlessDamaged(reading)).toEqual(damageAt(126));
    expect(read).toEqual(ALL.slice(0, 125));
    expect(opened((journal) => seqs(journal.read(126)))).toEqual(ALL.slice(126));
  });

  it('shows no record among those of another kind', () => {
    flipBit(path, entryAt(path, 'order', 'first'), 3);
    expect(whole()).toEqual(damageAt(1));
  });

  it('is correct again once it is rebuilt', () => {
    flipBit(path, entryAt(path, 'kill', 'last'), 2);
    const db = new DatabaseSync(path);
    db.exec('REINDEX');
    db.close();
    expect([last('kill'), whole()]).toEqual([100, ALL]);
  });

  it('never loses a record silently, whichever bit it is', () => {
    const used = indexPages(path).flatMap(({ offset, bytes }) =>
      [...bytes].flatMap((byte, at) => (byte === 0 ? [] : [offset + at])),
    );
    for (let n = 0; n < used.length; n += STRIDE) {
      const [at, bit] = [used[n] as number, n % 8];
      flipBit(path, at, bit);
      expect(
        unlessDamaged(() => opened(lies)),
        `bit ${bit} of byte ${at}`,
      ).toSatisfy((found: unknown) => isRightOrDamage(found, []));
      flipBit(path, at, bit);
    }
  });
});
