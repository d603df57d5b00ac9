import { createHash } from 'node:crypto';
import type { RecordingFolder } from '../ports/recording-folder.ts';
import { type Coverage, CoverageSum, type Gap, SessionSpans } from './coverage.ts';
import { Summing, type Manifest, type SegmentSummary } from './manifest.ts';
import { RecordingReader } from './reader.ts';
import type { Damage, TornBlock } from './segment.ts';

export interface RecordingReport {
  readonly path: string;
  readonly manifest: Pick<Manifest, 'version' | 'sessions' | 'deletedThrough' | 'deletedRecords'>;
  readonly segments: number;
  /** Segments without an entry in the manifest: one that is being written, or that a killed process left. */
  readonly incomplete: readonly string[];
  readonly bytes: number;
  readonly summary: SegmentSummary;
  /** Null unless the recording ends in an unfinished block. */
  readonly torn: TornBlock | null;
  /** Bytes of the unfinished blocks that killed processes left in complete segments. */
  readonly tornBytes: number;
  readonly gaps: readonly Gap[];
  /** The sessions that have records. */
  readonly coverage: readonly Coverage[];
  readonly damage: readonly Damage[];
  /** Records of kinds that this program does not know. */
  readonly unknown: number;
}

/** Counts a recording by the indexes of its blocks. Rejects with RecordingError if the folder is not a recording. */
export const describeRecording = (folder: RecordingFolder): Promise<RecordingReport> =>
  examined(folder, false);

/** Reads every byte and record, and compares them with every checksum. Rejects with RecordingError if the folder is not a recording. */
export const verifyRecording = (folder: RecordingFolder): Promise<RecordingReport> => examined(folder, true);

async function examined(folder: RecordingFolder, isWhole: boolean): Promise<RecordingReport> {
  const reader = await RecordingReader.open(folder);
  const { version, sessions, deletedThrough, deletedRecords } = reader.manifest;
  const damage: Damage[] = [];
  const onDamage = (found: Damage): void => void damage.push(found);
  const summing = new Summing();
  const spans = new SessionSpans();
  const segments = await reader.segments();
  let bytes = 0;
  let torn: TornBlock | null = null;
  for await (const part of reader.parts()) {
    if (part.kind === 'damage') onDamage(part.damage);
    if (part.kind === 'torn') torn = part.torn;
    if (part.kind !== 'block') continue;
    summing.addBlock(part.block.index);
    spans.add(part.block.index);
    bytes += part.block.end - part.block.offset;
  }
  if (isWhole) for (const found of await wrongSums(folder, reader.manifest)) onDamage(found);
  const covered = await coverageOf(reader, isWhole, onDamage);
  return {
    path: folder.path,
    manifest: { version, sessions, deletedThrough, deletedRecords },
    segments: segments.length,
    incomplete: segments.filter((each) => each.bytes === null).map(({ file }) => file),
    bytes,
    summary: summing.summary,
    torn,
    tornBytes: reader.manifest.segments.reduce((sum, each) => sum + each.tornBytes, 0),
    gaps: covered.gaps,
    coverage: covered.sessions(spans),
    damage: distinct(damage),
    unknown: reader.notes.unknown,
  };
}

/** Reads gaps and coverage; with `isWhole`, by reading every record. */
async function coverageOf(
  reader: RecordingReader,
  isWhole: boolean,
  onDamage: (damage: Damage) => void,
): Promise<CoverageSum> {
  const sum = new CoverageSum();
  const query = isWhole ? {} : { kinds: ['gap', 'connection'] as const };
  for await (const { block, records } of reader.blocks(query, { onDamage }))
    for (const record of records) sum.add(block.index.session, record);
  return sum;
}

const HASH_STEP = 1 << 20;

async function wrongSums(folder: RecordingFolder, { segments }: Manifest): Promise<readonly Damage[]> {
  const wrong: Damage[] = [];
  for (const { file, bytes, sha256 } of segments) {
    const hash = createHash('sha256');
    for (let at = 0; at < bytes; at += HASH_STEP)
      hash.update(await folder.read(file, at, Math.min(HASH_STEP, bytes - at)));
    if (hash.digest('hex') !== sha256)
      wrong.push({ file, offset: 0, what: 'the segment differs from its checksum in the manifest' });
  }
  return wrong;
}

/** Two readings find the same damage twice. */
const distinct = (damage: readonly Damage[]): readonly Damage[] => [
  ...new Map(damage.map((each) => [`${each.file} ${each.offset} ${each.what}`, each])).values(),
];
