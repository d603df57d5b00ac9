import type { StreamFrame } from '../../../domain/stream.ts';
import type { FrameReference } from '../../../engine/turn-record.ts';
import type { RecordingRecord } from '../../../recording/format.ts';
import { readFrame } from '../../../venue/index.ts';

/** A message of the stream as it is recorded. */
export type FrameRecord = Pick<RecordingRecord, 'channel' | 'monotonicMs' | 'payload'>;

const nobodyCounts = { note: (): void => undefined };

/** The frames of a recording, which its turns refer to. Each stands before the turn that refers to it. */
export class RecordedFrames {
  /** The frames of each connection to which no turn has referred yet, as they arrived. */
  readonly #waiting = new Map<number, FrameRecord[]>();
  #missing = 0;

  /** The number of frames that turns referred to and the recording lacks. */
  get missing(): number {
    return this.#missing;
  }

  /** Takes a record of kind `frame`. */
  take(frame: FrameRecord): void {
    const waiting = this.#waiting.get(frame.channel) ?? [];
    this.#waiting.set(frame.channel, waiting);
    waiting.push(frame);
  }

  /**
   * Returns the frame as the engine saw it, or null if the recording lacks it. Turns refer to the frames in order. A frame is recorded
   * just before the engine sees it, so it is the last one until that instant; of several at one instant, the first that is not taken.
   */
  readonly find = ({ epoch, receivedMonotonicMs }: FrameReference): StreamFrame | null => {
    for (const channel of this.#waiting.keys()) if (channel < epoch) this.#waiting.delete(channel);
    const waiting = this.#waiting.get(epoch) ?? [];
    const arrivedMs = waiting.findLast(({ monotonicMs }) => monotonicMs <= receivedMonotonicMs)?.monotonicMs;
    for (let frame = waiting[0]; frame && frame.monotonicMs <= receivedMonotonicMs; frame = waiting[0]) {
      waiting.shift();
      const { sentMs, entries } = engineSaw(frame.payload);
      if (frame.monotonicMs === arrivedMs && entries.length > 0)
        return { kind: 'frame', epoch, sentMs, receivedMonotonicMs, entries };
    }
    this.#missing++;
    return null;
  };
}

/** Answers to our commands do not reach the engine. */
function engineSaw(payload: Uint8Array): Pick<StreamFrame, 'sentMs' | 'entries'> {
  const { sentMs, entries } = readFrame(payload, nobodyCounts);
  return { sentMs, entries: entries.filter((entry) => entry.tag !== 'response') };
}
