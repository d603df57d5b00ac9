import type { KeyInForce, Secret } from '../../domain/secret.ts';
import type { Moment } from '../../lib/time.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  type HttpRecord,
  recordHttp,
  recordSockets,
  type StreamRecord,
} from '../../ports/transport/record.ts';
import type { Note } from '../../recording/note.ts';
import type { Wires } from '../exchange/wires.ts';

/** The same wires; all that passes is noted, without the key. */
export function recordedWires(
  { http, sockets }: Wires,
  clock: Clock,
  apiKey: Secret | KeyInForce,
  note: (note: Note) => void,
): Wires {
  const at = (monotonicMs: number): Moment => ({ monotonicMs, wallMs: clock.wallMs() });
  return {
    http: recordHttp(
      http,
      (record) => note({ ...requestNote(record), at: at(record.monotonicMs) }),
      clock,
      apiKey,
    ),
    sockets: recordSockets(
      sockets,
      (record) => note({ ...streamNote(record), at: at(record.monotonicMs) }),
      clock,
      apiKey,
    ),
  };
}

function requestNote(record: HttpRecord): Note {
  if (record.kind === 'request') {
    const { kind, id: channel, method, path, headers, body } = record;
    return { kind, channel, payload: JSON.stringify({ method, path, headers, body }) };
  }
  const channel = record.request.id;
  if (record.kind === 'failure') {
    const { kind, outcome, reason } = record;
    return { kind, channel, payload: JSON.stringify({ outcome, reason }) };
  }
  const { kind, status, headers, body } = record;
  return { kind, channel, payload: JSON.stringify({ status, headers, body }) };
}

function streamNote(record: StreamRecord): Note {
  const { connection: channel } = record;
  if (record.kind === 'received') return { kind: 'frame', channel, payload: record.data };
  if (record.kind === 'sent') return { kind: 'sent', channel, payload: record.text };
  const { kind: step, monotonicMs: _, connection: __, ...facts } = record;
  return { kind: 'connection', channel, payload: JSON.stringify({ step, ...facts }) };
}
