import { eventKey } from '../../src/domain/events.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SelectionId } from '../../src/domain/ids.ts';
import type { LiveOrder } from '../../src/domain/live-order.ts';
import { LADDER } from '../../src/domain/ladder.ts';
import type { PriceList } from '../../src/domain/price-list.ts';
import { OwnStakes } from '../../src/market/own-stake.ts';
import {
  eventEntry,
  HOME,
  liveOrder,
  offerEntry,
  prices,
  quoteEntry,
  rig,
  type Rig,
  STALE_MS,
} from './support.ts';

const LINGER_MS = 1_000;
const TICKS = [98, 99, 100];
/** The stake that others rest `against` at each tick, in USDT. */
const OTHERS = 50;
const others = prices(...TICKS.map((tick) => [LADDER[tick] as number, OTHERS] as const));

type Step =
  | { readonly kind: 'place'; readonly tick: number; readonly stake: number }
  | { readonly kind: 'fill'; readonly which: number; readonly share: number }
  | { readonly kind: 'close'; readonly which: number }
  | { readonly kind: 'broadcast'; readonly lagMs: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('place' as const),
    tick: fc.constantFrom(...TICKS),
    stake: fc.integer({ min: 1, max: 40 }),
  }),
  fc.record({
    kind: fc.constant('fill' as const),
    which: fc.nat({ max: 5 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  fc.record({ kind: fc.constant('close' as const), which: fc.nat({ max: 5 }) }),
  fc.record({ kind: fc.constant('broadcast' as const), lagMs: fc.integer({ min: 0, max: LINGER_MS - 1 }) }),
);

/** Our orders as the exchange held them at each instant. A broadcast shows a slightly earlier instant. */
class Exchange {
  readonly #history: { atMs: number; orders: readonly LiveOrder[] }[] = [{ atMs: 0, orders: [] }];

  get orders(): readonly LiveOrder[] {
    return this.#history.at(-1)?.orders ?? [];
  }

  update(order: LiveOrder, atMs: number): void {
    const rest = this.orders.filter(({ requestUuid }) => requestUuid !== order.requestUuid);
    this.#history.push({ atMs, orders: [...rest, order] });
  }

  shown(atMs: number): PriceList {
    const { orders } = this.#history.findLast((past) => past.atMs <= atMs) ?? { orders: [] };
    return prices(
      ...TICKS.map((tick) => {
        const open = orders.filter((order) => order.tick === tick && order.state === 'live');
        const ours = open.reduce((sum, order) => sum + order.stakeMicros - order.filledMicros, 0);
        return [LADDER[tick] as number, OTHERS + ours / 1e6] as const;
      }),
    );
  }
}

describe('our own stake, on an exchange that shows it late', () => {
  it('never changes the shown stake of others once it was seen', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, fc.nat({ max: 700 })), { maxLength: 30 }), async (steps) => {
        const one = rig({ ownLingerMs: LINGER_MS });
        const exchange = new Exchange();
        play({ kind: 'broadcast', lagMs: 0 }, one, exchange);
        expect(one.market.marketOf(HOME).for).toEqual(others);
        for (const [next, pauseMs] of steps) {
          await one.clock.advance(pauseMs + 1);
          play(next, one, exchange);
          const seen = one.market.marketOf(HOME).for;
          if (seen !== null) expect(seen).toEqual(others);
        }
      }),
    );
  });

  it('does not hide that others must have more or less than before', async () => {
    const one = rig({ ownLingerMs: LINGER_MS });
    const price = LADDER[TICKS[2] as number] as number;
    const seen = (usdt: number): PriceList | null => {
      one.frame([offerEntry('for,h', prices([price, usdt]))]);
      return one.market.marketOf(HOME).for;
    };
    expect(seen(50)).toEqual(prices([price, 50]));
    await one.clock.advance(10);
    const createdMonotonicMs = one.clock.monotonicMs();
    one.order(liveOrder({ tick: TICKS[2] as number, stakeMicros: 20e6, createdMonotonicMs }));
    for (const usdt of [50, 60, 70]) expect(seen(usdt)).toEqual(prices([price, 50]));
    expect(seen(90)).toEqual(prices([price, 70]));
    expect(seen(40)).toEqual(prices([price, 40]));
    await one.clock.advance(LINGER_MS);
    expect(seen(40)).toEqual(prices([price, 20]));
  });

  it('is not taken from what others show while the order may still be on its way to a book in play', async () => {
    const one = rig();
    const price = LADDER[TICKS[2] as number] as number;
    const seen = (usdt: number): PriceList | null => {
      one.frame([offerEntry('for,h', prices([price, usdt]))]);
      return one.market.marketOf(HOME).for;
    };
    seen(50);
    await one.clock.advance(10);
    const createdMonotonicMs = one.clock.monotonicMs();
    one.order(liveOrder({ tick: TICKS[2] as number, stakeMicros: 20e6, createdMonotonicMs }));
    for (let passedMs = 0; passedMs < 1_950; passedMs += 390) {
      await one.clock.advance(390);
      expect(seen(50)).toEqual(prices([price, 50]));
    }
    await one.clock.advance(1_000);
    expect(seen(70)).toEqual(prices([price, 50]));
  });

  it('does not pass for the stake of others who have left while it cannot be closed', async () => {
    const one = rig({ ownLingerMs: LINGER_MS });
    const price = LADDER[TICKS[2] as number] as number;
    const seen = (usdt: number): PriceList | null => {
      one.frame([offerEntry('for,h', prices([price, usdt]))]);
      return one.market.marketOf(HOME).for;
    };
    const order = liveOrder({ tick: TICKS[2] as number, stakeMicros: 20e6 });
    one.order(order);
    await one.clock.advance(LINGER_MS);
    expect(seen(120)).toEqual(prices([price, 100]));
    one.order({ ...order, state: 'closing' });
    for (let passedS = 0; passedS < 10; passedS++) {
      await one.clock.advance(1_000);
      expect(seen(120)).toEqual(prices([price, 100]));
    }
    expect(seen(20)).toEqual([]);
    // The order may have left the book all the same. Stake beyond the possible must belong to others, as
    // before.
    expect([seen(120), seen(100)]).toEqual([prices([price, 100]), prices([price, 100])]);
  });

  it('never shows, and the others show in full once all is quiet', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, fc.nat({ max: 700 })), { maxLength: 30 }), async (steps) => {
        const one = rig({ ownLingerMs: LINGER_MS });
        const exchange = new Exchange();
        for (const [next, pauseMs] of steps) {
          await one.clock.advance(pauseMs);
          play(next, one, exchange);
          const seen = one.market.marketOf(HOME).for ?? [];
          for (let at = 2; at < seen.length; at += 3) expect(seen[at]).toBeLessThanOrEqual(OTHERS * 1e6);
        }
        await one.clock.advance(2 * LINGER_MS);
        play({ kind: 'broadcast', lagMs: 0 }, one, exchange);
        expect(one.market.marketOf(HOME).for).toEqual(others);
      }),
    );
  });
});

it('is read without a trace: what was read before changes no later read', async () => {
  const moves = fc.array(fc.tuple(step, fc.nat({ max: 700 }), fc.boolean()), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(moves, async (steps) => {
      const [read, unread] = [rig({ ownLingerMs: LINGER_MS }), rig({ ownLingerMs: LINGER_MS })];
      const [ofRead, ofUnread] = [new Exchange(), new Exchange()];
      for (const [next, pauseMs, looks] of steps) {
        await read.clock.advance(pauseMs);
        await unread.clock.advance(pauseMs);
        play(next, read, ofRead);
        play(next, unread, ofUnread);
        if (looks) {
          read.market.marketOf(HOME);
          read.market.sourceOf(HOME, 'offer');
          read.market.youngerOffersOf(HOME);
          read.view([HOME], { ifWinMicros: 0, ifLoseMicros: 0 });
        }
      }
      expect(read.market.marketOf(HOME)).toEqual(unread.market.marketOf(HOME));
      expect(read.market.sourceOf(HOME, 'offer')).toEqual(unread.market.sourceOf(HOME, 'offer'));
    }),
  );
});

function play(next: Step, one: Rig, exchange: Exchange): void {
  const nowMs = one.clock.monotonicMs();
  const tell = (order: LiveOrder): void => {
    exchange.update(order, nowMs);
    one.order(order);
  };
  if (next.kind === 'broadcast') one.frame([offerEntry('for,h', exchange.shown(nowMs - next.lagMs))]);
  else if (next.kind === 'place') {
    tell(liveOrder({ tick: next.tick, stakeMicros: next.stake * 1e6, createdMonotonicMs: nowMs }));
  } else {
    const open = exchange.orders.filter(({ state }) => state === 'live');
    const order = open[next.which % Math.max(1, open.length)];
    if (order !== undefined) tell(changed(order, next));
  }
}

function changed(order: LiveOrder, next: Step): LiveOrder {
  if (next.kind !== 'fill') return { ...order, state: 'closed' };
  const more = Math.floor((order.stakeMicros - order.filledMicros) * next.share);
  return { ...order, filledMicros: order.filledMicros + more };
}

it('removes our own stake from each source separately, and ignores stale sources', async () => {
  const one = rig({ ownLingerMs: LINGER_MS });
  const [tick] = TICKS as [number];
  const price = LADDER[tick] as number;
  one.order(liveOrder({ tick, stakeMicros: 20e6 }));
  await one.clock.advance(10);
  one.frame([eventEntry(), offerEntry('for,h', prices([price, OTHERS + 20]))]);
  expect(one.market.sourceOf(HOME, 'offer')).toEqual({ for: prices([price, OTHERS]), against: null });
  expect(one.market.sourceOf(HOME, 'quote')).toEqual({ for: null, against: null });
  one.frame([quoteEntry('for,h', prices([price, 20]))]);
  expect(one.market.sourceOf(HOME, 'quote').for).toEqual(prices());
  await one.clock.advance(STALE_MS + 1);
  expect(one.market.sourceOf(HOME, 'offer')).toEqual({ for: null, against: null });
  expect(one.market.sourceOf('fb|none|h' as SelectionId, 'offer')).toEqual({ for: null, against: null });
});

it('judges prices the same, whether they were judged before or not', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(step, fc.nat({ max: 700 })), { maxLength: 40 }), (steps) => {
      const [again, anew] = [new OwnStakes(LINGER_MS, STALE_MS), new OwnStakes(LINGER_MS, STALE_MS)];
      const exchange = new Exchange();
      let [nowMs, priceList, sightedMs] = [0, others, 0];
      for (const [next, pauseMs] of steps) {
        nowMs += pauseMs;
        if (next.kind !== 'broadcast') act(next, exchange, nowMs, [again, anew]);
        else if (next.lagMs % 2 === 0) sightedMs = nowMs;
        else [priceList, sightedMs] = [othersAt(next.lagMs % 80), nowMs];
        expect([...again.followedOn(eventKey(liveOrder()))]).toEqual(again.follows(HOME) ? [HOME] : []);
        for (let looks = 0; looks < 2; looks++) {
          const one = { id: HOME, direction: 'for', source: 'offer', kind: 'odds-for', sightedMs } as const;
          const copy = priceList.slice();
          again.judge({ ...one, priceList });
          if (looks === 1) anew.judge({ ...one, priceList: copy });
          expect(again.others({ ...one, priceList })).toEqual(anew.others({ ...one, priceList: copy }));
          expect(again.liquidityMicros({ ...one, priceList })).toBe(
            anew.liquidityMicros({ ...one, priceList: priceList.slice() }),
          );
        }
      }
    }),
    { numRuns: 300 },
  );
});

const othersAt = (usdt: number): PriceList =>
  prices(...TICKS.map((tick, at) => [LADDER[tick] as number, usdt + at] as const));

/** Acts like `play`. Orders may also turn out never to have existed. */
function act(
  next: Exclude<Step, { kind: 'broadcast' }>,
  exchange: Exchange,
  nowMs: number,
  all: readonly OwnStakes[],
): void {
  const tell = (order: LiveOrder): void => {
    exchange.update(order, nowMs);
    for (const each of all) each.update(order, nowMs);
  };
  if (next.kind === 'place')
    return tell(liveOrder({ tick: next.tick, stakeMicros: next.stake * 1e6, createdMonotonicMs: nowMs }));
  const open = exchange.orders.filter(({ state }) => state === 'live');
  const order = open[next.which % Math.max(1, open.length)];
  if (order === undefined) return;
  tell(next.kind === 'close' && next.which % 2 === 1 ? { ...order, state: 'absent' } : changed(order, next));
}
