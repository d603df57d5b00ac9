import { describe, expect, it } from 'vitest';
import { eventId, orderId } from '../../../src/domain/ids.ts';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import { ExposureBook } from '../../../src/risk/exposure/book.ts';
import { LAY_PRICES } from '../../../src/domain/exchange-prices.ts';
import { exposedOf } from '../../../src/risk/exposure/exposed-order.ts';
import { OrderTracker } from '../../../src/risk/exposure/tracker.ts';
import type { RiskSnapshot } from '../../../src/risk/index.ts';
import { foreign } from '../support/bets.ts';
import { ask, type Bench, bench, FACTS, fillOf, live, START_MS } from '../support/harness.ts';
import { betsOf } from '../../support/account.ts';

const order = ask();
const NUMBER = orderId(5);

/** Where the only event counts: the names of its competition and day. */
function places({ risk }: Bench): (string | undefined)[] {
  const { scopes } = risk.exposure();
  return ['competition', 'day'].map((kind) => scopes.find((scope) => scope.kind === kind)?.name);
}

const foreignOrder = (changes: Partial<VenueOrder> = {}): VenueOrder =>
  foreign({ orderId: NUMBER, wantPrice: 2, wantStakeMicros: 10e6, ...changes });

describe('an event that the catalogue dropped keeps its place', () => {
  it('when its only order turns out to be filled before its fill arrives', () => {
    const world = bench();
    world.risk.onOrder(live(order));
    world.facts = null;
    world.risk.onOrder(live(order, { state: 'closed', filledMicros: 10e6 }));
    expect(places(world)).toEqual(['7', '2026-11-21']);
    betsOf(world.risk).report(fillOf(order, 10));
    expect(places(world)).toEqual(['7', '2026-11-21']);
  });

  it('when its only order is judged again', () => {
    const world = bench();
    const result = world.risk.approve(order);
    if (!result.ok) throw new Error('refused');
    world.facts = null;
    world.risk.recheck(result.order);
    expect(places(world)).toEqual(['7', '2026-11-21']);
  });

  it('when the only foreign order there turns out to be ours', () => {
    const world = bench();
    world.risk.onForeignOrder(foreignOrder());
    world.facts = null;
    world.risk.onOrder(live(order, { orderId: NUMBER }));
    expect(places(world)).toEqual(['7', '2026-11-21']);
  });

  it('when an order’s outcome is judged without the event', () => {
    let facts: typeof FACTS | null = FACTS;
    const book = new ExposureBook(
      { outcomes: () => null, isAwaited: () => false, winnerMarket: () => null },
      () => facts,
    );
    const tracker = new OrderTracker(book, () => LAY_PRICES);
    const tracked = exposedOf(live(order), 2);
    const other = live(ask({ event: eventId('2026-11-22,3,4') }));
    for (const each of [tracked, exposedOf(other, 2)]) tracker.onOrder(each);
    facts = null;
    const judge = () => book.preview(tracked.bet).scopes.competition.worstMicros;
    expect(tracker.without(tracked.key, () => tracker.without(tracked.key, judge))).toBe(-10e6);
    expect(tracker.without(tracked.key, judge)).toBe(-10e6);
    expect(judge()).toBe(-20e6);
  });

  it('until nothing is left of it', () => {
    const world = bench();
    world.risk.onOrder(live(order));
    world.facts = null;
    world.risk.onOrder(live(order, { state: 'closed' }));
    expect(world.risk.exposure().events).toEqual([]);
    betsOf(world.risk).report(fillOf(ask(), 10));
    expect(places(world)).toEqual(['unknown', 'unknown']);
  });
});

describe('over a restart', () => {
  const MOVED = { ...FACTS, startTimeMs: START_MS + 86_400_000 };
  /** The snapshot of a run that has seen `fill`, read back from the journal. */
  const left = (from: Bench): RiskSnapshot =>
    JSON.parse(JSON.stringify(from.risk.snapshot())) as RiskSnapshot;

  function restarted(earlier: Bench): Bench {
    const world = bench();
    world.facts = null;
    world.risk.restore(left(earlier));
    return world;
  }

  it('an event that the catalogue no longer describes keeps its place', () => {
    const first = bench();
    betsOf(first.risk).report(fillOf(order, 10));
    const second = restarted(first);
    betsOf(second.risk).report(fillOf(order, 10));
    const third = restarted(second);
    betsOf(third.risk).report(fillOf(order, 10));
    expect(places(third)).toEqual(['7', '2026-11-21']);
    third.facts = MOVED;
    betsOf(third.risk).report(fillOf(ask(), 1));
    expect(places(third)).toEqual(['7', '2026-11-22']);
  });

  it('an event without a known place gets none', () => {
    const first = bench();
    first.facts = null;
    betsOf(first.risk).report(fillOf(order, 10));
    expect(left(first).places).toEqual([]);
    const second = restarted(first);
    betsOf(second.risk).report(fillOf(order, 10));
    expect(places(second)).toEqual(['unknown', 'unknown']);
  });
});
