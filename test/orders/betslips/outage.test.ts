import { describe, expect, it } from 'vitest';
import { TransportError, VenueRejection } from '../../../src/domain/errors.ts';
import type { SelectionId } from '../../../src/domain/ids.ts';
import type { Quote } from '../../../src/domain/stream.ts';
import { orderOptions } from '../../../src/orders/options.ts';
import type { Fault } from '../../support/faulty-calls.ts';
import { EVENT, quote, OrderManagerRig } from '../../support/order-manager-rig.ts';
import { failing } from '../support/failing.ts';

const MINUTE_MS = 60_000;
/** The default hourly pace: the day’s betslips without its reserve and the burst. */
const PACE_PER_HOUR = (2_000 - 50 - 400) / 24;
const QUOTES = ['h', 'd', 'a'].map((outcome) =>
  quote({ selectionId: `fb|${EVENT}|${outcome}` as SelectionId }),
);

const rejection = (status: number, code: string): Fault => ({
  kind: 'reject',
  error: new VenueRejection(code, status, 'not now'),
});

/** A rig whose betslip creates all failed for `minutes` while it wanted quotes. */
async function afterOutage(fault: Fault, minutes: number): Promise<OrderManagerRig> {
  const rig = new OrderManagerRig();
  await rig.start();
  rig.venue.fault = (method) => (method === 'createBetslip' ? fault : null);
  rig.desire(...QUOTES);
  await rig.advance(minutes * MINUTE_MS);
  expect(rig.venue.open()).toEqual([]);
  rig.venue.fault = () => null;
  return rig;
}

const creates = ({ venue }: OrderManagerRig): number =>
  venue.calls.filter(({ method }) => method === 'createBetslip').length;

it.each([
  ['no answer', { kind: 'lost' }],
  ['500', rejection(500, 'server_error')],
  ['429', rejection(429, 'throttled')],
  ['403 because no place is free', rejection(403, 'too_many_open_betslips')],
] as const)('quotes soon after a long time in which betslips got %s', async (_, fault) => {
  const rig = await afterOutage(fault, 40);
  await rig.advance(1.5 * MINUTE_MS);
  expect(rig.venue.open()).toHaveLength(QUOTES.length);
});

it.each([
  ['500', rejection(500, 'server_error')],
  ['403 because no place is free', rejection(403, 'too_many_open_betslips')],
] as const)('spends only the paced budget on probing after answers %s', async (_, fault) => {
  const rig = await afterOutage(fault, 5);
  const before = creates(rig);
  rig.venue.fault = (method) => (method === 'createBetslip' ? fault : null);
  await rig.advance(60 * MINUTE_MS);
  expect(creates(rig) - before).toBeLessThanOrEqual(PACE_PER_HOUR);
});

it('backs off ever longer from a market that the exchange refuses', async () => {
  const rig = await afterOutage(rejection(400, 'validation_error'), 60);
  expect(creates(rig)).toBeLessThan(10 * QUOTES.length);
});

it('backs off as long as the current setting says', async () => {
  const rig = new OrderManagerRig({ options: { betslips: { refusedBackoffMs: 600_000 } } });
  await rig.start();
  rig.manager.reconfigure(orderOptions({ betslips: { refusedBackoffMs: 2_000 } }));
  failing(rig, 'createBetslip', 1, rejection(400, 'validation_error'));
  rig.desire(quote());
  await rig.advance(5_000);
  expect(rig.venue.open()).toHaveLength(1);
});

it('tries other markets soon after one create was lost', async () => {
  const rig = new OrderManagerRig();
  await rig.start();
  let left = 1;
  const error = new TransportError('unknown', 'reset');
  rig.venue.fault = (method) =>
    method === 'createBetslip' && left-- > 0 ? { kind: 'reject', error: error as never } : null;
  rig.desire(...QUOTES);
  await rig.advance(5_000);
  expect(rig.venue.open()).toHaveLength(QUOTES.length - 1);
});

it('learns no cap from betslips that stay open because answers were lost', async () => {
  const rig = new OrderManagerRig({ venue: { betslipCap: 3, betslipLifeMs: 45_000 } });
  await rig.start();
  rig.venue.fault = (method) => (method === 'createBetslip' ? { kind: 'answer-lost' } : null);
  rig.desire(...QUOTES);
  await rig.advance(4_000);
  rig.venue.fault = () => null;
  await rig.advance(80_000);
  expect(rig.manager.status()).toMatchObject({ betslipCapLearned: false, betslipsOpen: QUOTES.length });
  expect(rig.venue.open()).toHaveLength(QUOTES.length);
});

/** Loses private quotes of some betslips, or of all, from now on. Returns a function that ends the loss. */
function withoutQuotes(
  { venue }: OrderManagerRig,
  isLost: (quote: Quote) => boolean = () => true,
): () => void {
  const emit = venue.emit.bind(venue);
  venue.emit = (...entries) => emit(...entries.filter((each) => each.tag !== 'pmm' || !isLost(each.quote)));
  return () => void (venue.emit = emit);
}

it('quotes soon after a long time without private quotes, and spends few betslips until then', async () => {
  const rig = new OrderManagerRig();
  await rig.start();
  const comeAgain = withoutQuotes(rig);
  rig.desire(...QUOTES);
  await rig.advance(60 * MINUTE_MS);
  expect(rig.venue.open()).toEqual([]);
  expect(creates(rig)).toBeLessThan(100);
  comeAgain();
  await rig.advance(1.5 * MINUTE_MS);
  expect(rig.venue.open()).toHaveLength(QUOTES.length);
});

it('backs off ever longer from a market without private quotes while others have them', async () => {
  const rig = new OrderManagerRig();
  await rig.start();
  withoutQuotes(rig, ({ betType }) => betType === 'for,d');
  rig.desire(...QUOTES);
  await rig.advance(60 * MINUTE_MS);
  expect(rig.venue.open()).toHaveLength(QUOTES.length - 1);
  expect(creates(rig)).toBeLessThan(QUOTES.length + 10);
});

it('backs off no longer because a betslip could not be deleted', async () => {
  const rig = new OrderManagerRig();
  await rig.start();
  const comeAgain = withoutQuotes(rig, ({ betType }) => betType === 'for,d');
  failing(rig, 'deleteBetslip', 12, rejection(500, 'server_error'));
  rig.desire(...QUOTES);
  await rig.advance(MINUTE_MS);
  comeAgain();
  await rig.advance(2 * MINUTE_MS);
  expect(rig.venue.open()).toHaveLength(QUOTES.length);
});

describe('when betslips cannot be refreshed', () => {
  /** The pace gives 18 an hour. Only hot markets may use the last 10 of the burst. */
  const FEW = { perDay: 500, dailyReserve: 50, burst: 50 };
  const SHORT = { durationS: 60, betslips: FEW };

  it.each([
    ['500', rejection(500, 'server_error')],
    ['400', rejection(400, 'validation_error')],
  ] as const)(
    'keeps all markets quoted at the paced budget when refreshes are answered %s',
    async (_, fault) => {
      const rig = new OrderManagerRig({ options: SHORT });
      await rig.startQuoting(...QUOTES);
      rig.venue.fault = (method) => (method === 'refreshBetslip' ? fault : null);
      for (let minutes = 0; minutes < 40; minutes += 5) {
        await rig.advance(5 * MINUTE_MS);
        expect(rig.venue.open()).toHaveLength(QUOTES.length);
      }
      rig.venue.fault = () => null;
      rig.desire(...QUOTES.map((each) => ({ ...each, tick: 120 })));
      await rig.advance(5_000);
      expect(Array.from(rig.manager.orders(), ({ tick }) => tick)).toEqual(QUOTES.map(() => 120));
    },
  );
});

describe('when private quotes stop coming', () => {
  /** Long enough to renew each order, which takes a fresh quote. */
  const RENEWED_MS = 2 * MINUTE_MS;

  it('creates a new betslip for a market without quotes while other markets have them', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(...QUOTES);
    const [silent] = rig.venue.betslips.keys();
    withoutQuotes(rig, ({ betslipId }) => betslipId === silent);
    await rig.advance(RENEWED_MS);
    expect(rig.venue.open()).toHaveLength(QUOTES.length);
    expect(creates(rig)).toBe(QUOTES.length + 1);
  });

  it.each([1, 3])('creates few betslips while quotes come for none of %i markets', async (markets) => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(...QUOTES.slice(0, markets));
    const comeAgain = withoutQuotes(rig);
    await rig.advance(60 * MINUTE_MS);
    expect(creates(rig)).toBeLessThan(100);
    comeAgain();
    await rig.advance(1.5 * MINUTE_MS);
    expect(rig.venue.open()).toHaveLength(markets);
  });

  it('creates a new betslip in the end, though the probing market is no longer wanted', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(...QUOTES);
    const silent = new Set(rig.venue.betslips.keys());
    withoutQuotes(rig, ({ betslipId }) => silent.has(betslipId));
    await rig.advance(25_000);
    const kept = QUOTES.filter((_, at) => rig.venue.betslips.has([...silent][at] as never));
    expect(kept).toHaveLength(2);
    rig.desire(...kept);
    await rig.advance(10 * MINUTE_MS);
    expect(rig.venue.open()).toHaveLength(kept.length);
  });

  it('keeps the betslips when the stream was the cause', async () => {
    const rig = new OrderManagerRig({ options: { durationS: 600, heartbeat: { streamGraceMs: 120_000 } } });
    await rig.startQuoting(...QUOTES);
    rig.venue.disconnect();
    await rig.advance(30_000);
    rig.venue.connect();
    await rig.advance(5_000);
    expect(rig.manager.status().betslipsOpen).toBe(QUOTES.length);
  });

  it('places nothing on quotes from before the stream was lost', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(...QUOTES);
    rig.venue.disconnect();
    await rig.advance(500);
    const comeAgain = withoutQuotes(rig);
    rig.venue.connect();
    rig.desire(quote({ tick: 120 }));
    await rig.advance(3_000);
    expect(rig.manager.status().waiting).toMatchObject([{ code: 'quote_stale' }]);
    comeAgain();
    await rig.advance(3_000);
    expect(rig.venue.open()).toHaveLength(1);
  });
});
