import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../../src/domain/approval.ts';
import { VenueRejection } from '../../../src/domain/errors.ts';
import { packLevels, type PriceList } from '../../../src/domain/price-list.ts';
import { DEFAULT_QUOTE } from '../../support/fake-venue.ts';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';
import { slowPlacing } from '../support/slow-placing.ts';

const MOVED = packLevels([{ price: 2.3, minMicros: null, maxMicros: 500_000_000 }]);
const REFUSED: Refusal = { code: 'collar_adverse', message: 'far from the consensus', actual: 1, limit: 0 };

/** The state of the world once a retry has waited for its budget. */
interface Later {
  readonly prices: PriceList | null;
  readonly refusals: readonly Refusal[];
}

/**
 * A rig whose first create was lost. Its retry waits three seconds for its budget while the world changes.
 */
async function afterWaiting(later: Later): Promise<{ rig: OrderManagerRig; sent: () => number }> {
  let now: Later = { prices: DEFAULT_QUOTE, refusals: [] };
  const rig = new OrderManagerRig({
    market: () => ({ for: now.prices, against: DEFAULT_QUOTE }),
    recheck: () => now.refusals,
  });
  await rig.start();
  const asked = slowPlacing(rig, (request) => (request > 0 ? 3_000 : 0));
  let faults = 1;
  rig.venue.fault = (method) => (method === 'placeOrder' && faults-- > 0 ? { kind: 'lost' } : null);
  rig.desire(quote());
  while (asked.requests < 2) await rig.advance(10);
  now = later;
  await rig.advance(20_000);
  return { rig, sent: () => rig.kinds().filter((kind) => kind === 'order_intended').length };
}

describe('a create request is retried', () => {
  it('when all conditions are unchanged', async () => {
    const { rig, sent } = await afterWaiting({ prices: DEFAULT_QUOTE, refusals: [] });
    expect(sent()).toBe(2);
    expect(rig.venue.open()).toHaveLength(1);
  });

  it.each<[string, Later]>([
    ['the market is stale', { prices: null, refusals: [] }],
    ['it would take', { prices: MOVED, refusals: [] }],
    ['risk refuses it', { prices: DEFAULT_QUOTE, refusals: [REFUSED] }],
  ])('not when %s by then', async (_, later) => {
    const { rig, sent } = await afterWaiting(later);
    expect(sent()).toBe(1);
    expect(rig.venue.held.size).toBe(0);
    expect(rig.states()).toEqual(['unknown']);
  });
});

it('retries a create once its market is fresh again', async () => {
  let prices: PriceList | null = DEFAULT_QUOTE;
  const rig = new OrderManagerRig({ market: () => ({ for: prices, against: DEFAULT_QUOTE }) });
  await rig.start();
  rig.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'lost' } : null);
  rig.desire(quote());
  while (!rig.states().includes('sending')) await rig.advance(10);
  prices = null;
  await rig.advance(60_000);
  expect(rig.states()).toEqual(['unknown']);
  rig.venue.fault = () => null;
  prices = DEFAULT_QUOTE;
  await rig.advance(10_000);
  expect(rig.states()).toEqual(['live']);
});

it.each([
  [null, 0, 2_000],
  [1, 1_000, 3_000],
  [30, 30_000, 33_000],
  // The client waits for the rest, with every order.
  [180, 60_000, 63_000],
])(
  'places no order before the time that a 429 asks for is over: %s s',
  async (retryAfterS, leastMs, mostMs) => {
    const rig = new OrderManagerRig({ options: { retryMs: 500 } });
    await rig.start();
    const error = new VenueRejection('throttled', 429, 'later', { retryAfterS });
    rig.venue.fault = (method) =>
      method === 'placeOrder' && rig.venue.calls.filter((call) => call.method === method).length === 1
        ? { kind: 'reject', error }
        : null;
    rig.desire(quote());
    await rig.advance(mostMs + 2_000);
    const [first = 0, second = 0] = rig.venue.calls.flatMap(({ method, atMs }) =>
      method === 'placeOrder' ? [atMs] : [],
    );
    expect(second - first).toBeGreaterThanOrEqual(leastMs);
    expect(second - first).toBeLessThanOrEqual(mostMs);
  },
);
