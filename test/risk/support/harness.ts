import type { Refusal } from '../../../src/domain/approval.ts';
import type { EventName } from '../../../src/domain/events.ts';
import {
  betId,
  betslipId,
  betType,
  type EventId,
  eventId,
  orderId,
  requestUuid,
  type Sport,
  sport,
} from '../../../src/domain/ids.ts';
import type { Fill, LiveOrder } from '../../../src/domain/live-order.ts';
import { toMicros } from '../../../src/domain/money.ts';
import { tickOf } from '../../../src/domain/ladder.ts';
import { directionOfKind, type PriceKind, SELECTION_KINDS } from '../../../src/domain/odds.ts';
import type { PlaceOrder } from '../../../src/domain/orders.ts';
import { directionOf, selectionOf } from '../../../src/domain/selection.ts';
import {
  createRisk,
  type EventFacts,
  readRiskLimits,
  type Reference,
  type Risk,
  type RiskDeps,
  type RiskLimits,
  type RiskNotice,
  type RiskSnapshot,
} from '../../../src/risk/index.ts';

export const FOOTBALL = sport('fb');
export const EVENT = eventId('2026-11-21,10,20');
export const FIXTURE: EventName = { sport: FOOTBALL, eventId: EVENT };
export const START_MS = Date.UTC(2026, 10, 21, 15);
const HOUR_MS = 3_600_000;

/** Limits of simulated mode with overrides. Throws when they are invalid. */
export function limitsWith(table: Readonly<Record<string, object>> = {}): RiskLimits {
  const result = readRiskLimits(table, 'simulated');
  if (!result.ok) throw new Error(result.problems.map(({ key, message }) => `${key} ${message}`).join('; '));
  return result.limits;
}

export interface Bench {
  readonly risk: Risk;
  readonly refused: (readonly Refusal[])[];
  nowMs: number;
  wallMs: number;
  reference: Reference | null;
  strategy: string | null;
  facts: EventFacts | null;
  readonly notices: RiskNotice[];
}

export const FACTS: EventFacts = {
  competitionId: 7,
  inRunning: false,
  score: [0, 0],
  scoreAgeMs: 0,
  startTimeMs: START_MS,
  marketTypeOf: () => 'wdw',
};

/** Risk in a world that a test can change. The reference is 50 % unless set. */
export function bench(
  table: Readonly<Record<string, object>> = {},
  given: Pick<RiskDeps, 'strategyOf' | 'strategyLimits' | 'exchangePrices'> = {},
): Bench {
  const world = {
    refused: [] as (readonly Refusal[])[],
    nowMs: 100_000,
    wallMs: START_MS - HOUR_MS,
    reference: { forBest: null, againstBest: null, fair: 0.5, ageMs: 0 } as Reference | null,
    strategy: null as string | null,
    facts: FACTS as EventFacts | null,
    notices: [] as RiskNotice[],
  };
  const risk = createRisk({
    limits: limitsWith(table),
    now: () => world.nowMs,
    wallNow: () => world.wallMs,
    reference: () => world.reference,
    eventFacts: () => world.facts,
    strategyOf: () => world.strategy,
    ...given,
    onRefusal: (_, refusals) => void world.refused.push(refusals),
    onNotice: (notice) => void world.notices.push(notice),
  });
  return Object.assign(world, { risk });
}

/** A snapshot with results that go on from the next total. */
export function withoutTotals({ results, ...rest }: RiskSnapshot): RiskSnapshot {
  const kept = results.map(({ of, day, dayMicros, fromPeakMicros }) => ({
    of,
    day,
    dayMicros,
    fromPeakMicros,
  }));
  return { ...rest, results: kept };
}

let serial = 0;

export interface Ask {
  readonly betType?: string;
  /** What the price is. Default: the price of the selection, in the direction of the bet type. */
  readonly priceKind?: PriceKind;
  readonly price?: number;
  readonly stake?: number;
  readonly event?: EventId;
  readonly sport?: Sport;
}

/** An order of 10 at 2.00 on the home side by default, with a fresh uuid each time. */
export function ask({
  betType: type,
  priceKind,
  price = 2,
  stake = 10,
  event = EVENT,
  sport: at,
}: Ask = {}): PlaceOrder {
  return {
    requestUuid: requestUuid(`uuid-${++serial}`),
    betslipId: betslipId('slip'),
    sport: at ?? FOOTBALL,
    eventId: event,
    betType: betType(type ?? 'for,h'),
    priceKind: priceKind ?? SELECTION_KINDS[directionOf(betType(type ?? 'for,h')) ?? 'for'],
    price,
    stakeMicros: toMicros(stake),
    durationS: 30,
  };
}

/** The order as the order manager knows it. */
export function live(order: PlaceOrder, changes: Partial<LiveOrder> = {}): LiveOrder {
  const tick = tickOf(order.price);
  if (tick === null) throw new Error(`off tick: ${order.price}`);
  return {
    ...identityOf(order),
    requestUuid: order.requestUuid,
    orderId: null,
    betslipId: order.betslipId,
    tick,
    stakeMicros: order.stakeMicros,
    mode: order.exchangeMode ?? 'make_and_take',
    ...(order.take !== undefined && { take: order.take }),
    filledMicros: 0,
    state: 'live',
    createdMonotonicMs: 0,
    expiryMs: null,
    closeReason: null,
    ...changes,
  };
}

/** A fill of part of an order. */
export function fillOf(order: PlaceOrder, stake: number, changes: Partial<Fill> = {}): Fill {
  return {
    ...identityOf(order),
    betId: betId(++serial),
    orderId: orderId(1),
    requestUuid: order.requestUuid,
    price: order.price,
    stakeMicros: toMicros(stake),
    role: 'maker',
    ...(order.take !== undefined && { take: order.take }),
    atMs: 0,
    ...changes,
  };
}

function identityOf({ sport: at, eventId: event, betType: type, priceKind }: PlaceOrder) {
  const selection = selectionOf(at, event, type);
  if (selection === null) throw new Error(`no direction: ${type}`);
  const direction = directionOfKind(priceKind);
  return { selectionId: selection.id, sport: at, eventId: event, betType: type, direction, priceKind };
}

/** The codes of the refusals; empty when risk approved the order. */
export function codesOf(risk: Risk, order: PlaceOrder): string[] {
  const result = risk.approve(order);
  return result.ok ? [] : result.refusals.map(({ code }) => code);
}
