import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { latchOf } from '../../../src/app/operate/kill-report.ts';
import { JournalError } from '../../../src/domain/errors.ts';
import { IN_MEMORY, KillLatch } from '../../../src/engine/kill/kill-latch.ts';
import { Permit } from '../../../src/engine/kill/permit.ts';
import { RiskMemory } from '../../../src/engine/risk-inputs/risk-memory.ts';
import type { Journal } from '../../../src/ports/journal.ts';
import { type Logger, silentLogger } from '../../../src/ports/logger.ts';
import { memoryFile } from '../../../src/storage/files/memory-file.ts';
import { createMemoryJournal, memoryStore } from '../../../src/storage/memory-journal.ts';

/** The answers of a journal that does not accept the kill, and of one that does. */
const refused = (): boolean => false;
const taken = (): boolean => true;

const KILL = { by: 'a person', reason: 'drill', atMs: 17 };

/**
 * A disk with a journal, a permit and a kill file, each of which can be broken. `open` starts the next
 * process.
 */
function disk(logger: Logger = silentLogger) {
  const clock = new VirtualClock(1_000);
  const records = memoryStore();
  const [permit, killFile] = [{ text: null as string | null }, { text: null as string | null }];
  const broken = new Set<string>();
  const file = (name: string, store: typeof permit) =>
    memoryFile({
      store,
      before: (act) => {
        if (broken.has(`${name} ${act}`)) throw new Error(`${name} ${act}`);
      },
    });
  const open = (hasKillFile = true) => {
    const memory = new RiskMemory(createMemoryJournal(clock, { store: records }));
    const latch = new KillLatch({
      memory,
      permit: new Permit(file('permit', permit)),
      logger,
      killFile: hasKillFile ? file('kill file', killFile) : null,
      wallMs: () => clock.wallMs(),
    });
    return { latch, memory };
  };
  /** Starts the first run, which has recorded its permit. */
  const begin = () => {
    const first = open();
    expect(first.latch.earlier()).toBeNull();
    first.memory.notePermit();
    return first.latch;
  };
  return { permit, killFile, broken, records, open, begin };
}

describe('the permit to trade', () => {
  it('is granted to the first run, noted once, and found by the next', () => {
    const { permit, records, open, begin } = disk();
    begin();
    expect(permit.text).not.toBeNull();
    const { latch, memory } = open();
    expect([latch.earlier(), latch.taken()]).toEqual([null, null]);
    memory.notePermit();
    expect(records.records.map(({ kind }) => kind)).toEqual(['permit_granted']);
  });

  it.each([
    ['overwritten', []],
    ['removed', ['permit write']],
  ])('is %s by a kill that the journal did not accept, and keeps the next run from trading', (_, failing) => {
    const { broken, open, begin } = disk();
    const latch = begin();
    for (const act of failing) broken.add(act);
    latch.keep(KILL, refused);
    expect([latch.place, latch.unlatched]).toEqual(['permit', null]);
    const kept = open().latch.earlier();
    expect(kept).toEqual(failing.length === 0 ? KILL : expect.objectContaining({ by: 'permit' }));
    expect(open().latch.taken()).toEqual(kept);
  });

  it('is withdrawn before the journal is written, also when the journal accepts the kill', () => {
    const { open, begin } = disk();
    const latch = begin();
    let beforeJournal: unknown = null;
    latch.keep(KILL, () => {
      beforeJournal = open().latch.earlier();
      return true;
    });
    expect([beforeJournal, latch.place, open().latch.earlier()]).toEqual([KILL, 'journal', KILL]);
  });

  it('is withdrawn as soon as that works, although the journal has the kill', () => {
    const { broken, open, begin } = disk();
    const latch = begin();
    broken.add('permit write').add('permit remove');
    latch.keep(KILL, taken);
    latch.retry();
    expect([latch.place, latch.unlatched, open().latch.earlier()]).toEqual(['journal', null, null]);
    broken.clear();
    latch.retry();
    expect([latch.place, open().latch.earlier()]).toEqual(['journal', KILL]);
  });

  it('holds the reason that arrived after the kill', () => {
    const { open, begin } = disk();
    const latch = begin();
    latch.keep({ ...KILL, reason: 'POST /kill' }, () => false);
    latch.explain(KILL, false);
    expect([latch.place, open().latch.earlier()]).toEqual(['permit', KILL]);
    latch.explain(KILL, true);
    latch.explain({ ...KILL, reason: 'never written' }, false);
    expect([latch.place, open().latch.earlier()]).toEqual(['journal', KILL]);
  });

  it('comes back with a resume', () => {
    const { open, begin, broken } = disk();
    const latch = begin();
    latch.keep(KILL, refused);
    broken.add('permit write');
    expect(() => latch.release()).toThrow('permit write');
    expect([latch.place, open().latch.earlier()]).toEqual(['permit', KILL]);
    broken.clear();
    latch.release();
    expect([latch.place, latch.unlatched, open().latch.earlier()]).toEqual([null, null, null]);
  });

  it('permits nothing when it is unreadable or torn', () => {
    const { permit, open, begin } = disk();
    begin();
    for (const text of ['', '{"by":"a pers', '{"by":"x"}', 'null', '[]', 'trading is permitted?']) {
      permit.text = text;
      expect(open().latch.earlier()).toMatchObject({ by: 'permit', atMs: 1_000 });
      expect(open().latch.taken()).toBeNull();
    }
    const unreadable = {
      read: () => {
        throw new Error('EIO');
      },
      write: () => undefined,
      remove: () => undefined,
    };
    expect(new Permit(unreadable).state()).toEqual({ kind: 'withdrawn', record: null });
  });

  it('takes the record of a kill in place of a torn one, and keeps the first that can be read', () => {
    const { permit, open, begin } = disk();
    begin();
    permit.text = '{"by":"a pers';
    open().latch.keep(KILL, refused);
    expect(open().latch.earlier()).toEqual(KILL);
    open().latch.keep({ ...KILL, reason: 'another' }, refused);
    expect(open().latch.earlier()).toEqual(KILL);
  });

  it('keeps the daemon from trading where it cannot be written', () => {
    const { broken, open } = disk();
    broken.add('permit write');
    expect(open().latch.earlier()).toMatchObject({
      reason: expect.stringContaining('could be put') as string,
    });
  });

  it('is required beside a journal that no longer shows whether it was granted', () => {
    const last = (): never => {
      throw new JournalError('damaged');
    };
    const journal: Journal = { ...createMemoryJournal(new VirtualClock()), last };
    const parts = { killFile: null, logger: silentLogger, wallMs: () => 0, memory: new RiskMemory(journal) };
    const file = memoryFile();
    const latch = new KillLatch({ ...parts, permit: new Permit(file) });
    expect(latch.earlier()).toMatchObject({ by: 'permit' });
    new Permit(file).grant();
    expect(latch.earlier()).toBeNull();
  });
});

describe('a kill in a run whose journal never recorded the permit', () => {
  it('is latched by a permit that is overwritten', () => {
    const { open } = disk();
    const { latch } = open();
    latch.earlier();
    latch.keep(KILL, refused);
    expect([latch.place, open().latch.earlier()]).toEqual(['permit', KILL]);
  });

  it('is not latched by removing the permit: the next run would be a first run', () => {
    const { broken, permit, killFile, open } = disk();
    for (const hasKillFile of [true, false]) {
      const { latch } = open(hasKillFile);
      expect(latch.earlier()).toBeNull();
      broken.add('permit write');
      latch.keep(KILL, refused);
      expect([permit.text, latch.place]).toEqual([null, hasKillFile ? 'kill file' : null]);
      broken.clear();
    }
    expect(killFile.text).toBe('drill');
  });

  it('is latched once there is room again', () => {
    const { broken, open } = disk();
    const { latch } = open(false);
    latch.earlier();
    broken.add('permit write');
    latch.keep(KILL, refused);
    expect(latch.unlatched).toEqual(KILL);
    broken.clear();
    latch.retry();
    expect([latch.place, open().latch.earlier()]).toEqual(['permit', KILL]);
  });

  it('is not left to a journal that cannot be read now', () => {
    const read = (): never => {
      throw new JournalError('damaged');
    };
    const journal: Journal = { ...createMemoryJournal(new VirtualClock()), last: read, ofKind: read };
    const full = memoryFile({
      before: (act) => {
        if (act === 'write') throw new Error('no room');
      },
    });
    const parts = { killFile: null, logger: silentLogger, wallMs: () => 0, memory: new RiskMemory(journal) };
    const latch = new KillLatch({ ...parts, permit: new Permit(full) });
    latch.keep(KILL, refused);
    expect(latch.unlatched).toEqual(KILL);
  });
});

it('does not report a kill as journaled when no later run will find it', () => {
  const memory = new RiskMemory(createMemoryJournal(new VirtualClock()));
  const parts = { memory, killFile: null, logger: silentLogger, wallMs: () => 0, inMemory: true };
  const latch = new KillLatch({ ...parts, permit: new Permit(memoryFile()) });
  latch.keep(KILL, taken);
  expect([latch.place, latch.unlatched]).toEqual([IN_MEMORY, null]);
  expect(latchOf({ latchedIn: latch.place })).toBe('; kept for this run alone: its journal is in memory');
});

describe('a kill that neither journal nor permit accepts', () => {
  it('creates the kill file', () => {
    const { broken, killFile, begin } = disk();
    const latch = begin();
    broken.add('permit write').add('permit remove');
    latch.keep(KILL, refused);
    expect([latch.place, killFile.text, latch.killFileExists]).toEqual(['kill file', 'drill', true]);
  });

  it('is retried until some place accepts it', () => {
    const { broken, open, begin } = disk();
    const latch = begin();
    broken.add('permit write').add('permit remove').add('kill file write');
    latch.keep(KILL, refused);
    latch.retry();
    expect([latch.place, latch.unlatched]).toEqual([null, KILL]);
    broken.delete('permit remove');
    latch.retry();
    expect([latch.place, latch.unlatched]).toEqual(['permit', null]);
    expect(open().latch.earlier()).toMatchObject({ by: 'permit' });
  });

  it('is reported at once, then once a minute while no place accepts it, and when one does', () => {
    const messages: string[] = [];
    const tell = (message: string): void => void messages.push(message);
    const { broken, begin } = disk({ ...silentLogger, warn: tell, error: tell });
    const latch = begin();
    broken.add('permit write').add('permit remove').add('kill file write');
    latch.keep(KILL, refused);
    const once = messages.length;
    for (let second = 0; second < 59; second++) latch.retry();
    expect(messages).toHaveLength(once);
    latch.retry();
    expect(messages).toHaveLength(2 * once);
    broken.clear();
    latch.retry();
    expect(messages.at(-1)).toBe('the kill is latched outside the journal');
  });

  it('is reported where no kill file can exist', () => {
    const { broken, open } = disk();
    const { latch } = open(false);
    latch.earlier();
    broken.add('permit write').add('permit remove');
    latch.keep(KILL, refused);
    expect([latch.unlatched, latch.killFileExists]).toEqual([KILL, false]);
  });
});
