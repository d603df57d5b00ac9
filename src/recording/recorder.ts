import { RecordingError } from '../domain/errors.ts';
import { reasonOf } from '../lib/reason.ts';
import { type Clock, repeat } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Metrics } from '../ports/metrics.ts';
import { momentOf } from '../lib/time.ts';
import type { RecordingRecord } from './format.ts';
import { type Note, recordOf, type WholeNote } from './note.ts';
import type { RecordingWriter } from './writer.ts';

export interface RecorderParts {
  /** Opens the session. Called once; until it resolves, records wait. */
  readonly open: () => Promise<Pick<RecordingWriter, 'append' | 'close'>>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Payload bytes that may wait to be written; records beyond it are dropped. Default 64 MiB. */
  readonly maxWaitingBytes?: number;
  /** Payload bytes of a block, about, while the writer keeps up. Default 1 MiB. */
  readonly blockBytes?: number;
}

/** Half of what a killed process may lose: a block begins to be written this often, and may take as long again. */
const WRITE_EVERY_MS = 500;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** Each record costs memory beside its payload. */
const MOST_WAITING = 200_000;
const BLOCK_BYTES = 1024 * 1024;
/** A block takes this part of the bytes that wait, if that is more than a usual block, and at most so many usual blocks. */
const PART_WHEN_BEHIND = 0.25;
const MOST_BLOCKS = 4;

/**
 * Room for the payloads of a block, used again and again. A frame that waits for its block would otherwise outlive the collections of
 * young objects, and frames are megabytes a second: collections of the whole heap would have to free them.
 */
class Room {
  readonly #bytes: Buffer;
  #used = 0;

  constructor(bytes: number) {
    this.#bytes = Buffer.allocUnsafeSlow(bytes);
  }

  /** The payload itself if there is no room for a copy. */
  copyOf(payload: Uint8Array): Uint8Array {
    const end = this.#used + payload.length;
    if (end > this.#bytes.length) return payload;
    this.#bytes.set(payload, this.#used);
    const copy = this.#bytes.subarray(this.#used, end);
    this.#used = end;
    return copy;
  }

  clear(): void {
    this.#used = 0;
  }
}

/** The metrics of recordings, at 0. They exist also in a run that is not recorded. */
export function recordingMetrics(metrics: Metrics) {
  const dropped = metrics.counter('touchline_record_dropped_total', 'Records that the recording has lost');
  const failed = metrics.gauge(
    'touchline_record_failed',
    '1 if the recording has stopped because of an error',
  );
  const bytes = metrics.gauge('touchline_record_waiting_bytes', 'Bytes that wait to be recorded');
  dropped.inc(undefined, 0);
  failed.set(0);
  bytes.set(0);
  return { dropped, failed, bytes };
}

/**
 * Records beside trading. `note` only queues: compression and disk work happen on other threads. If the disk or the machine is too slow, records
 * are dropped and counted, and a gap record says how many. If the recording fails, it stops: that is logged, and everything
 * else goes on.
 */
export class Recorder {
  readonly #parts: RecorderParts;
  readonly #metrics;
  readonly #stop: () => void;
  readonly #writer: Promise<Pick<RecordingWriter, 'append' | 'close'> | null>;
  /** The first takes what is noted. What is written lies in the second, unless the disk falls behind. */
  #rooms: readonly [Room, Room];
  #waiting: WholeNote[] = [];
  #waitingBytes = 0;
  /** Bytes of the block that is being written, which are still in memory. */
  #writingBytes = 0;
  #gap = { dropped: 0, bytes: 0 };
  #isFull = false;
  #failure: RecordingError | null = null;
  readonly #failed = Promise.withResolvers<RecordingError>();
  #isClosed = false;
  #pumping: Promise<void> | null = null;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
    const { metrics, clock, blockBytes = BLOCK_BYTES } = parts;
    this.#rooms = [new Room(2 * blockBytes), new Room(2 * blockBytes)];
    this.#metrics = recordingMetrics(metrics);
    metrics.beforeExposing(() => this.#metrics.bytes.set(this.#waitingBytes + this.#writingBytes));
    this.#stop = repeat(clock, WRITE_EVERY_MS, () => void this.flush());
    this.#writer = this.#opened();
  }

  /** The error that stopped the recording; null while it works. */
  get failure(): RecordingError | null {
    return this.#failure;
  }

  /** Resolves to the error that stops the recording, if one does. */
  get failed(): Promise<RecordingError> {
    return this.#failed.promise;
  }

  /** Takes a record. Costs no input or output, and never throws. */
  note({ kind, channel = 0, payload, at = momentOf(this.#parts.clock) }: Note): void {
    if (this.#failure !== null || this.#isClosed) return;
    const bytes = typeof payload === 'string' ? Buffer.from(payload, 'utf8') : payload;
    if (!this.#hasRoomFor(bytes.length)) return this.#drop(bytes.length);
    const { blockBytes = BLOCK_BYTES } = this.#parts;
    if (this.#gap.dropped > 0) this.#waiting.push(this.#gapRecord());
    this.#waiting.push({ kind, channel, payload: this.#rooms[0].copyOf(bytes), at });
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes >= blockBytes && this.#pumping === null) void this.flush();
  }

  /** Whether a further record of so many bytes may wait. */
  #hasRoomFor(bytes: number): boolean {
    const { maxWaitingBytes = MAX_WAITING_BYTES } = this.#parts;
    const allBytes = this.#waitingBytes + this.#writingBytes + bytes;
    return allBytes <= maxWaitingBytes && this.#waiting.length < MOST_WAITING;
  }

  /** Resolves once the records that wait now are written, or the recording has failed. */
  async flush(): Promise<void> {
    this.#pumping ??= this.#pump().finally(() => (this.#pumping = null));
    await this.#pumping;
  }

  /** Writes what waits, and completes the recording. Resolves also if that fails. */
  async close(): Promise<void> {
    this.#stop();
    await this.flush();
    if (this.#gap.dropped > 0) this.#waiting.push(this.#gapRecord());
    this.#isClosed = true;
    await this.flush();
    const writer = await this.#writer;
    // After a failure, too: the writer must let go of its folder.
    await this.#guarded(async () => writer?.close());
  }

  async #opened(): Promise<Pick<RecordingWriter, 'append' | 'close'> | null> {
    let writer: Pick<RecordingWriter, 'append' | 'close'> | null = null;
    await this.#guarded(async () => void (writer = await this.#parts.open()));
    return writer;
  }

  async #pump(): Promise<void> {
    const writer = await this.#writer;
    while (writer !== null && this.#waiting.length > 0 && this.#failure === null) {
      const records = this.#take();
      if (this.#waiting.length === 0) this.#changeRooms();
      await this.#guarded(() => writer.append(records));
      this.#writingBytes = 0;
    }
  }

  /**
   * The first records that wait, at least one. A block waits for some turns of the event loop, however large it is, so larger blocks catch
   * up where turns are slow. Its columns are made in one turn, so there is a limit.
   */
  #take(): readonly RecordingRecord[] {
    const { blockBytes = BLOCK_BYTES } = this.#parts;
    const most = Math.min(
      MOST_BLOCKS * blockBytes,
      Math.max(blockBytes, PART_WHEN_BEHIND * this.#waitingBytes),
    );
    let [bytes, number] = [0, 0];
    while (number < this.#waiting.length && (number === 0 || bytes < most))
      bytes += this.#waiting[number++]?.payload.length ?? 0;
    const taken = this.#waiting.slice(0, number);
    this.#waiting = this.#waiting.slice(number);
    this.#waitingBytes -= bytes;
    this.#writingBytes = bytes;
    return taken.map(recordOf);
  }

  /** Nothing waits any more, and what is to be written lies in the first room: what was in the second is written. */
  #changeRooms(): void {
    this.#rooms = [this.#rooms[1], this.#rooms[0]];
    this.#rooms[0].clear();
  }

  #drop(bytes: number): void {
    this.#gap = { dropped: this.#gap.dropped + 1, bytes: this.#gap.bytes + bytes };
    this.#metrics.dropped.inc();
    if (this.#isFull) return;
    this.#isFull = true;
    const waitingBytes = this.#waitingBytes + this.#writingBytes;
    this.#parts.logger.warn('the recording falls behind: records are dropped', { waitingBytes });
  }

  #gapRecord(): WholeNote {
    const { dropped, bytes } = this.#gap;
    this.#gap = { dropped: 0, bytes: 0 };
    this.#isFull = false;
    this.#parts.logger.info('the recording goes on after a gap', { dropped, bytes });
    const payload = Buffer.from(
      JSON.stringify({ dropped, bytes, reason: 'the recording was too slow' }),
      'utf8',
    );
    this.#waitingBytes += payload.length;
    return { kind: 'gap', channel: 0, payload, at: momentOf(this.#parts.clock) };
  }

  /** Stops the recording because of an error of its source. The first failure is logged. */
  fail(error: unknown): void {
    if (this.#failure !== null) return;
    this.#failure =
      error instanceof RecordingError
        ? error
        : new RecordingError(`the recording failed: ${reasonOf(error)}`, {}, error);
    [this.#waiting, this.#waitingBytes] = [[], 0];
    this.#stop();
    this.#metrics.failed.set(1);
    this.#failed.resolve(this.#failure);
    this.#parts.logger.error('the recording has stopped: trading goes on', { error: this.#failure });
  }

  async #guarded(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.fail(error);
    }
  }
}
