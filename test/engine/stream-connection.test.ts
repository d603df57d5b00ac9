import { describe, expect, it } from 'vitest';
import type { StreamSignal } from '../../src/domain/stream.ts';
import { StreamConnection } from '../../src/engine/stream-connection.ts';
import { silentLogger } from '../../src/ports/logger.ts';

const frame = (epoch: number): StreamSignal => ({
  kind: 'frame',
  epoch,
  sentMs: null,
  receivedMonotonicMs: 0,
  entries: [],
});
const closed = (epoch: number, retryInMs: number | null): StreamSignal => ({
  kind: 'closed',
  epoch,
  reason: 'gone',
  retryInMs,
});

function connection() {
  const fatals: unknown[] = [];
  const lines: unknown[] = [];
  const note = (...line: unknown[]): void => void lines.push(line);
  const logger = { ...silentLogger, info: note, warn: note };
  return { fatals, lines, stream: new StreamConnection(logger, (error) => void fatals.push(error)) };
}

describe('the connection of the stream, as the engine sees it', () => {
  it('is in sync from the sync of a connection to its end, whatever frames arrive', () => {
    const { stream, fatals } = connection();
    const seen: unknown[] = [stream.now];
    for (const signal of [
      { kind: 'connecting', epoch: 1 },
      { kind: 'open', epoch: 1 },
      frame(1),
      { kind: 'synced', epoch: 1 },
      frame(1),
      closed(1, 500),
      frame(2),
      { kind: 'connecting', epoch: 2 },
    ] satisfies StreamSignal[]) {
      stream.onSignal(signal);
      seen.push(stream.now);
    }
    expect(seen).toEqual([
      { isSynced: false, epoch: 0 },
      ...Array<unknown>(3).fill({ isSynced: false, epoch: 1 }),
      ...Array<unknown>(2).fill({ isSynced: true, epoch: 1 }),
      { isSynced: false, epoch: 1 },
      ...Array<unknown>(2).fill({ isSynced: false, epoch: 2 }),
    ]);
    expect(fatals).toEqual([]);
  });

  it('logs its syncs and ends alone', () => {
    const { stream, lines } = connection();
    stream.onSignal({ kind: 'connecting', epoch: 3 });
    stream.onSignal({ kind: 'open', epoch: 3 });
    stream.onSignal(frame(3));
    stream.onSignal({ kind: 'synced', epoch: 3 });
    stream.onSignal(closed(3, 0));
    expect(lines).toEqual([
      ['stream synced', { epoch: 3 }],
      ['stream closed', { epoch: 3, reason: 'gone', retryInMs: 0 }],
    ]);
  });

  it('ends the run only if no connection will follow', () => {
    const { stream, fatals } = connection();
    stream.onSignal(closed(1, 0));
    expect(fatals).toEqual([]);
    stream.onSignal(closed(1, null));
    expect(fatals).toMatchObject([{ code: 'auth_rejected', status: 401 }]);
    expect(String(fatals[0])).toContain('refused the stream for good: gone');
  });
});
