import { describe, expect, it } from 'vitest';
import { recordEvenings } from '../../../src/app/record/simulated-evenings.ts';
import type { RecordingRecord } from '../../../src/recording/format.ts';
import { RecordingReader } from '../../../src/recording/reader.ts';
import { verifyRecording } from '../../../src/recording/verify.ts';
import { RecordingWriter } from '../../../src/recording/writer.ts';
import { type MemoryFolder, memoryFolder } from '../../recording/memory-folder.ts';

async function recorded(seed: number, minutes: number, evenings = 2): Promise<MemoryFolder> {
  const folder = memoryFolder();
  await recordEvenings({
    evenings,
    seed,
    eveningMs: minutes * 60_000,
    events: 1,
    version: 'test',
    open: (session) => RecordingWriter.open(folder, session, { maxBytes: null }),
  });
  return folder;
}

async function recordsOf(folder: MemoryFolder, session: number): Promise<readonly RecordingRecord[]> {
  const records: RecordingRecord[] = [];
  const reader = await RecordingReader.open(folder);
  for await (const record of reader.records({ sessions: [session] })) records.push(record);
  return records;
}

const textOf = ({ payload }: RecordingRecord): string => Buffer.from(payload).toString('utf8');

describe('recorded evenings of the modelled market', () => {
  it('give the same bytes for the same seed, and others for another seed and evening', async () => {
    const [first, again, other] = [await recorded(5, 3), await recorded(5, 3), await recorded(6, 3)];
    expect([...first.files.keys()]).toEqual([
      'manifest.json',
      'segment-00000001.tlr',
      'segment-00000002.tlr',
    ]);
    for (const [name, bytes] of first.files)
      expect(Buffer.compare(bytes, again.files.get(name) ?? bytes)).toBe(0);
    const frames = async (folder: MemoryFolder, session: number): Promise<readonly string[]> =>
      (await recordsOf(folder, session)).filter(({ kind }) => kind === 'frame').map(textOf);
    expect(await frames(other, 1)).not.toEqual(await frames(first, 1));
    expect(await frames(first, 2)).not.toEqual(await frames(first, 1));
  });

  it('hold one connection an evening, with frames in the exchange’s own form and without the key', async () => {
    const folder = await recorded(5, 3);
    for (const session of [1, 2]) {
      const records = await recordsOf(folder, session);
      const steps = records.filter(({ kind }) => kind === 'connection').map(textOf);
      expect(steps.map((step) => (JSON.parse(step) as { step: string }).step)).toEqual([
        'opening',
        'open',
        'terminated',
      ]);
      expect(steps[0]).toContain('[secret]');
      const frames = records.filter(({ kind }) => kind === 'frame');
      const tags = new Set(
        frames.flatMap((frame) =>
          (JSON.parse(textOf(frame)) as { data: [string][] }).data.map(([tag]) => tag),
        ),
      );
      expect([...tags]).toEqual(expect.arrayContaining(['event', 'sync', 'offer', 'response']));
      expect(records.every(({ monotonicMs }, i) => monotonicMs >= (records[i - 1]?.monotonicMs ?? 0))).toBe(
        true,
      );
      expect(records.some((record) => textOf(record).includes('simulated-key'))).toBe(false);
    }
    const { damage, summary, manifest } = await verifyRecording(folder);
    expect(damage).toEqual([]);
    expect(summary.events.length).toBeGreaterThan(0);
    expect(manifest.sessions.map(({ about }) => about['evening'])).toEqual([1, 2]);
  });
});
