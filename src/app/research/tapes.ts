import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST_NAME } from '../../recording/manifest.ts';
import type { EventTape } from '../../research/tape.ts';
import { BetfairImport } from '../../research/import/betfair.ts';
import type { ImportedEvent, LeftOut } from '../../research/import/event-import.ts';
import { MarketsInMemory } from '../../research/tapes/in-memory.ts';
import { StoredMarkets } from '../../research/tapes/store.ts';
import { diskFolder } from '../record/disk-folder.ts';
import { exchangeEvents } from './exchange-tapes.ts';
import { filesUnder, linesOf } from './market-files.ts';

export interface TapesOfFiles {
  /** By their scheduled start. */
  readonly tapes: readonly EventTape[];
  readonly leftOut: readonly LeftOut[];
  readonly remarks: readonly string[];
}

/** Learns of each file that was read: `done` of `total` bytes of all files. */
export type OnRead = (done: number, total: number) => void;

/** The tapes of Betfair's files, all in memory. Rejects with RecordingError, naming file and line. */
export async function tapesOfFiles(paths: readonly string[]): Promise<TapesOfFiles> {
  const events = await eventsOfFiles(paths);
  return {
    tapes: events.flatMap(({ tapes }) => tapes),
    leftOut: events.flatMap(({ leftOut }) => leftOut),
    remarks: events.flatMap(({ remarks }) => remarks),
  };
}

/**
 * The events of files, in memory, and of recordings, one batch at a time; by their scheduled start. Each call begins anew. Rejects with
 * RecordingError.
 */
export async function eventsUnder(
  paths: readonly string[],
  onRead?: OnRead,
): Promise<() => AsyncIterable<ImportedEvent>> {
  const [folders, files] = [paths.filter(isRecording), paths.filter((path) => !isRecording(path))];
  const inMemory = await eventsOfFiles(files, onRead);
  const stores = await Promise.all(folders.map((path) => StoredMarkets.open(diskFolder(path))));
  return () =>
    merged([
      listed(inMemory),
      ...stores.map((store) => store.events()),
      ...folders.map((path) => exchangeEvents(diskFolder(path))),
    ]);
}

const isRecording = (path: string): boolean => existsSync(join(path, MANIFEST_NAME));

async function eventsOfFiles(paths: readonly string[], onRead?: OnRead): Promise<ImportedEvent[]> {
  const markets = new MarketsInMemory();
  const reading = new BetfairImport(markets);
  const files = await filesUnder(paths);
  const sizes = onRead === undefined ? [] : files.map((file) => statSync(file).size);
  const totalBytes = sizes.reduce((sum, size) => sum + size, 0);
  let doneBytes = 0;
  for (const [at, file] of files.entries()) {
    for await (const lines of linesOf(file)) await reading.read(lines);
    doneBytes += sizes[at] ?? 0;
    onRead?.(doneBytes, totalBytes);
  }
  return markets.events();
}

async function* listed(events: readonly ImportedEvent[]): AsyncGenerator<ImportedEvent> {
  yield* events;
}

/** Several sources, each by scheduled start, as one by scheduled start. */
async function* merged(sources: readonly AsyncIterator<ImportedEvent>[]): AsyncGenerator<ImportedEvent> {
  const next = await Promise.all(sources.map((source) => source.next()));
  for (;;) {
    let first = -1;
    for (const [at, result] of next.entries()) {
      if (result.done === true) continue;
      const best = next[first];
      if (best === undefined || best.done === true || startOf(result.value) < startOf(best.value)) first = at;
    }
    const found = next[first];
    if (found === undefined || found.done === true) return;
    yield found.value;
    next[first] = await (sources[first] as AsyncIterator<ImportedEvent>).next();
  }
}

const startOf = ({ tapes }: ImportedEvent): number => tapes[0]?.startMs ?? Infinity;
