import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

/** Eight megabytes of zeros. */
const ZEROS = Buffer.from(
  'QlpoMTFBWSZTWX6yQ8QADQTAAMAAAAggACCkCDSoKjEqCo5igrJMprJoSPV8ACxvgIGAAACAABBAAGGYClNNVKFNgKhTxdyRThQkMlA/TYA=',
  'base64',
);
const MIB = 1 << 20;

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

async function read(file: string, alwaysBytes?: number): Promise<[string, string[]][]> {
  const found: [string, string[]][] = [];
  for await (const { file: name, lines } of linesOf(file, alwaysBytes)) {
    const all: string[] = [];
    for await (const portion of lines) all.push(...portion);
    found.push([name.replace(`${folder}/`, ''), all]);
  }
  return found;
}

const HAS_BZIP2 = spawnSync('bzip2', ['--help']).error === undefined;
const bzipped = (text: string): Buffer =>
  spawnSync('bzip2', ['-c', '-1'], { input: text, maxBuffer: 1 << 26 }).stdout;

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

  it.each([1, 10, 20, 40, BZIPPED.length - 10, BZIPPED.length - 1])(
    'that is cut says so: bzip2 after %d bytes',
    async (length) => {
      const file = written('short.bz2', BZIPPED.subarray(0, length));
      await expect(read(file)).rejects.toThrow('the file is cut: its end is missing');
    },
  );

  it('of several packed parts is read whole', async () => {
    const file = written('parts.bz2', Buffer.concat([BZIPPED, BZIPPED]));
    expect(await read(file)).toEqual([['parts.bz2', `${TEXT}${TEXT}`.split('\n')]]);
  });

  it.runIf(HAS_BZIP2)('of many packed blocks is read whole, and its damage is found', async () => {
    const text = Array.from({ length: 300_000 }, (_, at) => `${at} ${(at * 7_919) % 10_007}`).join('\n');
    const packed = bzipped(text);
    expect(await read(written('blocks.bz2', packed))).toEqual([['blocks.bz2', text.split('\n')]]);
    const damaged = Buffer.from(packed);
    damaged.writeUInt8(damaged.readUInt8(packed.length / 2) ^ 1, Math.floor(packed.length / 2));
    await expect(read(written('bad.bz2', damaged))).rejects.toThrow('the file is damaged');
  });

  it.each<[string, (text: string) => Uint8Array | string]>([
    ['long.jsonl', (text) => text],
    ['long.gz', (text) => gzipSync(text)],
  ])('with a line that is too long is an error that names the line: %s', async (name, packed) => {
    const file = written(name, packed(`{"op":"x"}\n${'x'.repeat(17_000_000)}`));
    await expect(tapesOfFiles([file])).rejects.toThrow(
      new RegExp(`${name.replace('.', '\\.')}, line 2: has more than 16,777,216 characters$`),
    );
  });

  it('with brackets without end is an error that names the line', async () => {
    const file = written('deep.gz', gzipSync(`{"op":"x"}\n{"op":"x"}\n${'['.repeat(10_000_000)}`));
    await expect(tapesOfFiles([file])).rejects.toThrow(
      /deep\.gz, line 3: brackets are nested more than 1,000 deep$/,
    );
  });

  it('that unpacks to far more than its size is an error', async () => {
    const lines = gzipSync(`{"op":"x"}${' '.repeat(99_989)}\n`.repeat(2_700));
    await expect(tapesOfFiles([written('bomb.gz', lines)])).rejects.toThrow(
      /bomb\.gz, line \d+: the file unpacks to more than 256 MiB$/,
    );
    const twice = written('bomb.tar.gz', gzipSync(await tarred({ '1.gz': lines })));
    await expect(tapesOfFiles([twice])).rejects.toThrow(/1\.gz, line \d+: the file unpacks to more than/);
  });

  it.each(
    (['gz', 'bz2'] as const).flatMap((packing) =>
      (['', 'gz', 'tar', 'tar.gz', 'tgz'] as const).map((outer) => [packing, outer] as const),
    ),
  )('of a few kilobytes is not read on beyond its bound: %s %s', async (packing, outer) => {
    const bomb =
      packing === 'bz2' ? Buffer.concat(Array<Buffer>(100).fill(ZEROS)) : gzipSync(Buffer.alloc(2e7));
    const name = `bound.${packing}`;
    const wrapped = outer.startsWith('t') ? await tarred({ [name]: bomb }) : bomb;
    const file = written(
      outer === '' ? name : `${outer === 'gz' ? name : 'bound'}.${outer}`,
      outer.endsWith('gz') ? gzipSync(wrapped) : wrapped,
    );
    expect(statSync(file).size).toBeLessThan(25_000);
    await expect(read(file, 8 * MIB)).rejects.toThrow('the file unpacks to more than 8 MiB');
  });

  it.each(['tar', 'tgz'])('of many small parts has one bound for all of them: %s', async (outer) => {
    const part = gzipSync(`${TEXT}\n`.repeat(100_000));
    const parts = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}.gz`, part]));
    const fileOf = async (count: number): Promise<string> => {
      const tar = await tarred(parts(count));
      return written(`parts.${outer}`, outer === 'tgz' ? gzipSync(tar) : tar);
    };
    expect(await read(await fileOf(2), 5 * MIB)).toHaveLength(2);
    await expect(read(await fileOf(20), 5 * MIB)).rejects.toThrow(/the file unpacks to more than \d+ MiB/);
  });

  it('that is damaged within a tar is an error that names both', async () => {
    const file = written('bad.tar', await tarred({ '1.1.gz': 'not packed' }));
    await expect(tapesOfFiles([file])).rejects.toThrow(/bad\.tar: 1\.1\.gz/);
    const whole = await tarred({ '1.1': TEXT.repeat(100) });
    await expect(tapesOfFiles([written('cut.tar', whole.subarray(0, 700))])).rejects.toThrow('cut.tar');
  });
});
