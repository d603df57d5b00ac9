import { describe, expect, it } from 'vitest';
import type { RecordingRecord, RecordKind } from '../../src/recording/format.ts';
import { describeRecording, verifyRecording } from '../../src/recording/verify.ts';
import { RecordingWriter, type SessionStart } from '../../src/recording/writer.ts';
import { memoryFolder } from './memory-folder.ts';

const WALL_MS = 1_700_000_000_000;
const SESSION: SessionStart = {
  startedWallMs: WALL_MS,
  source: 'record',
  program: 'touchline test',
  mode: 'simulated',
  exchange: '',
  about: {},
};

const at = (monotonicMs: number, kind: RecordKind, payload: unknown, channel = 0): RecordingRecord => ({
  kind,
  monotonicMs,
  wallMs: WALL_MS + monotonicMs,
  channel,
  events: [],
  payload: Buffer.from(JSON.stringify(payload)),
});

const step = (monotonicMs: number, channel: number, name: string): RecordingRecord =>
  at(monotonicMs, 'connection', { step: name }, channel);

describe('the coverage of a recording', () => {
  it('counts the time with an open connection, over blocks and to the last record', async () => {
    const folder = memoryFolder();
    const writer = await RecordingWriter.open(folder, SESSION, { maxBytes: null });
    await writer.append([at(0, 'sent', ''), step(1_000, 1, 'opening'), step(1_500, 1, 'open')]);
    await writer.append([at(2_000, 'frame', {}, 1), step(4_500, 1, 'closed'), step(5_000, 2, 'opening')]);
    await writer.append([step(6_000, 2, 'open'), at(8_000, 'frame', {}, 2)]);
    await writer.begin(SESSION);
    await writer.append([at(10, 'sent', '')]);
    await writer.close();
    const { coverage } = await describeRecording(folder);
    expect(coverage).toEqual([
      {
        session: 1,
        firstWallMs: WALL_MS,
        lastWallMs: WALL_MS + 8_000,
        lengthMs: 8_000,
        connectedMs: 5_000,
        connections: 2,
      },
      {
        session: 2,
        firstWallMs: WALL_MS + 10,
        lastWallMs: WALL_MS + 10,
        lengthMs: 0,
        connectedMs: 0,
        connections: 0,
      },
    ]);
    expect((await verifyRecording(folder)).coverage).toEqual(coverage);
  });

  it('lists the gaps', async () => {
    const folder = memoryFolder();
    const writer = await RecordingWriter.open(folder, SESSION, { maxBytes: null });
    await writer.append([
      at(5, 'gap', { dropped: 7, bytes: 70, reason: 'the recording was too slow' }),
      at(6, 'gap', 'x'),
    ]);
    await writer.close();
    const { gaps, summary } = await describeRecording(folder);
    expect(summary.dropped).toBe(7);
    expect(gaps).toEqual([
      { wallMs: WALL_MS + 5, dropped: 7, reason: 'the recording was too slow' },
      { wallMs: WALL_MS + 6, dropped: null, reason: 'unknown' },
    ]);
  });
});
