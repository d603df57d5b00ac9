import { beforeEach, describe, expect, it } from 'vitest';
import type { SelectionId } from '../../../src/domain/ids.ts';
import { mintApproval } from '../../../src/domain/mint-approval.ts';
import { packLevels, type PriceList } from '../../../src/domain/price-list.ts';
import type { QuoteIntent } from '../../../src/domain/quote-intent.ts';
import { orderOptions } from '../../../src/orders/options.ts';
import { DEFAULT_QUOTE } from '../../support/fake-venue.ts';
import {
  EVENT,
  OrderManagerRig,
  quote,
  type RigOptions,
  SELECTION,
} from '../../support/order-manager-rig.ts';
import { slowPlacing } from '../support/slow-placing.ts';

/** A taker gets 2.30: an order for 2.22, tick 110, would take it. */
const TAKEN = packLevels([{ price: 2.3, minMicros: null, maxMicros: 1e9 }]);
const AGAINST = quote({ direction: 'against', tick: 90 });

/** How often prices were read: each judgement that comes to prices reads them. */
let looks = 0;
let market: PriceList | null;
let refusals = 0;

beforeEach(() => {
  looks = 0;
  market = DEFAULT_QUOTE;
  refusals = 0;
});

async function started(given: RigOptions = {}): Promise<OrderManagerRig> {
  const rig = new OrderManagerRig({
    auditEveryMs: 3_600_000,
    market: () => (looks++, { for: market, against: DEFAULT_QUOTE }),
    approve: (order) =>
      refusals-- > 0
        ? { ok: false, refusals: [{ code: 'event_worst_case', message: '', actual: null, limit: null }] }
        : { ok: true, order: mintApproval({ ...order }) },
    ...given,
  });
  await rig.start();
  return rig;
}

const codes = ({ manager }: OrderManagerRig): string[] => manager.status().waiting.map(({ code }) => code);
const sent = ({ venue }: OrderManagerRig): number =>
  venue.calls.filter(({ method }) => method === 'placeOrder').length;

async function blockedBy(
  rig: OrderManagerRig,
  code: string,
  ...wanted: readonly QuoteIntent[]
): Promise<void> {
  rig.desire(...(wanted.length > 0 ? wanted : [quote()]));
  await rig.advance(2_000);
  expect(codes(rig)).toEqual([code]);
}

async function isPlacedWithin(rig: OrderManagerRig, ms: number, orders = 1): Promise<void> {
  await rig.advance(ms);
  expect([codes(rig), rig.venue.open().length]).toEqual([[], orders]);
}

describe('a blocked quote is placed as soon as', () => {
  it('a halt is lifted', async () => {
    const rig = await started();
    rig.manager.stopQuoting('a drill');
    await blockedBy(rig, 'stopped');
    rig.manager.resumeQuoting();
    await isPlacedWithin(rig, 500);
  });

  it('its heartbeat is proven', async () => {
    const rig = new OrderManagerRig({ auditEveryMs: 3_600_000 });
    rig.venue.fault = (method) => (method === 'createHeartbeat' ? { kind: 'not-sent' } : null);
    await rig.start();
    await blockedBy(rig, 'heartbeat');
    rig.venue.fault = () => null;
    await isPlacedWithin(rig, 3_000);
  });

  it('orders at its prices may be begun', async () => {
    const rig = await started();
    rig.manager.holdKind('odds-for', { detail: 'not confirmed', holds: () => true });
    await blockedBy(rig, 'first_fill_unchecked');
    rig.manager.holdKind('odds-for', null);
    await isPlacedWithin(rig, 500);
  });

  it('other options allow it', async () => {
    const rig = await started();
    await blockedBy(rig, 'stake_too_small', quote({ stakeMicros: 900_000 }));
    rig.manager.reconfigure(orderOptions({ minStakeMicros: 500_000 }));
    await isPlacedWithin(rig, 500);
  });

  it('the strategy wants another one', async () => {
    const rig = await started();
    await blockedBy(rig, 'stake_too_small', quote({ stakeMicros: 900_000 }));
    rig.desire(quote());
    await isPlacedWithin(rig, 500);
  });

  it('the exchange names its market', async () => {
    let isNamed = false;
    const resolve: RigOptions['resolve'] = () =>
      isNamed ? { sport: 'fb' as never, eventId: EVENT, betType: 'for,h' as never } : null;
    const rig = await started({ resolve });
    await blockedBy(rig, 'no_market');
    isNamed = true;
    rig.desire(quote());
    await isPlacedWithin(rig, 500);
  });

  it.each([
    ['market_stale', null],
    ['would_take', TAKEN],
  ] as const)('its event is decided anew and its prices allow it: %s', async (code, list) => {
    const rig = await started();
    market = list;
    await blockedBy(rig, code);
    market = DEFAULT_QUOTE;
    rig.desire(quote());
    await isPlacedWithin(rig, 500);
  });

  it('the private quote of its betslip allows it', async () => {
    let list = TAKEN;
    const rig = await started({ venue: { quote: () => list } });
    await blockedBy(rig, 'would_take');
    list = DEFAULT_QUOTE;
    await isPlacedWithin(rig, 3_000);
  });

  it('an order of ours that it would match has ended', async () => {
    const rig = await started();
    await rig.startQuoting(quote({ tick: 110 }));
    const crossing = quote({ direction: 'against', tick: 110, mode: 'take_only' });
    await blockedBy(rig, 'would_cross_own', quote({ tick: 110 }), crossing);
    rig.desire(crossing);
    await isPlacedWithin(rig, 1_000);
  });

  it('fewer requests are in flight', async () => {
    const rig = await started({ options: { maxInFlight: 1 } });
    slowPlacing(rig, () => 3_000);
    await blockedBy(rig, 'in_flight_limit', quote(), AGAINST);
    await isPlacedWithin(rig, 5_500, 2);
  });

  it('its pause after a refusal is over, and not before', async () => {
    const rig = await started();
    refusals = 1;
    rig.desire(quote());
    await rig.advance(1_500);
    expect([codes(rig), sent(rig)]).toEqual([['risk'], 0]);
    await isPlacedWithin(rig, 1_500);
  });

  it('a place for its betslip is free', async () => {
    const rig = await started({ venue: { betslipCap: 1 }, options: { betslips: { openCap: 1 } } });
    await rig.startQuoting(quote());
    const other = quote({ selectionId: `fb|${EVENT}|d` as SelectionId });
    rig.desire(quote(), other);
    await rig.advance(500);
    expect(codes(rig)).toEqual(['betslip_cap']);
    rig.desire(other);
    await isPlacedWithin(rig, 8_000);
  });
});

describe('a blocked quote is not judged again', () => {
  it('while only time passes and equal targets come', async () => {
    const rig = await started();
    rig.manager.holdKind('odds-for', { detail: 'not confirmed', holds: () => true });
    await blockedBy(rig, 'first_fill_unchecked');
    looks = 0;
    for (let turn = 0; turn < 100; turn++) {
      rig.desire(quote());
      await rig.advance(100);
    }
    expect(looks).toBe(0);
  });

  it('because another event is decided, or other orders change', async () => {
    const rig = await started();
    market = TAKEN;
    await blockedBy(rig, 'would_take');
    looks = 0;
    const other = { sport: 'fb' as never, eventId: '2026-11-21,3,4' as never };
    const selectionId = SELECTION.replace('1,2', '3,4') as SelectionId;
    rig.manager.setTargets(other, 'a strategy', [quote({ selectionId, direction: 'against', tick: 90 })]);
    await rig.advance(3_000);
    expect(rig.venue.open()).toHaveLength(1);
    market = DEFAULT_QUOTE;
    await rig.advance(10_000);
    // Only a decision of its own event shows new prices. The private quotes of its own betslip are another matter.
    expect(rig.venue.open().length).toBeLessThanOrEqual(2);
  });
});

it('an order rests while equal targets come, and its event is not reconciled', async () => {
  const rig = await started();
  await rig.startQuoting(quote());
  looks = 0;
  for (let turn = 0; turn < 50; turn++) {
    rig.desire(quote());
    await rig.advance(100);
  }
  expect([looks, sent(rig), rig.states()]).toEqual([0, 1, ['live']]);
});

it('an order is renewed in time though nothing else happens', async () => {
  const rig = await started({ options: { durationS: 20 } });
  await rig.startQuoting(quote());
  await rig.advance(17_000);
  expect(sent(rig)).toBe(2);
});

it('the audit counts and serves a quote that nothing woke', async () => {
  const rig = await started({ auditEveryMs: 1_000 });
  market = null;
  await blockedBy(rig, 'market_stale');
  // The engine would decide the event again.
  market = DEFAULT_QUOTE;
  await rig.advance(5_000);
  expect([rig.manager.status().missedWakes, rig.venue.open().length]).toEqual([1, 1]);
});
