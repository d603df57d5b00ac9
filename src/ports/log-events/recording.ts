import type { LogEvents } from './event.ts';

/** The recording beside trading, and the commands that record. */
export const RECORDING_EVENTS = {
  recording_begins: {
    level: 'info',
    message: 'this run is recorded',
    fields: ['path', 'maxMb'],
    meaning: 'The recording at `path` gets a new session.',
  },
  recording_behind: {
    level: 'warn',
    message: 'the recording falls behind: records are dropped',
    fields: ['waitingBytes'],
    meaning:
      'The disk or the machine is slower than the records arrive, and the queue is full. Trading goes on. `touchline_record_dropped_total` counts the records.',
  },
  recording_gap: {
    level: 'info',
    message: 'the recording goes on after a gap',
    fields: ['dropped', 'bytes'],
    meaning: '`dropped` records are missing. A gap record in the recording says so, too.',
  },
  recording_stopped: {
    level: 'error',
    message: 'the recording has stopped: trading goes on',
    fields: ['error'],
    meaning:
      'The disk is full, or the folder cannot be used. What was recorded before stays readable. The next start records again.',
  },
} as const satisfies LogEvents;
