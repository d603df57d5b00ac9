import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LADDER } from '../../src/domain/ladder.ts';
import type { PriceList } from '../../src/domain/price-list.ts';
import { selectionId } from '../../src/domain/selection.ts';
import { EVENT, FB, offer, prices, rig, STALE_MS } from './support.ts';

const OUTCOMES = ['h', 'd', 'a'];

interface Seen {
  readonly list: PriceList;
  readonly atMs: number;
  readonly epoch: number;
}

const step = fc.oneof(
  fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: STALE_MS }) }),
  fc.record({ kind: fc.constant('reconnect' as const) }),
  fc.record({
    kind: fc.constant('frame' as const),
    // 0 is the current connection, 1 the one before.
    connectionsAgo: fc.constantFrom(0, 0, 0, 1),
    offers: fc.array(fc.tuple(fc.constantFrom(...OUTCOMES), fc.integer({ min: 0, max: 3 })), {
      maxLength: 4,
    }),
  }),
);

/** Offers from a small pool, so that the identical object recurs. */
const pool = new Map(
  OUTCOMES.flatMap((outcome) =>
    [0, 1, 2, 3].map((n) => [
      `${outcome}${n}`,
      offer(`for,${outcome}`, prices([LADDER[90 + n] as number, 10])),
    ]),
  ),
);

describe('the shown market', () => {
  it('shows all that was received on this connection within the limit, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        // Broadcasts in this test carry only parts of an event’s offers, so their omissions must not count.
        const one = rig({ absentAfterMs: Infinity });
        const seen = new Map<string, Seen>();
        let epoch = 1;
        one.signals$.next({ kind: 'connecting', epoch });
        for (const next of steps) {
          if (next.kind === 'wait') await one.clock.advance(next.ms);
          else if (next.kind === 'reconnect') one.signals$.next({ kind: 'connecting', epoch: ++epoch });
          else {
            const of = next.offers.map(([outcome, n]) => ({
              outcome,
              offer: pool.get(`${outcome}${n}`) as never,
            }));
            one.frame(
              of.map((entry) => ({ tag: 'offer', offer: entry.offer })),
              epoch - next.connectionsAgo,
            );
            if (next.connectionsAgo === 0) note(seen, of, one.clock.monotonicMs(), epoch);
          }
          for (const outcome of OUTCOMES) {
            const shown = one.market.marketOf(selectionId(FB, EVENT, outcome)).for;
            expect(shown).toEqual(expected(seen.get(outcome), one.clock.monotonicMs(), epoch));
          }
        }
      }),
    );
  });
});

function note(
  seen: Map<string, Seen>,
  of: readonly { outcome: string; offer: ReturnType<typeof offer> }[],
  atMs: number,
  epoch: number,
): void {
  for (const entry of of) seen.set(entry.outcome, { list: entry.offer.priceList, atMs, epoch });
}

function expected(seen: Seen | undefined, nowMs: number, epoch: number): PriceList | null {
  if (seen?.epoch !== epoch) return null;
  return nowMs - seen.atMs <= STALE_MS ? seen.list : null;
}
