import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventId } from '../../../src/domain/ids.ts';
import type { TakeTerms } from '../../../src/domain/orders.ts';
import { TakeUse } from '../../../src/risk/limits/take-use.ts';
import { ask, EVENT, fillOf, FIXTURE, FOOTBALL, live, START_MS } from '../support/harness.ts';

const OTHER = { sport: FOOTBALL, eventId: eventId('2026-11-21,30,40') };
const MINUTE_MS = 60_000;
const APPROVAL_TTL_MS = 30_000;

/** What a stake at a price may lose: the stake of who backs, the liability of who lays. */
const lossOf = (isLay: boolean, price: number, stakeMicros: number): number =>
  Math.round(isLay ? stakeMicros * (price - 1) : stakeMicros);

const TERMS: readonly (readonly [counts: boolean, terms: Partial<TakeTerms>])[] = [
  [true, {}],
  [false, { reduces: true }],
  [false, { hedge: 'h' }],
  [false, { byHand: 'q' }],
];

/** A take in its life: approved, then matched in parts at its price or better, then over, or still open. */
const taken = fc.record({
  terms: fc.constantFrom(...TERMS),
  isHere: fc.boolean(),
  isLay: fc.boolean(),
  price: fc.constantFrom(1.5, 2, 3.5),
  stake: fc.integer({ min: 4, max: 40 }),
  ago: fc.integer({ min: 0, max: 100 }),
  parts: fc.array(fc.constantFrom(1, 2), { maxLength: 2 }),
  isBetter: fc.boolean(),
  isOver: fc.boolean(),
  isRestarted: fc.boolean(),
});

describe('what takes may lose', () => {
  it('is that of their fills and of their stake that may still be matched, on an event and of the last hour', () => {
    fc.assert(
      fc.property(fc.array(taken, { minLength: 1, maxLength: 5 }), (takes) => {
        const use = new TakeUse(APPROVAL_TTL_MS);
        const nowMs = START_MS;
        const expected = { event: 0, hour: 0 };
        for (const { terms, isHere, isLay, price, stake, ago, parts, ...life } of takes) {
          const { isBetter, isOver, isRestarted } = life;
          const atMs = nowMs - ago * MINUTE_MS;
          const order = {
            ...ask({
              betType: isLay ? 'against,h' : 'for,h',
              price,
              stake,
              event: isHere ? EVENT : OTHER.eventId,
            }),
            take: { id: 'a', fairProbability: 0.5, reduces: false, ...terms[1] },
          };
          // An earlier run had it approved: only its fills are told again.
          const isTold = !isRestarted || parts.length > 0;
          if (!isRestarted) use.onApproved(order, atMs);
          let [filledMicros, lossMicros] = [0, 0];
          const better = isLay ? 1.5 : 4;
          for (const part of parts) {
            filledMicros += part * 1e6;
            lossMicros += lossOf(isLay, isBetter ? better : price, part * 1e6);
            use.onFill(fillOf(order, part, { atMs, price: isBetter ? better : price }));
            if (!isRestarted) use.onOrder(live(order, { filledMicros }), atMs);
          }
          if (isOver) use.onOrder(live(order, { filledMicros, state: 'closed' }), atMs);
          else if (parts.length === 0 && !isRestarted) use.onOrder(live(order), atMs);
          if (!isOver && !isRestarted) lossMicros += lossOf(isLay, price, stake * 1e6 - filledMicros);
          if (!terms[0] || !isTold) continue;
          if (isHere) expected.event += lossMicros;
          if (ago < 60) expected.hour += lossMicros;
        }
        expect(use.of(FIXTURE, nowMs, ask().requestUuid)).toEqual(expected);
      }),
    );
  });

  it('forgets an approval that became no order once it has lapsed, and not before', () => {
    const use = new TakeUse(APPROVAL_TTL_MS);
    const order = { ...ask(), take: { id: 'a', fairProbability: null, reduces: false } };
    use.onApproved(order, START_MS);
    const at = (ms: number) => use.of(FIXTURE, START_MS + ms, ask().requestUuid);
    expect(at(APPROVAL_TTL_MS)).toEqual({ event: 10e6, hour: 10e6 });
    expect(at(APPROVAL_TTL_MS + 1)).toEqual({ event: 0, hour: 0 });
  });

  it('counts in the hour although its event is over', () => {
    const use = new TakeUse(APPROVAL_TTL_MS);
    const order = { ...ask(), take: { id: 'a', fairProbability: null, reduces: false } };
    use.onFill(fillOf(order, 10, { atMs: START_MS }));
    use.onEventOver(FIXTURE, START_MS + 59 * MINUTE_MS);
    expect(use.of(OTHER, START_MS + 59 * MINUTE_MS, ask().requestUuid)).toEqual({ event: 0, hour: 10e6 });
    use.onEventOver(FIXTURE, START_MS + 60 * MINUTE_MS);
    expect(use.of(FIXTURE, START_MS, ask().requestUuid)).toEqual({ event: 0, hour: 0 });
  });
});
