import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  keepProof,
  lastProof,
  type Proof,
  proofBeside,
  proofLine,
} from '../../../src/app/prove/proof-file.ts';
import { FACTS } from '../../../src/app/prove/facts.ts';
import { memoryFile } from '../../../src/storage/files/memory-file.ts';
import { temporaryFolder } from '../../support/exchange.ts';

const PROOF: Proof = {
  atMs: 1_000_000,
  convention: 'odds',
  visible: { against: true, lay: false },
  facts: [
    { name: 'duration', verdict: 'as documented', why: 'duration is in seconds' },
    { name: 'lay-visible', verdict: 'differs', why: 'it does not show' },
    { name: 'bet-status', verdict: 'unknown', why: 'no bet' },
  ],
};

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

describe('the proof file', () => {
  it('keeps the last proof beside the journal', () => {
    const path = join(folder.path, 'touchline.journal');
    keepProof(proofBeside(path) as NonNullable<ReturnType<typeof proofBeside>>, PROOF);
    expect(lastProof(proofBeside(path))).toEqual(PROOF);
  });

  it('fits in its block, however long the texts are', () => {
    const path = join(folder.path, 'touchline.journal');
    const facts = FACTS.map(({ name }) => ({
      name,
      verdict: 'as documented' as const,
      why: '"é\n\\'.repeat(500),
    }));
    keepProof(proofBeside(path) as NonNullable<ReturnType<typeof proofBeside>>, { ...PROOF, facts });
    expect(lastProof(proofBeside(path))?.facts).toHaveLength(FACTS.length);
  });

  it('is none for a journal in memory', () => {
    expect(proofBeside('')).toBeNull();
    expect(lastProof(null)).toBeNull();
  });

  it.each([
    ['no JSON', '{'],
    ['another version', JSON.stringify({ version: 2, ...PROOF })],
    ['no version', JSON.stringify(PROOF)],
    ['another convention', JSON.stringify({ version: 1, ...PROOF, convention: 'asian' })],
  ])('is none when it holds %s', (_, text) => {
    const file = memoryFile();
    file.write(text);
    expect(lastProof(file)).toBeNull();
  });

  it('is none when it cannot be read', () => {
    const path = join(folder.path, 'journal');
    writeFileSync(`${path}.proof`, Buffer.from([0xff, 0x00]));
    expect(lastProof(proofBeside(path))).toBeNull();
  });
});

describe('the line about a proof', () => {
  it.each([
    [0, '0 min'],
    [90 * 60_000, '1 h'],
    [47 * 3_600_000, '47 h'],
    [50 * 3_600_000, '2 days'],
  ])('tells the age, convention, what shows and what is not so', (ageMs, age) => {
    expect(proofLine(PROOF, PROOF.atMs + ageMs)).toBe(
      `${age} old: against prices are odds, against orders show; differs: lay-visible; unknown: bet-status`,
    );
  });

  it('tells what is not known', () => {
    const nothing: Proof = { ...PROOF, convention: null, visible: { against: false, lay: false }, facts: [] };
    expect(proofLine(nothing, PROOF.atMs)).toBe(
      '0 min old: against prices unknown, whether orders of ours show is unknown',
    );
    const facts = ['against-visible', 'lay-visible'].map((name) => ({
      name,
      verdict: 'differs' as const,
      why: 'it does not show',
    }));
    expect(proofLine({ ...nothing, facts }, PROOF.atMs)).toMatch(/, no order of ours shows; differs: /);
    expect(proofLine(null, 0)).toBe('none: run "touchline prove"');
  });
});
