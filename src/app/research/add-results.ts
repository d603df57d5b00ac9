import { readFileSync } from 'node:fs';
import { RecordingError } from '../../domain/errors.ts';
import { reasonOf } from '../../lib/reason.ts';
import type { Clock } from '../../ports/clock.ts';
import { keyOf, parseResults, resultPayload, wrong } from '../../research/import/given-results.ts';
import { StoredMarkets } from '../../research/tapes/store.ts';
import { VERSION } from '../adapters/own-files.ts';
import { diskFolder } from '../record/disk-folder.ts';
import { openWriter } from '../record/open-writer.ts';

/**
 * Adds the results of a CSV file to a recording, as records of a further session. Returns the number of events. Rejects with
 * RecordingError, naming the lines, if the file is not readable or names an event that the recording lacks; nothing is then added.
 */
export async function addResults(folder: string, file: string, clock: Clock): Promise<number> {
  const rows = rowsOf(file);
  const stored = await StoredMarkets.open(diskFolder(folder));
  const events = new Set<string>();
  for await (const { tapes } of stored.events())
    for (const { event } of tapes) events.add(keyOf(event.sport, event.eventId));
  const unknown = rows.filter(({ sport, eventId }) => !events.has(keyOf(sport, eventId)));
  if (unknown.length > 0)
    throw inFile(
      file,
      wrong(
        unknown.map(
          ({ line, sport, eventId }) => `line ${line}: the recording has no event ${sport} ${eventId}`,
        ),
      ),
    );
  const session = {
    startedWallMs: clock.wallMs(),
    source: 'import' as const,
    program: `touchline ${VERSION}`,
    mode: 'recorded',
    exchange: '',
    about: { results: rows.length },
  };
  const writer = await openWriter(folder, session, { maxBytes: null });
  try {
    await writer.append(
      rows.map((row) => ({
        kind: 'result' as const,
        wallMs: clock.wallMs(),
        monotonicMs: 0,
        channel: 0,
        events: [row.eventId],
        payload: resultPayload(row),
      })),
    );
  } finally {
    await writer.close();
  }
  return rows.length;
}

function rowsOf(file: string): ReturnType<typeof parseResults> {
  try {
    return parseResults(readFileSync(file, 'utf8'));
  } catch (error) {
    throw inFile(file, error);
  }
}

const inFile = (file: string, error: unknown): RecordingError =>
  new RecordingError(`${file}: ${reasonOf(error)}`, { path: file });
