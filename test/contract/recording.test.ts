import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { diskFolder } from '../../src/app/record/disk-folder.ts';
import { RecordingError } from '../../src/domain/errors.ts';
import type { GrowingFile, RecordingFolder } from '../../src/ports/recording-folder.ts';
import {
  RECORD_KINDS,
  type RecordingRecord,
  type RecordKind,
  segmentName,
} from '../../src/recording/format.ts';
import { MANIFEST_NAME } from '../../src/recording/manifest.ts';
import { RecordingReader, type RecordQuery } from '../../src/recording/reader.ts';
import { verifyRecording } from '../../src/recording/verify.ts';
import { RecordingWriter, type SessionStart, type WriterOptions } from '../../src/recording/writer.ts';
import { type MemoryFolder, memoryFolder } from '../recording/memory-folder.ts';

const SESSION: SessionStart = {
  startedWallMs: 1_700_000_000_000,
  source: 'record',
  program: 'touchline test',
  mode: 'simulated',
  exchange: 'https://exchange.example/v2/',
  about: { seed: 7 },
};
/** Times are random here, so segments must not be rotated by them. */
const UNBOUNDED: WriterOptions = { maxBytes: null, segmentMs: Infinity };
const EVENTS = ['2026-03-01,1,2', '2026-03-01,3,4', '2026-03-02,5,6'];
const FIRST = segmentName(1);

const timeMs = fc.double({ min: 0, max: 1e13, noNaN: true });

const record: fc.Arbitrary<RecordingRecord> = fc.record({
  kind: fc.constantFrom(...(Object.keys(RECORD_KINDS) as RecordKind[]).filter((kind) => kind !== 'gap')),
  wallMs: timeMs,
  monotonicMs: timeMs,
  channel: fc.nat(2 ** 32 - 1),
  events: fc.uniqueArray(fc.oneof(fc.constantFrom(...EVENTS), fc.string()), { maxLength: 4 }),
  payload: fc.uint8Array({ maxLength: 200 }),
});
const block = fc.array(record, { minLength: 1, maxLength: 12 });
const blocks = fc.array(block, { maxLength: 8 });

const plain = ({ payload, ...rest }: RecordingRecord) => ({
  ...rest,
  payload: Buffer.from(payload).toString('hex'),
});

async function write(
  folder: RecordingFolder,
  content: readonly (readonly RecordingRecord[])[],
  options = UNBOUNDED,
): Promise<RecordingWriter> {
  const writer = await RecordingWriter.open(folder, SESSION, options);
  for (const records of content) await writer.append(records);
  return writer;
}

async function read(folder: RecordingFolder, query?: RecordQuery) {
  const reader = await RecordingReader.open(folder);
  const records: ReturnType<typeof plain>[] = [];
  for await (const each of reader.records(query)) records.push(plain(each));
  return { records, notes: reader.notes };
}

const bytesOf = (folder: MemoryFolder, name = FIRST): Uint8Array =>
  folder.files.get(name) ?? new Uint8Array();

/** The same recording, with another first segment. */
function changed(folder: MemoryFolder, bytes: Uint8Array): MemoryFolder {
  const copy = memoryFolder();
  for (const [name, content] of folder.files) copy.files.set(name, content);
  copy.files.set(FIRST, bytes);
  return copy;
}

/** The offsets at which a whole block ends, with the number of records until there. */
async function endsOf(
  folder: RecordingFolder,
): Promise<{ readonly end: number; readonly records: number }[]> {
  const reader = await RecordingReader.open(folder);
  const ends = [{ end: 8, records: 0 }];
  for await (const part of reader.parts())
    if (part.kind === 'block')
      ends.push({ end: part.block.end, records: (ends.at(-1)?.records ?? 0) + part.block.index.records });
  return ends;
}

const made: string[] = [];
const abandoned: GrowingFile[] = [];
afterAll(async () => {
  for (const file of abandoned) await file.close();
  for (const path of made) rmSync(path, { recursive: true });
});

function onDisk(): RecordingFolder {
  const path = mkdtempSync(join(tmpdir(), 'touchline-recording-'));
  made.push(path);
  const folder = diskFolder(join(path, 'new'));
  const create = async (name: string): Promise<GrowingFile> => {
    const file = await folder.create(name);
    abandoned.push(file);
    return file;
  };
  return { ...folder, create };
}

/** What writer and reader promise in every kind of folder. */
function recordingContract(name: string, make: () => RecordingFolder, numRuns: number): void {
  describe(`a recording ${name}`, () => {
    it('reads back any sequence of records', async () => {
      await fc.assert(
        fc.asyncProperty(blocks, async (content) => {
          const folder = make();
          await (await write(folder, content)).close();
          expect((await read(folder)).records).toEqual(content.flat().map(plain));
        }),
        { numRuns },
      );
    });

    it('reads while it is written, and after its writer has gone without a word', async () => {
      await fc.assert(
        fc.asyncProperty(blocks, blocks, async (first, second) => {
          const folder = make();
          const writer = await write(folder, first);
          expect((await read(folder)).records).toEqual(first.flat().map(plain));
          for (const records of second) await writer.append(records);
          const all = [...first, ...second].flat().map(plain);
          expect((await read(folder)).records).toEqual(all);
          await (await write(folder, first)).close();
          const { records } = await read(folder);
          expect(records).toEqual([...all, ...first.flat().map(plain)]);
          expect((await verifyRecording(folder)).damage).toEqual([]);
        }),
        { numRuns },
      );
    });

    it('rotates its segments, and finds nothing wrong in them', async () => {
      await fc.assert(
        fc.asyncProperty(blocks, async (content) => {
          const folder = make();
          await (await write(folder, content, { ...UNBOUNDED, segmentBytes: 1 })).close();
          expect((await read(folder)).records).toEqual(content.flat().map(plain));
          const { segments, damage, summary, incomplete } = await verifyRecording(folder);
          expect({ segments, damage, incomplete }).toEqual({
            segments: content.length,
            damage: [],
            incomplete: [],
          });
          expect(summary.records).toBe(content.flat().length);
        }),
        { numRuns },
      );
    });

    it('refuses a folder with other files', async () => {
      const folder = make();
      await folder.replace('notes.txt', 'mine');
      await expect(write(folder, [])).rejects.toThrow('neither empty nor a recording');
      await expect(read(folder)).rejects.toThrow('it has no manifest.json');
    });
  });
}

recordingContract('in memory', memoryFolder, 100);
recordingContract('on disk', onDisk, 15);

describe('a query', () => {
  const wanted = fc.record(
    {
      fromWallMs: timeMs,
      toWallMs: timeMs,
      events: fc.subarray(EVENTS),
      general: fc.boolean(),
      kinds: fc.subarray(Object.keys(RECORD_KINDS) as RecordKind[]),
    },
    { requiredKeys: [] },
  );

  it('finds by the index what a scan of all records finds', async () => {
    await fc.assert(
      fc.asyncProperty(blocks, wanted, async (content, query) => {
        const folder = memoryFolder();
        await (await write(folder, content, { ...UNBOUNDED, segmentBytes: 600 })).close();
        const scanned = content
          .flat()
          .filter(
            ({ wallMs, kind, events }) =>
              wallMs >= (query.fromWallMs ?? -Infinity) &&
              wallMs < (query.toWallMs ?? Infinity) &&
              (query.kinds?.includes(kind) ?? true) &&
              (query.events === undefined ||
                events.some((event) => query.events?.includes(event)) ||
                (query.general === true && events.length === 0)),
          );
        expect((await read(folder, query)).records).toEqual(scanned.map(plain));
      }),
      { numRuns: 300 },
    );
  });

  it('leaves blocks compressed that cannot match', async () => {
    const folder = memoryFolder();
    const at = (wallMs: number, events: readonly string[]): RecordingRecord => ({
      kind: 'frame',
      wallMs,
      monotonicMs: wallMs,
      channel: 1,
      events,
      payload: new Uint8Array(50),
    });
    await (await write(folder, [[at(1, EVENTS.slice(0, 1))], [at(2, EVENTS.slice(1, 2))]])).close();
    const [, first] = await endsOf(folder);
    const bytes = Uint8Array.from(bytesOf(folder));
    bytes[(first?.end ?? 0) - 1] = 255 - (bytes[(first?.end ?? 0) - 1] ?? 0);
    const damaged = changed(folder, bytes);
    expect((await read(damaged, { events: EVENTS.slice(1, 2) })).records).toHaveLength(1);
    expect((await read(damaged, { fromWallMs: 2 })).records).toHaveLength(1);
    await expect(read(damaged)).rejects.toThrow(RecordingError);
  });
});

describe('a segment that was cut', () => {
  it('loses at most its last block, and says what is torn, at any byte', async () => {
    const content = fc
      .sample(blocks, { numRuns: 1, seed: 5 })[0]
      ?.concat(fc.sample(block, { numRuns: 3, seed: 6 }));
    const folder = memoryFolder();
    await write(folder, content ?? []);
    const whole = bytesOf(folder);
    const ends = await endsOf(folder);
    const all = (await read(folder)).records;
    for (let length = 0; length <= whole.length; length++) {
      const cut = changed(folder, whole.subarray(0, length));
      const kept = ends.findLast(({ end }) => end <= length) ?? { end: 0, records: 0 };
      const { records, notes } = await read(cut);
      expect(records).toEqual(all.slice(0, kept.records));
      const bytes = length - kept.end;
      expect(notes.torn).toEqual(bytes === 0 ? null : { file: FIRST, offset: kept.end, bytes });
    }
  });

  it('is damaged if the manifest says that it was complete', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 4 }), fc.nat(), async (content, at) => {
        const folder = memoryFolder();
        await (await write(folder, content)).close();
        const whole = bytesOf(folder);
        const cut = changed(folder, whole.subarray(0, at % whole.length));
        await expect(read(cut)).rejects.toThrow(RecordingError);
        expect((await verifyRecording(cut)).damage).toContainEqual(
          expect.objectContaining({
            file: FIRST,
            what: expect.stringContaining('the file ends early') as string,
          }),
        );
      }),
    );
  });

  it('is completed by the next session, which goes on behind it', async () => {
    const content = fc.sample(block, { numRuns: 3, seed: 8 });
    const folder = memoryFolder();
    await write(folder, content);
    const cut = changed(folder, bytesOf(folder).subarray(0, -3));
    await (await write(cut, content)).close();
    expect((await read(cut)).records).toEqual([...content.slice(0, -1), ...content].flat().map(plain));
    const { damage, torn, manifest, segments, incomplete } = await verifyRecording(cut);
    expect({ damage, torn, segments, incomplete }).toEqual({
      damage: [],
      torn: null,
      segments: 2,
      incomplete: [],
    });
    expect(manifest.sessions.map(({ session }) => session)).toEqual([1, 2]);
  });

  it('may end in zeros, as after a power failure, which the next session leaves behind', async () => {
    const content = fc.sample(block, { numRuns: 3, seed: 9 });
    const folder = memoryFolder();
    await write(folder, content);
    const zeros = new Uint8Array(4_000);
    const failed = changed(folder, Buffer.concat([bytesOf(folder), zeros]));
    await expect(read(failed)).rejects.toThrow('wrong checksum');
    await (await write(failed, content)).close();
    expect((await read(failed)).records).toEqual([...content, ...content].flat().map(plain));
    expect(await verifyRecording(failed)).toMatchObject({ damage: [], torn: null, tornBytes: zeros.length });
  });
});

describe('a flipped bit', () => {
  const content = fc.sample(block, { numRuns: 4, seed: 11 });

  it('is found and named wherever it is, complete segment or not', async () => {
    for (const isComplete of [true, false]) {
      const folder = memoryFolder();
      const writer = await write(folder, content);
      if (isComplete) await writer.close();
      const whole = bytesOf(folder);
      for (let at = 0; at < whole.length; at++) {
        const bytes = Uint8Array.from(whole);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
        await expect(read(changed(folder, bytes)), `bit ${at % 8} of byte ${at}`).rejects.toMatchObject({
          name: 'RecordingError',
          message: expect.stringContaining(FIRST) as string,
        });
      }
    }
  });

  it('costs the records of its block alone', async () => {
    const folder = memoryFolder();
    await (await write(folder, content)).close();
    const whole = bytesOf(folder);
    const ends = await endsOf(folder);
    for (let at = 8; at < whole.length; at++) {
      const bytes = Uint8Array.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      const lost = ends.findIndex(({ end }) => at < end) - 1;
      const reader = await RecordingReader.open(changed(folder, bytes));
      const [records, damage]: [unknown[], unknown[]] = [[], []];
      for await (const each of reader.records({}, { onDamage: (found) => damage.push(found) }))
        records.push(plain(each));
      expect(records).toEqual(
        content
          .filter((_, number) => number !== lost)
          .flat()
          .map(plain),
      );
      expect(damage.length).toBeGreaterThan(0);
    }
  });

  it('in the manifest never gives another error than RecordingError', async () => {
    const folder = memoryFolder();
    await (await write(folder, content.slice(0, 1))).close();
    const manifest = folder.files.get(MANIFEST_NAME) ?? new Uint8Array();
    for (let at = 0; at < manifest.length; at++) {
      const bytes = Uint8Array.from(manifest);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      const copy = changed(folder, bytesOf(folder));
      copy.files.set(MANIFEST_NAME, bytes);
      const failure: unknown = await verifyRecording(copy).then(
        () => null,
        (error: unknown) => error,
      );
      expect(failure === null || failure instanceof RecordingError).toBe(true);
    }
  });
});

describe('a bounded recording', () => {
  const records = fc.sample(block, { numRuns: 60, seed: 3 });

  it('deletes its oldest segments, also those of earlier sessions', async () => {
    const folder = memoryFolder();
    const maxBytes = 20_000;
    await (await write(folder, records, { maxBytes })).close();
    await (await write(folder, records, { maxBytes })).close();
    const { bytes, manifest, damage, summary } = await verifyRecording(folder);
    expect(bytes).toBeLessThanOrEqual(maxBytes);
    expect(bytes).toBeGreaterThan(maxBytes / 2);
    expect(damage).toEqual([]);
    expect(summary.records + manifest.deletedRecords).toBe(2 * records.flat().length);
    const kept = (await read(folder)).records;
    expect(kept).toEqual(records.flat().map(plain).slice(-kept.length));
  });

  it('can be read while segments disappear', async () => {
    const folder = memoryFolder();
    const maxBytes = 20_000;
    const writer = await write(folder, records.slice(0, 10), { maxBytes });
    const reader = await RecordingReader.open(folder);
    const seen: unknown[] = [];
    for await (const each of reader.records()) {
      if (seen.length === 0) for (const more of records) await writer.append(more);
      seen.push(plain(each));
    }
    expect(seen.length).toBeGreaterThan(0);
  });
});

describe('a recording that is none', () => {
  it('names the version that this program cannot read', async () => {
    const folder = memoryFolder();
    await write(folder, fc.sample(block, { numRuns: 1, seed: 1 }));
    const bytes = Uint8Array.from(bytesOf(folder));
    bytes[7] = 2;
    await expect(read(changed(folder, bytes))).rejects.toThrow('has version 2 of the format');
    await folder.replace(MANIFEST_NAME, '{"format":"touchline-recording","version":2}');
    await expect(read(folder)).rejects.toThrow('not the manifest of a recording of version 1');
  });

  it('stops at a full disk with what was whole', async () => {
    const content = fc.sample(block, { numRuns: 3, seed: 2 });
    const folder = memoryFolder();
    const writer = await write(folder, content.slice(0, 2));
    folder.room = 10;
    await expect(writer.append(content[2] ?? [])).rejects.toThrow('no space left');
    const { records, notes } = await read(folder);
    expect(records).toEqual(content.slice(0, 2).flat().map(plain));
    expect(notes.torn?.bytes).toBe(10);
  });
});
