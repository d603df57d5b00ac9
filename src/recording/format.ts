/** The format of recordings, version 1. docs/recording.md describes it for programs in other languages. */

/** The version that this program writes and reads. */
export const FORMAT_VERSION = 1;

/** The first bytes of each segment; the last of them is the version. */
export const SEGMENT_MAGIC = Uint8Array.of(0x54, 0x4c, 0x52, 0x45, 0x43, 0, 0, FORMAT_VERSION);

/** The kinds of records with their codes in a block. A code never changes its meaning; later kinds get new codes. */
export const RECORD_KINDS = {
  /** JSON: a step in the life of a stream connection (`step`, and what belongs to it). */
  connection: 1,
  /** A stream frame of the exchange, byte for byte. */
  frame: 2,
  /** A stream frame of ours, as text. */
  sent: 3,
  /** JSON: a REST request without the key (`method`, `path`, `headers`, `body`). */
  request: 4,
  /** JSON: the answer to the request of the same channel (`status`, `headers`, `body`). */
  answer: 5,
  /** JSON: the request of the same channel got no answer (`outcome`, `reason`). */
  failure: 6,
  /** JSON: a change of an order of ours (`order`, `before`). */
  order: 7,
  /** JSON: a fill of ours. */
  fill: 8,
  /** Text: a turn with its inputs and decisions, as the line of a turn record. */
  turn: 9,
  /** JSON: a batch of a price source (`source`, `prices`). */
  prices: 10,
  /** JSON: the result of an event (`sport`, `event_id`, `result`), where the source of the recording knows it. */
  result: 11,
  /** JSON: records that are missing here (`dropped`, `bytes`, `reason`). */
  gap: 12,
  /** JSON: a market of imported data, complete: what its source says of it. */
  market: 13,
  /** Binary: updates of a market of imported data, in columns. */
  updates: 14,
} as const;

export type RecordKind = keyof typeof RECORD_KINDS;

const BY_CODE: ReadonlyMap<number, RecordKind> = new Map(
  Object.entries(RECORD_KINDS).map(([kind, code]) => [code, kind as RecordKind]),
);

/** Null for a kind of a later program, whose records a reader skips and counts. */
export const kindOf = (code: number): RecordKind | null => BY_CODE.get(code) ?? null;

/** One record of a recording. */
export interface RecordingRecord {
  readonly kind: RecordKind;
  /** Wall-clock time of arrival, milliseconds since the Unix epoch, with fractions. */
  readonly wallMs: number;
  /** Monotonic time of arrival in milliseconds; comparable within one session. */
  readonly monotonicMs: number;
  /** The number of the stream connection or of the request, each from 1 within a session; 0 for other records. */
  readonly channel: number;
  /** The ids of the events that the payload names, each once. */
  readonly events: readonly string[];
  readonly payload: Uint8Array;
}

/** What a reader needs to know of a block without decompressing it. */
export interface BlockIndex {
  /** Counts from 0 in each segment. */
  readonly block: number;
  readonly session: number;
  readonly records: number;
  /** The number of records of each kind. */
  readonly kinds: Readonly<Partial<Record<string, number>>>;
  /** The number of records that name no event. */
  readonly general: number;
  /** The records that are missing in this block, by its gap records. */
  readonly dropped: number;
  /** Least and greatest wall-clock time. */
  readonly firstWallMs: number;
  readonly lastWallMs: number;
  readonly firstMonotonicMs: number;
  readonly lastMonotonicMs: number;
  /** The ids of the events that its records name. */
  readonly events: readonly string[];
}

const SEGMENT_NAME = /^segment-(\d{8})\.tlr$/;

/** The file name of a segment. Segments count from 1 through all sessions. */
export const segmentName = (number: number): string => `segment-${String(number).padStart(8, '0')}.tlr`;

/** Null for any other file. */
export function segmentNumber(name: string): number | null {
  const digits = SEGMENT_NAME.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}
