import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { afterAll, describe, expect, it } from 'vitest';
import { filesUnder, linesOf } from '../../../src/app/research/market-files.ts';
import { tapesOfFiles } from '../../../src/app/research/tapes.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchline-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

const TEXT = '{"op":"mcm"}\nsecond';
const BZIPPED = Buffer.from(
  'QlpoOTFBWSZTWYdHXb8AAAjZgAAQEAAAEA4DyAogACKPSaG1P1CAaAB7K5qmORJfIsXckU4UJCHR12/A',
  'base64',
);

async function tarred(members: Readonly<Record<string, Uint8Array | string>>): Promise<Buffer> {
  const tar = pack();
  for (const [name, content] of Object.entries(members)) tar.entry({ name }, Buffer.from(content));
  tar.finalize();
  const pieces: Buffer[] = [];
  for await (const piece of tar as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}

function written(name: string, content: Uint8Array | string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

async function read(file: string): Promise<[string, string[]][]> {
  const found: [string, string[]][] = [];
  for await (const { file: name, lines } of linesOf(file)) {
    const all: string[] = [];
    for await (const portion of lines) all.push(...portion);
    found.push([name.replace(`${folder}/`, ''), all]);
  }
  return found;
}

const LINES = TEXT.split('\n');

describe('a market file', () => {
  it.each<[string, Uint8Array | string]>([
    ['plain.jsonl', TEXT],
    ['1.234', TEXT],
    ['packed.gz', gzipSync(TEXT)],
    ['packed.bz2', BZIPPED],
  ])('is read from %s', async (name, content) => {
    expect(await read(written(name, content))).toEqual([[name, LINES]]);
  });

  it.each(['days.tar', 'days.tar.gz', 'days.tgz'])('is read from each member of %s', async (name) => {
    const tar = await tarred({ 'Jan/1.1.bz2': BZIPPED, 'Jan/1.2.gz': gzipSync(TEXT), 'Jan/1.3': TEXT });
    expect(await read(written(name, name === 'days.tar' ? tar : gzipSync(tar)))).toEqual([
      [`${name}: Jan/1.1.bz2`, LINES],
      [`${name}: Jan/1.2.gz`, LINES],
      [`${name}: Jan/1.3`, LINES],
    ]);
  });

  it('is found in folders, in the order of names', async () => {
    const below = join(folder, 'below');
    mkdirSync(below);
    for (const name of ['b', 'a']) writeFileSync(join(below, name), TEXT);
    const plain = written('plain.jsonl', TEXT);
    expect(await filesUnder([plain, below])).toEqual([plain, join(below, 'a'), join(below, 'b')]);
  });

  it('that is not there is an error that names it', async () => {
    await expect(tapesOfFiles([join(folder, 'none')])).rejects.toThrow(/cannot read .*none: /);
  });

  it.each([
    ['cut.gz', gzipSync(TEXT.repeat(1_000)).subarray(0, -12)],
    ['cut.bz2', BZIPPED.subarray(0, -10)],
    ['other.gz', 'not packed'],
    ['other.bz2', 'not packed'],
  ])('that is damaged is an error that names it: %s', async (name, content) => {
    await expect(tapesOfFiles([written(name, content)])).rejects.toThrow(name);
  });

  it('that is damaged within a tar is an error that names both', async () => {
    const file = written('bad.tar', await tarred({ '1.1.gz': 'not packed' }));
    await expect(tapesOfFiles([file])).rejects.toThrow(/bad\.tar: 1\.1\.gz/);
    const whole = await tarred({ '1.1': TEXT.repeat(100) });
    await expect(tapesOfFiles([written('cut.tar', whole.subarray(0, 700))])).rejects.toThrow('cut.tar');
  });
});
