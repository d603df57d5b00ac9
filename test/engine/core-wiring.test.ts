import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import type { SportEvent } from '../../src/domain/events.ts';
import type { PlaceOrder } from '../../src/domain/orders.ts';
import type { StreamEntry } from '../../src/domain/stream.ts';
import { Core } from '../../src/engine/core.ts';
import { TurnClock } from '../../src/engine/turn-clock.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { noMetrics } from '../../src/ports/metrics.ts';
import { AGAINST, eventEntry, FIXTURE, FOR, offerEntry } from '../market/support.ts';
import { ask, limitsWith } from '../risk/support/harness.ts';

const ONE_ORDER = {
  eventUsdt: null,
  totalUsdt: null,
  openOrders: 1,
  lossOfDayUsdt: null,
  lossFromPeakUsdt: null,
};

/** An order at the price that the market shows. */
const AT_MARKET = () => ask({ price: 2.1 });

/** A real core with limits, over a market that a test shows frames. One strategy quotes every event. */
function coreOf(table: Readonly<Record<string, object>> = {}) {
  const clock = new VirtualClock();
  const quoters: unknown[] = [];
  const strategies = {
    restore: () => undefined,
    quoterOf: (event: unknown) => (quoters.push(event), 'mine'),
    onChange: () => undefined,
  };
  const core = new Core({
    clock: new TurnClock(clock),
    logger: silentLogger,
    metrics: noMetrics,
    staleAfterMs: 60_000,
    limits: limitsWith(table),
    strategyLimits: new Map([['mine', ONE_ORDER]]),
    onNotice: () => undefined,
    strategies: () => strategies as never,
  });
  const signals$ = new Subject<never>();
  const account$ = core.change$;
  core.market.changes$({ signals$, account$, sourcePrices$: new Subject() }).subscribe();
  const say = (...entries: readonly StreamEntry[]): void =>
    signals$.next({
      kind: 'frame',
      epoch: 1,
      sentMs: null,
      receivedMonotonicMs: clock.monotonicMs(),
      entries,
    } as never);
  const show = (over: Partial<SportEvent> = {}): void =>
    say(eventEntry(over), offerEntry('for,h', FOR), offerEntry('against,h', AGAINST));
  const refusals = (order: PlaceOrder = ask()): readonly string[] => {
    const approval = core.approvals.approve(order);
    return approval.ok ? [] : approval.refusals.map(({ code }) => code);
  };
  return { say, show, refusals, quoters };
}

describe('risk judges an order by what the market shows', () => {
  it('its consensus, without which no order is sent', () => {
    const { say, show, refusals } = coreOf();
    say(eventEntry());
    expect(refusals()).toContain('no_reference');
    show();
    expect(refusals(AT_MARKET())).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['competition', { competitions: [7] }, 'competition_not_allowed'],
    ['market type', { marketTypes: ['ou'] }, 'market_not_allowed'],
  ])('the %s of its event, which may be forbidden', (_, allow, code) => {
    const none = coreOf();
    none.show({ competitionId: 8 });
    expect(none.refusals()).not.toContain(code);
    const other = coreOf({ allow });
    other.show({ competitionId: 8 });
    expect(other.refusals()).toContain(code);
    const same = coreOf({ allow: { competitions: [8], marketTypes: ['wdw'] } });
    same.show({ competitionId: 8 });
    expect(same.refusals()).not.toContain(code);
  });
});

describe('risk counts an order', () => {
  it('for the strategy that quotes its event', () => {
    const { show, refusals, quoters } = coreOf();
    show();
    expect(refusals(AT_MARKET())).toEqual([]);
    expect(quoters).toContainEqual(expect.objectContaining(FIXTURE));
    expect(refusals(AT_MARKET())).toContain('strategy_open_orders');
  });
});
