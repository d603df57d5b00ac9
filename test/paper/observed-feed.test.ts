import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBetType } from '../../src/domain/bet-types/index.ts';
import type { SportEvent } from '../../src/domain/events.ts';
import { betType, eventId } from '../../src/domain/ids.ts';
import { LADDER } from '../../src/domain/ladder.ts';
import { PRICE_CONVENTIONS } from '../../src/domain/odds.ts';
import { levelsOf, packLevels, type PriceList } from '../../src/domain/price-list.ts';
import type { StreamEntry } from '../../src/domain/stream.ts';
import { seededRandom } from '../../src/lib/random.ts';
import { ObservedFeed } from '../../src/paper/observed-feed.ts';
import type { OfferedLevel } from '../../src/simulator/core/api.ts';
import { createExchange, type Exchange } from '../../src/simulator/core/exchange.ts';
import { EVENT } from './support/rig.ts';

const START_MS = Date.parse('2026-03-01T12:00:00Z');

const ABOUT: SportEvent = {
  ...EVENT,
  eventType: 'normal',
  eventName: 'One v Two',
  competitionId: 7,
  competitionName: 'League',
  competitionCountry: 'GB',
  home: 'One',
  away: 'Two',
  teams: [],
  irStatus: 'pre_event',
  startTimeMs: START_MS + 3_600_000,
};

const offer = (type: string, priceList: PriceList): { entry: StreamEntry } => ({
  entry: {
    tag: 'offer',
    offer: { ...EVENT, betType: betType(type), marketType: 'wdw', inRunning: false, priceList },
  },
});

const KEY = 'asking';

/** A feed on an exchange, with the event registered. */
interface Observed {
  readonly feed: ObservedFeed;
  readonly exchange: Exchange;
  /** Moves time to this long after the start, and takes a step. */
  readonly at: (ms: number, step?: () => void) => void;
  /** An account asks for a betslip now. Returns the status of the answer. */
  readonly ask: (betType: string) => number;
}

function observed(): Observed {
  let nowMs = START_MS;
  const feed = new ObservedFeed(() => nowMs);
  const exchange = createExchange({
    accounts: [{ accountId: 'asks', keys: [KEY], balanceMicros: 1e9 }],
    feeds: [feed],
    parseBetType,
    random: seededRandom(1),
    startMs: START_MS,
    settings: { offerDepth: 1_000 },
  });
  const at = (ms: number, step: () => void = () => undefined): void => {
    nowMs = START_MS + ms;
    exchange.advance(nowMs);
    step();
    exchange.advance(nowMs);
  };
  const ask: Observed['ask'] = (bet_type) => {
    const { sport, eventId: event_id } = EVENT;
    const body = JSON.stringify({ sport, event_id, bet_type, betslip_type: 'normal' });
    return exchange.request({ method: 'POST', target: '/v2/betslips/', apiKey: KEY, body }, nowMs).status;
  };
  at(0, () => {
    feed.connected();
    feed.watch(EVENT);
    feed.observe([{ entry: { tag: 'event', event: ABOUT } }]);
    feed.watch(EVENT);
  });
  return { feed, exchange, at, ask };
}

const one = (price: number, stake: number): PriceList =>
  packLevels([{ price, minMicros: null, maxMicros: stake }]);

it('takes offers away that a later broadcast leaves out, once it is complete', () => {
  const { feed, exchange, at, ask } = observed();
  at(10, () => feed.observe([offer('for,h', one(2.1, 100)), offer('for,a', one(3, 50))]));
  expect([ask('for,h'), ask('for,a')]).toEqual([201, 201]);
  at(2_010, () => feed.observe([offer('for,h', one(2.1, 90))]));
  expect(exchange.market.offered(EVENT, 'for,a')).toHaveLength(1);
  at(3_600);
  expect(exchange.market.offered(EVENT, 'for,a')).toEqual([]);
  expect(exchange.market.offered(EVENT, 'for,h')).toHaveLength(1);
});

/** An event with this number. */
const numbered = (number: number): SportEvent => ({ ...ABOUT, eventId: eventId(String(number)) });

it('removes the events that a snapshot leaves out, after a new connection and after clear_events', () => {
  const step = fc.oneof(
    fc.constantFrom('connected', 'clear_events', 'sync'),
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 1, max: 3 }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const { feed, exchange, at } = observed();
      // The rig's own event was told on the first connection.
      const [there, told] = [new Set<string>([EVENT.eventId]), new Set<string>([EVENT.eventId])];
      for (const [number, each] of steps.entries())
        at(10 * (number + 1), () => {
          if (each === 'connected') feed.connected();
          else if (each === 'clear_events') feed.observe([{ entry: { tag: each } }]);
          else if (each === 'sync') feed.observe([{ entry: { tag: each, sessionId: null } }]);
          else {
            feed.watch(numbered(each));
            feed.observe([{ entry: { tag: 'event', event: numbered(each) } }]);
          }
          if (each === 'connected' || each === 'clear_events') told.clear();
          if (typeof each === 'number') for (const set of [there, told]) set.add(String(each));
          if (each === 'sync') for (const id of there) if (!told.has(id)) there.delete(id);
        });
      const live = exchange.inspectEvents().filter(({ phase }) => phase === 'live');
      expect(live.map((event) => event.eventId as string).toSorted()).toEqual([...there].toSorted());
    }),
  );
});

const lists = fc
  .uniqueArray(
    fc.record({
      tick: fc.integer({ min: 0, max: LADDER.length - 1 }),
      stake: fc.integer({ min: 1e6, max: 1e9 }),
    }),
    { selector: ({ tick }) => tick, minLength: 1, maxLength: 12, size: 'max' },
  )
  .map((levels) =>
    packLevels(
      levels.map(({ tick, stake }) => ({ price: LADDER[tick] as number, minMicros: null, maxMicros: stake })),
    ),
  );

/** Stake that stands at a price of the selection is in whole micros there, and one of them may be worth many of the offer's. */
function expectOffered(offered: readonly OfferedLevel[] | null, list: PriceList): void {
  const levels = levelsOf(list);
  expect(offered?.map(({ price, minBetMicros }) => [price, minBetMicros])).toEqual(
    levels.map(({ price }) => [price, 0]),
  );
  for (const [at, { price, maxMicros }] of levels.entries()) {
    const worthMicros = Math.max(1, 1 / (price - 1));
    expect(Math.abs((offered?.[at]?.stakeMicros ?? 0) - maxMicros)).toBeLessThanOrEqual(worthMicros);
  }
}

it.each(PRICE_CONVENTIONS)(
  'repeats every offer to half a micro of its queue, whatever was offered before, under %s prices',
  (convention) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(lists, lists), { minLength: 1, maxLength: 4, size: 'max' }), (steps) => {
        const { feed, exchange, at, ask } = observed();
        ask('for,h');
        at(1, () => feed.repriced(convention, () => exchange.tune({ priceConvention: convention })));
        for (const [n, [forList, againstList]] of steps.entries()) {
          at(10 + n * 2_000, () => feed.observe([offer('for,h', forList), offer('against,h', againstList)]));
          for (const [type, list] of [
            ['for,h', forList],
            ['against,h', againstList],
          ] as const)
            expectOffered(exchange.market.offered(EVENT, type), list);
        }
      }),
      { numRuns: 60 },
    );
  },
);

describe('an account that asks late', () => {
  const types = ['for,h', 'against,h', 'for,a', 'against,a'] as const;
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ offer: fc.constantFrom(...types), list: lists }) },
    fc.record({ removed: fc.constantFrom(...types) }),
    fc.constantFrom(
      'watch' as const,
      'unwatch' as const,
      'lost' as const,
      'repriced' as const,
      'described' as const,
    ),
  );

  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

  /** Lets a feed see a step. */
  function see({ feed, exchange }: Observed, each: Step, number: number): void {
    if (typeof each !== 'string') {
      if ('removed' in each)
        feed.observe([{ entry: { tag: 'remove_offer', ...EVENT, betType: betType(each.removed) } }]);
      else feed.observe([offer(each.offer, each.list)]);
    } else if (each === 'repriced') {
      const priceConvention = PRICE_CONVENTIONS[number % PRICE_CONVENTIONS.length] ?? 'odds';
      feed.repriced(priceConvention, () => exchange.tune({ priceConvention }));
    } else if (each === 'described') feed.observe([{ entry: { tag: 'event', event: ABOUT } }]);
    else if (each === 'lost') feed.lost();
    else feed[each](EVENT);
  }

  it('is offered what one is offered that asked at first, of the bet types that both asked for', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30, size: 'max' }), fc.nat(30), (steps, asksAt) => {
        const [early, late] = [observed(), observed()];
        early.ask('for,h');
        for (const [number, each] of steps.entries()) {
          if (number === asksAt) late.ask('against,h');
          for (const seen of [early, late]) seen.at(700 * (number + 1), () => see(seen, each, number));
        }
        late.ask('against,h');
        for (const type of ['for,h', 'against,h'])
          expect(late.exchange.market.offered(EVENT, type) ?? []).toEqual(
            early.exchange.market.offered(EVENT, type) ?? [],
          );
      }),
      { numRuns: 100 },
    );
  });

  it('has a book of what it asked for alone', () => {
    const { feed, exchange, at, ask } = observed();
    at(10, () => feed.observe([offer('for,h', one(2.1, 100)), offer('for,a', one(3, 50))]));
    expect(exchange.market.offered(EVENT, 'for,h')).toBeNull();
    expect([ask('for,h'), ask('for,d')]).toEqual([201, 400]);
    expect(exchange.market.offered(EVENT, 'for,h')).toHaveLength(1);
    expect(exchange.market.offered(EVENT, 'for,a')).toBeNull();
    at(20, () => feed.observe([offer('for,d', one(3.3, 20))]));
    expect(exchange.market.offered(EVENT, 'for,d')).toHaveLength(1);
  });
});
