/** Market files as their owners have them: JSON lines, plain or packed by gzip, bzip2 or tar, also one in the other. */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { RecordingError } from '../../domain/errors.ts';
import { foreignLines, UnpackedBound, unpackedWithin } from '../../lib/foreign-text.ts';
import { reasonOf } from '../../lib/reason.ts';
import type { LinesOfFile } from '../../research/import/betfair.ts';
import { bunzipped } from './bunzip.ts';

/** The files under these paths, folders in the order of their names. Rejects with RecordingError if a path is not there. */
export async function filesUnder(paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of paths) {
    const found = await stat(path).catch((error: unknown) => {
      throw new RecordingError(`cannot read ${path}: ${reasonOf(error)}`, { path });
    });
    if (!found.isDirectory()) files.push(path);
    else files.push(...(await filesUnder((await readdir(path)).sort().map((name) => join(path, name)))));
  }
  return files;
}

/**
 * The market files in a file: itself, or the members of a tar. Each must be read to its end before the next. Reading one rejects if it is damaged, if
 * a line is too long, or if the file unpacks to far more than market files do: to more than `alwaysBytes`, and to many times its size.
 */
export async function* linesOf(file: string, alwaysBytes?: number): AsyncGenerator<LinesOfFile> {
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  yield* unpacked(file, basename(file), createReadStream(file), new UnpackedBound(size, alwaysBytes));
}

/** Takes one packing after the other from the name's end. */
async function* unpacked(
  file: string,
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  bound: UnpackedBound,
): AsyncGenerator<LinesOfFile> {
  if (/\.t?gz$/i.test(name)) {
    const inner = name.replace(/\.gz$/i, '').replace(/\.tgz$/i, '.tar');
    yield* unpacked(file, inner, unpackedWithin(gunzipped(bytes), bound), bound);
  } else if (/\.bz2$/i.test(name)) {
    const inner = name.replace(/\.bz2$/i, '');
    yield* unpacked(file, inner, unpackedWithin(bunzipped(bytes), bound), bound);
  } else if (/\.tar$/i.test(name)) {
    yield* members(file, bytes, bound);
  } else {
    yield { file, lines: foreignLines(bytes) };
  }
}

/** Whoever reads a member may fail or stop early: the next one follows all the same. */
async function* members(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  bound: UnpackedBound,
): AsyncGenerator<LinesOfFile> {
  const tar = extract();
  const failed = pipeline(bytes, tar).then(
    () => null,
    (error: unknown) => error,
  );
  for await (const member of tar) {
    const { name, type } = member.header;
    // An entry is a stream of another library.
    const content = (member as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    if (type === 'file') yield* unpacked(`${file}: ${name}`, basename(name), restOf(content), bound);
    while ((await content.next()).done !== true);
  }
  const error = await failed;
  if (error !== null) throw new RecordingError(`${file}: ${reasonOf(error)}`, { path: file });
}

/** The items that an iterator still has. Whoever stops early leaves it open. */
async function* restOf(content: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let next = await content.next(); next.done !== true; next = await content.next()) yield next.value;
}

/** The bytes behind a step; an error of either ends it with that error. */
async function* gunzipped(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const out = new PassThrough();
  pipeline(bytes, createGunzip(), out).catch((error: unknown) => out.destroy(error as Error));
  yield* out as AsyncIterable<Uint8Array>;
}
