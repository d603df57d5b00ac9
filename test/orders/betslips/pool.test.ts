import { beforeEach, describe, expect, it } from 'vitest';
import { TransportError, VenueRejection } from '../../../src/domain/errors.ts';
import { LAY_PRICES, marketKey } from '../../../src/domain/exchange-prices.ts';
import type { BetslipId, BetType } from '../../../src/domain/ids.ts';
import type { Betslip, BetslipRequest } from '../../../src/domain/orders.ts';
import type { Quote } from '../../../src/domain/stream.ts';
import { BetslipPool } from '../../../src/orders/betslips/pool.ts';
import type { KeptBetslip, Opening } from '../../../src/orders/plan/betslips.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';
import { DEFAULT_QUOTE } from '../../support/fake-venue.ts';
import { EVENT, EVENT_NAME } from '../../support/order-manager-rig.ts';
import { PartRig } from '../support/part.ts';

const OPTIONS = {
  ...{ lifeMs: 60_000, refreshLeadMs: 10_000, quoteTimeoutMs: 5_000, quoteMaxAgeMs: 8_000, idleMs: 20_000 },
  ...{ perDay: 2_000, dailyReserve: 100, burst: 40, openCap: 9, refusedBackoffMs: 30_000 },
};
const NOT_FOUND = new VenueRejection('not_found', 404, 'no');
const FAILING = new VenueRejection('server_error', 503, 'no');
const UNANSWERED = new TransportError('unknown', 'cut');
const ID = 'slip-1' as BetslipId;

const market = (outcome: string, betslipType?: 'lay'): BetslipRequest => ({
  ...{ ...EVENT_NAME, betType: `for,${outcome}` as BetType },
  ...(betslipType !== undefined && { betslipType }),
});
const [HOME, DRAW] = [market('h'), market('d')];
const KEY = marketKey(HOME);

let rig: PartRig;
let pool: BetslipPool;
let changes: (readonly [string, boolean])[];
let waitsMs: { normal: number; reducing: number };
let active: { readonly order: { readonly betslipId: BetslipId } }[];
const metrics = createPrometheusMetrics({ processMetrics: false });

beforeEach(() => {
  changes = [];
  active = [];
  waitsMs = { normal: 0, reducing: 0 };
  const venue = {
    waitMs: (_: string, priority: 'normal' | 'reducing') => waitsMs[priority],
    bounded: (_: string, value: number) => value,
    recallBetslips: (ages: readonly number[]) => void recalled.push(...ages),
  };
  const context = { book: { active: () => active }, exchangePrices: () => LAY_PRICES };
  rig = new PartRig({ options: { betslips: OPTIONS }, venue, context, metrics });
  pool = new BetslipPool(rig.context, (key, keepsPlan) => void changes.push([key, keepsPlan]));
  recalled.length = 0;
});
const recalled: number[] = [];

const opening = (over: Partial<Opening> = {}): Opening => ({
  ...{ key: KEY, value: 7, reduces: false, isReserve: false, isPinned: true },
  ...over,
});
const betslip = (over: Partial<Betslip> = {}): Betslip => ({
  ...{ ...HOME, betslipId: ID, expiryMs: null, isOpen: true, closeReason: null, priceList: null },
  ...over,
});
const quoteOf = (over: Partial<Quote> = {}): Quote => ({
  ...{ ...HOME, betslipId: ID, statusCode: 'success', priceList: DEFAULT_QUOTE, totalMicros: null },
  ...over,
});
const kept: KeptBetslip = { value: 9, isPlacing: false, servesOrder: false };
const wanted = (): void => pool.noteTargets(new Map([[KEY, kept]]));
const advance = async (ms: number): Promise<void> => rig.clock.advance(ms);
/** Sweeps at an instant from now, in time and not late, and returns what is then requested. */
async function sweptAfter(ms: number): Promise<string[]> {
  let left = ms;
  for (; left > 1_000; left -= 1_000) {
    await advance(1_000);
    pool.sweep();
  }
  await advance(left);
  pool.sweep();
  return rig.asked.map(({ method }) => method);
}

async function open(request = HOME, over: Partial<Betslip> = {}, given = opening()): Promise<void> {
  pool.request(request, given);
  const asked = rig.take('createBetslip');
  asked.options.beforeSend?.();
  await asked.answer(betslip(over));
}
async function quoted(): Promise<void> {
  await open();
  pool.onQuote(quoteOf());
  pool.sweep();
  changes = [];
}
const heldNow = () => pool.facts().held[0];

describe('a request for a betslip', () => {
  it.each([
    [false, 'normal', false],
    [true, 'reducing', true],
  ])(
    'has the priority of its order, and is durable before it leaves: reduces %s',
    (reduces, priority, isReserve) => {
      const before = pool.budget;
      expect(pool.request(HOME, opening({ reduces, isReserve }))).toBe(true);
      const { method, args, options } = rig.asked[0] ?? {};
      expect([method, args, options?.priority, options?.once, options?.value]).toEqual([
        ...['createBetslip', [HOME], priority, true, 7],
      ]);
      const { pace, reserve } = pool.budget;
      expect([before.pace - pace, before.reserve - reserve]).toEqual(isReserve ? [0, 1] : [1, 0]);
      expect(rig.noted).toEqual([]);
      options?.beforeSend?.();
      expect(rig.noted).toEqual([
        ...[
          {
            kind: 'betslip_requested',
            betType: HOME.betType,
            eventId: EVENT,
            reserve: isReserve,
            by: 'commit',
          },
        ],
      ]);
      expect([pool.open, heldNow()?.state]).toEqual([1, 'creating']);
    },
  );

  it('is not made while the client would hold it back for long', () => {
    waitsMs = { normal: 5_001, reducing: 5_000 };
    expect(pool.request(HOME, opening())).toBe(false);
    expect([pool.open, rig.methods()]).toEqual([0, []]);
    expect(pool.request(HOME, opening({ reduces: true }))).toBe(true);
    expect(pool.budget.goesSoon).toEqual({ normal: false, reducing: true });
  });

  it('can be withdrawn while it waits, which costs nothing, and is so by itself after ten seconds', async () => {
    const before = pool.budget.pace;
    pool.request(HOME, opening());
    pool.withdraw(KEY);
    pool.withdraw('another');
    await rig.take('createBetslip').fail(new TransportError('not-sent', 'withdrawn'));
    expect([pool.open, pool.budget.pace, rig.warned]).toEqual([0, before, []]);
    expect(pool.facts().refuses(KEY, { creating: 1, quoteless: 1, unproven: 1 })).toBe(false);
    pool.request(HOME, opening());
    await sweptAfter(10_000);
    expect(rig.asked[0]?.options.signal?.aborted).toBe(false);
    await sweptAfter(1);
    expect(rig.asked[0]?.options.signal?.aborted).toBe(true);
  });

  it('that fails is told, forgotten, and pauses its market', async () => {
    pool.request(HOME, opening());
    await rig.take('createBetslip').fail(NOT_FOUND);
    expect([pool.open, changes]).toEqual([0, [[KEY, false]]]);
    expect(rig.warned).toEqual([
      { message: 'betslip could not be created', betType: HOME.betType, error: NOT_FOUND },
    ]);
    const { refuses, cap } = pool.facts();
    const none = { creating: 0, quoteless: 0, unproven: 0 };
    expect([refuses(KEY, none), refuses(marketKey(DRAW), none), pool.isCrowded]).toEqual([
      true,
      false,
      false,
    ]);
    expect(cap).toEqual({ value: 9, isRising: false, resting: false });
  });

  it('that was not answered may have opened one, until it can have none open any more', async () => {
    pool.request(HOME, opening());
    await rig.take('createBetslip').fail(UNANSWERED);
    const { latestLandingMs } = rig.context.options;
    await advance(latestLandingMs + 4 * OPTIONS.lifeMs - 1);
    expect(pool.isCrowded).toBe(true);
    await advance(1);
    expect(pool.isCrowded).toBe(false);
  });

  it('that the cap refuses teaches the cap', async () => {
    await open();
    pool.request(DRAW, opening({ key: marketKey(DRAW) }));
    await rig.take('createBetslip').fail(new VenueRejection('too_many_open_betslips', 403, 'no'));
    expect([pool.cap, pool.capLearned, pool.facts().cap]).toEqual([
      ...[1, true, { value: 1, isRising: false, resting: true }],
    ]);
  });
});

describe('a betslip that was opened', () => {
  it('shows that as many fit as are open, those that are only requested left out', async () => {
    rig = new PartRig({ options: { betslips: { ...OPTIONS, openCap: 1 } }, venue: rig.venue, metrics });
    pool = new BetslipPool(rig.context, () => undefined);
    await open();
    pool.request(market('a'), opening({ key: marketKey(market('a')) }));
    const waiting = rig.asked.splice(0);
    expect([pool.cap, pool.capLearned]).toEqual([1, false]);
    await open(DRAW, { betslipId: 'slip-2' as BetslipId }, opening({ key: marketKey(DRAW) }));
    expect([pool.cap, pool.capLearned, waiting.length]).toEqual([2, true, 1]);
  });

  it('is usable once it has a quote, and until that is too old', async () => {
    expect(pool.answerOf(KEY)).toBeNull();
    pool.request(HOME, opening());
    expect(pool.answerOf(KEY)).toEqual({ ok: false, code: 'betslip_creating' });
    await rig.take('createBetslip').answer(betslip());
    expect(changes).toEqual([[KEY, false]]);
    expect(pool.answerOf(KEY)).toEqual({ ok: false, code: 'quote_pending' });
    await advance(100);
    pool.onQuote(quoteOf());
    expect(pool.answerOf(KEY)).toEqual({ ok: true, betslip: { id: ID, quote: DEFAULT_QUOTE } });
    expect(changes.at(-1)).toEqual([KEY, false]);
    await advance(OPTIONS.quoteMaxAgeMs);
    expect(pool.answerOf(KEY)?.ok).toBe(true);
    await advance(1);
    expect(pool.answerOf(KEY)).toEqual({ ok: false, code: 'quote_stale' });
  });

  it('is usable at once if the answer has prices', async () => {
    await open(HOME, { priceList: DEFAULT_QUOTE });
    expect([pool.answerOf(KEY)?.ok, heldNow()?.readyMs]).toEqual([true, 0]);
  });

  it('with an empty list of prices waits for its quote', async () => {
    await open(HOME, { priceList: DEFAULT_QUOTE.slice(0, 0) });
    expect(pool.answerOf(KEY)).toEqual({ ok: false, code: 'quote_pending' });
    expect(heldNow()?.readyMs).toBe(Infinity);
  });

  it('is not usable from its end on', async () => {
    await open();
    await advance(OPTIONS.lifeMs - 1);
    pool.onQuote(quoteOf());
    expect(pool.answerOf(KEY)?.ok).toBe(true);
    await advance(1);
    expect(pool.answerOf(KEY)).toEqual({ ok: false, code: 'betslip_creating' });
  });

  it('lives as long as the exchange says, once and later', async () => {
    await open(HOME, { expiryMs: rig.clock.wallMs() + 30_000 });
    pool.onQuote(quoteOf());
    expect(pool.dueMs).toBe(20_000);
    changes = [];
    pool.onExpiry(ID, rig.clock.wallMs() + 50_000);
    pool.onExpiry('another' as BetslipId, rig.clock.wallMs());
    expect([pool.dueMs, changes]).toEqual([40_000, [[KEY, true]]]);
  });

  it.each([
    ['lay', true],
    [undefined, false],
  ] as const)('is known as one of its type, also after its end: %s', async (type, isLay) => {
    const request = market('h', type);
    await open(request, {}, opening({ key: marketKey(request) }));
    expect(pool.isLay(ID)).toBe(isLay);
    pool.drop(ID);
    expect([pool.isLay(ID), pool.open]).toEqual([isLay, 0]);
  });

  it('is counted', async () => {
    for (const [at, request] of [HOME, DRAW].entries()) {
      const key = marketKey(request);
      await open(request, { betslipId: `slip-${at}` as BetslipId }, opening({ key }));
    }
    // The first sweep always counts as late.
    for (let sweep = 0; sweep < 2; sweep++) pool.sweep();
    const { text } = await metrics.expose();
    const counted = ['betslips_open', 'betslip_cap'].map(
      (name) => new RegExp(`^touchline_orders_${name} (.+)$`, 'm').exec(text)?.[1],
    );
    expect(counted).toEqual(['2', '9']);
  });
});

describe('a quote', () => {
  beforeEach(quoted);

  it('that follows another keeps the plan, and one that failed does not', () => {
    pool.onQuote(quoteOf());
    pool.onQuote(quoteOf({ statusCode: 'failed' }));
    pool.onQuote(quoteOf());
    pool.onQuote(quoteOf({ betslipId: 'another' as BetslipId }));
    expect(changes).toEqual([
      [KEY, true],
      [KEY, false],
      [KEY, false],
    ]);
  });

  it('that failed leaves none, since its own instant', async () => {
    await advance(2_000);
    pool.onQuote(quoteOf({ statusCode: 'failed' }));
    expect([pool.answerOf(KEY), heldNow()?.hasQuote]).toEqual([{ ok: false, code: 'quote_pending' }, false]);
    wanted();
    expect(await sweptAfter(OPTIONS.quoteTimeoutMs)).toEqual([]);
    expect(await sweptAfter(1)).toEqual(['deleteBetslip']);
  });

  it('that failed makes no market ready, nor excuses the quotes of others', async () => {
    await open(DRAW, { betslipId: 'slip-2' as BetslipId }, opening({ key: marketKey(DRAW) }));
    await advance(2_000);
    pool.onQuote(quoteOf({ betslipId: 'slip-2' as BetslipId, statusCode: 'failed' }));
    const ready = pool.facts().held.map(({ readyMs }) => readyMs);
    expect(ready).toEqual([0, Infinity]);
  });

  it('from before the return of the stream is stale', async () => {
    await advance(1_000);
    pool.onStreamBack();
    expect(pool.answerOf(KEY)).toEqual({ ok: false, code: 'quote_stale' });
    pool.onQuote(quoteOf());
    expect(pool.answerOf(KEY)?.ok).toBe(true);
  });

  it('makes a market ready at the first one, and not again', async () => {
    await advance(1_000);
    pool.onQuote(quoteOf());
    expect(heldNow()?.readyMs).toBe(0);
  });
});

describe('the refresh', () => {
  beforeEach(async () => {
    await quoted();
    wanted();
  });

  /** Quotes go on, so that the betslip stays useful. */
  async function quotedAfter(ms: number): Promise<string[]> {
    for (let passed = 0; passed < ms; passed += 1_000) {
      pool.onQuote(quoteOf());
      await sweptAfter(Math.min(1_000, ms - passed));
    }
    return rig.asked.map(({ method }) => method);
  }

  it('comes once, in time, with the value of the betslip, and lengthens its life from its sending on', async () => {
    expect(pool.dueMs).toBe(50_000);
    expect(await quotedAfter(49_999)).toEqual([]);
    expect(await quotedAfter(1)).toEqual(['refreshBetslip']);
    expect([rig.asked[0]?.args, rig.asked[0]?.options, pool.dueMs]).toEqual([[ID], { value: 9 }, -Infinity]);
    expect(await quotedAfter(1_000)).toEqual(['refreshBetslip']);
    changes = [];
    await rig.take('refreshBetslip').answer();
    expect([pool.dueMs, changes]).toEqual([100_000, [[KEY, true]]]);
  });

  it('never shortens the life that the exchange reports', async () => {
    pool.onExpiry(ID, rig.clock.wallMs() + 100_000);
    await quotedAfter(90_000);
    pool.onExpiry(ID, rig.clock.wallMs() + 100_000);
    await rig.take('refreshBetslip').answer();
    expect(pool.dueMs).toBe(180_000);
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
    await rig.take('refreshBetslip').fail(error);
    expect(rig.asked.map(({ method }) => method)).toEqual(requests);
    expect([pool.open, heldNow()?.restsUntilMs]).toEqual([1, 51_000]);
    if (requests.length > 0) return;
    expect(await quotedAfter(999)).toEqual([]);
    expect(await quotedAfter(1)).toEqual(['refreshBetslip']);
  });

  it('that finds none forgets it', async () => {
    await quotedAfter(50_000);
    changes = [];
    await rig.take('refreshBetslip').fail(NOT_FOUND);
    expect([pool.open, changes, rig.methods()]).toEqual([0, [[KEY, false]], []]);
  });

  it('is not made for one that no target wants for long', async () => {
    pool.noteTargets(new Map());
    await quotedAfter(20_001);
    expect(await quotedAfter(38_000)).toEqual([]);
  });

  it('is still made at the last moment at which the betslip is not idle', async () => {
    await quotedAfter(30_000);
    pool.noteTargets(new Map());
    expect(await quotedAfter(20_000)).toEqual(['refreshBetslip']);
  });

  it('of one that expires while it is refreshed is waited for, and one that is past its end is deleted', async () => {
    await quotedAfter(50_000);
    expect(await quotedAfter(11_000)).toEqual(['refreshBetslip']);
    await rig.take('refreshBetslip').fail(FAILING);
    expect(await quotedAfter(1_000)).toEqual(['deleteBetslip']);
  });
});

describe('a betslip without a usable quote', () => {
  it('is deleted after a time, counted from its opening', async () => {
    pool.request(HOME, opening());
    await advance(3_000);
    await rig.take('createBetslip').answer(betslip());
    wanted();
    pool.sweep();
    expect(await sweptAfter(OPTIONS.quoteTimeoutMs)).toEqual([]);
    expect(await sweptAfter(1)).toEqual(['deleteBetslip']);
    expect(pool.facts().refuses(KEY, { creating: 0, quoteless: 0, unproven: 0 })).toBe(true);
  });

  it('is deleted once its quote was too old for as long', async () => {
    await quoted();
    wanted();
    expect(await sweptAfter(OPTIONS.quoteMaxAgeMs + OPTIONS.quoteTimeoutMs)).toEqual([]);
    expect(await sweptAfter(1)).toEqual(['deleteBetslip']);
  });

  it('is not at fault while the stream is down, nor soon after its return', async () => {
    await open();
    wanted();
    pool.sweep();
    rig.halts.set('stream', 'stream_closed');
    expect(await sweptAfter(9_000)).toEqual([]);
    rig.halts.clear('stream');
    pool.onStreamBack();
    expect(await sweptAfter(OPTIONS.quoteTimeoutMs)).toEqual([]);
    expect(await sweptAfter(1)).toEqual(['deleteBetslip']);
  });

  it('is judged by no sweep that comes late', async () => {
    await open();
    for (let sweep = 0; sweep < 2; sweep++) pool.sweep();
    await advance(OPTIONS.quoteTimeoutMs + 1);
    pool.sweep();
    expect(rig.methods()).toEqual([]);
    pool.sweep();
    expect(rig.methods()).toEqual(['deleteBetslip']);
  });
});

describe('a deletion', () => {
  beforeEach(quoted);

  it('reduces what is open, is made once, and frees the place with its answer', async () => {
    pool.delete(KEY, false);
    pool.delete(KEY, false);
    pool.discard(ID);
    pool.delete('another', true);
    expect(rig.asked.map(({ method, args }) => [method, args])).toEqual([['deleteBetslip', [ID]]]);
    expect(rig.asked[0]?.options).toEqual({ priority: 'reducing', once: true });
    expect([pool.open, heldNow()?.state, changes]).toEqual([1, 'deleting', []]);
    await rig.take('deleteBetslip').answer();
    expect([pool.open, changes]).toEqual([0, [[KEY, false]]]);
  });

  it.each([
    [true, true],
    [false, false],
  ])('pauses a market that could not use it: unused %s', (isUnused, isPaused) => {
    pool.delete(KEY, isUnused);
    expect(pool.facts().refuses(KEY, { creating: 0, quoteless: 0, unproven: 0 })).toBe(isPaused);
  });

  it('of one for which an order was refused is made at once, and of an unknown one never', () => {
    pool.discard('another' as BetslipId);
    expect(rig.methods()).toEqual([]);
    pool.discard(ID);
    expect(rig.methods()).toEqual(['deleteBetslip']);
  });

  it('that fails keeps the betslip, which rests, counts as unwanted, and gets its turn', async () => {
    await advance(4_000);
    pool.delete(KEY, false);
    await rig.take('deleteBetslip').fail(FAILING);
    expect(heldNow()).toMatchObject({ state: 'open', restsUntilMs: 5_000, unwantedMs: 2_000 });
    expect([pool.facts().deletesFromMs, changes]).toEqual([5_000, [[KEY, false]]]);
    pool.delete(KEY, false);
    await rig.take('deleteBetslip').fail(UNANSWERED);
    expect([pool.facts().deletesFromMs, heldNow()?.restsUntilMs]).toEqual([5_300, 5_300]);
  });

  it.each([
    ['the exchange does not have it', 4_000, NOT_FOUND],
    ['it is past its end', OPTIONS.lifeMs, FAILING],
  ])('that fails because %s has done its work', async (_, atMs, error) => {
    await advance(atMs);
    pool.delete(KEY, false);
    await rig.take('deleteBetslip').fail(error);
    expect(pool.open).toBe(0);
  });

  it('of all at the end covers those that are still being created, and no other is opened', async () => {
    pool.request(DRAW, opening({ key: marketKey(DRAW) }));
    pool.deleteAll();
    expect(rig.asked.map(({ args }) => args)).toEqual([[DRAW], [ID]]);
    await rig.take('createBetslip').answer(betslip({ ...DRAW, betslipId: 'slip-2' as BetslipId }));
    expect(rig.asked.map(({ args }) => args)).toEqual([[ID], ['slip-2']]);
    const none = { creating: 0, quoteless: 0, unproven: 0 };
    expect(pool.facts().refuses(KEY, none)).toBe(true);
    for (const asked of rig.asked.splice(0)) await asked.fail(FAILING);
    expect(pool.open).toBe(2);
    expect(await sweptAfter(5_000)).toEqual(['deleteBetslip', 'deleteBetslip']);
  });
});

describe('a betslip that the exchange closed', () => {
  beforeEach(quoted);

  it.each([
    ['at once has come to nothing', 4_999, false, false, ['betslip  closed']],
    ['after five seconds has not', 5_000, false, false, []],
    ['in use has not', 100, true, false, []],
    ['while an order names it has not', 100, false, true, []],
  ])('%s', async (_, afterMs, isUsed, isNamed, fruitless) => {
    if (isUsed) pool.noteTargets(new Map([[KEY, { ...kept, isPlacing: true }]]));
    active = [{ order: { betslipId: isNamed ? ID : ('another' as BetslipId) } }];
    await advance(afterMs);
    pool.drop(ID);
    expect(rig.fruitless).toEqual(fruitless.map((each) => each.replace('  ', ` ${KEY} `)));
    expect([pool.open, changes]).toEqual([0, [[KEY, false]]]);
  });

  it('while we delete it has not come to nothing either, and an unknown one is none of ours', () => {
    pool.drop('another' as BetslipId);
    expect(pool.open).toBe(1);
    pool.delete(KEY, false);
    pool.drop(ID);
    expect([rig.fruitless, pool.open]).toEqual([[], 0]);
  });

  it('leaves its successor of the same market alone', async () => {
    pool.delete(KEY, false);
    pool.drop(ID);
    await open(HOME, { betslipId: 'slip-2' as BetslipId });
    await rig.take('deleteBetslip').answer();
    expect([pool.open, heldNow()?.state]).toEqual([1, 'open']);
  });

  it('bears fruit in a sweep once it was open for five seconds', async () => {
    await sweptAfter(4_999);
    expect(rig.fruitless).toEqual([]);
    await sweptAfter(1);
    expect(rig.fruitless).toEqual([`betslip ${KEY} lasted`]);
  });
});

describe('the facts for a plan', () => {
  it('name all betslips, the cap, and how long one is kept', async () => {
    await quoted();
    const { nowMs, held, idleMs, deletesFromMs } = pool.facts();
    expect([nowMs, held.length, deletesFromMs]).toEqual([0, 1, -Infinity]);
    expect(idleMs).toEqual({ pinned: 20_000, used: 1_000, unused: rig.context.options.retryMs + 1_000 });
  });

  it('refuse what the account pauses after betslips that came to nothing, or lets it try one at a time', async () => {
    const none = { creating: 0, quoteless: 0, unproven: 0 };
    for (let round = 0; round < 2; round++) {
      await advance(10);
      rig.context.fruitless.failed('betslip', { market: KEY, beganMs: rig.clock.monotonicMs() }, 'gone');
      await advance(1);
    }
    const { refuses } = pool.facts();
    expect([refuses(KEY, none), refuses('another', none)]).toEqual([true, true]);
    await advance(1_000);
    expect([refuses(KEY, none), refuses('another', none)]).toEqual([true, false]);
    expect(refuses('another', { ...none, unproven: 1 })).toBe(true);
  });
});

describe('betslips of earlier runs', () => {
  it('count against the day, and the youngest may still be open', async () => {
    const before = pool.budget;
    const pacedMs = Array.from({ length: 10 }, () => 190_000);
    pool.remember({ pacedMs, reserveMs: [180_000] });
    expect(recalled).toEqual([...pacedMs, 180_000]);
    expect(Math.ceil(before.pace - pool.budget.pace)).toBe(6);
    expect(Math.ceil(before.reserve - pool.budget.reserve)).toBe(1);
    expect(pool.isCrowded).toBe(true);
    await advance(4 * OPTIONS.lifeMs - 180_000 - 1);
    expect(pool.isCrowded).toBe(true);
    await advance(1);
    expect(pool.isCrowded).toBe(false);
  });
});
