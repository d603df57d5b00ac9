import { beforeEach, describe, expect, it } from 'vitest';
import { TransportError, VenueRejection } from '../../../src/domain/errors.ts';
import { marketKey } from '../../../src/domain/exchange-prices.ts';
import type { BetslipId } from '../../../src/domain/ids.ts';
import { DEFAULT_QUOTE } from '../../support/fake-venue.ts';
import { EVENT } from '../../support/order-manager-rig.ts';
import {
  betslip,
  DRAW,
  HOME,
  ID,
  KEY,
  market,
  opening,
  OPTIONS,
  PoolRig,
  quoteOf,
  SECOND_ID,
} from '../support/pool-rig.ts';

const NOT_FOUND = new VenueRejection('not_found', 404, 'no');
const FAILING = new VenueRejection('server_error', 503, 'no');
const UNANSWERED = new TransportError('unknown', 'cut');

let given: PoolRig;

beforeEach(() => {
  given = new PoolRig();
});

describe('a request for a betslip', () => {
  it.each([
    [false, 'normal', false],
    [true, 'reducing', true],
  ])(
    'has the priority of its order, and is durable before it leaves: reduces %s',
    (reduces, priority, isReserve) => {
      const before = given.pool.budget;
      expect(given.pool.request(HOME, opening({ reduces, isReserve }))).toBe(true);
      const { method, args, options } = given.rig.asked[0] ?? {};
      expect([method, args, options?.priority, options?.once, options?.value]).toEqual([
        'createBetslip',
        [HOME],
        priority,
        true,
        7,
      ]);
      const { pace, reserve } = given.pool.budget;
      expect([before.pace - pace, before.reserve - reserve]).toEqual(isReserve ? [0, 1] : [1, 0]);
      expect(given.rig.noted).toEqual([]);
      options?.beforeSend?.();
      expect(given.rig.noted).toEqual([
        {
          kind: 'betslip_requested',
          betType: HOME.betType,
          eventId: EVENT,
          reserve: isReserve,
          by: 'commit',
        },
      ]);
      expect([given.pool.open, given.held?.state]).toEqual([1, 'creating']);
    },
  );

  it('is not made while the client would hold it back for long', () => {
    given.waitsMs = { normal: 5_001, reducing: 5_000 };
    expect(given.pool.request(HOME, opening())).toBe(false);
    expect([given.pool.open, given.rig.methods()]).toEqual([0, []]);
    expect(given.pool.request(HOME, opening({ reduces: true }))).toBe(true);
    expect(given.pool.budget.goesSoon).toEqual({ normal: false, reducing: true });
  });

  it('can be withdrawn while it waits, which costs nothing, and is so by itself after ten seconds', async () => {
    const before = given.pool.budget.pace;
    given.pool.request(HOME, opening());
    given.pool.withdraw(KEY);
    given.pool.withdraw('another');
    await given.rig.take('createBetslip').fail(new TransportError('not-sent', 'withdrawn'));
    expect([given.pool.open, given.pool.budget.pace, given.rig.warned]).toEqual([0, before, []]);
    expect(given.pool.facts().refuses(KEY, { creating: 1, quoteless: 1, unproven: 1 })).toBe(false);
    given.pool.request(HOME, opening());
    await given.sweptAfter(10_000);
    expect(given.rig.asked[0]?.options.signal?.aborted).toBe(false);
    await given.sweptAfter(1);
    expect(given.rig.asked[0]?.options.signal?.aborted).toBe(true);
  });

  it('that fails is told, forgotten, and pauses its market', async () => {
    given.pool.request(HOME, opening());
    await given.rig.take('createBetslip').fail(NOT_FOUND);
    expect([given.pool.open, given.changes]).toEqual([0, [[KEY, false]]]);
    expect(given.rig.warned).toEqual([
      { message: 'betslip could not be created', betType: HOME.betType, error: NOT_FOUND },
    ]);
    const { refuses, cap } = given.pool.facts();
    const none = { creating: 0, quoteless: 0, unproven: 0 };
    expect([refuses(KEY, none), refuses(marketKey(DRAW), none), given.pool.isCrowded]).toEqual([
      true,
      false,
      false,
    ]);
    expect(cap).toEqual({ value: 9, isRising: false, resting: false });
  });

  it('that was not answered may have opened one, until it can have none open any more', async () => {
    given.pool.request(HOME, opening());
    await given.rig.take('createBetslip').fail(UNANSWERED);
    const { latestLandingMs } = given.rig.context.options;
    await given.advance(latestLandingMs + 4 * OPTIONS.lifeMs - 1);
    expect(given.pool.isCrowded).toBe(true);
    await given.advance(1);
    expect(given.pool.isCrowded).toBe(false);
  });

  it('that the cap refuses teaches the cap', async () => {
    await given.open();
    given.pool.request(DRAW, opening({ key: marketKey(DRAW) }));
    await given.rig.take('createBetslip').fail(new VenueRejection('too_many_open_betslips', 403, 'no'));
    expect([given.pool.cap, given.pool.capLearned, given.pool.facts().cap]).toEqual([
      1,
      true,
      { value: 1, isRising: false, resting: true },
    ]);
  });
});

describe('a betslip that was opened', () => {
  it('shows that as many fit as are open, those that are only requested left out', async () => {
    given = new PoolRig({ openCap: 1 });
    await given.open();
    given.pool.request(market('a'), opening({ key: marketKey(market('a')) }));
    const waiting = given.rig.asked.splice(0);
    expect([given.pool.cap, given.pool.capLearned]).toEqual([1, false]);
    await given.open(DRAW, { betslipId: SECOND_ID }, opening({ key: marketKey(DRAW) }));
    expect([given.pool.cap, given.pool.capLearned, waiting.length]).toEqual([2, true, 1]);
  });

  it('is usable once it has a quote, and until that is too old', async () => {
    expect(given.pool.answerOf(KEY)).toBeNull();
    given.pool.request(HOME, opening());
    expect(given.pool.answerOf(KEY)).toEqual({ ok: false, code: 'betslip_creating' });
    await given.rig.take('createBetslip').answer(betslip());
    expect(given.changes).toEqual([[KEY, false]]);
    expect(given.pool.answerOf(KEY)).toEqual({ ok: false, code: 'quote_pending' });
    await given.advance(100);
    given.pool.onQuote(quoteOf());
    expect(given.pool.answerOf(KEY)).toEqual({ ok: true, betslip: { id: ID, quote: DEFAULT_QUOTE } });
    expect(given.changes.at(-1)).toEqual([KEY, false]);
    await given.advance(OPTIONS.quoteMaxAgeMs);
    expect(given.pool.answerOf(KEY)?.ok).toBe(true);
    await given.advance(1);
    expect(given.pool.answerOf(KEY)).toEqual({ ok: false, code: 'quote_stale' });
  });

  it('is usable at once if the answer has prices', async () => {
    await given.open(HOME, { priceList: DEFAULT_QUOTE });
    expect([given.pool.answerOf(KEY)?.ok, given.held?.readyMs]).toEqual([true, 0]);
  });

  it('with an empty list of prices waits for its quote', async () => {
    await given.open(HOME, { priceList: DEFAULT_QUOTE.slice(0, 0) });
    expect(given.pool.answerOf(KEY)).toEqual({ ok: false, code: 'quote_pending' });
    expect(given.held?.readyMs).toBe(Infinity);
  });

  it('is not usable from its end on', async () => {
    await given.open();
    await given.advance(OPTIONS.lifeMs - 1);
    given.pool.onQuote(quoteOf());
    expect(given.pool.answerOf(KEY)?.ok).toBe(true);
    await given.advance(1);
    expect(given.pool.answerOf(KEY)).toEqual({ ok: false, code: 'betslip_creating' });
  });

  it('lives as long as the exchange says, once and later', async () => {
    await given.open(HOME, { expiryMs: given.rig.clock.wallMs() + 30_000 });
    given.pool.onQuote(quoteOf());
    expect(given.pool.dueMs).toBe(20_000);
    given.changes = [];
    given.pool.onExpiry(ID, given.rig.clock.wallMs() + 50_000);
    given.pool.onExpiry('another' as BetslipId, given.rig.clock.wallMs());
    expect([given.pool.dueMs, given.changes]).toEqual([40_000, [[KEY, true]]]);
  });

  it.each([
    ['lay', true],
    [undefined, false],
  ] as const)('is known as one of its type, also after its end: %s', async (type, isLay) => {
    const request = market('h', type);
    await given.open(request, {}, opening({ key: marketKey(request) }));
    expect(given.pool.isLay(ID)).toBe(isLay);
    given.pool.drop(ID);
    expect([given.pool.isLay(ID), given.pool.open]).toEqual([isLay, 0]);
  });

  it('is counted', async () => {
    for (const [at, request] of [HOME, DRAW].entries()) {
      const key = marketKey(request);
      await given.open(request, { betslipId: `slip-${at}` as BetslipId }, opening({ key }));
    }
    // The first sweep always counts as late.
    for (let sweep = 0; sweep < 2; sweep++) given.pool.sweep();
    const { text } = await given.metrics.expose();
    const counted = ['betslips_open', 'betslip_cap'].map(
      (name) => new RegExp(`^touchline_orders_${name} (.+)$`, 'm').exec(text)?.[1],
    );
    expect(counted).toEqual(['2', '9']);
  });
});

describe('a quote', () => {
  beforeEach(async () => given.quoted());

  it('that follows another keeps the plan, and one that failed does not', () => {
    given.pool.onQuote(quoteOf());
    given.pool.onQuote(quoteOf({ statusCode: 'failed' }));
    given.pool.onQuote(quoteOf());
    given.pool.onQuote(quoteOf({ betslipId: 'another' as BetslipId }));
    expect(given.changes).toEqual([
      [KEY, true],
      [KEY, false],
      [KEY, false],
    ]);
  });

  it('that failed leaves none, since its own instant', async () => {
    await given.advance(2_000);
    given.pool.onQuote(quoteOf({ statusCode: 'failed' }));
    expect([given.pool.answerOf(KEY), given.held?.hasQuote]).toEqual([
      { ok: false, code: 'quote_pending' },
      false,
    ]);
    given.wanted();
    expect(await given.sweptAfter(OPTIONS.quoteTimeoutMs)).toEqual([]);
    expect(await given.sweptAfter(1)).toEqual(['deleteBetslip']);
  });

  it('that failed makes no market ready, nor excuses the quotes of others', async () => {
    await given.open(DRAW, { betslipId: SECOND_ID }, opening({ key: marketKey(DRAW) }));
    await given.advance(2_000);
    given.pool.onQuote(quoteOf({ betslipId: SECOND_ID, statusCode: 'failed' }));
    const ready = given.pool.facts().held.map(({ readyMs }) => readyMs);
    expect(ready).toEqual([0, Infinity]);
  });

  it('from before the return of the stream is stale', async () => {
    await given.advance(1_000);
    given.pool.onStreamBack();
    expect(given.pool.answerOf(KEY)).toEqual({ ok: false, code: 'quote_stale' });
    given.pool.onQuote(quoteOf());
    expect(given.pool.answerOf(KEY)?.ok).toBe(true);
  });

  it('makes a market ready at the first one, and not again', async () => {
    await given.advance(1_000);
    given.pool.onQuote(quoteOf());
    expect(given.held?.readyMs).toBe(0);
  });
});

describe('the refresh', () => {
  beforeEach(async () => {
    await given.quoted();
    given.wanted();
  });

  /** Quotes go on, so that the betslip stays useful. */
  async function quotedAfter(ms: number): Promise<string[]> {
    for (let passed = 0; passed < ms; passed += 1_000) {
      given.pool.onQuote(quoteOf());
      await given.sweptAfter(Math.min(1_000, ms - passed));
    }
    return given.rig.asked.map(({ method }) => method);
  }

  it('comes once, in time, with the value of the betslip, and lengthens its life from its sending on', async () => {
    expect(given.pool.dueMs).toBe(50_000);
    expect(await quotedAfter(49_999)).toEqual([]);
    expect(await quotedAfter(1)).toEqual(['refreshBetslip']);
    expect([given.rig.asked[0]?.args, given.rig.asked[0]?.options, given.pool.dueMs]).toEqual([
      [ID],
      { value: 9 },
      -Infinity,
    ]);
    expect(await quotedAfter(1_000)).toEqual(['refreshBetslip']);
    given.changes = [];
    await given.rig.take('refreshBetslip').answer();
    expect([given.pool.dueMs, given.changes]).toEqual([100_000, [[KEY, true]]]);
  });

  it('never shortens the life that the exchange reports', async () => {
    given.pool.onExpiry(ID, given.rig.clock.wallMs() + 100_000);
    await quotedAfter(90_000);
    given.pool.onExpiry(ID, given.rig.clock.wallMs() + 100_000);
    await given.rig.take('refreshBetslip').answer();
    expect(given.pool.dueMs).toBe(180_000);
  });

  it.each([
    ['an answer is lost', UNANSWERED, []],
    ['the exchange fails', FAILING, []],
    ['it comes too often', new VenueRejection('throttled', 429, 'no'), []],
    ['it is refused', new VenueRejection('forbidden', 403, 'no'), ['deleteBetslip']],
    ['it is refused at the bound of failures', new VenueRejection('a', 499, 'no'), ['deleteBetslip']],
    ['the exchange fails at the bound', new VenueRejection('a', 500, 'no'), []],
  ])('rests for a second after %s, and a refusal deletes the betslip', async (_, error, requests) => {
    await quotedAfter(50_000);
    await given.rig.take('refreshBetslip').fail(error);
    expect(given.rig.asked.map(({ method }) => method)).toEqual(requests);
    expect([given.pool.open, given.held?.restsUntilMs]).toEqual([1, 51_000]);
    if (requests.length > 0) return;
    expect(await quotedAfter(999)).toEqual([]);
    expect(await quotedAfter(1)).toEqual(['refreshBetslip']);
  });

  it('that finds none forgets it', async () => {
    await quotedAfter(50_000);
    given.changes = [];
    await given.rig.take('refreshBetslip').fail(NOT_FOUND);
    expect([given.pool.open, given.changes, given.rig.methods()]).toEqual([0, [[KEY, false]], []]);
  });

  it('is not made for one that no target wants for long', async () => {
    given.pool.noteTargets(new Map());
    await quotedAfter(20_001);
    expect(await quotedAfter(38_000)).toEqual([]);
  });

  it('is still made at the last moment at which the betslip is not idle', async () => {
    await quotedAfter(30_000);
    given.pool.noteTargets(new Map());
    expect(await quotedAfter(20_000)).toEqual(['refreshBetslip']);
  });

  it('of one that expires while it is refreshed is waited for, and one that is past its end is deleted', async () => {
    await quotedAfter(50_000);
    expect(await quotedAfter(11_000)).toEqual(['refreshBetslip']);
    await given.rig.take('refreshBetslip').fail(FAILING);
    expect(await quotedAfter(1_000)).toEqual(['deleteBetslip']);
  });
});
