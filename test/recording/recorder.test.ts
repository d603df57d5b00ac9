import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { createPrometheusMetrics } from '../../src/ops/metrics.ts';
import { type Logger, silentLogger } from '../../src/ports/logger.ts';
import type { RecordingRecord } from '../../src/recording/format.ts';
import { RecordingReader } from '../../src/recording/reader.ts';
import { Recorder, type RecorderParts } from '../../src/recording/recorder.ts';
import { verifyRecording } from '../../src/recording/verify.ts';
import { RecordingWriter } from '../../src/recording/writer.ts';
import { memoryFolder } from './memory-folder.ts';

const text = ({ kind, payload }: RecordingRecord): string => `${kind} ${Buffer.from(payload).toString()}`;

function rig(change: Partial<RecorderParts> = {}) {
  const clock = new VirtualClock();
  const folder = memoryFolder();
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const lines: string[] = [];
  const line = (message: string): void => void lines.push(message);
  const logger: Logger = { ...silentLogger, info: line, warn: line, error: line };
  const session = {
    startedWallMs: clock.wallMs(),
    source: 'run' as const,
    program: 'touchline test',
    mode: 'simulated',
    exchange: '',
    about: {},
  };
  const recorder = new Recorder({
    open: () => RecordingWriter.open(folder, session, { maxBytes: null }),
    clock,
    logger,
    metrics,
    ...change,
  });
  const read = async (): Promise<readonly RecordingRecord[]> => {
    const records: RecordingRecord[] = [];
    for await (const record of (await RecordingReader.open(folder)).records()) records.push(record);
    return records;
  };
  const exposed = async (): Promise<string> => (await metrics.expose()).text;
  return { clock, folder, recorder, lines, read, exposed };
}

/** A writer that waits until it is let go. */
function slowWriter() {
  const gate = Promise.withResolvers<void>();
  const written: RecordingRecord[] = [];
  const writer = {
    append: async (records: readonly RecordingRecord[]) => {
      await gate.promise;
      written.push(...records);
    },
    close: () => Promise.resolve(),
  };
  return { open: () => Promise.resolve(writer), letGo: gate.resolve, written };
}

/** A writer that reads a block only when it is told to finish it. */
function steppingWriter() {
  const [begun, written]: [(() => void)[], string[]] = [[], []];
  const writer = {
    append: async (records: readonly RecordingRecord[]) => {
      await new Promise<void>((resolve) => begun.push(resolve));
      written.push(...records.map(({ payload }) => Buffer.from(payload).toString('hex')));
    },
    close: () => Promise.resolve(),
  };
  const finishOne = async (): Promise<void> => {
    begun.shift()?.();
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return { open: () => Promise.resolve(writer), written, finishOne };
}

describe('a recorder', () => {
  it('writes within a second what arrived, with both times and the events that it names', async () => {
    const { clock, recorder, folder } = rig();
    await clock.advance(250);
    recorder.note({ kind: 'frame', channel: 3, payload: '["offer",{"event_id":"2026-03-01,1,2"}]' });
    await clock.advance(500);
    await recorder.flush();
    const records: RecordingRecord[] = [];
    for await (const record of (await RecordingReader.open(folder)).records()) records.push(record);
    expect(records.map(({ payload: _, ...rest }) => rest)).toEqual([
      {
        kind: 'frame',
        channel: 3,
        monotonicMs: 250,
        wallMs: clock.wallMs() - 500,
        events: ['2026-03-01,1,2'],
      },
    ]);
  });

  it('writes each payload as it was noted, however far the writer falls behind', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.record({ note: fc.uint8Array({ minLength: 1, maxLength: 70, size: 'max' }) }),
            fc.constant('written' as const),
          ),
          { minLength: 40, maxLength: 120, size: 'max' },
        ),
        async (steps) => {
          const { open, written, finishOne } = steppingWriter();
          const { recorder } = rig({ open, blockBytes: 64 });
          const noted: string[] = [];
          for (const step of steps) {
            if (step === 'written') await finishOne();
            else {
              noted.push(Buffer.from(step.note).toString('hex'));
              const ofTheSocket = Uint8Array.from(step.note);
              recorder.note({ kind: 'frame', payload: ofTheSocket });
            }
          }
          const closed = recorder.close();
          for (let left = noted.length; left >= 0; left--) await finishOne();
          await closed;
          expect(written).toEqual(noted);
        },
      ),
    );
  });

  it('catches up in few steps, with larger blocks', async () => {
    const blocks: number[] = [];
    const append = (records: readonly RecordingRecord[]): Promise<void> => {
      blocks.push(records.length);
      return Promise.resolve();
    };
    const { recorder } = rig({
      open: () => Promise.resolve({ append, close: () => Promise.resolve() }),
      blockBytes: 10,
    });
    for (let note = 0; note < 1_000; note++) recorder.note({ kind: 'sent', payload: '1' });
    await recorder.close();
    expect(blocks.reduce((sum, records) => sum + records, 0)).toBe(1_000);
    expect(blocks.length).toBeLessThan(40);
    expect(Math.max(...blocks)).toBe(40);
  });

  it('keeps the order of its records, and completes the recording at the end', async () => {
    const { recorder, read, folder } = rig({ blockBytes: 10 });
    const notes = Array.from({ length: 200 }, (_, i) => `"${i}"`);
    for (const payload of notes) recorder.note({ kind: 'sent', payload });
    await recorder.close();
    recorder.note({ kind: 'sent', payload: 'too late' });
    expect((await read()).map(text)).toEqual(notes.map((payload) => `sent ${payload}`));
    const { incomplete, summary } = await verifyRecording(folder);
    expect(incomplete).toEqual([]);
    expect(summary.blocks).toBeGreaterThan(10);
  });

  it('drops and counts what a slow disk cannot take, and says so where it is missing', async () => {
    const slow = slowWriter();
    const { recorder, exposed, lines, clock } = rig({ open: slow.open, maxWaitingBytes: 30 });
    for (let i = 0; i < 5; i++) recorder.note({ kind: 'frame', payload: `frame ${i} ok` });
    expect(await exposed()).toContain('touchline_record_dropped_total 2');
    slow.letGo();
    await clock.advance(1_000);
    await recorder.flush();
    recorder.note({ kind: 'frame', payload: 'after' });
    await recorder.close();
    expect(slow.written.map(text)).toEqual([
      'frame frame 0 ok',
      'frame frame 1 ok',
      'frame frame 2 ok',
      'gap {"dropped":2,"bytes":20,"reason":"the recording was too slow"}',
      'frame after',
    ]);
    expect(lines).toEqual([
      'the recording falls behind: records are dropped',
      'the recording goes on after a gap',
    ]);
  });

  it('notes a gap at the end, too', async () => {
    const slow = slowWriter();
    const { recorder } = rig({ open: slow.open, maxWaitingBytes: 5 });
    recorder.note({ kind: 'frame', payload: 'first' });
    recorder.note({ kind: 'frame', payload: 'second' });
    slow.letGo();
    await recorder.close();
    expect(slow.written.map(({ kind }) => kind)).toEqual(['frame', 'gap']);
  });

  it('stops at a full disk, logs that once, and keeps what was written', async () => {
    const { recorder, folder, read, exposed, lines, clock } = rig();
    recorder.note({ kind: 'frame', payload: 'kept' });
    await recorder.flush();
    folder.room = 5;
    for (let i = 0; i < 3; i++) {
      recorder.note({ kind: 'frame', payload: 'lost' });
      await clock.advance(1_000);
      await recorder.flush();
    }
    await recorder.close();
    expect(recorder.failure?.message).toContain('no space left');
    expect(await exposed()).toContain('touchline_record_failed 1');
    expect(lines).toEqual(['the recording has stopped: trading goes on']);
    expect((await read()).map(text)).toEqual(['frame kept']);
  });

  it('stops if its folder cannot be used', async () => {
    const { recorder, lines } = rig({ open: () => Promise.reject(new Error('no such disk')) });
    recorder.note({ kind: 'frame', payload: 'lost' });
    await recorder.close();
    expect(recorder.failure?.message).toContain('no such disk');
    expect(lines).toEqual(['the recording has stopped: trading goes on']);
  });
});
