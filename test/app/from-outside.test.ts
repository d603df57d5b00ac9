import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { latchFromOutside } from '../../src/app/close-from-outside.ts';
import { loadConfig } from '../../src/app/config/load.ts';
import { openJournal } from '../../src/app/open-journal.ts';
import { RiskMemory } from '../../src/app/risk-desk/risk-memory.ts';

const top = mkdtempSync(join(tmpdir(), 'touchline-outside-'));
afterAll(() => rmSync(top, { recursive: true }));

const clock = new VirtualClock();
const WORD = { by: 'a person', reason: 'drill', atMs: 1 };

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(top, 'x-'));
  path = join(folder, 'journal.sqlite');
});

const configOf = (journal: string, killFile = '') => {
  const settings = { 'journal.path': journal, 'ops.killFile': killFile };
  return loadConfig({ files: [], environment: {}, settings }).values;
};

/** What a daemon that has begun leaves. */
function begun(): void {
  const { journal, release } = openJournal(path, clock);
  new RiskMemory(journal).notePermit();
  release();
}

describe.runIf(process.platform === 'linux')('a permit that can be removed and not written over', () => {
  const latchWhileHeld = () => {
    const held = openJournal(path, clock);
    symlinkSync('/dev/full', `${path}.permit`);
    try {
      return latchFromOutside(configOf(path), WORD, clock);
    } finally {
      held.release();
    }
  };

  it('latches beside a journal that has noted it', () => {
    begun();
    expect(latchWhileHeld()).toBe('permit');
  });

  it('latches nothing beside one that has not: the next daemon would grant a first one', () => {
    expect(latchWhileHeld()).toBeNull();
  });
});
