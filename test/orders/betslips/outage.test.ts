import { describe, expect, it } from 'vitest';
import { TransportError, VenueRejection } from '../../../src/domain/errors.ts';
import type { SelectionId } from '../../../src/domain/ids.ts';
import type { Quote } from '../../../src/domain/stream.ts';
import { orderOptions } from '../../../src/orders/options.ts';
import type { Fault } from '../../support/faulty-calls.ts';
import { EVENT, quote, TestDesk } from '../../support/order-desk.ts';
import { failing } from '../support/failing.ts';

const MINUTE_MS = 60_000;
/** The default hourly pace: the day’s betslips without its reserve and the burst. */
const PACE_PER_HOUR = (2_000 - 50 - 400) / 24;
const QUOTES = ['h', 'd', 'a'].map((outcome) =>
  quote({ selectionId: `fb|${EVENT}|${outcome}` as SelectionId }),
);

const rejection = (status: number, code: string): Fault => ({
  ...{ kind: 'reject', error: new VenueRejection(code, status, 'not now') },
});

/** A desk whose betslip creates all failed for `minutes` while it wanted quotes. */
async function afterOutage(fault: Fault, minutes: number): Promise<TestDesk> {
  const desk = new TestDesk();
  await desk.start();
  desk.venue.fault = (method) => (method === 'createBetslip' ? fault : null);
  desk.desire(...QUOTES);
  await desk.advance(minutes * MINUTE_MS);
  expect(desk.venue.open()).toEqual([]);
  desk.venue.fault = () => null;
  return desk;
}

const creates = ({ venue }: TestDesk): number =>
  venue.calls.filter(({ method }) => method === 'createBetslip').length;

it.each([
  ['no answer', { kind: 'lost' }],
  ['500', rejection(500, 'server_error')],
  ['429', rejection(429, 'throttled')],
  ['403 because no place is free', rejection(403, 'too_many_open_betslips')],
] as const)('quotes soon after a long time in which betslips got %s', async (_, fault) => {
  const desk = await afterOutage(fault, 40);
  await desk.advance(1.5 * MINUTE_MS);
  expect(desk.venue.open()).toHaveLength(QUOTES.length);
});

it.each([
  ['500', rejection(500, 'server_error')],
  ['403 because no place is free', rejection(403, 'too_many_open_betslips')],
] as const)('spends only the paced budget on probing after answers %s', async (_, fault) => {
  const desk = await afterOutage(fault, 5);
  const before = creates(desk);
  desk.venue.fault = (method) => (method === 'createBetslip' ? fault : null);
  await desk.advance(60 * MINUTE_MS);
  expect(creates(desk) - before).toBeLessThanOrEqual(PACE_PER_HOUR);
});

it('backs off ever longer from a market that the exchange refuses', async () => {
  const desk = await afterOutage(rejection(400, 'validation_error'), 60);
  expect(creates(desk)).toBeLessThan(10 * QUOTES.length);
});

it('backs off as long as the current setting says', async () => {
  const desk = new TestDesk({ options: { betslips: { refusedBackoffMs: 600_000 } } });
  await desk.start();
  desk.manager.reconfigure(orderOptions({ betslips: { refusedBackoffMs: 2_000 } }));
  failing(desk, 'createBetslip', 1, rejection(400, 'validation_error'));
  desk.desire(quote());
  await desk.advance(5_000);
  expect(desk.venue.open()).toHaveLength(1);
});

it('tries other markets soon after one create was lost', async () => {
  const desk = new TestDesk();
  await desk.start();
  let left = 1;
  const error = new TransportError('unknown', 'reset');
  desk.venue.fault = (method) =>
    method === 'createBetslip' && left-- > 0 ? { kind: 'reject', error: error as never } : null;
  desk.desire(...QUOTES);
  await desk.advance(5_000);
  expect(desk.venue.open()).toHaveLength(QUOTES.length - 1);
});

it('learns no cap from betslips that stay open because answers were lost', async () => {
  const desk = new TestDesk({ venue: { betslipCap: 3, betslipLifeMs: 45_000 } });
  await desk.start();
  desk.venue.fault = (method) => (method === 'createBetslip' ? { kind: 'answer-lost' } : null);
  desk.desire(...QUOTES);
  await desk.advance(4_000);
  desk.venue.fault = () => null;
  await desk.advance(80_000);
  expect(desk.manager.status()).toMatchObject({ betslipCapLearned: false, betslipsOpen: QUOTES.length });
  expect(desk.venue.open()).toHaveLength(QUOTES.length);
});

/** Loses private quotes of some betslips, or of all, from now on. Returns a function that ends the loss. */
function withoutQuotes({ venue }: TestDesk, isLost: (quote: Quote) => boolean = () => true): () => void {
  const emit = venue.emit.bind(venue);
  venue.emit = (...entries) => emit(...entries.filter((each) => each.tag !== 'pmm' || !isLost(each.quote)));
  return () => void (venue.emit = emit);
}

it('quotes soon after a long time without private quotes, and spends few betslips until then', async () => {
  const desk = new TestDesk();
  await desk.start();
  const comeAgain = withoutQuotes(desk);
  desk.desire(...QUOTES);
  await desk.advance(60 * MINUTE_MS);
  expect(desk.venue.open()).toEqual([]);
  expect(creates(desk)).toBeLessThan(100);
  comeAgain();
  await desk.advance(1.5 * MINUTE_MS);
  expect(desk.venue.open()).toHaveLength(QUOTES.length);
});

it('backs off ever longer from a market without private quotes while others have them', async () => {
  const desk = new TestDesk();
  await desk.start();
  withoutQuotes(desk, ({ betType }) => betType === 'for,d');
  desk.desire(...QUOTES);
  await desk.advance(60 * MINUTE_MS);
  expect(desk.venue.open()).toHaveLength(QUOTES.length - 1);
  expect(creates(desk)).toBeLessThan(QUOTES.length + 10);
});

it('backs off no longer because a betslip could not be deleted', async () => {
  const desk = new TestDesk();
  await desk.start();
  const comeAgain = withoutQuotes(desk, ({ betType }) => betType === 'for,d');
  failing(desk, 'deleteBetslip', 12, rejection(500, 'server_error'));
  desk.desire(...QUOTES);
  await desk.advance(MINUTE_MS);
  comeAgain();
  await desk.advance(2 * MINUTE_MS);
  expect(desk.venue.open()).toHaveLength(QUOTES.length);
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
      const desk = new TestDesk({ options: SHORT });
      await desk.startQuoting(...QUOTES);
      desk.venue.fault = (method) => (method === 'refreshBetslip' ? fault : null);
      for (let minutes = 0; minutes < 40; minutes += 5) {
        await desk.advance(5 * MINUTE_MS);
        expect(desk.venue.open()).toHaveLength(QUOTES.length);
      }
      desk.venue.fault = () => null;
      desk.desire(...QUOTES.map((each) => ({ ...each, tick: 120 })));
      await desk.advance(5_000);
      expect(Array.from(desk.manager.orders(), ({ tick }) => tick)).toEqual(QUOTES.map(() => 120));
    },
  );
});

describe('when private quotes stop coming', () => {
  /** Long enough to renew each order, which takes a fresh quote. */
  const RENEWED_MS = 2 * MINUTE_MS;

  it('creates a new betslip for a market without quotes while other markets have them', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(...QUOTES);
    const [silent] = desk.venue.betslips.keys();
    withoutQuotes(desk, ({ betslipId }) => betslipId === silent);
    await desk.advance(RENEWED_MS);
    expect(desk.venue.open()).toHaveLength(QUOTES.length);
    expect(creates(desk)).toBe(QUOTES.length + 1);
  });

  it.each([1, 3])('creates few betslips while quotes come for none of %i markets', async (markets) => {
    const desk = new TestDesk();
    await desk.startQuoting(...QUOTES.slice(0, markets));
    const comeAgain = withoutQuotes(desk);
    await desk.advance(60 * MINUTE_MS);
    expect(creates(desk)).toBeLessThan(100);
    comeAgain();
    await desk.advance(1.5 * MINUTE_MS);
    expect(desk.venue.open()).toHaveLength(markets);
  });

  it('creates a new betslip in the end, though the probing market is no longer wanted', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(...QUOTES);
    const silent = new Set(desk.venue.betslips.keys());
    withoutQuotes(desk, ({ betslipId }) => silent.has(betslipId));
    await desk.advance(25_000);
    const kept = QUOTES.filter((_, at) => desk.venue.betslips.has([...silent][at] as never));
    expect(kept).toHaveLength(2);
    desk.desire(...kept);
    await desk.advance(10 * MINUTE_MS);
    expect(desk.venue.open()).toHaveLength(kept.length);
  });

  it('keeps the betslips when the stream was the cause', async () => {
    const desk = new TestDesk({ options: { durationS: 600, heartbeat: { streamGraceMs: 120_000 } } });
    await desk.startQuoting(...QUOTES);
    desk.venue.disconnect();
    await desk.advance(30_000);
    desk.venue.connect();
    await desk.advance(5_000);
    expect(desk.manager.status().betslipsOpen).toBe(QUOTES.length);
  });

  it('places nothing on quotes from before the stream was lost', async () => {
    const desk = new TestDesk();
    await desk.startQuoting(...QUOTES);
    desk.venue.disconnect();
    await desk.advance(500);
    const comeAgain = withoutQuotes(desk);
    desk.venue.connect();
    desk.desire(quote({ tick: 120 }));
    await desk.advance(3_000);
    expect(desk.manager.status().waiting).toMatchObject([{ code: 'quote_stale' }]);
    comeAgain();
    await desk.advance(3_000);
    expect(desk.venue.open()).toHaveLength(1);
  });
});
