/**
 * The cost of exact exposure: one approval of an order, and one change of an order, with many live orders in the event.
 * `node bench/risk.bench.ts`.
 */
import { betType, betslipId, eventId, requestUuid, sport } from '../src/domain/ids.ts';
import type { LiveOrder } from '../src/domain/live-order.ts';
import { LADDER, tickOf } from '../src/domain/ladder.ts';
import { SELECTION_KINDS } from '../src/domain/odds.ts';
import type { PlaceOrder } from '../src/domain/orders.ts';
import { directionOf, selectionOf } from '../src/domain/selection.ts';
import { createRisk, readRiskLimits } from '../src/risk/index.ts';
import { parseBetType, winLossGrid } from '../src/domain/bet-types/index.ts';
import { figure } from './figures.ts';

const FOOTBALL = sport('fb');
const EVENT = eventId('2026-11-21,1,2');
const LIVE_ORDERS = 50;
const ROUNDS = 20_000;
const OUTCOMES = [
  'h',
  'd',
  'a',
  'over,2.5',
  'under,2.5',
  'ah,h,-1',
  'ah,a,-1',
  'ahover,9',
  'dnb,h',
  'cs,1,0',
];

const wide = {
  selectionUsdt: 1e6,
  eventUsdt: 1e6,
  competitionUsdt: 1e6,
  sportUsdt: 1e6,
  dayUsdt: 1e6,
  accountUsdt: 1e6,
};
const limits = readRiskLimits(
  {
    worstCase: wide,
    gross: { eventUsdt: 1e7, accountUsdt: 1e7 },
    openOrders: { selection: 100, event: 100, account: 400 },
    throttle: { duplicateWindowS: 0, ordersPerMinute: 1_000_000 },
    collar: { adverseProbability: 0.99, adverseLogOdds: 50, awayLogOdds: 50 },
  },
  'simulated',
);
if (!limits.ok) throw new Error(JSON.stringify(limits.problems));

const risk = createRisk({
  limits: limits.limits,
  now: () => performance.now(),
  wallNow: () => 0,
  reference: () => ({ forBest: 2, againstBest: 2.02, fair: 0.5, ageMs: 10 }),
  eventFacts: () => ({
    competitionId: 1,
    inRunning: false,
    score: null,
    scoreAgeMs: null,
    startTimeMs: 1e12,
    marketTypeOf: () => 'x',
  }),
  onNotice: () => undefined,
});

const typeOf = (i: number) =>
  betType(`${i % 2 === 0 ? 'for' : 'against'},${OUTCOMES[(i >> 1) % OUTCOMES.length]}`);

for (let i = 0; i < 2 * OUTCOMES.length; i++) {
  const parsed = parseBetType(FOOTBALL, typeOf(i));
  if (parsed !== null) risk.setGrid(typeOf(i), winLossGrid(parsed), FOOTBALL);
}

function order(i: number): PlaceOrder {
  const price = LADDER[100 + (i % 40)] ?? 2;
  const names = {
    requestUuid: requestUuid(`bench-${i}`),
    betslipId: betslipId('b'),
    sport: FOOTBALL,
    eventId: EVENT,
  };
  const type = typeOf(i);
  const priceKind = SELECTION_KINDS[directionOf(type) ?? 'for'];
  return { ...names, betType: type, priceKind, price, stakeMicros: 10_000_000 + i, durationS: 30 };
}

function liveOf(place: PlaceOrder): LiveOrder {
  const selectionId = selectionOf(place.sport, place.eventId, place.betType)?.id;
  const direction = directionOf(place.betType);
  const tick = tickOf(place.price);
  if (selectionId === undefined || direction === null || tick === null) throw new Error('no such market');
  const state = {
    orderId: null,
    mode: 'make_and_take',
    filledMicros: 0,
    createdMonotonicMs: 0,
    expiryMs: null,
    closeReason: null,
  } as const;
  return { ...place, selectionId, direction, tick, ...state, state: 'live' };
}

for (let i = 0; i < LIVE_ORDERS; i++) risk.onOrder(liveOf(order(i)));

function measure(what: string, run: (i: number) => void): void {
  for (let i = 0; i < ROUNDS; i++) run(i);
  const samples = Array.from({ length: ROUNDS }, (_, i) => {
    const started = performance.now();
    run(i);
    return 1_000 * (performance.now() - started);
  }).sort((a, b) => a - b);
  const [p50, p99] = [0.5, 0.99].map((share) => samples[Math.floor(share * ROUNDS)] ?? 0) as [number, number];
  const figures = `p50 ${p50.toFixed(1)} us, p99 ${p99.toFixed(1)} us`;
  console.log(`${what}, ${LIVE_ORDERS} live orders in the event: ${figures}`);
  figure(`${what}, p50`, p50, 'µs');
  figure(`${what}, p99`, p99, 'µs', 'tail');
}

measure('approval and release', (i) => {
  const place = order(1_000 + (i % 100));
  const { ok } = risk.approve(place);
  if (!ok) throw new Error('refused');
  risk.release(place.requestUuid);
});
measure('change of an order', (i) => risk.onOrder(liveOf(order(i % LIVE_ORDERS))));
measure('exposure report', () => void risk.exposure());
