import type { Moment } from '../lib/time.ts';
import { eventsNamed } from './events-named.ts';
import type { RecordingRecord, RecordKind } from './format.ts';

/** A record as its source gives it. */
export interface Note {
  readonly kind: RecordKind;
  /** Default: 0. */
  readonly channel?: number;
  /** Must not change afterwards. */
  readonly payload: Uint8Array | string;
  /** Default: now. */
  readonly at?: Moment;
}

export interface WholeNote {
  readonly kind: RecordKind;
  readonly channel: number;
  readonly payload: Uint8Array;
  readonly at: Moment;
}

/** The record with the events that its payload names. */
export const recordOf = ({
  kind,
  channel,
  payload,
  at: { wallMs, monotonicMs },
}: WholeNote): RecordingRecord => ({
  kind,
  wallMs,
  monotonicMs,
  channel,
  payload,
  events: eventsNamed(payload),
});
