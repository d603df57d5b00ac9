import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betslipId, betType, eventId } from '../../src/domain/ids.ts';
import { LADDER } from '../../src/domain/ladder.ts';
import type { PriceList } from '../../src/domain/price-list.ts';
import { DIRECTIONS, opposite, selectionId } from '../../src/domain/selection.ts';
import type { Offer, StreamEntry } from '../../src/domain/stream.ts';
import { EVENT, eventEntry, FB, HOME, liveOrder, offer, prices, rig, type Rig } from './support.ts';

const EVENTS = [EVENT, eventId('2026-11-21,11,21')];
const BET_TYPES = ['for,h', 'against,h', 'for,d', 'against,d'];

const levels = fc
  .uniqueArray(fc.integer({ min: 90, max: 110 }), { maxLength: 3 })
  .chain((ticks) =>
    fc
      .array(fc.integer({ min: 1, max: 50 }), { minLength: ticks.length, maxLength: ticks.length })
      .map((stakes) =>
        prices(...ticks.map((tick, i) => [LADDER[tick] as number, stakes[i] as number] as const)),
      ),
  );

/** Offers from a small pool, so that the identical object recurs. */
const offers = fc
  .array(fc.tuple(fc.constantFrom(...EVENTS), fc.constantFrom(...BET_TYPES), levels), {
    minLength: 1,
    maxLength: 12,
  })
  .map((pool) => pool.map(([id, name, list]) => offer(name, list, { eventId: id })));

const entryOf = (pool: readonly Offer[]): fc.Arbitrary<StreamEntry> => {
  const id = fc.constantFrom(...EVENTS);
  return fc.oneof(
    {
      weight: 8,
      arbitrary: fc.constantFrom(...pool).map((one): StreamEntry => ({ tag: 'offer', offer: one })),
    },
    { weight: 2, arbitrary: id.map((of): StreamEntry => eventEntry({ eventId: of })) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(id, fc.constantFrom(...BET_TYPES))
        .map(([of, name]): StreamEntry => ({
          tag: 'remove_offer',
          sport: FB,
          eventId: of,
          betType: betType(name),
        })),
    },
    { weight: 1, arbitrary: id.map((of): StreamEntry => ({ tag: 'remove_event', sport: FB, eventId: of })) },
    { weight: 1, arbitrary: fc.constant<StreamEntry>({ tag: 'clear_events' }) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(id, fc.nat({ max: 3 }), fc.nat({ max: 3 }))
        .map(([of, home, away]): StreamEntry => ({
          tag: 'event_score',
          sport: FB,
          eventId: of,
          score: [home, away],
        })),
    },
  );
};

const frames = offers.chain((pool) => fc.array(fc.array(entryOf(pool), { maxLength: 8 }), { maxLength: 12 }));

interface Naive {
  readonly described: Set<string>;
  readonly scores: Map<string, unknown>;
  readonly offers: Map<string, PriceList>;
}

/** The simplest reading of the entries, in order. */
function naiveFold(entries: readonly StreamEntry[]): Naive {
  const state: Naive = { described: new Set(), scores: new Map(), offers: new Map() };
  for (const entry of entries) naiveStep(state, entry);
  return state;
}

const nameOf = (market: { eventId: string; betType: string }): string =>
  `${market.eventId} ${market.betType}`;

function naiveStep({ described, scores, offers: held }: Naive, entry: StreamEntry): void {
  if (entry.tag === 'event') described.add(entry.event.eventId);
  else if (entry.tag === 'event_score') scores.set(entry.eventId, entry.score);
  else if (entry.tag === 'offer') held.set(nameOf(entry.offer), entry.offer.priceList);
  else if (entry.tag === 'remove_offer') held.delete(nameOf(entry));
  else if (entry.tag === 'clear_events') {
    [described, scores, held].forEach((all) => all.clear());
  } else if (entry.tag === 'remove_event') {
    described.delete(entry.eventId);
    scores.delete(entry.eventId);
    for (const name of [...held.keys()]) if (name.startsWith(`${entry.eventId} `)) held.delete(name);
  }
}

function readAsNaive({ market }: Rig): Naive {
  const states = [...market.events()];
  const held = EVENTS.flatMap((id) =>
    BET_TYPES.flatMap((name) => {
      const [direction, outcome] = name.split(',') as ['for' | 'against', string];
      const list = market.marketOf(selectionId(FB, id, outcome))[direction];
      return list === null ? [] : [[`${id} ${name}`, list] as const];
    }),
  );
  const scores = states.filter(({ score }) => score !== null);
  return {
    described: new Set(states.map(({ event }) => event.eventId)),
    scores: new Map(scores.map(({ event, score }) => [event.eventId, score])),
    offers: new Map(held),
  };
}

/** The market shows scores of described events only. */
const visible = (state: Naive): Naive => ({
  ...state,
  scores: new Map([...state.scores].filter(([id]) => state.described.has(id))),
});

describe('market state', () => {
  it('equals a naive fold of the entries, however they are framed', () => {
    fc.assert(
      fc.property(frames, (batches) => {
        const one = rig();
        for (const entries of batches) one.frame(entries);
        expect(readAsNaive(one)).toEqual(visible(naiveFold(batches.flat())));
      }),
    );
  });

  it('does not depend on the order of entries across events', () => {
    fc.assert(
      fc.property(frames, fc.infiniteStream(fc.boolean()), (batches, coins) => {
        const entries = batches.flat().filter(({ tag }) => tag !== 'clear_events');
        const [one, other] = [rig(), rig()];
        one.frame(entries);
        other.frame(interleave(entries, coins));
        expect(readAsNaive(other)).toEqual(readAsNaive(one));
      }),
    );
  });

  it('reports every event whose visible state changed', () => {
    fc.assert(
      fc.property(frames, (batches) => {
        const one = rig();
        for (const entries of batches) {
          const before = readAsNaive(one);
          const change = one.frame(entries);
          for (const id of changedEvents(before, readAsNaive(one)))
            expect(change?.events).toContainEqual({ sport: FB, eventId: id });
        }
      }),
    );
  });
});

/** Interleaves the events and keeps the order within each. */
function interleave(entries: readonly StreamEntry[], coins: Iterator<boolean>): StreamEntry[] {
  const isFirst = (entry: StreamEntry): boolean => JSON.stringify(entry).includes(EVENT);
  const [first, second] = [entries.filter(isFirst), entries.filter((entry) => !isFirst(entry))];
  const mixed: StreamEntry[] = [];
  while (first.length > 0 && second.length > 0) {
    mixed.push((coins.next().value === true ? first : second).shift() as StreamEntry);
  }
  return [...mixed, ...first, ...second];
}

function changedEvents(before: Naive, after: Naive): string[] {
  const part = (state: Naive, id: string): string =>
    JSON.stringify([
      state.described.has(id),
      state.scores.get(id),
      BET_TYPES.map((name) => state.offers.get(`${id} ${name}`)),
    ]);
  return EVENTS.filter((id) => part(before, id) !== part(after, id));
}

describe('our own stake', () => {
  const own = fc.record({
    direction: fc.constantFrom(...DIRECTIONS),
    tick: fc.integer({ min: 90, max: 110 }),
    stakeMicros: fc.integer({ min: 1, max: 20 }).map((stake) => stake * 1e6),
  });

  it('never shows: joint prices of others and us read as the others alone', () => {
    fc.assert(
      fc.property(
        levels,
        levels,
        fc.array(own, { maxLength: 5 }),
        fc.boolean(),
        (forList, againstList, ours, asQuote) => {
          const one = rig();
          const others = { for: forList, against: againstList };
          for (const order of ours) one.order(liveOrder(order));
          for (const direction of DIRECTIONS) {
            const mine = ours.filter((order) => order.direction === opposite(direction));
            const shown = offer(`${direction},h`, together(others[direction], mine));
            const quote = {
              ...shown,
              betslipId: betslipId(direction),
              statusCode: 'success',
              totalMicros: null,
            };
            one.frame([asQuote ? { tag: 'pmm', quote } : { tag: 'offer', offer: shown }]);
          }
          expect(one.market.marketOf(HOME)).toEqual(others);
        },
      ),
    );
  });
});

function together(others: PriceList, ours: readonly { tick: number; stakeMicros: number }[]): PriceList {
  const byPrice = new Map<number, number>();
  const add = (price: number, micros: number): unknown =>
    byPrice.set(price, (byPrice.get(price) ?? 0) + micros);
  for (let at = 0; at < others.length; at += 3) add(others[at] as number, others[at + 2] as number);
  for (const { tick, stakeMicros } of ours) add(LADDER[tick] as number, stakeMicros);
  return prices(...[...byPrice].map(([price, micros]) => [price, micros / 1e6] as const));
}
