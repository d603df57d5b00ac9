import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ConfigError } from '../../../domain/errors.ts';
import { foreignLines, UnpackedBound, unpackedWithin } from '../../../lib/foreign-text.ts';
import { reasonOf } from '../../../lib/reason.ts';
import { type Recording, RecordingReader } from './recording.ts';

/**
 * Reads a recording: JSON lines, gzipped when the name ends in `.gz`, line by line. Throws ConfigError, naming the
 * file, when it cannot be read, cannot be unpacked, or holds no market definition.
 */
export async function loadBetfairRecording(file: string): Promise<Recording> {
  const recording = await readAll(file).catch((error: unknown) => {
    throw new ConfigError(`feed: cannot read the recorded market ${file}: ${reasonOf(error)}`, { file });
  });
  if (recording.markets.every((market) => market === null)) {
    throw new ConfigError(`feed: ${file} is not a recorded market: no market definition in it`, { file });
  }
  return recording;
}

async function readAll(file: string): Promise<Recording> {
  const { size } = await stat(file);
  const unpacked = new PassThrough();
  const steps = file.endsWith('.gz') ? [createGunzip()] : [];
  const reading = pipeline([createReadStream(file), ...steps, unpacked]);
  const reader = new RecordingReader(file);
  const collecting = collect(unpackedWithin(unpacked, new UnpackedBound(size)), reader);
  await Promise.all([collecting, reading]);
  return reader.recording();
}

async function collect(text: AsyncIterable<Uint8Array>, reader: RecordingReader): Promise<void> {
  for await (const lines of foreignLines(text)) reader.read(lines);
}
