import { foreignJson } from '../lib/foreign-text.ts';
import type { BlockIndex, RecordingRecord } from './format.ts';

/** Records that are missing within a recording. */
export interface Gap {
  readonly wallMs: number;
  /** Null if the gap record cannot be read. */
  readonly dropped: number | null;
  readonly reason: string;
}

/** The time that a session covers. */
export interface Coverage {
  readonly session: number;
  readonly firstWallMs: number;
  readonly lastWallMs: number;
  /** Monotonic time from the first to the last record. */
  readonly lengthMs: number;
  /** The part of it in which a stream connection was open. */
  readonly connectedMs: number;
  /** The number of connections that opened. */
  readonly connections: number;
}

interface Span {
  readonly firstWallMs: number;
  readonly lastWallMs: number;
  readonly firstMonotonicMs: number;
  readonly lastMonotonicMs: number;
}

/** First and last instant of each session, by the indexes of its blocks. */
export class SessionSpans {
  readonly #spans = new Map<number, Span>();

  add(index: BlockIndex): void {
    const span = this.#spans.get(index.session) ?? index;
    this.#spans.set(index.session, {
      firstWallMs: Math.min(span.firstWallMs, index.firstWallMs),
      lastWallMs: Math.max(span.lastWallMs, index.lastWallMs),
      firstMonotonicMs: Math.min(span.firstMonotonicMs, index.firstMonotonicMs),
      lastMonotonicMs: Math.max(span.lastMonotonicMs, index.lastMonotonicMs),
    });
  }

  entries(): readonly (readonly [session: number, span: Span])[] {
    return [...this.#spans];
  }
}

interface Connected {
  ms: number;
  opened: number;
  /** Monotonic; by channel. */
  readonly openSince: Map<number, number>;
}

/** Sums up connections and gaps, record by record. */
export class CoverageSum {
  readonly gaps: Gap[] = [];
  readonly #connected = new Map<number, Connected>();

  add(session: number, record: RecordingRecord): void {
    if (record.kind === 'gap') this.gaps.push(gapOf(record));
    if (record.kind !== 'connection') return;
    const connected = this.#connected.get(session) ?? {
      ms: 0,
      opened: 0,
      openSince: new Map<number, number>(),
    };
    this.#connected.set(session, connected);
    const { channel, monotonicMs } = record;
    const since = connected.openSince.get(channel);
    const step = factsIn(record.payload)['step'];
    if (step === 'open') {
      connected.opened += 1;
      connected.openSince.set(channel, monotonicMs);
    } else if (since !== undefined) {
      connected.ms += monotonicMs - since;
      connected.openSince.delete(channel);
    }
  }

  /** A connection that is still open counts until the last record of its session. */
  sessions(spans: SessionSpans): readonly Coverage[] {
    return spans
      .entries()
      .map(([session, { firstMonotonicMs, lastMonotonicMs, firstWallMs, lastWallMs }]) => {
        const { ms = 0, opened: connections = 0, openSince } = this.#connected.get(session) ?? {};
        const rest = [...(openSince?.values() ?? [])].reduce(
          (sum, sinceMs) => sum + lastMonotonicMs - sinceMs,
          0,
        );
        const lengthMs = lastMonotonicMs - firstMonotonicMs;
        return { session, firstWallMs, lastWallMs, lengthMs, connectedMs: ms + rest, connections };
      });
  }
}

function gapOf({ wallMs, payload }: RecordingRecord): Gap {
  const { dropped, reason } = factsIn(payload);
  return {
    wallMs,
    dropped: typeof dropped === 'number' ? dropped : null,
    reason: typeof reason === 'string' ? reason : 'unknown',
  };
}

/** The members of a JSON object; none for any other payload. */
function factsIn(payload: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value = foreignJson(Buffer.from(payload).toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
