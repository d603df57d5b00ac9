import {
  appendFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Tail } from '../../../src/app/adapters/added-lines.ts';

let folder: string;
let path: string;
let tail: Tail;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchline-lines-'));
  path = join(folder, 'odds.jsonl');
  tail = new Tail(path);
});
afterEach(async () => {
  await tail.close();
  rmSync(folder, { recursive: true });
});

/** Looks for the first time at a file with this content. */
async function beginAfter(text: string): Promise<void> {
  writeFileSync(path, text);
  expect(await tail.look()).toEqual([]);
}

describe('added lines', () => {
  it('are given once they are whole, however they are written', async () => {
    await beginAfter('old\n');
    appendFileSync(path, 'one');
    expect(await tail.look()).toEqual([]);
    appendFileSync(path, ' and more\r\ntw');
    expect(await tail.look()).toEqual(['one and more']);
    const letter = Buffer.from('é');
    appendFileSync(path, letter.subarray(0, 1));
    expect(await tail.look()).toEqual([]);
    appendFileSync(path, Buffer.concat([letter.subarray(1), Buffer.from('\n\nthree\n')]));
    expect(await tail.look()).toEqual(['twé', 'three']);
  });

  it('leave out the rest of a line that had begun before', async () => {
    await beginAfter('half a li');
    appendFileSync(path, 'ne\nwhole\n');
    expect(await tail.look()).toEqual(['whole']);
  });

  it('are read from the beginning of a file that appears later', async () => {
    expect(await tail.look()).toEqual([]);
    writeFileSync(path, 'one\n');
    expect(await tail.look()).toEqual(['one']);
  });

  it('go on when the file is rotated, the rest of the old file first', async () => {
    await beginAfter('');
    appendFileSync(path, 'last of the old\n');
    renameSync(path, `${path}.1`);
    expect(await tail.look()).toEqual(['last of the old']);
    writeFileSync(path, 'first of the new\n');
    expect(await tail.look()).toEqual(['first of the new']);
    appendFileSync(path, 'old\n');
    renameSync(path, `${path}.2`);
    writeFileSync(path, 'new\n');
    expect(await tail.look()).toEqual(['old', 'new']);
  });

  it('go on when the file is emptied, or removed and written anew', async () => {
    await beginAfter('a long line that stood here before\nand ha');
    truncateSync(path);
    expect(await tail.look()).toEqual([]);
    appendFileSync(path, 'emptied\n');
    expect(await tail.look()).toEqual(['emptied']);
    unlinkSync(path);
    expect(await tail.look()).toEqual([]);
    writeFileSync(path, 'anew\n');
    expect(await tail.look()).toEqual(['anew']);
  });

  it('of more than 64 KiB are left out', async () => {
    await beginAfter('');
    appendFileSync(path, `${'x'.repeat(200_000)}\nshort\n${'y'.repeat(65_536)}\n`);
    expect(await tail.look()).toEqual(['short', 'y'.repeat(65_536)]);
  });

  it('of a large file are all read, a part at each look', async () => {
    await beginAfter('');
    const many = Array.from({ length: 30_000 }, (_, index) => `${index} ${'x'.repeat(60)}`);
    appendFileSync(path, `${many.join('\n')}\n`);
    const looks = [await tail.look(), await tail.look(), await tail.look()];
    expect(looks.map((lines) => lines.length > 0)).toEqual([true, true, false]);
    expect(looks.flat()).toEqual(many);
  });

  it('cannot be read of a folder, which is a failure', async () => {
    await expect(new Tail(folder).look()).rejects.toThrow('EISDIR');
  });

  it('can be left in the middle of a look', async () => {
    await beginAfter('');
    const look = tail.look();
    await tail.close();
    await look.catch(() => undefined);
    await expect(tail.close()).resolves.toBeUndefined();
  });
});
