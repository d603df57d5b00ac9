import { type Recording, RecordingReader } from '../../src/simulator/feeds/betfair/recording.ts';

/** The recording that a file of these lines is. */
export function recordingOf(lines: readonly string[], file = 'file'): Recording {
  const reader = new RecordingReader(file);
  reader.read(lines);
  return reader.recording();
}
