import type { FillCause } from '../../src/domain/fill-cause.ts';
import { betId, betType, eventId, orderId, sport } from '../../src/domain/ids.ts';
import { toMicros } from '../../src/domain/money.ts';
import { directionOfKind, type PriceKind } from '../../src/domain/odds.ts';
import { selectionIdOf } from '../../src/domain/selection.ts';
import type { SimulatedFill } from '../../src/domain/simulated-fill.ts';

interface PlainFill {
  readonly model: string;
  readonly betId: number;
  readonly orderId: number;
  readonly eventId: string;
  readonly betType: string;
  readonly priceKind: PriceKind;
  readonly price: number;
  readonly stakeMicros: number;
  readonly role: 'maker' | 'taker';
  readonly cause: FillCause;
  readonly atMs: number;
}

const PLAIN: PlainFill = {
  model: 'queue',
  betId: 1,
  orderId: 7,
  eventId: '2026-03-01,1,2',
  betType: 'for,h',
  priceKind: 'odds-for',
  price: 3,
  stakeMicros: toMicros(10),
  role: 'maker',
  cause: 'queue ahead traded',
  atMs: 1_000,
};

/** A fill of a paper account. */
export function simulatedFill(change: Partial<PlainFill> = {}): SimulatedFill {
  const plain = { ...PLAIN, ...change };
  const market = {
    sport: sport('fb'),
    eventId: eventId(plain.eventId),
    betType: betType(plain.betType),
  };
  return {
    ...plain,
    ...market,
    betId: betId(plain.betId),
    orderId: orderId(plain.orderId),
    requestUuid: null,
    selectionId: selectionIdOf(market),
    direction: directionOfKind(plain.priceKind),
  };
}
