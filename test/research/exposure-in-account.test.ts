/** An order of a backtest is judged as in an account that has nothing else: quotes, takes and bets of hedges, before the start and in play. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toMicros } from '../../src/domain/money.ts';
import type { PlaceOrder, TakeTerms } from '../../src/domain/orders.ts';
import { type Direction, DIRECTIONS } from '../../src/domain/selection.ts';
import { type TapeBet, TapeExposure } from '../../src/research/exposure.ts';
import { liabilityMicros, SELECTION_KINDS } from '../../src/domain/odds.ts';
import { learnGrids } from '../risk/support/books.ts';
import { ask, bench, codesOf, FACTS, fillOf, limitsWith, live, START_MS } from '../risk/support/harness.ts';
import { betsOf } from '../support/account.ts';
import { tapeOf } from '../support/tapes.ts';
import { assertUntil } from '../support/covering.ts';

/** The instant of each case. */
const SOON_MS = START_MS - 3_600_000;
const OUTCOMES = ['h', 'd', 'a', 'over,2.5'];

/** What the checks of one event may say, wherever it is traded. */
const CODES =
  /^(in_play|keep_open_in_play|start_unknown|past_start|score_unknown|score_stale|take_|day_turnover|balance|stake_limit|liability_limit)|_not_allowed$|_open_orders$|_worst_case$|_gross$/;

/** Each of these is the only reason in some case: a check that were left out of either account would be noticed. */
const ALONE = [
  'in_play',
  'keep_open_in_play',
  'start_unknown',
  'past_start',
  'score_unknown',
  'score_stale',
  'take_event',
  'take_hour',
  'take_edge',
  'day_turnover',
  'balance',
  'liability_limit',
  'selection_open_orders',
  'event_open_orders',
  'event_worst_case',
  'selection_worst_case',
];

interface Terms {
  readonly selection: number;
  readonly direction: Direction;
  readonly price: number;
  readonly stake: number;
  readonly take: Partial<TakeTerms> | null;
}

/** Mostly the first of these, so that many an order is refused for one reason alone. */
const mostly = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(usual) },
    { weight: 2, arbitrary: fc.constantFrom(...others) },
  );

const terms: fc.Arbitrary<Terms> = fc.record({
  selection: fc.nat({ max: OUTCOMES.length - 1 }),
  direction: fc.constantFrom(...DIRECTIONS),
  price: fc.constantFrom(1.5, 2, 3, 5),
  stake: fc.integer({ min: 1, max: 50 }),
  take: fc.constantFrom<Terms['take']>(
    null,
    { fairProbability: 0.9 },
    { fairProbability: 0.1 },
    { fairProbability: null },
    { hedge: 'h', fairProbability: null },
    { byHand: 'q', fairProbability: null },
  ),
});

/** The bets and orders on the event, and the next order with its circumstances. */
const cases = fc.record({
  book: fc.array(fc.record({ terms, isMatched: fc.boolean() }), { maxLength: 4, size: 'max' }),
  next: terms,
  keepOpenInRunning: mostly<boolean | undefined>(undefined, false, true),
  facts: fc.record({
    inRunning: fc.boolean(),
    scoreAgeMs: mostly<number | null>(0, null, 20_000, 20_001),
    startTimeMs: mostly<number | null>(START_MS, null, SOON_MS + 60_000, SOON_MS + 60_001),
  }),
  inPlay: fc.record({
    allowed: fc.boolean(),
    scoreMaxAgeS: fc.constant(20),
    stopBeforeStartS: fc.constant(60),
  }),
  take: fc.record({
    eventUsdt: mostly(1_000, 10, 60),
    hourUsdt: mostly(1_000, 20, 80),
    minEdge: mostly(0, 0.5),
  }),
  worstCase: mostly(
    { selectionUsdt: 1_000, eventUsdt: 1_000 },
    { selectionUsdt: 60, eventUsdt: 60 },
    { selectionUsdt: 60, eventUsdt: 1_000 },
  ),
  turnoverUsdt: mostly(10_000, 60),
  openOrders: mostly({ selection: 50, event: 50 }, { selection: 1, event: 1 }, { selection: 1, event: 50 }),
  balanceUsdt: mostly(1e6, 30),
});
type Case = typeof cases extends fc.Arbitrary<infer C> ? C : never;

const limitsOf = ({ inPlay, take, worstCase, turnoverUsdt, openOrders }: Case) => ({
  inPlay,
  take,
  worstCase,
  gross: { eventUsdt: 5_000 },
  turnover: { dayUsdt: turnoverUsdt },
  openOrders,
  order: { maxStakeUsdt: 50, maxLiabilityUsdt: 60 },
  collar: { adverseProbability: 0.99, adverseLogOdds: 99, awayLogOdds: 99 },
});

const orderOf = ({ selection, direction, price, stake, take }: Terms): PlaceOrder => {
  const order = ask({ betType: `${direction},${OUTCOMES[selection]}`, price, stake });
  if (take === null) return order;
  return { ...order, take: { id: order.requestUuid, fairProbability: null, reduces: false, ...take } };
};

const ofTape = ({ selection, direction, price, stake }: Terms): TapeBet => ({
  selection,
  direction,
  price,
  stakeMicros: toMicros(stake),
});

/** What takes may lose that are neither of a hedge nor of a person. */
const lossOf = ({ take, direction, price, stake }: Terms): number =>
  take === null || take.hedge !== undefined || take.byHand !== undefined
    ? 0
    : liabilityMicros(SELECTION_KINDS[direction], toMicros(stake), price);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function judged(given: Case) {
  const { book, next, keepOpenInRunning, balanceUsdt } = given;
  const limits = limitsOf(given);
  const facts = { ...FACTS, ...given.facts };
  const world = bench(limits);
  const { risk, wallMs } = world;
  world.facts = facts;
  const exposure = new TapeExposure(
    tapeOf([], { selections: OUTCOMES.map((outcome) => ({ outcome })) }),
    limitsWith(limits),
  );
  learnGrids(
    risk,
    OUTCOMES.map((outcome) => `for,${outcome}`),
  );
  risk.onChange({ kind: 'balance', balance: { balanceMicros: toMicros(balanceUsdt) } } as never, 0);
  for (const [at, { terms: each, isMatched }] of book.entries()) {
    const order = orderOf(each);
    if (isMatched) betsOf(risk).report(fillOf(order, each.stake, { atMs: wallMs }));
    else risk.onOrder(live(order));
    if (isMatched) exposure.matched(ofTape(each), 0);
    else exposure.open(at, ofTape(each));
  }
  const taken = sum(book.map((each) => lossOf(each.terms)));
  const stakeOf = (isMatched: boolean): number =>
    sum(book.filter((each) => each.isMatched === isMatched).map(({ terms: { stake } }) => toMicros(stake)));
  const order = { ...orderOf(next), ...(keepOpenInRunning !== undefined && { keepOpenInRunning }) };
  const bet = exposure.betOf(ofTape(next));
  const refusal = exposure.refusalOf(bet, {
    order,
    facts,
    takenMicros: { event: taken, hour: taken },
    matchedTodayMicros: stakeOf(true),
    openStakeMicros: stakeOf(false),
    balanceMicros: toMicros(balanceUsdt),
    wallMs,
  });
  const isHedge = next.take?.hedge !== undefined;
  const reduces = [exposure.reduces(bet, isHedge), risk.reduces(order)];
  return { codes: codesOf(risk, order).filter((code) => CODES.test(code)), refusal, reduces };
}

it('is refused for a reason for which the account refuses it, reduces where it reduces there, and passes where it passes', () => {
  const alone = new Set<string>();
  assertUntil(
    () => ALONE.every((code) => alone.has(code)),
    fc.property(cases, (given) => {
      const { codes, refusal, reduces } = judged(given);
      expect(reduces[0]).toBe(reduces[1]);
      expect(codes.length > 0 ? codes : [null]).toContain(refusal);
      if (codes.length === 1) alone.add(codes[0] ?? '');
    }),
    { numRuns: 1_500 },
  );
  expect(ALONE.filter((code) => !alone.has(code))).toEqual([]);
});
