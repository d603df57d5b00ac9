import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betType, orderId } from '../../../src/domain/ids.ts';
import type { Fill } from '../../../src/domain/live-order.ts';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import { selectionId } from '../../../src/domain/selection.ts';
import { foreign } from '../support/bets.ts';
import { learnGrids } from '../support/books.ts';
import { ask, bench, codesOf, EVENT, fillOf, FIXTURE, FOOTBALL } from '../support/harness.ts';
import { betsOf } from '../../support/account.ts';

const PARLAY = betType('parlay');

/** Another user’s parlay of 10 at 50.00. */
const parlay = (changes: Partial<VenueOrder> = {}): VenueOrder =>
  foreign({ orderType: 'parlay', betType: PARLAY, wantPrice: 50, wantStakeMicros: 10e6, ...changes });

const WORDS = ['order', 'some', 'rest'] as const;
const wordsInAnyOrder = fc.shuffledSubarray([...WORDS], { minLength: WORDS.length });

const FILLED = { status: 'done', closed: true, stakeMicros: 10e6 } as const;

/** A fill of the parlay. The report names its order unless `changes` say otherwise. */
function fillOfParlay(stake: number, changes: Partial<Fill> = {}): Fill {
  const market = { betType: PARLAY, selectionId: selectionId(FOOTBALL, EVENT, PARLAY) };
  return fillOf(ask({ price: 50 }), stake, { ...market, requestUuid: null, orderId: orderId(5), ...changes });
}

const LOST = { worstMicros: -10e6, grossMicros: 10e6 };

describe('a foreign parlay', () => {
  it.each([
    ['open', parlay()],
    ['filled', parlay(FILLED)],
  ])('can lose only its stake while it is %s', (_, order) => {
    const { risk } = bench();
    risk.onForeignOrder(order);
    expect(risk.exposure().account).toMatchObject(LOST);
  });

  it.each([['before'], ['after']])('can lose only its stake when its fills arrive %s it', (fillsArrive) => {
    const { risk } = bench();
    if (fillsArrive === 'after') risk.onForeignOrder(parlay());
    for (const stake of [4, 6]) betsOf(risk).report(fillOfParlay(stake));
    risk.onForeignOrder(parlay(FILLED));
    expect(risk.exposure().account).toMatchObject(LOST);
    risk.onEventOver(FIXTURE);
    risk.onForeignOrder(parlay(FILLED), true);
    expect(risk.exposure().account).toMatchObject({ worstMicros: 0, grossMicros: 0 });
  });

  it('counts in both directions while only its fill is known', () => {
    const { risk } = bench();
    betsOf(risk).report(fillOfParlay(10));
    expect(risk.exposure().account).toMatchObject({ worstMicros: -490e6 });
  });

  it('can lose only its stake by a fill that names its legs', () => {
    const { risk } = bench();
    betsOf(risk).report(fillOfParlay(10, { isParlay: true }));
    expect(risk.exposure().account).toMatchObject(LOST);
  });

  it('counts once in any order of arrival, and not after it is settled', () => {
    fc.assert(
      fc.property(fc.constantFrom(true, false, undefined), wordsInAnyOrder, (isParlay, words) => {
        const { risk } = bench();
        const tell = {
          order: () => risk.onForeignOrder(parlay(FILLED)),
          some: () => betsOf(risk).report(fillOfParlay(4, { ...(isParlay !== undefined && { isParlay }) })),
          rest: () => betsOf(risk).report(fillOfParlay(6, { isParlay: true })),
        };
        for (const word of words) tell[word]();
        expect(risk.exposure().account).toMatchObject(LOST);
        risk.onEventOver(FIXTURE);
        expect(risk.exposure().account).toMatchObject({ worstMicros: 0, grossMicros: 0 });
      }),
    );
  });

  it('does not stop another order from reducing', () => {
    const { risk } = bench();
    risk.onForeignOrder(parlay(FILLED));
    learnGrids(risk, ['for,h']);
    betsOf(risk).report(fillOf(ask({ stake: 100 }), 100));
    expect(risk.reduces(ask({ betType: 'against,h', stake: 50 }))).toBe(true);
  });

  it('leaves room for our orders', () => {
    const around = { eventUsdt: 400, competitionUsdt: 400, sportUsdt: 400, dayUsdt: 400, accountUsdt: 400 };
    const order = { maxStakeUsdt: 400, maxLiabilityUsdt: 400 };
    const { risk } = bench({ order, worstCase: { selectionUsdt: 400, ...around } });
    betsOf(risk).report(fillOfParlay(10));
    expect(codesOf(risk, ask())).toContain('account_worst_case');
    risk.onForeignOrder(parlay(FILLED));
    expect(codesOf(risk, ask())).toEqual([]);
  });
});
