import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../../lib/reason.ts';
import { MANIFEST_NAME } from '../../recording/manifest.ts';
import { BetfairImport, type FileSummary } from '../../research/import/betfair.ts';
import { MarketStore, StoredMarkets } from '../../research/tapes/store.ts';
import { VERSION } from '../adapters/own-files.ts';
import { diskFolder } from '../record/disk-folder.ts';
import { openWriter } from '../record/open-writer.ts';
import { filesUnder, linesOf } from './market-files.ts';

export interface ImportChoice {
  readonly files: readonly string[];
  /** The recording: new, or one that gets a further session. */
  readonly folder: string;
  /** Whether the lines before a fault count. */
  readonly partial: boolean;
  readonly nowMs: number;
  readonly onFile: (summary: FileSummary) => void;
  /** A file that is not imported, with the reason. */
  readonly onBadFile: (reason: string) => void;
}

/** The numbers of an import. */
export interface ImportTotals {
  readonly files: number;
  readonly badFiles: number;
  readonly markets: number;
  readonly lines: number;
}

/**
 * Imports market files into a recording. A bad file is reported and left out; the others count. Rejects with RecordingError if a path is
 * not there, or if the recording cannot be written.
 */
export async function importFiles(choice: ImportChoice): Promise<ImportTotals> {
  const files = await filesUnder(choice.files);
  const known = existsSync(join(choice.folder, MANIFEST_NAME))
    ? (await StoredMarkets.open(diskFolder(choice.folder))).places()
    : new Map<string, string>();
  const session = {
    startedWallMs: choice.nowMs,
    source: 'import' as const,
    program: `touchline ${VERSION}`,
    mode: 'recorded',
    exchange: '',
    about: { files: files.length, partial: choice.partial },
  };
  const writer = await openWriter(choice.folder, session, { maxBytes: null });
  try {
    const store = new MarketStore(writer);
    const totals = await importEach(files, new BetfairImport(store, known), choice);
    await store.flush();
    return totals;
  } finally {
    await writer.close();
  }
}

async function importEach(
  files: readonly string[],
  reading: BetfairImport,
  { partial, onFile, onBadFile }: ImportChoice,
): Promise<ImportTotals> {
  const totals = { files: 0, badFiles: 0, markets: 0, lines: 0 };
  const bad = (error: unknown): void => {
    totals.badFiles++;
    onBadFile(reasonOf(error));
  };
  const good = (summary: FileSummary): void => {
    totals.files++;
    totals.markets += summary.markets;
    totals.lines += summary.lines;
    onFile(summary);
  };
  for (const file of files) {
    try {
      // One bad member of an archive leaves the others.
      for await (const lines of linesOf(file)) await reading.read(lines, partial).then(good, bad);
    } catch (error) {
      bad(error);
    }
  }
  return totals;
}
