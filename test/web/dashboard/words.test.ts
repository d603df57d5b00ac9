import { describe, expect, it } from 'vitest';
import type { SelectionId } from '../../../src/domain/ids.ts';
import {
  PIECES,
  type LiveMoney,
  type LiveQuote,
  type LiveQuoting,
  type LiveRestriction,
  type LiveRun,
  type LiveTrading,
} from '../../../src/read-model/live/message.ts';
import { afterMessage, type Shown, shownAt } from '../../../src/web/dashboard/stream/view.ts';
import { labelOnExchange } from '../../../src/read-model/bet-terms.ts';
import { reasonInWords } from '../../../src/read-model/reason-words.ts';
import {
  limitInWords,
  notQuotedInWords,
  ownInWords,
  pulseOf,
  sentenceOf,
} from '../../../src/web/dashboard/words.ts';
import { aProfit, aReadiness } from '../../support/status.ts';

const RUN: LiveRun = {
  mode: 'live',
  state: 'quoting',
  version: '1',
  runId: '1-0',
  strategy: 's',
  stream: 'synced',
  stopping: null,
  blocked: null,
  startedMs: 0,
  heartbeatUntilMs: null,
  heartbeatS: 30,
  trading: { state: 'active', by: null, why: null, sinceMs: null, kept: 'over restarts' },
  strategiesOff: [],
};
const QUOTING: LiveQuoting = {
  wanted: 8,
  quoted: 6,
  twoSided: 6,
  notQuotingSinceMs: null,
  ordersOpen: 12,
  openStake: 60,
  unknownSinceMs: null,
  ordersPlaced: 0,
  ordersRefused: 0,
  fills: 0,
  readiness: aReadiness({ wanted: 8, quoted: 6, waiting: [{ why: 'wait for betslips', count: 2 }] }),
  betslipCap: { open: 9, isLearned: false, carries: 4 },
  budgets: { ordersNow: 5, betslipsNow: 4, betslipsToday: 100 },
};
const SHORT = aReadiness({
  wanted: 40,
  quoted: 14,
  isShort: true,
  waiting: [
    { why: 'wait for betslips', count: 18 },
    { why: 'event loop', count: 6 },
    { why: 'by strategy', count: 2 },
  ],
});
const { run, markouts, sources } = aProfit();
const MONEY: LiveMoney = {
  run,
  today: null,
  withoutFair: 0,
  markouts,
  sources,
  turnover: 0,
  reconciliation: null,
  account: { balance: 100, openStake: 0 },
  commissionRate: 0,
  limits: [{ name: 'worstCase.accountUsdt', use: 10, limit: 100, unit: 'usdt' }],
};
const NOW_MS = 100_000;

interface Changes {
  readonly run?: Partial<LiveRun>;
  readonly quoting?: Partial<LiveQuoting>;
  readonly money?: Partial<LiveMoney>;
  readonly ageMs?: number;
}

function shownWith({ run: r, quoting, money, ageMs = 0 }: Changes): Shown {
  const set = {
    [PIECES.run]: { ...RUN, ...r },
    [PIECES.quoting]: { ...QUOTING, ...quoting },
    [PIECES.money]: { ...MONEY, ...money },
  };
  const view = afterMessage(null, { atMs: 500_000, frameAtMs: null, isFirst: true, set }, NOW_MS - ageMs);
  const shown = view === null ? null : shownAt(view, NOW_MS);
  if (shown === null) throw new Error('a first message with these pieces can be shown');
  return shown;
}

describe('the sentence', () => {
  it.each<[string, Changes, string]>([
    ['LIVE · quoting 6 of 8 · nothing wrong', {}, 'good'],
    [
      'SIMULATED · nothing to quote · nothing wrong',
      { run: { mode: 'simulated' }, quoting: { readiness: aReadiness() } },
      'good',
    ],
    ['NO CONTACT for 7 s: what you see is old', { ageMs: 7_000 }, 'bad'],
    [
      'KILLED: enough, by anna',
      {
        run: {
          trading: { state: 'killed', by: 'anna', why: 'enough', sinceMs: 1, kept: 'over restarts' },
          blocked: 'killed',
        },
      },
      'bad',
    ],
    [
      'PAUSED: lunch, by anna',
      { run: { trading: { state: 'halted', by: 'anna', why: 'lunch', sinceMs: 1, kept: 'over restarts' } } },
      'warn',
    ],
    ['NOT TRADING: the stream is not in sync yet', { run: { blocked: 'stream_not_synced' } }, 'bad'],
    [
      'NOT TRADING: what the exchange’s prices mean is not proven yet: 3 votes',
      { run: { blocked: 'convention_unproven: 3 votes' } },
      'bad',
    ],
    [
      'LIVE · 40 wanted → 14 quoted: 18 wait for betslips, 6 event loop, 2 by strategy; your cap carries about 4',
      { quoting: { readiness: SHORT } },
      'warn',
    ],
    [
      'LIVE · 40 wanted → 14 quoted: 18 wait for betslips, 6 event loop, 2 by strategy; your cap carries about 4 · the stream is closed',
      { run: { stream: 'closed' }, quoting: { readiness: SHORT } },
      'warn',
    ],
    ['STOPPING: SIGTERM', { run: { stopping: 'SIGTERM' } }, 'warn'],
    ['LIVE · starting', { run: { state: 'starting' } }, 'warn'],
    [
      'NOT QUOTING for 4 min: 8 wanted → 0 quoted: 8 wait for betslips; your cap carries about 4',
      {
        quoting: {
          notQuotingSinceMs: 260_000,
          readiness: aReadiness({ wanted: 8, waiting: [{ why: 'wait for betslips', count: 8 }] }),
        },
      },
      'bad',
    ],
    [
      'LIVE · quoting 6 of 8 · the stream is closed; an order is unknown for 90 s; account worst case at 85.00 of 100.00; the balance differs by −3.00',
      {
        run: { stream: 'closed' },
        quoting: { unknownSinceMs: 410_000 },
        money: {
          limits: [{ name: 'worstCase.accountUsdt', use: 85, limit: 100, unit: 'usdt' }],
          reconciliation: {
            atMs: 1,
            sinceMs: 0,
            balance: 97,
            change: -3,
            settled: 0,
            commission: 0,
            deposits: 0,
            residual: -3,
          },
        },
      },
      'warn',
    ],
  ])('is: %s', (text, changes, tone) => {
    expect(sentenceOf(shownWith(changes))).toEqual({ text, tone });
  });
});

describe('the signs of life', () => {
  it.each<[string, number | null, number | null, number, readonly string[]]>([
    ['all are well', 20_000, 9_500, 300, ['good', 'good', 'good']],
    ['the heartbeat has run out', 9_000, 9_500, 300, ['bad', 'good', 'good']],
    ['there is no heartbeat', null, 9_500, 300, ['bad', 'good', 'good']],
    ['no frame has come yet', 20_000, null, 300, ['good', 'bad', 'good']],
    ['the feed is silent', 20_000, -1_000, 300, ['good', 'bad', 'good']],
    ['the page is old', 20_000, 9_500, 3_000, ['good', 'good', 'bad']],
  ])('%s', (_case, heartbeatUntilMs, frameAtMs, ageMs, tones) => {
    const given = { ...shownWith({}), run: { ...RUN, heartbeatUntilMs }, atMs: 10_000, ageMs };
    const dots = pulseOf({ ...given, view: { ...given.view, frameAtMs } }, ageMs > 2_000);
    expect(dots.map(({ name }) => name)).toEqual(['heartbeat', 'feed', 'page']);
    expect(dots.map(({ tone }) => tone)).toEqual(tones);
  });
});

describe('words', () => {
  it('name limits for people', () => {
    expect(limitInWords('loss.fromPeakUsdt')).toBe('from peak loss');
  });
});

const quote = (direction: 'for' | 'against', price: number): LiveQuote => ({
  id: `${direction} ${price}`,
  direction,
  price,
  stake: 5,
  unfilled: 5,
  ahead: 0,
  sinceMs: 0,
  isConfirmed: true,
});

describe('an order on a ladder', () => {
  it('tells of our order what it is called, its price there and its exact price', () => {
    const ours = { ...quote('against', 175 / 75), exchange: { label: 'against', price: 1.75, stake: 6.67 } };
    expect(ownInWords(ours, 2_000)).toBe(
      '5.00 of 5.00 unfilled at exactly 2.333333 (on the exchange against 6.67 at 1.75); at most 0.00 of others comes first; open for 2 s',
    );
    expect(labelOnExchange(ours.exchange)).toBe('against 1.75');
    expect(ownInWords(quote('against', 2.34), 0)).toBe(
      '5.00 of 5.00 unfilled; at most 0.00 of others comes first; open for 0 s',
    );
  });
});

describe('the view of a page', () => {
  it('starts with a message that holds everything', () => {
    expect(afterMessage(null, { atMs: 1, frameAtMs: null, isFirst: false, set: { a: 1 } }, 0)).toBeNull();
  });

  it('can be shown only with what every daemon sends', () => {
    const view = afterMessage(null, { atMs: 1, frameAtMs: null, isFirst: true }, 0);
    expect(view === null ? null : shownAt(view, 0)).toBeNull();
  });

  it('forgets everything that an earlier daemon said', () => {
    const id = 'x' as SelectionId;
    const first = afterMessage(null, { atMs: 1, frameAtMs: null, isFirst: true, set: { old: id } }, 0);
    const next = afterMessage(first, { atMs: 2, frameAtMs: null, isFirst: true, set: { new: 1 } }, 5);
    expect([...(next?.pieces.keys() ?? [])]).toEqual(['new']);
  });
});

const of = (direction: 'for' | 'against'): LiveQuote => ({ direction }) as LiveQuote;
const HALTED: LiveRestriction = { state: 'halted', by: 'anna', why: 'x', untilMs: null };
const CAP = 'order.betslip_cap';

it.each<[string | null, LiveQuote[], LiveRestriction | null, LiveTrading['state'], string]>([
  [null, [of('for'), of('against')], null, 'active', ''],
  [null, [of('for')], null, 'active', 'nothing wanted against'],
  [null, [], null, 'active', 'nothing wanted'],
  [CAP, [of('for')], null, 'active', reasonInWords(CAP)],
  [CAP, [], HALTED, 'active', 'halted'],
  [null, [], null, 'killed', 'killed'],
  [null, [], { ...HALTED, state: 'reducing' }, 'halted', 'reducing'],
  // While what stands is being closed, its reason still says more.
  [CAP, [of('for')], HALTED, 'active', reasonInWords(CAP)],
])(
  'missing %s, quotes %j, restriction %j and state %s: "%s"',
  (missing, quotes, restriction, state, words) => {
    expect(notQuotedInWords({ missing, quotes, restriction }, state)).toBe(words);
  },
);
