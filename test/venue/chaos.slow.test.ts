import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { outcomeOf, TransportError, VenueRejection } from '../../src/domain/errors.ts';
import * as ids from '../../src/domain/ids.ts';
import { mintApproval } from '../../src/domain/mint-approval.ts';
import type { PlaceOrder } from '../../src/domain/orders.ts';
import type { StreamSignal } from '../../src/domain/stream.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import type { Exchange } from '../../src/simulator/core/exchange.ts';
import { type RunningSimulator, startSimulator } from '../../src/simulator/server/start-simulator.ts';
import { type ExchangeVenue, undiciTransport, wsTransport } from '../../src/venue/index.ts';
import { EVENT_ID, exchangeWithMarket, venueOver } from '../contract/venue-subject.ts';
import { patient } from '../support/patience.ts';
import { type Mischief, type Proxy, startProxy } from './support/proxy.ts';

const FB = ids.sport('fb');
const EVENT = ids.eventId(EVENT_ID);
const FOR = ids.betType('for,h');
const TIMEOUT_MS = 600;

let core: Exchange;
let simulator: RunningSimulator;
let proxy: Proxy;
let venue: ExchangeVenue;
const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);

beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));

beforeEach(async () => {
  core = exchangeWithMarket(systemClock);
  simulator = await startSimulator({ core, clock: systemClock, logger: silentLogger, port: 0 });
  proxy = await startProxy(simulator.port);
  venue = throughProxy();
});

function throughProxy(): ExchangeVenue {
  const http = undiciTransport({ baseUrl: `http://127.0.0.1:${proxy.port}/v2/`, clock: systemClock });
  const sockets = wsTransport({ url: `ws://127.0.0.1:${proxy.port}/v2/stream` });
  return venueOver({ http, sockets }, systemClock, {
    requestTimeoutMs: TIMEOUT_MS,
    retry: { attempts: 3, firstMs: 20 },
    stream: { idleMs: 1_000, echoTimeoutMs: 1_000, connectTimeoutMs: 1_000, syncTimeoutMs: 2_000 },
  });
}

afterEach(async () => {
  await venue.close();
  proxy.close();
  await simulator.close();
  expect(unhandled.splice(0)).toEqual([]);
});

const orders = () => core.inspect().orders;

async function preparedOrder(): Promise<() => Promise<unknown>> {
  const { betslipId } = await venue.createBetslip({ sport: FB, eventId: EVENT, betType: FOR });
  const order = mintApproval<PlaceOrder>({
    requestUuid: ids.requestUuid('00000000-0000-4000-8000-00000000000a'),
    betslipId,
    sport: FB,
    eventId: EVENT,
    betType: FOR,
    priceKind: 'odds-for' as const,
    price: 2.26,
    stakeMicros: 10_000_000,
    durationS: 15,
  });
  return () => venue.placeOrder(order).catch((error: unknown) => error);
}

interface Row {
  readonly name: string;
  readonly mischief: Mischief;
  readonly outcome: 'placed' | 'unknown';
  /** Whether the order exists on the exchange afterwards. */
  readonly exists: boolean;
}

const rows: readonly Row[] = [
  { name: 'delayed, within the time', mischief: { delayMs: 50 }, outcome: 'placed', exists: true },
  { name: 'delayed beyond the time', mischief: { answerDelayMs: 2_000 }, outcome: 'unknown', exists: true },
  { name: 'sliced', mischief: { slice: 1 }, outcome: 'placed', exists: true },
  { name: 'cut before the answer', mischief: { cutAfter: 0 }, outcome: 'unknown', exists: true },
  { name: 'cut in the answer’s head', mischief: { cutAfter: 20 }, outcome: 'unknown', exists: true },
  { name: 'cut in the answer’s body', mischief: { cutAfter: 400 }, outcome: 'unknown', exists: true },
  {
    name: 'reset before the answer',
    mischief: { cutAfter: 0, reset: true },
    outcome: 'unknown',
    exists: true,
  },
  { name: 'reset in the answer', mischief: { cutAfter: 100, reset: true }, outcome: 'unknown', exists: true },
  { name: 'stalled before the answer', mischief: { stallAfter: 0 }, outcome: 'unknown', exists: true },
  { name: 'stalled in the answer', mischief: { stallAfter: 300 }, outcome: 'unknown', exists: true },
];

describe('an order through a bad connection', () => {
  it.each(rows)('$name', async ({ mischief, outcome, exists }) => {
    const place = await preparedOrder();
    await venue.close();
    const http = undiciTransport({ baseUrl: `http://127.0.0.1:${proxy.port}/v2/`, clock: systemClock });
    const sockets = wsTransport({ url: `ws://127.0.0.1:${proxy.port}/v2/stream` });
    venue = venueOver({ http, sockets }, systemClock, { requestTimeoutMs: TIMEOUT_MS });
    proxy.mischief = mischief;
    const result = await place();
    if (outcome === 'placed') expect(result).toMatchObject({ status: 'open' });
    else expect([result instanceof TransportError, outcomeOf(result)]).toEqual([true, 'unknown']);
    await expect.poll(() => orders().length).toBe(exists ? 1 : 0);
  });

  it('refused: nothing was sent, or at least nothing arrived, and it is never called refused', async () => {
    const place = await preparedOrder();
    proxy.close();
    const result = await place();
    expect(result).toBeInstanceOf(TransportError);
    expect(orders()).toHaveLength(0);
  });

  it('with an unknown outcome is found by its uuid, and created only once', async () => {
    const place = await preparedOrder();
    proxy.mischief = { stallAfter: 0 };
    expect(outcomeOf(await place())).toBe('unknown');
    proxy.mischief = {};
    const uuid = ids.requestUuid('00000000-0000-4000-8000-00000000000a');
    const found = await venue.trackedOrder(uuid);
    expect(await place()).toMatchObject({ code: 'order_already_created', orderId: found.orderId });
    expect(orders()).toHaveLength(1);
  });
});

describe('reads through a bad connection', () => {
  it.each<[string, Mischief]>([
    ['cut', { cutAfter: 0 }],
    ['reset', { cutAfter: 10, reset: true }],
    ['stalled', { stallAfter: 50 }],
    ['refused', { refuse: true }],
  ])('%s: are retried until the connection is good', async (_name, mischief) => {
    proxy.next.push(mischief, mischief);
    expect(await venue.balance()).toMatchObject({ balanceMicros: 10_000_000_000 });
    expect(proxy.taken).toBe(3);
  });

  it('fail in the end when it stays bad, as a failure of the transport', async () => {
    proxy.mischief = { cutAfter: 0 };
    const error = await venue.balance().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TransportError);
    expect(error).not.toBeInstanceOf(VenueRejection);
    expect(proxy.taken).toBe(3);
  });
});

describe('the stream through a bad connection', () => {
  function listen(): StreamSignal[] {
    const signals: StreamSignal[] = [];
    venue.stream$.subscribe((signal) => signals.push(signal));
    venue.registerEvent(FB, EVENT);
    return signals;
  }
  const offersOf = (signals: readonly StreamSignal[], epoch: number): number =>
    signals.filter(
      (s) => s.kind === 'frame' && s.epoch === epoch && s.entries.some(({ tag }) => tag === 'offer'),
    ).length;
  const lastEpoch = (signals: readonly StreamSignal[]): number => signals.at(-1)?.epoch ?? 0;

  it('reads data that arrives byte by byte', async () => {
    proxy.mischief = { slice: 1 };
    const signals = listen();
    await expect.poll(() => offersOf(signals, 1), { timeout: patient(5_000) }).toBeGreaterThan(0);
    expect(venue.unknowns().size).toBe(0);
  });

  it(
    'reads data that arrives in pieces of any sizes',
    async () => {
      const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(sizes, async (slice) => {
          proxy.mischief = { slice };
          const around = throughProxy();
          const signals: StreamSignal[] = [];
          around.stream$.subscribe((signal) => signals.push(signal));
          around.registerEvent(FB, EVENT);
          await expect.poll(() => offersOf(signals, 1), { timeout: patient(5_000) }).toBeGreaterThan(0);
          expect(await around.balance()).toMatchObject({ balanceMicros: 10_000_000_000 });
          expect([around.unknowns().size, lastEpoch(signals)]).toEqual([0, 1]);
          await around.close();
        }),
        { numRuns: 12 },
      );
    },
    patient(60_000),
  );

  it(
    'reconnects wherever it is cut or stalls',
    async () => {
      const mischiefs = fc.record({
        at: fc.integer({ min: 0, max: 3_000 }),
        how: fc.constantFrom('cut', 'reset', 'stall'),
        size: fc.integer({ min: 1, max: 300 }),
      });
      await fc.assert(
        fc.asyncProperty(mischiefs, async ({ at, how, size }) => {
          const bad = how === 'stall' ? { stallAfter: at } : { cutAfter: at, reset: how === 'reset' };
          proxy.mischief = { ...bad, slice: size };
          const around = throughProxy();
          const signals: StreamSignal[] = [];
          around.stream$.subscribe((signal) => signals.push(signal));
          around.registerEvent(FB, EVENT);
          await expect.poll(() => lastEpoch(signals), { timeout: patient(10_000) }).toBeGreaterThan(1);
          proxy.mischief = {};
          await expect
            .poll(() => offersOf(signals, lastEpoch(signals)), { timeout: patient(10_000) })
            .toBeGreaterThan(0);
          await around.close();
        }),
        { numRuns: 6 },
      );
    },
    patient(120_000),
  );

  it.each<[string, Mischief]>([
    ['cut in mid-frame', { cutAfter: 300 }],
    ['reset in mid-frame', { cutAfter: 300, reset: true }],
    ['refused', { refuse: true }],
    ['silent before the upgrade', { stallAfter: 0 }],
    ['silent after the upgrade', { stallAfter: 135 }],
  ])('%s: reconnects with its registrations', async (_name, mischief) => {
    proxy.mischief = mischief;
    const signals = listen();
    await expect.poll(() => lastEpoch(signals), { timeout: patient(10_000) }).toBeGreaterThan(1);
    proxy.mischief = {};
    await expect
      .poll(() => offersOf(signals, lastEpoch(signals)), { timeout: patient(10_000) })
      .toBeGreaterThan(0);
    const epochs = signals.map(({ epoch }) => epoch);
    expect(epochs).toEqual([...epochs].sort((a, b) => a - b));
  });

  it('notices a connection that went silent while it was good', async () => {
    const signals = listen();
    await expect.poll(() => offersOf(signals, 1)).toBeGreaterThan(0);
    proxy.mischief = { stallAfter: 0 };
    await expect
      .poll(() => signals.some(({ kind }) => kind === 'closed'), { timeout: patient(10_000) })
      .toBe(true);
    expect(signals.find(({ kind }) => kind === 'closed')).toMatchObject({ reason: 'no sign of life' });
    proxy.mischief = {};
    await expect
      .poll(() => offersOf(signals, lastEpoch(signals)), { timeout: patient(10_000) })
      .toBeGreaterThan(0);
  });
});
