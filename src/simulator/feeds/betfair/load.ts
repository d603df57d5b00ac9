import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ConfigError } from '../../../domain/errors.ts';
import { foreignLines, UnpackedBound, unpackedWithin } from '../../../lib/foreign-text.ts';
import { reasonOf } from '../../../lib/reason.ts';
import { parseMessage, type RecordedMessage } from './message.ts';

/** A recorded market in memory. Levels are packed, so that it takes less room than its text. */
export interface Recording {
  readonly messages: readonly RecordedMessage[];
  /** Lines that were not market change messages, and were left out. */
  readonly skippedLines: number;
}

/**
 * Reads a recording: JSON lines, gzipped when the name ends in `.gz`, line by line. Throws ConfigError, naming the
 * file, when it cannot be read, cannot be unpacked, or holds no market definition.
 */
export async function loadBetfairRecording(file: string): Promise<Recording> {
  const recording = await readAll(file).catch((error: unknown) => {
    throw new ConfigError(`feed: cannot read the recorded market ${file}: ${reasonOf(error)}`, { file });
  });
  const hasMarket = recording.messages.some(({ changes }) => changes.some((change) => change.definition));
  if (!hasMarket) {
    throw new ConfigError(`feed: ${file} is not a recorded market: no market definition in it`, { file });
  }
  return recording;
}

async function readAll(file: string): Promise<Recording> {
  const { size } = await stat(file);
  const unpacked = new PassThrough();
  const steps = file.endsWith('.gz') ? [createGunzip()] : [];
  const reading = pipeline([createReadStream(file), ...steps, unpacked]);
  const [recording] = await Promise.all([
    collect(unpackedWithin(unpacked, new UnpackedBound(size))),
    reading,
  ]);
  return recording;
}

async function collect(text: AsyncIterable<Uint8Array>): Promise<Recording> {
  const messages: RecordedMessage[] = [];
  let skippedLines = 0;
  for await (const lines of foreignLines(text)) {
    for (const line of lines) {
      if (line.trim() === '') continue;
      const message = parseMessage(line);
      if (message === null) skippedLines++;
      else messages.push(message);
    }
  }
  return { messages, skippedLines };
}
