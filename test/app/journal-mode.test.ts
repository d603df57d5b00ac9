import { expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { loadConfig } from '../../src/app/config/load.ts';
import { claimJournal, JOURNAL_MODE } from '../../src/app/journal-mode.ts';
import { ConfigError, JournalError } from '../../src/domain/errors.ts';
import { createMemoryJournal } from '../../src/storage/memory-journal.ts';

const configOf = (mode: string) =>
  loadConfig({ files: [], environment: {}, settings: { mode, 'journal.path': '/var/lib/a.sqlite' } }).values;
const [simulated, live] = [configOf('simulated'), configOf('live')];
const journalOf = () => createMemoryJournal(new VirtualClock());

it.each([
  [simulated, live, 'begun with mode = "simulated", and this run has "live"'],
  [live, simulated, 'begun with mode = "live", and this run has "simulated"'],
])('a journal stays with the money of its first run', (first, second, why) => {
  const journal = journalOf();
  claimJournal(journal, first);
  claimJournal(journal, first);
  expect([...journal.ofKind(JOURNAL_MODE)]).toHaveLength(1);
  expect(() => claimJournal(journal, second)).toThrow(ConfigError);
  expect(() => claimJournal(journal, second)).toThrow(
    `journal.path = "/var/lib/a.sqlite": this journal was ${why}`,
  );
});

it('a journal of which no run has said so is taken', () => {
  const journal = journalOf();
  journal.append([{ kind: 'run_started', uuid: null, data: { run: '1' } }]);
  claimJournal(journal, live);
  expect(() => claimJournal(journal, simulated)).toThrow(ConfigError);
});

const broken = (): never => {
  throw new JournalError('it cannot', {});
};
const wrong = (): never => {
  throw new TypeError('a mistake of ours');
};

it.each(['last', 'append'] as const)(
  'a journal that fails at %s is left to those who tell of it',
  (method) => {
    expect(() => claimJournal({ ...journalOf(), [method]: broken }, live)).not.toThrow();
    expect(() => claimJournal({ ...journalOf(), [method]: wrong }, live)).toThrow(TypeError);
  },
);
