import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import {
  type BetId,
  betId,
  betslipId,
  betType,
  eventId,
  orderId,
  type RequestUuid,
  requestUuid,
  sport,
} from '../../../src/domain/ids.ts';
import type { Fill } from '../../../src/domain/live-order.ts';
import { directionOfKind, PRICE_KINDS, type PriceKind, SELECTION_KINDS } from '../../../src/domain/odds.ts';
import { selectionIdOf } from '../../../src/domain/selection.ts';
import { CHECKPOINT, checkpointOf, foldJournal } from '../../../src/orders/journal/checkpoint.ts';
import { fold } from '../../../src/orders/journal/fold.ts';
import { bodyHashOf, entryOf, type Fact } from '../../../src/orders/journal/records.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';

const MARKET = { sport: sport('fb'), eventId: eventId('2026-11-21,1,2') };

/** A bet type on which there are such prices, with odds or without. */
const betTypeOf = (kind: PriceKind, isOdds: boolean) =>
  betType(kind === 'odds-for' || (kind === 'lay-for' && isOdds) ? 'for,h' : 'against,h');

type Intended = Extract<Fact, { kind: 'order_intended' }>;

function intended(n: number, kind: PriceKind, isOdds: boolean): Intended {
  const uuid = requestUuid(`uuid-${n}`);
  const market = { ...MARKET, betType: betTypeOf(kind, isOdds) };
  return {
    kind: 'order_intended',
    uuid,
    key: null,
    selectionId: selectionIdOf(market),
    tick: 100,
    direction: directionOfKind(kind),
    mode: 'make_and_take',
    bodyHash: 'h',
    repeat: false,
    owner: 'o',
    place: {
      ...market,
      requestUuid: uuid,
      betslipId: betslipId('slip'),
      priceKind: kind,
      price: 2.02,
      stakeMicros: 5e6,
      durationS: 60,
    },
  };
}

function filled(n: number, kind: PriceKind, isOdds: boolean): Extract<Fact, { kind: 'fill_booked' }> {
  const market = { ...MARKET, betType: betTypeOf(kind, isOdds) };
  const fill: Fill = {
    ...market,
    betId: betId(n),
    orderId: orderId(n),
    selectionId: selectionIdOf(market),
    direction: directionOfKind(kind),
    priceKind: kind,
    price: 2.02,
    stakeMicros: 5e6,
    atMs: 0,
    requestUuid: null,
    role: 'maker',
  };
  return { kind: 'fill_booked', fill };
}

const shape = fc.record({
  of: fc.constantFrom(intended, filled),
  kind: fc.constantFrom(...PRICE_KINDS),
  isOdds: fc.boolean(),
});
const facts = fc
  .array(shape, { minLength: 1, maxLength: 8 })
  .map((all) => all.map(({ of, kind, isOdds }, n) => of(n, kind, isOdds)));

/** What a fold has to hold of these facts. */
const held = (all: readonly (Intended | ReturnType<typeof filled>)[]) => ({
  places: all.flatMap((fact) => (fact.kind === 'order_intended' ? [[fact.place, fact.direction]] : [])),
  fills: all.flatMap((fact) => (fact.kind === 'fill_booked' ? [fact.fill] : [])),
});

const heldIn = ({ orders, fills }: ReturnType<typeof fold>) => ({
  places: Array.from(orders.values(), ({ intended: { place, direction } }) => [place, direction]),
  fills: [...fills.values()],
});

describe('the kind of a price', () => {
  it('survives in the journal, and in its checkpoint, and in the checkpoint after that', () => {
    fc.assert(
      fc.property(facts, (all) => {
        const clock = new VirtualClock();
        let journal = createMemoryJournal(clock);
        journal.append(all.map(entryOf));
        for (let generation = 0; generation < 3; generation++) {
          expect(heldIn(foldJournal(journal))).toEqual(held(all));
          const data = checkpointOf(foldJournal(journal));
          journal = createMemoryJournal(clock);
          journal.append([{ kind: CHECKPOINT, uuid: null, data }]);
        }
      }),
    );
  });

  it.each(PRICE_KINDS)('%s is written only if the price is not that of the selection', (kind) => {
    const isWritten = kind !== SELECTION_KINDS[directionOfKind(kind)];
    for (const fact of [intended(1, kind, true), filled(1, kind, true)])
      expect(JSON.stringify(entryOf(fact)).includes('priceKind')).toBe(isWritten);
  });

  it('of records without one is that of the selection, by the side and not by the bet type', () => {
    const journal = createMemoryJournal(new VirtualClock());
    const lay = intended(1, 'lay-for', true);
    expect([lay.place.betType, lay.direction]).toEqual(['for,h', 'against']);
    journal.append([entryOf(lay), entryOf(filled(2, 'lay-for', true)), entryOf(filled(3, 'odds-for', true))]);
    expect(JSON.stringify([...journal.read()])).not.toContain('priceKind');
    const { orders, fills } = fold(journal.read());
    expect(orders.get('uuid-1' as RequestUuid)?.intended.place.priceKind).toBe('lay-for');
    expect([2, 3].map((n) => fills.get(n as BetId)?.priceKind)).toEqual(['lay-for', 'odds-for']);
  });

  it('is that of the last record of a bet, also behind a checkpoint', () => {
    const clock = new VirtualClock();
    const journal = createMemoryJournal(clock);
    journal.append([filled(1, 'odds-against', true), filled(2, 'odds-against', true)].map(entryOf));
    const data = checkpointOf(foldJournal(journal));
    const later = createMemoryJournal(clock);
    later.append([{ kind: CHECKPOINT, uuid: null, data }, entryOf(filled(1, 'lay-against', true))]);
    const kinds = Array.from(foldJournal(later).fills.values(), ({ betId: id, priceKind }) => [
      id,
      priceKind,
    ]);
    expect(kinds).toEqual([
      [1, 'lay-against'],
      [2, 'odds-against'],
    ]);
  });

  it('is no part of the request, whose hash is the same for every kind', () => {
    const { place } = intended(1, 'lay-for', true);
    const hashes = PRICE_KINDS.map((priceKind) => bodyHashOf({ ...place, priceKind }));
    expect(new Set(hashes).size).toBe(1);
    expect(bodyHashOf({ ...place, price: 2.04 })).not.toBe(hashes[0]);
  });
});
