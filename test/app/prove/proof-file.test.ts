import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../../src/app/config/load.ts';
import { secondSideIn } from '../../../src/app/convention.ts';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { knownPrices } from '../../../src/app/doctor/prices.ts';
import { openJournal } from '../../../src/app/journal/open-journal.ts';
import { lastProof, proofPath } from '../../../src/app/prove/proof-file.ts';
import { conventionEntry } from '../../../src/engine/convention/journalled.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'proof-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const PROOF = { atMs: 5, convention: 'odds', visible: { against: true, lay: true } };
const journalAt = (): string => join(folder, 'journal');
const write = (proof: unknown): void => writeFileSync(proofPath(journalAt()), JSON.stringify(proof));
const configAt = (path: string) =>
  loadConfig({ files: [], environment: {}, settings: { 'journal.path': path } }).values;

it('the last proof is read from beside the journal', () => {
  expect([lastProof(journalAt()), lastProof('')]).toEqual([null, null]);
  expect(secondSideIn(configAt(journalAt()))).toBe('against');
  write({ ...PROOF, more: 1 });
  expect(lastProof(journalAt())).toEqual(PROOF);
  expect(secondSideIn(configAt(journalAt()))).toBe('finer');
});

it.each([[{}], [null], [{ ...PROOF, atMs: 'then' }], [{ ...PROOF, visible: null }]])(
  'a file that holds %j is no proof',
  (written) => {
    write(written);
    expect(lastProof(journalAt())).toBeNull();
  },
);

it('a proof may have found no convention, and nothing visible', () => {
  write({ atMs: 5, convention: 'other', visible: {} });
  expect(lastProof(journalAt())).toEqual({
    atMs: 5,
    convention: null,
    visible: { against: false, lay: false },
  });
});

it('the doctor tells the setting, the journal and the last proof', () => {
  const clock = new VirtualClock(3 * 3_600_000 + 5);
  const config = configAt(journalAt());
  expect(knownPrices(config, clock)).toBe(
    'exchange.againstPrices is "auto"; nothing in the journal; never examined by "touchline prove"',
  );
  const memory = openJournal(journalAt(), clock);
  memory.journal.append([conventionEntry({ convention: 'odds', how: 'stream' })]);
  memory.release();
  write(PROOF);
  expect(knownPrices(config, clock)).toBe(
    'exchange.againstPrices is "auto"; odds in the journal, proven from the stream; odds found by "touchline prove" 3 h ago',
  );
});
