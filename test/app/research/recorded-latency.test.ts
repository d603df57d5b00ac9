import { describe, expect, it } from 'vitest';
import { feedLatencies, requestLatencies } from '../../../src/app/research/recorded-latency.ts';
import type { RecordingRecord, RecordKind } from '../../../src/recording/format.ts';
import { RecordingWriter } from '../../../src/recording/writer.ts';
import { type MemoryFolder, memoryFolder } from '../../recording/memory-folder.ts';

const START_MS = Date.parse('2026-01-03T12:00:00Z');

const record = (kind: RecordKind, atMs: number, channel: number, text: string): RecordingRecord => ({
  kind,
  wallMs: START_MS + atMs,
  monotonicMs: atMs,
  channel,
  events: [],
  payload: Buffer.from(text),
});

const frame = (receivedMs: number, sentMs: number): RecordingRecord =>
  record('frame', receivedMs, 1, JSON.stringify({ ts: (START_MS + sentMs) / 1000, data: [] }));

async function recordingOf(records: readonly RecordingRecord[]): Promise<MemoryFolder> {
  const folder = memoryFolder();
  const session = {
    startedWallMs: START_MS,
    source: 'run',
    program: 'test',
    mode: 'simulated',
    exchange: '',
  } as const;
  const writer = await RecordingWriter.open(folder, { ...session, about: {} }, { maxBytes: null });
  await writer.append(records);
  await writer.close();
  return folder;
}

describe('latencies of a recording', () => {
  const REQUESTS = [
    record('request', 100, 1, '{}'),
    record('request', 105, 2, '{}'),
    record('answer', 125, 2, '{}'),
    record('answer', 160, 1, '{}'),
    record('request', 200, 3, '{}'),
    record('failure', 900, 3, '{}'),
  ];

  it('of requests are half of each time to the answer', async () => {
    expect(await requestLatencies(await recordingOf(REQUESTS))).toEqual([10, 30]);
  });

  it('of the feed differ as its frames do, from the fastest request on', async () => {
    const folder = await recordingOf([
      ...REQUESTS,
      frame(1_000, 700),
      frame(2_000, 1_675),
      frame(3_000, 2_700),
    ]);
    const samples = await feedLatencies(folder);
    expect(samples.map((ms) => Math.round(ms))).toEqual([10, 35, 10]);
  });

  it('need requests, and frames that say when they were sent', async () => {
    const folder = await recordingOf([record('frame', 1, 1, '{"data":[]}')]);
    await expect(requestLatencies(folder)).rejects.toThrow(/no answered request: .*record\.path/);
    await expect(feedLatencies(folder)).rejects.toThrow(/no frame that says when it was sent/);
  });
});
