import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../../src/domain/approval.ts';
import { packLevels, type PriceList } from '../../../src/domain/price-list.ts';
import { DEFAULT_QUOTE } from '../../support/fake-venue.ts';
import { quote, TestDesk } from '../../support/order-desk.ts';
import { slowPlacing } from '../support/slow-placing.ts';

const MOVED = packLevels([{ price: 2.3, minMicros: null, maxMicros: 500_000_000 }]);
const REFUSED: Refusal = { code: 'collar_adverse', message: 'far from the consensus', actual: 1, limit: 0 };

/** The state of the world once a retry has waited for its budget. */
interface Later {
  readonly prices: PriceList | null;
  readonly refusals: readonly Refusal[];
}

/**
 * A desk whose first create was lost. Its retry waits three seconds for its budget while the world changes.
 */
async function afterWaiting(later: Later): Promise<{ desk: TestDesk; sent: () => number }> {
  let now: Later = { prices: DEFAULT_QUOTE, refusals: [] };
  const desk = new TestDesk({
    market: () => ({ for: now.prices, against: DEFAULT_QUOTE }),
    recheck: () => now.refusals,
  });
  await desk.start();
  const asked = slowPlacing(desk, (request) => (request > 0 ? 3_000 : 0));
  let faults = 1;
  desk.venue.fault = (method) => (method === 'placeOrder' && faults-- > 0 ? { kind: 'lost' } : null);
  desk.desire(quote());
  while (asked.requests < 2) await desk.advance(10);
  now = later;
  await desk.advance(20_000);
  return { desk, sent: () => desk.kinds().filter((kind) => kind === 'order_intended').length };
}

describe('a create request is retried', () => {
  it('when all conditions are unchanged', async () => {
    const { desk, sent } = await afterWaiting({ prices: DEFAULT_QUOTE, refusals: [] });
    expect(sent()).toBe(2);
    expect(desk.venue.open()).toHaveLength(1);
  });

  it.each<[string, Later]>([
    ['the market is stale', { prices: null, refusals: [] }],
    ['it would take', { prices: MOVED, refusals: [] }],
    ['risk refuses it', { prices: DEFAULT_QUOTE, refusals: [REFUSED] }],
  ])('not when %s by then', async (_, later) => {
    const { desk, sent } = await afterWaiting(later);
    expect(sent()).toBe(1);
    expect(desk.venue.held.size).toBe(0);
    expect(desk.states()).toEqual(['unknown']);
  });
});

it('retries a create once its market is fresh again', async () => {
  let prices: PriceList | null = DEFAULT_QUOTE;
  const desk = new TestDesk({ market: () => ({ for: prices, against: DEFAULT_QUOTE }) });
  await desk.start();
  desk.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'lost' } : null);
  desk.desire(quote());
  while (!desk.states().includes('sending')) await desk.advance(10);
  prices = null;
  await desk.advance(60_000);
  expect(desk.states()).toEqual(['unknown']);
  desk.venue.fault = () => null;
  prices = DEFAULT_QUOTE;
  await desk.advance(10_000);
  expect(desk.states()).toEqual(['live']);
});
