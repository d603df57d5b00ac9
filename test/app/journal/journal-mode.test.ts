import { expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { loadConfig } from '../../../src/app/config/load.ts';
import { BEGUN_IN_MODE, claimJournal } from '../../../src/app/journal/journal-mode.ts';
import { ConfigError, JournalError } from '../../../src/domain/errors.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';

const configOf = (mode: string) =>
  loadConfig({ files: [], environment: {}, settings: { mode, 'journal.path': '/var/lib/a.sqlite' } }).values;
const [simulated, live] = [configOf('simulated'), configOf('live')];
const journalOf = () => createMemoryJournal(new VirtualClock());
const IDS = { uuid: () => 'id-1' };
const STARTED = { kind: 'run_started', uuid: null, data: { run: '1' } };

it.each([
  ['simulated', simulated, live, 'was begun with mode = "simulated", and this run has "live"'],
  ['live', live, simulated, 'was begun with mode = "live", and this run has "simulated"'],
])('keeps a journal in %s mode once begun in it', (_, first, second, why) => {
  const journal = journalOf();
  for (let run = 0; run < 2; run++)
    expect(claimJournal(journal, first, IDS)).toEqual({ installation: 'id-1', damage: null });
  expect([...journal.ofKind(BEGUN_IN_MODE)]).toHaveLength(1);
  expect(() => claimJournal(journal, second, IDS)).toThrow(ConfigError);
  expect(() => claimJournal(journal, second, IDS)).toThrow(
    `journal.path = "/var/lib/a.sqlite": this journal ${why}`,
  );
});

it('treats a journal with records but without a mode as one of real money', () => {
  const journal = journalOf();
  journal.append([STARTED]);
  expect(() => claimJournal(journal, simulated, IDS)).toThrow('does not say with which mode it was begun');
  expect(journal.lastSeq()).toBe(1);
  expect(claimJournal(journal, live, IDS).damage).toBeNull();
  expect(() => claimJournal(journal, simulated, IDS)).toThrow('was begun with mode = "live"');
});

it('does not search the whole journal for a mode that its beginning states', () => {
  const journal = journalOf();
  claimJournal(journal, live, IDS);
  const last = (): never => {
    throw new Error('reads what came after it');
  };
  expect(claimJournal({ ...journal, last }, live, IDS).damage).toBeNull();
});

it.each(['ofKind', 'last', 'append'] as const)(
  'reports damage that %s meets, and no other failure',
  (method) => {
    const damage = new JournalError('it cannot', {});
    const failing = (error: Error) => ({
      ...journalOf(),
      [method]: (): never => {
        throw error;
      },
    });
    expect(claimJournal(failing(damage), live, IDS)).toEqual({ installation: 'id-1', damage });
    expect(() => claimJournal(failing(new TypeError('a mistake of ours')), live, IDS)).toThrow(TypeError);
  },
);
