import { describe, expect, it } from 'vitest';
import { orderId } from '../../src/domain/ids.ts';
import type { PlaceOrder, VenueOrder } from '../../src/domain/orders.ts';
import { createLedger } from '../../src/ledger/index.ts';
import { ask, fillOf } from '../risk/support/harness.ts';

const ORDER = orderId(1);

/** The exchange's word on an order that has ended. */
function venueOrder({ sport, eventId, betType }: PlaceOrder, changes: Partial<VenueOrder> = {}): VenueOrder {
  return {
    ...{ orderId: ORDER, orderType: 'normal', sport, eventId, betType, status: 'reconciled', closed: true },
    ...{ closeReason: 'order_filled', wantPrice: 2, wantStakeMicros: 10e6, price: 2, stakeMicros: 10e6 },
    ...{ profitLossMicros: null, placementTimeMs: null, expiryTimeMs: null, exchangeMode: null },
    ...{ keepOpenInRunning: false, userData: null, bets: [], result: null },
    ...changes,
  };
}

describe('ledger', () => {
  it('books each bet once and keeps what the selection pays', () => {
    const ledger = createLedger();
    const fill = fillOf(ask({ price: 2.5 }), 10);
    expect([ledger.onFill(fill), ledger.onFill(fill)]).toEqual([true, false]);
    ledger.onFill(fillOf(ask({ betType: 'against,h', price: 2 }), 4, { role: 'taker' }));
    expect(ledger.position(fill.selectionId)).toEqual({ ifWinMicros: 11e6, ifLoseMicros: -6e6 });
    expect(ledger.activity()).toEqual({ fills: 2, makerFills: 1, takerFills: 1, stakeMatchedMicros: 14e6 });
  });

  it('marks open bets at the fair probability, and says how many have none', () => {
    const ledger = createLedger();
    const fill = fillOf(ask({ price: 2.5 }), 10);
    ledger.onFill(fill);
    expect(ledger.profitLoss(() => 0.5)).toEqual({
      realisedMicros: 0,
      openMicros: 2.5e6,
      totalMicros: 2.5e6,
      unmarkedSelections: 0,
    });
    expect(ledger.profitLoss(() => null)).toMatchObject({ openMicros: 0, unmarkedSelections: 1 });
    expect(ledger.selections()).toEqual([fill.selectionId]);
  });

  it('realises the profit that the exchange settles, once, and takes corrections', () => {
    const ledger = createLedger();
    const order = ask();
    const fill = fillOf(order, 10, { orderId: ORDER });
    ledger.onFill(fill);
    const won = venueOrder(order, { profitLossMicros: 10e6 });
    expect(ledger.settle(won)).toEqual([fill.betId]);
    expect(ledger.settle(won)).toEqual([]);
    expect(ledger.profitLoss(() => 0.5)).toMatchObject({ realisedMicros: 10e6, openMicros: 0 });
    ledger.settle({ ...won, status: 'full_void', profitLossMicros: 0 });
    expect(ledger.profitLoss(() => 0.5)).toMatchObject({ realisedMicros: 0, totalMicros: 0 });
    expect(ledger.position(fill.selectionId)).toEqual({ ifWinMicros: 0, ifLoseMicros: 0 });
  });

  it('does not take an order that is merely done for settled', () => {
    const ledger = createLedger();
    const order = ask();
    ledger.onFill(fillOf(order, 10, { orderId: ORDER }));
    expect(ledger.settle(venueOrder(order, { status: 'done', profitLossMicros: 0 }))).toEqual([]);
    const result = { halfTime: null, fullTime: [1, 0] as const };
    expect(ledger.settle(venueOrder(order, { status: 'done', profitLossMicros: 10e6, result }))).toHaveLength(
      1,
    );
  });

  it('adds up the bets where the order has no profit of its own', () => {
    const ledger = createLedger();
    const order = ask();
    const bet = { ...fillOf(order, 5), statusCode: 'success', wantPrice: 2, gotPrice: 2, exchangeRole: null };
    const stakes = { wantStakeMicros: 5e6, gotStakeMicros: 5e6 };
    const bets = [3e6, null].map((profitLossMicros) => ({ ...bet, ...stakes, profitLossMicros }));
    ledger.settle(venueOrder(order, { bets }));
    expect(ledger.profitLoss(() => null).realisedMicros).toBe(3e6);
  });

  it('opens no position for a fill that comes after the settlement of its order', () => {
    const ledger = createLedger();
    const order = ask();
    ledger.settle(venueOrder(order, { profitLossMicros: -10e6 }));
    const fill = fillOf(order, 10, { orderId: ORDER });
    ledger.onFill(fill);
    expect(ledger.position(fill.selectionId).ifWinMicros).toBe(0);
    expect(ledger.activity().fills).toBe(1);
  });
});
