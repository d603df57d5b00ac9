import { beforeEach, describe, expect, it } from 'vitest';
import type { OrderBook, TrackedOrder } from '../../../src/account/orders.ts';
import type { EventName } from '../../../src/domain/events.ts';
import { marketKey } from '../../../src/domain/exchange-prices.ts';
import { betslipId, type BetType } from '../../../src/domain/ids.ts';
import { markOf } from '../../../src/domain/installation.ts';
import { priceOf } from '../../../src/domain/ladder.ts';
import type { BetslipRequest, PlaceOrder } from '../../../src/domain/orders.ts';
import type { PriceList } from '../../../src/domain/price-list.ts';
import { intentKey, type QuoteIntent } from '../../../src/domain/quote-intent.ts';
import type { BetslipAnswer } from '../../../src/orders/betslips/answer.ts';
import type { OrderContext } from '../../../src/orders/state/context.ts';
import { AccountFacts, OrderFacts } from '../../../src/orders/targets/gate-facts.ts';
import { Judge, type MarketPlacing } from '../../../src/orders/targets/judge.ts';
import { LAY_PRICES } from '../../../src/domain/exchange-prices.ts';
import { OWN } from '../../support/claims.ts';
import { DEFAULT_QUOTE } from '../../support/fake-venue.ts';
import { EVENT_NAME, quote } from '../../support/order-manager-rig.ts';
import { PartRig } from '../support/part.ts';
import { bookOf, trackedOrder } from '../support/tracked.ts';

const MARKET: BetslipRequest = { ...EVENT_NAME, betType: 'for,h' as BetType };
const READY: BetslipAnswer = { ok: true, betslip: { id: betslipId('slip'), quote: [] } };
const REFUSAL = { code: 'worst_case', message: '', actual: null, limit: null };

const fresh = () => ({
  market: MARKET as BetslipRequest | null,
  list: [] as PriceList | null,
  offers: null as PriceList | null,
  answer: null as BetslipAnswer | null,
  prechecked: [] as unknown[],
  rechecked: [] as unknown[],
  reduces: false,
  isWanted: true,
  yields: false,
  inFlight: 0,
  pausedUntilMs: -Infinity,
  admitsFromMs: -Infinity,
  provenUntilMs: 100_000,
});

let given: ReturnType<typeof fresh>;
let rig: PartRig;
let book: OrderBook;
let judge: Judge;
let asked: unknown[];

function begin(...orders: readonly TrackedOrder[]): void {
  [given, asked] = [fresh(), []];
  rig = new PartRig({
    deps: {
      prices: {
        resolve: () => given.market,
        marketOf: () => ({ for: given.list, against: null }),
        youngerOffersOf: () => ({ for: given.offers, against: null }),
        playOf: () => ({ inRunning: false, score: null }),
      },
      risk: {
        precheck: (order: unknown) => (asked.push(order), given.prechecked),
        recheck: () => given.rechecked,
        reduces: (terms: unknown) => (asked.push(terms), given.reduces),
      },
      ids: { uuid: () => 'uuid-9' },
      claim: { installation: OWN },
    },
  });
  book = bookOf(rig.clock, ...orders);
  Object.assign(rig.context, {
    book,
    run: '3',
    heldKinds: new Map(),
    exchangePrices: () => LAY_PRICES,
    owners: { of: () => 'a strategy' },
  });
  judge = new Judge(
    rig.context,
    proof() as never,
    {
      pool: { answerOf: (key: string) => (key === marketKey(MARKET) ? given.answer : null) },
      desk: { durationS: (_: unknown, { lifetimeS }: QuoteIntent) => lifetimeS ?? 60 },
    } as never,
    {
      get inFlight() {
        return given.inFlight;
      },
      changesMs: 7_000,
      mustYield: (strategy: string, most: number, waiting: () => unknown) =>
        strategy === 'a strategy' && most === 5 && waiting() === 'contenders' && given.yields,
    } as never,
    {
      untilMs: () => given.pausedUntilMs,
      mayEndMs: (key: string, market: unknown) => (key === PLACING.key && market === MARKET ? 8_000 : 0),
    } as never,
    { wants: () => given.isWanted, contenders: () => 'contenders', of: () => undefined } as never,
  );
}
const proof = () => ({
  heartbeat: {
    get proof() {
      return { isConfirmed: true, provenUntilMs: given.provenUntilMs, reserveMs: 12_000 };
    },
  },
  closeOut: {
    get admitsFromMs() {
      return given.admitsFromMs;
    },
  },
});

const placing = (over: Partial<QuoteIntent> = {}): MarketPlacing => {
  const intent = quote(over);
  return { key: intentKey(intent), intent, market: MARKET };
};
const PLACING = placing();
beforeEach(() => begin());

const codeOf = (obstacle: unknown): string | null =>
  (obstacle as { readonly code?: string } | null)?.code ?? null;

type Given = Partial<ReturnType<typeof fresh>>;

describe('before a betslip is spent', () => {
  it.each<[code: string | null, over: Given, intent: Partial<QuoteIntent>]>([
    [null, {}, {}],
    ['heartbeat', { provenUntilMs: 12_000 }, {}],
    ['stake_too_small', {}, { stakeMicros: 999_999 }],
    ['backing_off', { pausedUntilMs: 1 }, {}],
    [null, { pausedUntilMs: 0 }, {}],
    ['in_flight_limit', { inFlight: 5 }, {}],
    [null, { inFlight: 4 }, {}],
    ['strategy_turn', { yields: true }, {}],
    ['no_market', { market: null }, {}],
    // Neither risk nor prices are asked yet.
    [null, { list: DEFAULT_QUOTE, prechecked: [REFUSAL] }, { tick: 90 }],
  ])('a quote is judged by what needs no betslip: %s', (code, over, intent) => {
    Object.assign(given, over);
    const of = placing(intent);
    const judged = judge.early(of);
    if (code === null) expect(judged).toEqual(of);
    else expect(codeOf(judged)).toBe(code);
    expect(asked).toEqual([]);
  });

  it.each<[what: string, isPinned: boolean, over: Given, code: string | null]>([
    ['risk', true, { prechecked: [REFUSAL] }, 'risk'],
    ['risk without prices', false, { prechecked: [REFUSAL], list: null }, 'risk'],
    ['prices of a rotating market', false, { list: DEFAULT_QUOTE }, 'would_take'],
    ['no prices of a pinned market', true, { list: DEFAULT_QUOTE }, null],
    ['no prices where there are none', false, { list: null }, null],
  ])('it would be wasted by %s', (_, isPinned, over, code) => {
    Object.assign(given, over);
    expect(codeOf(judge.foresee(placing({ tick: 90 }), isPinned))).toBe(code);
    expect(asked).toMatchObject([{ betslipId: '', price: priceOf(90) }]);
  });

  it('would be wasted for the first of the reasons that risk gives', () => {
    given.prechecked = [REFUSAL, { ...REFUSAL, code: 'second' }];
    expect(judge.foresee(PLACING, true)).toEqual({ code: 'risk', detail: 'worst_case' });
  });
});

describe('before the approval', () => {
  it.each<[code: string | null, over: Given, betslip: BetslipAnswer]>([
    [null, {}, READY],
    ['quote_pending', {}, { ok: false, code: 'quote_pending' }],
    ['slow_after_close_out', { admitsFromMs: 1 }, READY],
    ['would_take', { list: DEFAULT_QUOTE }, READY],
    ['would_take', { offers: DEFAULT_QUOTE }, READY],
    ['would_take', {}, { ok: true, betslip: { id: betslipId('slip'), quote: DEFAULT_QUOTE } }],
    ['market_stale', { list: null }, READY],
    // A pause of its quote does not stop an order that has its betslip.
    [null, { pausedUntilMs: 1 }, READY],
  ])('a quote is judged with its betslip and the prices: %s', (code, over, betslip) => {
    Object.assign(given, over);
    expect(codeOf(judge.beforeApproval(placing({ tick: 90 }), betslip))).toBe(code);
  });

  it.each([
    ['prepared', {}, 'would_cross_own'],
    ['sending', {}, 'would_cross_own'],
    ['unknown', {}, 'would_cross_own'],
    ['live', {}, 'would_cross_own'],
    // Until its close is confirmed, an order can be matched.
    ['closing', {}, 'would_cross_own'],
    ['closed', {}, null],
    ['refused', {}, null],
    ['live', { selectionId: 'another' as never }, null],
    ['live', { direction: 'for', priceKind: 'odds-for' }, null],
  ] as const)('it must not meet an order of ours on its selection that is %s, %j', (state, over, code) => {
    const { selectionId, take: _take, ...rest } = quote({ direction: 'against' });
    const own = { ...rest, selectionId, priceKind: 'lay-for' as const, tick: 110, state, ...over };
    begin(trackedOrder({ closeWanted: state === 'closing' }, own));
    for (const mode of ['make_and_take', 'take_only', 'dark'] as const)
      expect(codeOf(judge.beforeApproval(placing({ tick: 110, mode }), READY))).toBe(code);
  });
});

describe('before it is sent', () => {
  const place = {
    ...MARKET,
    betslipId: betslipId('slip'),
    priceKind: 'odds-for',
    price: priceOf(110),
  } as PlaceOrder;
  const { take: _, ...wanted } = PLACING.intent;
  const tracked = (of: Partial<TrackedOrder> = {}): TrackedOrder =>
    trackedOrder(
      { key: PLACING.key, intent: PLACING.intent, place, ...of },
      { ...wanted, ...MARKET, orderId: null, state: 'prepared' },
    );

  it.each<[code: string | null, over: Given, of: Partial<TrackedOrder>, repeat: boolean]>([
    [null, { answer: READY }, {}, false],
    ['not_wanted', { answer: READY, isWanted: false }, {}, false],
    ['not_wanted', { answer: READY }, { closeWanted: true }, false],
    ['not_wanted', { answer: READY }, { key: null }, false],
    ['not_wanted', { answer: READY }, { intent: null }, false],
    ['betslip_creating', {}, {}, false],
    ['betslip_replaced', { answer: { ok: true, betslip: { id: betslipId('new'), quote: [] } } }, {}, false],
    ['risk', { answer: READY, rechecked: [REFUSAL] }, {}, false],
    ['no_market', { answer: READY }, { place: { ...place, priceKind: 'lay' } as never }, false],
    ['heartbeat', { answer: READY, provenUntilMs: 12_000 }, {}, false],
    // Neither pauses nor turns nor limits stop what was approved.
    [null, { answer: READY, pausedUntilMs: 9, yields: true, inFlight: 5, admitsFromMs: 9 }, {}, false],
    // A repeat is judged only while its outcome is unknown.
    ['known_by_now', {}, {}, true],
  ])('an order is judged anew: %s', (code, over, of, repeat) => {
    Object.assign(given, over);
    expect(codeOf(judge.beforeSending('send', tracked(of), {} as never, repeat))).toBe(code);
  });

  it('a repeat names its first betslip, open or not', () => {
    const order = tracked();
    order.order = { ...order.order, state: 'unknown' };
    expect(judge.beforeSending('send', order, {} as never, true)).toBeNull();
  });
});

describe('a quote that waits', () => {
  it.each([
    ['strategy_turn', 7_000],
    ['slow_after_close_out', 9_000],
    ['risk', 8_000],
    ['backing_off', 8_000],
    ['betslip_cap', Infinity],
    ['heartbeat', Infinity],
  ] as const)('may be placed by time alone, depending on what blocks it: %s', (code, ms) => {
    given.admitsFromMs = 9_000;
    expect(judge.mayEndMs(code, PLACING.key, MARKET)).toBe(ms);
  });

  it.each<
    [what: string, code: 'betslip_cap' | 'would_take', over: Given, opens: boolean, reviewed: string | null]
  >([
    ['an early reason', 'betslip_cap', { inFlight: 5 }, true, 'in_flight_limit'],
    ['its betslip', 'betslip_cap', { answer: { ok: false, code: 'quote_stale' } }, true, 'quote_stale'],
    ['a betslip that the plan would not open', 'betslip_cap', {}, false, 'betslip_cap'],
    ['nothing, as the plan would open a betslip', 'betslip_cap', { list: DEFAULT_QUOTE }, true, null],
    ['prices', 'would_take', { list: DEFAULT_QUOTE }, false, 'would_take'],
    ['nothing', 'would_take', {}, false, null],
  ])('is reviewed, and blocked by %s', (_, code, over, opens, reviewed) => {
    Object.assign(given, over);
    const { key, intent } = placing({ tick: 90 });
    expect(codeOf(judge.review({ key, intent }, code, (market) => market === MARKET && opens))).toBe(
      reviewed,
    );
    expect(asked).toEqual([]);
  });
});

describe('the order of a quote', () => {
  it('has all that the exchange takes, and our mark', () => {
    const order = judge.orderOf(placing({ lifetimeS: 45 }), betslipId('slip'));
    const { userData, ...rest } = order;
    expect(rest).toEqual({
      ...MARKET,
      requestUuid: 'uuid-9',
      betslipId: 'slip',
      priceKind: 'odds-for',
      price: priceOf(110),
      stakeMicros: 10_000_000,
      durationS: 45,
    });
    expect(markOf(userData ?? null)).toEqual({ installation: OWN, run: '3', uuid: 'uuid-9' });
    const taking = judge.orderOf(placing({ mode: 'take_only' }), betslipId('slip'));
    expect([taking.exchangeMode, taking.durationS]).toEqual(['take_only', 60]);
  });

  it.each([true, false])('is asked of risk by its terms: %s', (reduces) => {
    given.reduces = reduces;
    expect(judge.reduces(PLACING)).toBe(reduces);
    expect(asked).toEqual([
      { ...MARKET, priceKind: 'odds-for', price: priceOf(110), stakeMicros: 10_000_000 },
    ]);
  });

  it.each<readonly [string, Partial<QuoteIntent>, object]>([
    ['a take', { take: 'a', fairProbability: 0.4 }, { id: 'a', fairProbability: 0.4 }],
    ['a bet of a hedge', { take: 'h/0', hedge: 'h' }, { id: 'h/0', fairProbability: null, hedge: 'h' }],
    ['a quote of a person', { take: 'q 1', byHand: 'q' }, { id: 'q 1', fairProbability: null, byHand: 'q' }],
  ])('is asked of risk as what it is: %s', (_, over, take) => {
    judge.reduces(placing(over));
    judge.foresee(placing(over), true);
    expect(asked).toMatchObject([
      { take: { ...take, reduces: false } },
      { take: { ...take, reduces: false } },
    ]);
  });
});

describe('the facts for a walk through the gate', () => {
  const judged = {
    order: { ...quote(), priceKind: 'odds-for' as const },
    isWanted: true,
    repeats: 'unknown' as const,
    pausedUntilMs: 1,
    inFlight: 2,
    yields: true,
    hasMarket: true,
    foresight: 'risk' as const,
    betslip: READY,
    namedBetslip: betslipId('slip'),
    risk: { isRefused: true, code: 'worst_case' },
    take: 'waits' as const,
    play: { asserted: [0, 0] as const, known: [1, 0] as const },
  };

  it('are those of the order and of this instant', async () => {
    await rig.clock.advance(500);
    rig.halts.set('party', 'draining', 'why');
    given.admitsFromMs = 4_000;
    const facts = new OrderFacts(rig.context, proof() as never, judged);
    expect({ ...facts }).toEqual({
      ...judged,
      mode: 'make_and_take',
      admittedFromMs: 4_000,
      limits: rig.context.options,
      nowMonotonicMs: 500,
      halts: new Map([['draining', 'why']]),
      heartbeat: { isConfirmed: true, provenUntilMs: 100_000, reserveMs: 12_000 },
    });
    const { nowMonotonicMs, halts, heartbeat } = new AccountFacts(rig.context, proof() as never);
    expect([nowMonotonicMs, halts.get('draining'), heartbeat.reserveMs]).toEqual([500, 'why', 12_000]);
  });

  it('have the prices of the order’s side, and a kind of price that waits for its first fill', () => {
    [given.list, given.offers] = [DEFAULT_QUOTE, []];
    const facts = new OrderFacts(rig.context, proof() as never, judged);
    expect([facts.market, facts.offers, facts.firstFill]).toEqual([DEFAULT_QUOTE, [], null]);
    const held: string[] = [];
    const holds = ({ eventId }: EventName): boolean => held.includes(eventId);
    rig.context.heldKinds.set('odds-for', { detail: 'not proven', holds });
    expect(facts.firstFill).toBeNull();
    held.push(EVENT_NAME.eventId);
    expect(facts.firstFill).toBe('not proven');
  });
});

it('no order may be sent for the first reason of the account', () => {
  expect(judge.account()).toBeNull();
  rig.halts.set('party', 'draining', 'why');
  expect(judge.account()).toEqual({ code: 'draining', detail: 'why' });
  expect((rig.context as OrderContext).halts.inForce.size).toBe(1);
});
