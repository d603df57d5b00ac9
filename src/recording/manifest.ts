import { z } from 'zod';
import { foreignJson } from '../lib/foreign-text.ts';
import { RecordingError } from '../domain/errors.ts';
import { PRICE_CONVENTIONS } from '../domain/odds.ts';
import { reasonOf } from '../lib/reason.ts';
import type { RecordingFolder } from '../ports/recording-folder.ts';
import type { BlockIndex } from './format.ts';
import { FORMAT_VERSION } from './format.ts';

export const MANIFEST_NAME = 'manifest.json';
const FORMAT = 'touchline-recording';

const count = z.number().int().nonnegative();

const summarySchema = z.object({
  blocks: count,
  records: count,
  /** Records that are missing, by gap records. */
  dropped: count,
  kinds: z.record(z.string(), count),
  /** Null without a block. */
  firstWallMs: z.number().nullable(),
  lastWallMs: z.number().nullable(),
  events: z.array(z.string()),
});

const segmentSchema = summarySchema.extend({
  file: z.string(),
  session: count,
  /** The length of the whole blocks. Bytes behind them are a torn block of a process that was killed. */
  bytes: count,
  tornBytes: count,
  /** SHA-256 of `bytes`, in hexadecimal. */
  sha256: z.string(),
});

const sessionSchema = z.object({
  /** Counts from 1. Monotonic times are comparable within a session. */
  session: z.number().int().positive(),
  startedWallMs: z.number(),
  /** The source of the records. */
  source: z.enum(['run', 'record', 'simulated', 'import']),
  program: z.string(),
  /** The mode of the run, or another word where no run was recorded. */
  mode: z.string(),
  /** The address of the exchange without user, password and query; empty if there is none. */
  exchange: z.string(),
  /** What the recorded `against` prices are; null if that was not known. Recordings without the field hold lay prices. */
  convention: z.enum(PRICE_CONVENTIONS).nullable().optional(),
  /** Facts that the source adds, such as seed, names of strategies or the file that was imported. No secrets. */
  about: z.record(z.string(), z.json()),
});

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  version: z.literal(FORMAT_VERSION),
  sessions: z.array(sessionSchema),
  /** Complete segments, in order. A later segment without an entry is still being written, or its writer was killed. */
  segments: z.array(segmentSchema),
  /** Segments up to this number were deleted to keep the recording within its size. */
  deletedThrough: count,
  /** Records in the deleted segments. */
  deletedRecords: count,
});

export type SegmentSummary = z.infer<typeof summarySchema>;
export type SegmentEntry = z.infer<typeof segmentSchema>;
export type SessionEntry = z.infer<typeof sessionSchema>;
export type Manifest = z.infer<typeof manifestSchema>;

export const emptyManifest = (): Manifest => ({
  format: FORMAT,
  version: FORMAT_VERSION,
  sessions: [],
  segments: [],
  deletedThrough: 0,
  deletedRecords: 0,
});

/** Null if the folder has none. Rejects with RecordingError if it is unusable, or of a version that this program does not know. */
export async function readManifest(folder: RecordingFolder): Promise<Manifest | null> {
  const size = await folder.size(MANIFEST_NAME);
  if (size === null) return null;
  const text = Buffer.from(await folder.read(MANIFEST_NAME, 0, size)).toString('utf8');
  const file = `${folder.path}/${MANIFEST_NAME}`;
  const parsed = manifestSchema.safeParse(jsonIn(text, file));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') ?? '';
  throw new RecordingError(
    `${file} is not the manifest of a recording of version ${FORMAT_VERSION}: ${where} ${issue?.message ?? ''}`,
    { file },
  );
}

function jsonIn(text: string, file: string): unknown {
  try {
    return foreignJson(text);
  } catch (error) {
    throw new RecordingError(`${file} is not JSON: ${reasonOf(error)}`, { file }, error);
  }
}

/** Writes the manifest, whole. */
export const writeManifest = (folder: RecordingFolder, manifest: Manifest): Promise<void> =>
  folder.replace(MANIFEST_NAME, `${JSON.stringify(manifest, null, 1)}\n`);

export const emptySummary = (): SegmentSummary => ({
  blocks: 0,
  records: 0,
  dropped: 0,
  kinds: {},
  firstWallMs: null,
  lastWallMs: null,
  events: [],
});

/** Adds blocks, or the summaries of segments, to one summary. */
export class Summing {
  #sum = emptySummary();
  readonly #events = new Set<string>();

  addBlock(index: BlockIndex): void {
    const { records, dropped, kinds, firstWallMs, lastWallMs, events } = index;
    this.add({
      blocks: 1,
      records,
      dropped,
      kinds: definedIn(kinds),
      firstWallMs,
      lastWallMs,
      events: [...events],
    });
  }

  add(other: SegmentSummary): void {
    const sum = this.#sum;
    const kinds = { ...sum.kinds };
    for (const [kind, number] of Object.entries(other.kinds)) kinds[kind] = (kinds[kind] ?? 0) + number;
    for (const event of other.events) this.#events.add(event);
    this.#sum = {
      blocks: sum.blocks + other.blocks,
      records: sum.records + other.records,
      dropped: sum.dropped + other.dropped,
      kinds,
      firstWallMs: extreme(Math.min, sum.firstWallMs, other.firstWallMs),
      lastWallMs: extreme(Math.max, sum.lastWallMs, other.lastWallMs),
      events: [],
    };
  }

  get summary(): SegmentSummary {
    return { ...this.#sum, events: [...this.#events] };
  }
}

const definedIn = (kinds: BlockIndex['kinds']): Record<string, number> =>
  Object.fromEntries(Object.entries(kinds).map(([kind, number]) => [kind, number ?? 0]));

const extreme = (pick: (...of: number[]) => number, a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : pick(a, b);
