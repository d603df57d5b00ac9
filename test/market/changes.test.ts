import { NEVER, share } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../src/domain/errors.ts';
import type { StreamEntry } from '../../src/domain/stream.ts';
import { InvariantError } from '../../src/lib/assert.ts';
import { createLogger } from '../../src/ops/logger.ts';
import {
  AGAINST,
  eventEntry,
  FILL,
  FIXTURE,
  FOR,
  HOME,
  liveOrder,
  offer,
  offerEntry,
  rig,
} from './support.ts';

describe('the stream of changes', () => {
  /** An offer whose reading throws. */
  const throwing = (error: Error): StreamEntry => {
    const broken = offer('for,h', FOR);
    const betTypeThatThrows = { get: () => raise(error) };
    return { tag: 'offer', offer: Object.defineProperty({ ...broken }, 'betType', betTypeThatThrows) };
  };
  const raise = (error: Error): never => {
    throw error;
  };

  it('survives an entry that cannot be applied, and applies the rest of its frame', () => {
    const { market, frame } = rig();
    frame([throwing(new TypeError('broken')), offerEntry('for,h', FOR)]);
    expect(market.marketOf(HOME).for).toEqual(FOR);
    expect(frame([offerEntry('for,h', AGAINST)])).not.toBeNull();
  });

  it('reports nothing else that the error of such an entry carries', () => {
    const written: string[] = [];
    const logger = createLogger('error', { write: (line) => void written.push(line) });
    rig({}, logger).frame([throwing(new ProtocolError('broken', { body: 'canary' }))]);
    expect(written.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { tag: 'offer', error: { name: 'ProtocolError', message: 'broken' } },
    ]);
    expect(written.join()).not.toContain('canary');
  });

  it('ends only on a broken invariant', () => {
    const { frame, errors } = rig();
    frame([throwing(new InvariantError('broken'))]);
    expect(errors).toEqual([new InvariantError('broken')]);
  });

  it('delivers in the order of arrival, including what a subscriber causes', () => {
    const { market, signals$, account$ } = rig();
    const seen: string[] = [];
    const changes$ = market.changes$({ signals$, account$, sourcePrices$: NEVER }).pipe(share());
    changes$.subscribe(({ cause }) => {
      seen.push(`first ${cause}`);
      if (cause === 'frame') account$.next({ kind: 'order', order: liveOrder(), before: null });
    });
    changes$.subscribe(({ cause }) => seen.push(`second ${cause}`));
    const frame = { kind: 'frame', epoch: 1, sentMs: null, receivedMonotonicMs: 0 } as const;
    signals$.next({ ...frame, entries: [eventEntry()] });
    expect(seen).toEqual(['first frame', 'second frame', 'first own', 'second own']);
  });

  it('reports no frame that changes nothing here', () => {
    const { frame } = rig();
    expect(frame([{ tag: 'other', name: 'info' }])).toBeNull();
  });

  it('reports a fill, whose position the caller holds', () => {
    const { fill, changes } = rig();
    fill(FILL);
    expect(changes).toEqual([{ cause: 'own', epoch: 0, events: [FIXTURE] }]);
  });
});
