import { linesOf } from '../research/market-files.ts';
import { ConfigError } from '../../domain/errors.ts';
import { reasonOf } from '../../lib/reason.ts';
import { type Recording, RecordingReader } from '../../simulator/feeds/betfair/recording.ts';

/**
 * Reads a recording as an import does: JSON lines, plain or packed, line by line. Throws ConfigError, naming the file, when it cannot be
 * read, cannot be unpacked, holds several files, or holds no market definition.
 */
export async function loadBetfairRecording(file: string): Promise<Recording> {
  const recording = await readAll(file).catch((error: unknown) => {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`feed: cannot read the recorded market ${file}: ${reasonOf(error)}`, { file });
  });
  if (recording.markets.every((market) => market === null)) {
    throw new ConfigError(`feed: ${file} is not a recorded market: no market definition in it`, { file });
  }
  return recording;
}

/** Members of an archive have a clock each, and a feed has one: it plays one of them. */
async function readAll(file: string): Promise<Recording> {
  const reader = new RecordingReader(file);
  let members = 0;
  for await (const { lines } of linesOf(file)) {
    if (++members > 1)
      throw new ConfigError(
        `feed: ${file} holds several market files, and a feed plays one; unpack it, and name one of them`,
        { file },
      );
    for await (const portion of lines) reader.read(portion);
  }
  return reader.recording();
}
