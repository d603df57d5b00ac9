import { describe, expect, it } from 'vitest';
import { betId, betType, orderId, requestUuid } from '../../../src/domain/ids.ts';
import type { Fill } from '../../../src/domain/live-order.ts';
import { toMicros } from '../../../src/domain/money.ts';
import { priceOf, tickOf } from '../../../src/domain/ladder.ts';
import { WIN } from '../../../src/domain/payoff.ts';
import { outcomeOf, type SessionOrder } from '../../../src/research/replay/own-orders.ts';
import { predictionsOf } from '../../../src/research/report/predictions.ts';
import { readRiskLimits } from '../../../src/risk/index.ts';
import { type Step, TAPE_START_MS, tapeOf } from '../../support/tapes.ts';

const MINUTE_MS = 60_000;
const read = readRiskLimits({}, 'simulated');
if (!read.ok) throw new Error('no limits');
const { limits } = read;

const STEPS: readonly Step[] = [
  [0, 'for', 2.6, 100],
  [0, 'against', 2.2, 100],
  ...[1, 2, 3, 4].map((minute): Step => [minute * MINUTE_MS, 'trade for', 2.42, 5]),
  [10 * MINUTE_MS, 'for', 2.6, 100],
];
const TAPE = tapeOf(STEPS, { selections: [{ outcome: 'h', settlement: WIN }] });

const order = (name: string, fromMs: number, over: Partial<SessionOrder> = {}): SessionOrder => ({
  uuid: requestUuid(name),
  event: TAPE.event,
  direction: 'for',
  tick: tickOf(2.4) ?? -1,
  selectionId: TAPE.selections[0]?.selectionId as SessionOrder['selectionId'],
  stakeMicros: toMicros(50),
  placedMs: TAPE_START_MS + fromMs,
  closedMs: null,
  expiryMs: null,
  ...over,
});

const fill = (name: string, atMs: number, stake: number): Fill => ({
  betId: betId(1),
  orderId: orderId(1),
  requestUuid: requestUuid(name),
  ...TAPE.event,
  selectionId: TAPE.selections[0]?.selectionId as Fill['selectionId'],
  betType: betType('for,h'),
  direction: 'for',
  priceKind: 'odds-for',
  price: 2.4,
  stakeMicros: toMicros(stake),
  mode: 'make_and_take',
  role: 'maker',
  atMs: TAPE_START_MS + atMs,
});

const minutesOf = (fills: readonly { readonly atMs: number }[]): number[] =>
  fills.map(({ atMs }) => (atMs - TAPE_START_MS) / MINUTE_MS);

describe('the orders of a session', () => {
  it.each([
    ['that is closed', TAPE_START_MS + 5 * MINUTE_MS],
    ['that stands until the end of the recording', null],
  ])('count in what the rule for trades leaves unfilled, one %s', (_, closedMs) => {
    // The level at the price of the order does not fall with the trade.
    const tape = tapeOf([
      ...STEPS.slice(0, 2),
      [MINUTE_MS, 'trade for', 2.4, 30],
      [10 * MINUTE_MS, 'for', 2.6, 90],
    ]);
    const { scenarios } = outcomeOf([tape], [order('a', 1, { closedMs })], [], limits);
    const besides = scenarios.map(({ events: [event] }) => event?.besidesMicros);
    expect(besides).toEqual([0, toMicros(30), 0]);
  });

  it('are filled by each scenario from their placing to their close or lapse', () => {
    const closed = order('a', 1.5 * MINUTE_MS, { closedMs: TAPE_START_MS + 2.5 * MINUTE_MS });
    const lapsed = order('b', 2.7 * MINUTE_MS, { expiryMs: TAPE_START_MS + 3.5 * MINUTE_MS });
    const { scenarios } = outcomeOf([TAPE], [closed, lapsed], [], limits);
    for (const { fills, events } of scenarios) {
      expect(minutesOf(fills)).toEqual([2, 3]);
      expect(fills.map(({ restedFromMs }) => restedFromMs)).toEqual([closed.placedMs, lapsed.placedMs]);
      expect(fills.map(({ settledMicros }) => settledMicros)).toEqual([7e6, 7e6]);
      expect(events).toMatchObject([{ fills: 2, orders: 2, settledMicros: 14e6 }]);
    }
  });

  it('stand beside what they really got', () => {
    const orders = [order('a', 1.5 * MINUTE_MS), order('c', 5 * MINUTE_MS)];
    const fills = [
      fill('c', 6 * MINUTE_MS, 4),
      fill('a', 2 * MINUTE_MS, 3),
      fill('foreign', 7 * MINUTE_MS, 9),
    ];
    const { scenarios, real } = outcomeOf([TAPE], orders, fills, limits);
    expect(minutesOf(real)).toEqual([2, 6]);
    expect(real.map(({ tick, stakeMicros }) => [priceOf(tick), stakeMicros])).toEqual([
      [2.4, 3e6],
      [2.4, 4e6],
    ]);
    const [touch] = predictionsOf(scenarios, real);
    expect(touch).toMatchObject({
      both: 1,
      predictedOnly: 0,
      realOnly: 1,
      realMicros: 7e6,
      predictedMicros: 15e6,
    });
  });

  it('leave out events without any order, and orders on selections without offers', () => {
    const elsewhere = order('a', 0, { selectionId: 'fb|2026-01-03,11,22|d' as SessionOrder['selectionId'] });
    expect(outcomeOf([TAPE], [], [], limits).scenarios.map(({ events }) => events)).toEqual([[], [], []]);
    const { scenarios } = outcomeOf([TAPE], [elsewhere], [], limits);
    expect(scenarios.map(({ fills }) => fills)).toEqual([[], [], []]);
  });
});
