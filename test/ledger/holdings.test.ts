import { describe, expect, it } from 'vitest';
import { betId, eventId, orderId, type SelectionId, sport } from '../../src/domain/ids.ts';
import type { Fill } from '../../src/domain/live-order.ts';
import { AttributionLedger, sourcesOf, type ValuedBet } from '../../src/ledger/attribution.ts';
import { createLedger, type Ledger } from '../../src/ledger/index.ts';
import { Markouts } from '../../src/ledger/markouts.ts';
import { expectedMicros, FLAT, Positions } from '../../src/ledger/positions.ts';
import { Realised } from '../../src/ledger/realised.ts';
import { SettlingEvents } from '../../src/ledger/settling.ts';
import { ask, EVENT, fillOf, FOOTBALL } from '../risk/support/harness.ts';
import { reopen, report, settle, standing } from '../support/account.ts';

const OTHER = eventId('2026-11-22,3,4');
const HALF = sport('fb_ht');
const MATCH = { sport: FOOTBALL, eventId: EVENT };
const SECOND = { sport: FOOTBALL, eventId: OTHER };

/** A bet of 10 at 2.50 on the home side of the match, with its own order of the same number. */
const bet = (id: number, changes: Partial<Fill> = {}): Fill => ({
  ...fillOf(ask({ price: 2.5 }), 10),
  betId: betId(id),
  orderId: orderId(id),
  ...changes,
});
const HOME = bet(1).selectionId;
const DRAW = `fb|${EVENT}|d` as SelectionId;
const against = { direction: 'against', priceKind: 'lay-for' } as const;
const result = (id: number, profitLossMicros: number, event = MATCH) => ({
  orderId: orderId(id),
  ...event,
  profitLossMicros,
});

describe('the holdings of a ledger', () => {
  function held(): Ledger {
    const ledger = createLedger();
    report(ledger, bet(1));
    report(ledger, bet(2, { selectionId: DRAW }));
    report(ledger, bet(3, { ...SECOND, selectionId: `fb|${OTHER}|h` as SelectionId }));
    return ledger;
  }

  it('are each event with what is held and what was realised on it', () => {
    const ledger = held();
    const open = { realisedMicros: 0, isHeld: true };
    expect(ledger.events()).toEqual([
      { ...MATCH, ...open, selections: [HOME, DRAW] },
      { ...SECOND, ...open, selections: [`fb|${OTHER}|h`] },
    ]);
    settle(ledger, result(1, 7e6));
    settle(ledger, result(3, -4e6, SECOND));
    expect(ledger.events()).toEqual([
      { ...MATCH, realisedMicros: 7e6, isHeld: true, selections: [DRAW] },
      { ...SECOND, realisedMicros: -4e6, isHeld: false, selections: [] },
    ]);
    expect([ledger.openBets(MATCH), ledger.openBets(SECOND), ledger.selections()]).toEqual([1, 0, [DRAW]]);
  });

  it('are worth what they pay at the fair probabilities, with what was realised', () => {
    const ledger = held();
    settle(ledger, result(3, -4e6, SECOND));
    // At 60 % a bet of 10 at 2.50 is worth 5.
    const fairOf = (id: SelectionId) => (id === HOME ? 0.6 : null);
    expect(ledger.profitLoss(fairOf)).toEqual({ realisedMicros: -4e6, openMicros: 5e6, totalMicros: 1e6 });
    expect(ledger.judgedMicros(fairOf, 0)).toBe(1e6);
    expect(ledger.judgedOn(({ eventId: id }) => id === EVENT)).toBe(5e6);
    expect(ledger.judgedOn(({ eventId: id }) => id === OTHER)).toBe(-4e6);
    expect(ledger.judgedOn(() => false)).toBe(0);
    expect(ledger.judgedTotals()).toEqual([
      { ...MATCH, micros: 5e6, results: { orders: 0, micros: 0 }, heldMs: null },
    ]);
  });

  it('are worth whole micros, rounded to the nearest once for all of them', () => {
    const ledger = createLedger();
    report(ledger, bet(1, { stakeMicros: 1, price: 2 }));
    report(ledger, bet(2, { stakeMicros: 1, price: 2, selectionId: DRAW }));
    // Worth 0.4 each.
    expect(ledger.profitLoss(() => 0.7).openMicros).toBe(1);
    expect(ledger.judgedMicros(() => 0.7, 0)).toBe(1);
    expect(ledger.profitLoss((id) => (id === HOME ? 0.7 : null)).openMicros).toBe(0);
  });

  it('are not changed by a bet that goes from one state at stake to another', () => {
    const ledger = held();
    const doubted = { kind: 'moved', fill: bet(1), from: 'matched', to: 'doubtful' } as const;
    for (const change of [doubted, { ...doubted, from: 'doubtful', to: 'matched' } as const])
      ledger.onChange(change, 0);
    expect([ledger.openBets(MATCH), ledger.position(HOME)]).toEqual([
      2,
      { ifWinMicros: 15e6, ifLoseMicros: -10e6 },
    ]);
    for (const change of [
      { ...doubted, to: 'void' } as const,
      { ...doubted, from: 'void', to: 'settled_void' } as const,
    ])
      ledger.onChange(change, 0);
    expect([ledger.openBets(MATCH), ledger.position(HOME)]).toEqual([1, FLAT]);
  });

  it('come back when their order is open again, without its result', () => {
    const ledger = held();
    settle(ledger, result(1, 7e6));
    reopen(ledger, orderId(1));
    expect([ledger.realisedOn(MATCH), ledger.openBets(MATCH)]).toEqual([0, 2]);
    expect(ledger.attribution()).toMatchObject({ orders: 0, realisedMicros: 0, unattributedMicros: 0 });
  });

  it('know the last fair probability of each selection', () => {
    const ledger = createLedger();
    expect(ledger.fairSeen(HOME)).toBeNull();
    ledger.onFair(HOME, 0.4, 1);
    ledger.onFair(DRAW, 0.3, 2);
    ledger.onFair(HOME, 0.45, 3);
    expect([ledger.fairSeen(HOME), ledger.fairSeen(DRAW)]).toEqual([0.45, 0.3]);
  });

  it('are those of bets that stand', () => {
    const ledger = held();
    standing(ledger, betId(1), false);
    expect(ledger.selectionsOn(MATCH)).toEqual([DRAW]);
    standing(ledger, betId(1), true);
    expect(ledger.selectionsOn(MATCH)).toEqual([DRAW, HOME]);
  });
});

describe('positions', () => {
  it('give back a bet that they remove, once', () => {
    const positions = new Positions();
    const [first, second] = [bet(1), bet(2, { ...against, price: 2, stakeMicros: 4e6 })];
    for (const each of [first, second]) positions.add(each);
    expect(positions.of(HOME)).toEqual({ ifWinMicros: 11e6, ifLoseMicros: -6e6 });
    expect(positions.events()).toEqual([{ ...MATCH, selections: new Set([HOME]), bets: 2 }]);
    expect([positions.remove(betId(1)), positions.remove(betId(1))]).toEqual([first, undefined]);
    expect(positions.of(HOME)).toEqual({ ifWinMicros: -4e6, ifLoseMicros: 4e6 });
    expect([positions.openBets(MATCH), positions.isHeld(MATCH)]).toEqual([1, true]);
    positions.remove(betId(2));
    expect([positions.of(HOME), [...positions.all()], positions.events()]).toEqual([FLAT, [], []]);
    expect([positions.openBets(MATCH), positions.isHeld(MATCH), positions.on(MATCH)]).toEqual([0, false, []]);
  });

  it('hold an event whose bets cancel each other, without a selection', () => {
    const positions = new Positions();
    for (const each of [bet(1), bet(2, against)]) positions.add(each);
    expect(positions.events()).toEqual([{ ...MATCH, selections: new Set(), bets: 2 }]);
    expect([[...positions.all()], positions.isHeld(MATCH)]).toEqual([[], true]);
    // Flat in one outcome alone is a position.
    positions.add(bet(3, { stakeMicros: 5e6, price: 2 }));
    positions.add(bet(4, { ...against, stakeMicros: 5e6, price: 3 }));
    expect(positions.of(HOME)).toEqual({ ifWinMicros: -5e6, ifLoseMicros: 0 });
    positions.add(bet(5, { stakeMicros: 10e6, price: 1.5 }));
    expect(positions.of(HOME)).toEqual({ ifWinMicros: 0, ifLoseMicros: -10e6 });
    expect(positions.on(MATCH)).toEqual([HOME]);
  });

  it('are worth the weighted mean of both outcomes', () => {
    const outcomes = { ifWinMicros: 8, ifLoseMicros: -4 };
    expect([0, 0.25, 0.5, 1].map((p) => expectedMicros(outcomes, p))).toEqual([-4, -1, 2, 8]);
  });
});

describe('realised results', () => {
  it('are the last of each order, by event and in all', () => {
    const realised = new Realised();
    expect([realised.on(MATCH), realised.of(orderId(1)), realised.has(MATCH)]).toEqual([
      { orders: 0, micros: 0 },
      null,
      false,
    ]);
    realised.set(result(1, 7), true);
    realised.set(result(2, -3), false);
    realised.set(result(3, 5, SECOND), true);
    realised.set(result(1, 8), false);
    expect([realised.totalMicros, realised.of(orderId(1)), realised.has(MATCH)]).toEqual([10, 8, true]);
    expect(realised.events()).toEqual([
      { ...MATCH, orders: 1, micros: 5 },
      { ...SECOND, orders: 1, micros: 5 },
    ]);
    realised.drop(orderId(1));
    realised.drop(orderId(1));
    expect([realised.totalMicros, realised.of(orderId(1)), realised.on(MATCH)]).toMatchObject([
      2,
      null,
      { orders: 0, micros: -3 },
    ]);
    expect(realised.has(MATCH)).toBe(true);
  });

  it('that are repeated change nothing, not even whether their order has bets', () => {
    const realised = new Realised();
    realised.set(result(1, 0), false);
    realised.set(result(1, 0), true);
    expect(realised.on(MATCH)).toMatchObject({ orders: 0, micros: 0 });
    realised.set(result(1, 2), true);
    realised.set(result(1, 0, SECOND), false);
    expect([realised.on(MATCH), realised.on(SECOND)]).toMatchObject([
      { orders: 0, micros: 0 },
      { orders: 1, micros: 0 },
    ]);
  });

  it.each([
    ['another event', { eventId: OTHER }],
    ['another sport', { sport: HALF }],
  ])('move to the event of a bet of their order: %s', (_, moved) => {
    const realised = new Realised();
    realised.set(result(1, 7), true);
    realised.onBet(bet(2, moved));
    realised.onBet(bet(1));
    expect(realised.events()).toEqual([{ ...MATCH, orders: 1, micros: 7 }]);
    realised.onBet(bet(1, moved));
    expect([realised.on(MATCH), realised.on({ ...MATCH, ...moved })]).toMatchObject([
      { orders: 0, micros: 0 },
      { orders: 1, micros: 7 },
    ]);
    expect(realised.totalMicros).toBe(7);
  });
});

describe('the sources of a result', () => {
  const valued = (changes: Partial<ValuedBet> = {}): ValuedBet => ({
    terms: bet(1),
    fairAtFill: 0.5,
    lastFair: 0.4,
    ...changes,
  });

  it('add up over all bets, to the micro', () => {
    // A bet of 10 at 2.50 is worth 2.5 at 50 %, and nothing at 40 %.
    expect(sourcesOf([valued()], 7e6)).toEqual({ spreadMicros: 2.5e6, moveMicros: -2.5e6, luckMicros: 7e6 });
    const lay = valued({ terms: bet(2, against), fairAtFill: 0.3, lastFair: 0.2 });
    expect(sourcesOf([valued(), lay], 7e6)).toEqual({ spreadMicros: 5e6, moveMicros: 0, luckMicros: 2e6 });
  });

  it('are not known without a bet, or without a fair probability of each', () => {
    expect(sourcesOf([], 7)).toBeNull();
    for (const unknown of [{ fairAtFill: null }, { lastFair: null }]) {
      expect(sourcesOf([valued(unknown)], 7)).toBeNull();
      expect(sourcesOf([valued(), valued(unknown)], 7)).toBeNull();
    }
    expect(sourcesOf([valued({ fairAtFill: 0, lastFair: 0 })], 0)).toEqual({
      spreadMicros: -10e6,
      moveMicros: 0,
      luckMicros: 10e6,
    });
  });

  it('are summed over settled orders, of which only the last result counts', () => {
    const ledger = new AttributionLedger();
    const nothing = {
      orders: 0,
      spreadMicros: 0,
      moveMicros: 0,
      luckMicros: 0,
      realisedMicros: 0,
      unattributedMicros: 0,
    };
    expect(ledger.total()).toEqual(nothing);
    ledger.onFair(HOME, 0.5);
    for (const id of [1, 2]) ledger.onFill(bet(id));
    ledger.onFill(bet(3, { selectionId: DRAW }));
    ledger.onFair(HOME, 0.4);
    ledger.onSettled(orderId(1), 15e6);
    ledger.onSettled(orderId(2), -10e6);
    ledger.onSettled(orderId(3), 4e6);
    const one = { orders: 1, spreadMicros: 2.5e6, moveMicros: -2.5e6 };
    expect(ledger.total()).toEqual({
      orders: 2,
      spreadMicros: 5e6,
      moveMicros: -5e6,
      luckMicros: 5e6,
      realisedMicros: 5e6,
      unattributedMicros: 4e6,
    });
    ledger.onSettled(orderId(2), 1e6);
    ledger.onReopened(orderId(1));
    ledger.onReopened(orderId(1));
    ledger.onReopened(orderId(3));
    expect(ledger.total()).toEqual({ ...nothing, ...one, luckMicros: 1e6, realisedMicros: 1e6 });
  });
});

describe('mark-outs', () => {
  it('are told for each fill and horizon, and summed by horizon', () => {
    const told: unknown[] = [];
    const markouts = new Markouts((fill, horizonS, micros) => void told.push([fill.betId, horizonS, micros]));
    markouts.onFill(bet(1, { atMs: 1_000 }), 1_000);
    markouts.onFill(bet(2, { atMs: 1_500, stakeMicros: 4e6 }), 1_500);
    markouts.onFill(bet(3, { atMs: 1_000, selectionId: DRAW }), 1_000);
    // A price at the instant of a fill is none after it.
    markouts.onFair(HOME, 0.6, 1_500);
    markouts.advance(70_000);
    expect(told).toEqual([1, 10, 60].map((horizonS) => [1, horizonS, 5e6]));
    const none = { fills: 1, micros: 5e6, stakeMicros: 10e6, notObservable: 2 };
    expect(markouts.results()).toEqual([1, 10, 60].map((horizonS) => ({ horizonS, ...none })));
    markouts.advance(200_000);
    expect(told).toHaveLength(3);
  });

  it('are a share of the stake at the price of the selection, whatever the exchange calls it', () => {
    const markouts = new Markouts();
    markouts.onFill(
      bet(1, { atMs: 0, priceKind: 'odds-against', direction: 'against', price: 1.25, stakeMicros: 4e6 }),
      0,
    );
    markouts.onFair(HOME, 0.15, 500);
    markouts.advance(70_000);
    // 1 at 5 against: it gains 1 if the selection loses.
    expect(markouts.results()[1]).toMatchObject({ fills: 1, micros: 0.25e6, stakeMicros: 1e6 });
  });

  it('forget a fill once its last horizon is over', () => {
    const markouts = new Markouts();
    markouts.onFill(bet(1, { atMs: 0 }), 0);
    markouts.onFair(HOME, 0.5, 60_000);
    markouts.advance(60_000);
    expect(markouts.results().map(({ fills, notObservable }) => [fills, notObservable])).toEqual([
      [0, 1],
      [0, 1],
      [0, 0],
    ]);
    markouts.advance(60_001);
    markouts.onFair(HOME, 0.9, 60_002);
    expect(markouts.results()[2]).toEqual({
      horizonS: 60,
      fills: 1,
      micros: 2.5e6,
      stakeMicros: 10e6,
      notObservable: 0,
    });
  });
});

describe('events that settle', () => {
  const totalOf = (micros: number, orders: number, heldMs: number | null = null) => ({
    ...MATCH,
    micros,
    results: { orders, micros },
    heldMs,
  });

  it('need no look once their correction has counted', () => {
    const settling = new SettlingEvents();
    settling.onCorrected(MATCH, { orders: 1, micros: 5 });
    expect([settling.corrected(), settling.totals()]).toEqual([[], []]);
    settling.onCorrected(MATCH, { orders: 2, micros: 5 });
    expect([settling.corrected(), settling.totals()]).toEqual([[MATCH], [totalOf(5, 2)]]);
    const corrected = { ...MATCH, totalMicros: 3, results: { orders: 2, micros: 3 } };
    expect(settling.update([corrected], 1_000)).toEqual([totalOf(5, 2, 0)]);
    expect(settling.corrected()).toEqual([MATCH]);
    expect(settling.update([corrected], 301_000)).toEqual([totalOf(3, 2)]);
    expect(settling.corrected()).toEqual([]);
  });

  it('keep the total with which they counted, not one of later bets', () => {
    const settling = new SettlingEvents();
    settling.recall([totalOf(7, 0)]);
    settling.onBets(MATCH, { orders: 9, micros: 9 });
    expect(settling.totals()).toEqual([totalOf(7, 0)]);
    settling.onBets(SECOND, { orders: 1, micros: 4 });
    expect(settling.totals()[1]).toEqual({ ...totalOf(4, 1), ...SECOND });
  });

  it('are held by a change in the number or in the sum of their results', () => {
    const update = (results: { readonly orders: number; readonly micros: number }) => {
      const settling = new SettlingEvents();
      settling.recall([{ ...MATCH, micros: 7, results: { orders: 1, micros: 2 }, heldMs: null }]);
      return settling.update([{ ...MATCH, totalMicros: 50, results }], 0)[0]?.micros;
    };
    expect(update({ orders: 1, micros: 2 })).toBe(50);
    expect(update({ orders: 2, micros: 2 })).toBe(7);
    expect(update({ orders: 1, micros: 3 })).toBe(7);
    expect(update({ orders: 0, micros: 0 })).toBe(50);
  });
});
