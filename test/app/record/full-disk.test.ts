import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { diskFolder } from '../../../src/app/record/disk-folder.ts';
import { openWriter } from '../../../src/app/record/open-writer.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import { noMetrics } from '../../../src/ports/metrics.ts';
import { Recorder } from '../../../src/recording/recorder.ts';
import { describeRecording } from '../../../src/recording/verify.ts';
import { breakFile } from '../../support/fd-faults.ts';

const path = join(mkdtempSync(join(tmpdir(), 'touchline-full-')), 'recording');
afterAll(() => rmSync(join(path, '..'), { recursive: true }));

const hasFullDevice = existsSync('/dev/full');

it.runIf(hasFullDevice)(
  'a full disk stops the recording alone, keeps what was written, and frees the folder',
  async () => {
    const clock = new VirtualClock();
    const session = {
      startedWallMs: clock.wallMs(),
      source: 'run' as const,
      program: 'touchline test',
      mode: 'simulated',
      exchange: '',
      about: {},
    };
    const open = () => openWriter(path, session, { maxBytes: null });
    const recorder = new Recorder({ open, clock, logger: silentLogger, metrics: noMetrics });
    recorder.note({ kind: 'frame', payload: 'kept' });
    await recorder.flush();
    expect(breakFile(join(path, 'segment-00000001.tlr'), 'full')).toBe(1);
    recorder.note({ kind: 'frame', payload: 'lost' });
    await recorder.flush();
    expect(recorder.failure?.message).toContain('ENOSPC');
    recorder.note({ kind: 'frame', payload: 'lost, too' });
    await recorder.close();
    const { summary, damage } = await describeRecording(diskFolder(path));
    expect(damage).toEqual([]);
    expect(summary.kinds).toEqual({ frame: 1 });
    const next = await open();
    await expect(open()).rejects.toThrow('each recording process needs a folder of its own');
    await next.close();
  },
);
