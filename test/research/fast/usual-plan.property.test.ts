import fc from 'fast-check';
import { expect, it } from 'vitest';
import { requestUuid } from '../../../src/domain/ids.ts';
import { byKey } from '../../../src/orders/targets/reconcile.ts';
import { reconcile } from '../../../src/orders/targets/reconcile.ts';
import { intentKey, type QuoteIntent } from '../../../src/domain/quote-intent.ts';
import { DIRECTIONS } from '../../../src/domain/selection.ts';
import type { OwnOrder } from '../../../src/research/fast/exchange/own-order.ts';
import { heldOf } from '../../../src/research/fast/orders/trader.ts';
import { usualPlan } from '../../../src/research/fast/orders/usual-plan.ts';
import { fastSettings } from '../../../src/research/fast/settings.ts';
import { tapeOf } from '../../support/tapes.ts';
import { SELECTION_KINDS } from '../../../src/domain/odds.ts';

const NOW_MS = 1_000_000;
const selectionId = tapeOf([]).selections[0]?.selectionId ?? ('' as never);

const terms = fc.record({
  direction: fc.constantFrom(...DIRECTIONS),
  tick: fc.integer({ min: 100, max: 104 }),
  stakeMicros: fc.constantFrom(10e6, 14e6, 40e6),
  level: fc.constantFrom(0, 0, 1),
});

const order = fc
  .record({
    terms,
    answeredMs: fc.constantFrom(NOW_MS - 1, NOW_MS + 50),
    expiryMs: fc.constantFrom(NOW_MS + 1_000, NOW_MS + 2_500, NOW_MS + 40_000, NOW_MS + 50_000),
    knownFilledMicros: fc.constantFrom(0, 0, 6e6),
    closeWanted: fc.boolean(),
  })
  .map(({ terms: given, ...rest }) => ({ ...given, ...rest }));

const wanted = fc
  .array(terms, { maxLength: 3 })
  .map((given) => [...byKey(given.map((each): QuoteIntent => ({ selectionId, ...each }))).values()]);

it('answers what the reconciliation of the order manager answers, or leaves the answer to it', () => {
  const settings = fastSettings();
  let answered = 0;
  fc.assert(
    fc.property(wanted, fc.array(order, { maxLength: 4 }), (intents, given) => {
      const orders = given.map((each, id): OwnOrder => ({
        id,
        selection: 0,
        key: intentKey({ selectionId, ...each }),
        sentMs: 0,
        mode: 'make_and_take',
        matching: {},
        filledMicros: 0,
        restedFromMs: null,
        restedFromRow: null,
        queueAheadMicros: 0,
        tradedMicros: 0,
        resting: null,
        closed: false,
        refused: false,
        priceKind: SELECTION_KINDS[each.direction],
        ...each,
      }));
      const plan = usualPlan({
        wanted: intents,
        held: [orders],
        heldCount: orders.length,
        settings,
        nowMs: NOW_MS,
        positions: new Map([[selectionId, 0]]),
      });
      if (plan === null) return;
      answered++;
      const full = reconcile(
        byKey(intents),
        orders.map((each) => heldOf(each, NOW_MS)),
        settings,
      );
      expect(plan.close.map(({ id }) => requestUuid(String(id))).toSorted()).toEqual(full.close.toSorted());
      expect(plan.place).toEqual(full.place.map(({ intent }) => intent));
      expect(plan.isWaiting).toBe(full.waiting.length > 0);
    }),
    { numRuns: 2_000 },
  );
  expect(answered).toBeGreaterThan(1_000);
});
