import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BetslipId } from '../../../src/domain/ids.ts';
import type { OrderState } from '../../../src/domain/lifecycle.ts';
import type { ExchangeMode } from '../../../src/domain/orders.ts';
import { packLevels, type PriceList } from '../../../src/domain/price-list.ts';
import type { GateContext } from '../../../src/orders/gate-context.ts';
import {
  type Moment,
  MOMENTS,
  obstacleAt,
  REASONS,
  SEND_GATE,
  type WaitCode,
} from '../../../src/orders/send-gate.ts';
import { codeAskedInSequence, HALT_CODES } from '../support/sequential-checks.ts';
import { SELECTION_KINDS } from '../../../src/domain/odds.ts';

const MODES: readonly ExchangeMode[] = ['make_and_take', 'take_only', 'dark'];
const RESTING: readonly ExchangeMode[] = ['make_and_take', 'dark'];
const SENDING: readonly Moment[] = ['connected', 'send'];
const WITH_BETSLIP: readonly Moment[] = ['approve', ...SENDING];
const ASKING_RISK: readonly Moment[] = ['early', ...SENDING];

const BETSLIP = 'betslip' as BetslipId;
/** A taker gets 2.00, tick 99, in the direction of the order. */
const OFFERED = packLevels([{ price: 2, minMicros: null, maxMicros: 1e9 }]);
/** A taker gets 2.30: an order for 2.22 would take it. */
const TAKEN = packLevels([{ price: 2.3, minMicros: null, maxMicros: 1e9 }]);

/** An order at 2.22, tick 110, that may be sent. */
const FREE: GateContext = {
  nowMonotonicMs: 1_000,
  halts: new Map(),
  heartbeat: { isConfirmed: true, provenUntilMs: 31_000, reserveMs: 12_000 },
  mode: 'make_and_take',
  order: { direction: 'for', priceKind: 'odds-for', tick: 110, stakeMicros: 10_000_000 },
  isWanted: true,
  yields: false,
  repeats: null,
  pausedUntilMs: -Infinity,
  inFlight: 0,
  hasMarket: true,
  foresight: 'all',
  betslip: { ok: true, betslip: { id: BETSLIP, quote: OFFERED } },
  namedBetslip: BETSLIP,
  market: OFFERED,
  offers: null,
  own: [],
  admittedFromMs: -Infinity,
  risk: { isRefused: false, code: null },
  limits: { minStakeMicros: 1_000_000, maxInFlight: 5, postOnlyMarginTicks: 1 },
};

interface Case {
  readonly code: WaitCode;
  /** A context that only this check refuses. */
  readonly given: Partial<GateContext>;
  readonly moments: readonly Moment[];
  readonly modes?: readonly ExchangeMode[];
  readonly detail?: string;
}

const noBetslip = (code: WaitCode): Case => ({
  code,
  given: { betslip: { ok: false, code } },
  moments: WITH_BETSLIP,
});

const CASES: readonly Case[] = [
  ...HALT_CODES.map((code): Case => ({ code, given: { halts: new Map([[code, null]]) }, moments: MOMENTS })),
  { code: 'latched', given: { halts: new Map([['latched', 'by us']]) }, moments: MOMENTS, detail: 'by us' },
  {
    code: 'heartbeat',
    moments: MOMENTS,
    given: { heartbeat: { isConfirmed: false, provenUntilMs: 31_000, reserveMs: 12_000 } },
  },
  {
    code: 'heartbeat',
    moments: MOMENTS,
    given: { heartbeat: { isConfirmed: true, provenUntilMs: 13_000, reserveMs: 12_000 } },
  },
  { code: 'known_by_now', given: { repeats: 'live' }, moments: SENDING },
  { code: 'not_wanted', given: { isWanted: false }, moments: SENDING },
  { code: 'score_unknown', given: { play: { asserted: null, known: null } }, moments: MOMENTS },
  {
    code: 'score_changed',
    given: { play: { asserted: [0, 0], known: [1, 0] } },
    moments: MOMENTS,
    detail: '0-0, now 1-0',
  },
  {
    code: 'score_changed',
    given: { play: { asserted: null, known: [1, 0] } },
    moments: MOMENTS,
    detail: 'not known, now 1-0',
  },
  { code: 'take_spent', given: { take: 'spent' }, moments: MOMENTS },
  { code: 'take_waits', given: { take: 'waits' }, moments: MOMENTS, modes: ['take_only'] },
  { code: 'first_fill_unchecked', given: { firstFill: 'why' }, moments: MOMENTS, detail: 'why' },
  { code: 'stake_too_small', moments: ['early'], given: { order: { ...FREE.order, stakeMicros: 999_999 } } },
  { code: 'backing_off', given: { pausedUntilMs: 1_001 }, moments: ['early'] },
  { code: 'in_flight_limit', given: { inFlight: 5 }, moments: ['early'] },
  { code: 'strategy_turn', given: { yields: true }, moments: ['early'] },
  { code: 'no_market', given: { hasMarket: false }, moments: MOMENTS },
  ...(['betslip_creating', 'quote_pending', 'quote_stale', 'betslip_cap'] as const).map(noBetslip),
  ...(['betslip_budget', 'betslip_pace', 'betslip_turn', 'betslip_refused'] as const).map(noBetslip),
  { code: 'betslip_replaced', given: { namedBetslip: 'other' as BetslipId }, moments: SENDING },
  { code: 'market_stale', given: { market: null }, moments: WITH_BETSLIP, modes: RESTING },
  { code: 'would_take', given: { market: TAKEN }, moments: MOMENTS, modes: RESTING },
  { code: 'would_take', given: { offers: TAKEN }, moments: MOMENTS, modes: RESTING },
  {
    code: 'would_take',
    moments: MOMENTS,
    modes: RESTING,
    given: { betslip: { ok: true, betslip: { id: BETSLIP, quote: TAKEN } } },
  },
  {
    code: 'would_cross_own',
    moments: MOMENTS,
    given: { own: [{ direction: 'against', priceKind: 'lay-for', tick: FREE.order.tick }] },
  },
  { code: 'slow_after_close_out', given: { admittedFromMs: 1_001 }, moments: ['approve'] },
  {
    code: 'risk',
    given: { risk: { isRefused: true, code: 'event_worst_case' } },
    moments: ASKING_RISK,
    detail: 'event_worst_case',
  },
  { code: 'risk', given: { risk: { isRefused: true, code: null } }, moments: ASKING_RISK, detail: 'refused' },
];

const EVERYWHERE = MODES.flatMap((mode) => MOMENTS.map((moment) => [mode, moment] as const));

describe('each check', () => {
  it.each(CASES)('$code refuses at its moments, and only for its modes', ({ code, given, ...row }) => {
    for (const [mode, moment] of EVERYWHERE) {
      const isJudged = row.moments.includes(moment) && (row.modes ?? MODES).includes(mode);
      const expected = isJudged ? { code, detail: row.detail ?? null } : null;
      expect([mode, moment, obstacleAt(moment, { ...FREE, ...given, mode })]).toEqual([
        mode,
        moment,
        expected,
      ]);
    }
  });

  it('lets an order pass that nothing blocks', () => {
    for (const [mode, moment] of EVERYWHERE) expect(obstacleAt(moment, { ...FREE, mode })).toBeNull();
  });

  it('is covered by a case', () => {
    expect(new Set(CASES.map(({ code }) => code))).toEqual(new Set(SEND_GATE.map(({ code }) => code)));
  });

  it('is judged once at a moment', () => {
    for (const moment of MOMENTS) {
      const codes = SEND_GATE.filter(({ moments }) => moments.includes(moment)).map(({ code }) => code);
      expect(codes).toEqual([...new Set(codes)]);
    }
  });

  it('has a code, a text and a stage of its own', () => {
    const reasons = Object.values(REASONS);
    expect(new Set(reasons.map(({ text }) => text)).size).toBe(reasons.length);
    for (const check of SEND_GATE)
      expect(REASONS[check.code]).toMatchObject({ text: check.text, stage: check.stage });
  });
});

describe('before a betslip is spent', () => {
  const refused: Partial<GateContext> = { risk: { isRefused: true, code: 'stake' }, market: TAKEN };

  it.each([
    ['none', null],
    ['risk', 'risk'],
    ['all', 'risk'],
  ] as const)('checks risk and prices: %s', (foresight, code) => {
    expect(obstacleAt('early', { ...FREE, ...refused, foresight })?.code ?? null).toBe(code);
  });

  it('leaves prices to the betslip of a market that keeps it', () => {
    expect(obstacleAt('early', { ...FREE, market: TAKEN, foresight: 'risk' })).toBeNull();
    expect(obstacleAt('early', { ...FREE, market: TAKEN, foresight: 'all' })?.code).toBe('would_take');
  });
});

const prices = fc.constantFrom<PriceList>(OFFERED, TAKEN, []);
const states = fc.constantFrom<OrderState | null>(null, 'unknown', 'live', 'closed');
const halts = fc.oneof(
  { weight: 4, arbitrary: fc.constant(new Map<string, string | null>()) },
  fc
    .array(fc.constantFrom(...HALT_CODES), { maxLength: 3 })
    .map((codes) => new Map(codes.map((code) => [code, null]))),
);
const betslips = fc.oneof(
  { weight: 4, arbitrary: prices.map((quote) => ({ ok: true as const, betslip: { id: BETSLIP, quote } })) },
  fc
    .constantFrom('betslip_creating', 'quote_stale', 'betslip_cap')
    .map((code) => ({ ok: false as const, code })),
);
const mostly = (yes: boolean) => fc.nat(4).map((n) => (n > 0 ? yes : !yes));
const contexts: fc.Arbitrary<GateContext> = fc
  .record({
    halts,
    betslip: betslips,
    repeats: states,
    isWanted: mostly(true),
    hasMarket: mostly(true),
    isConfirmed: mostly(true),
    market: fc.option(prices),
    offers: fc.option(prices),
    own: fc.array(
      fc
        .record({ direction: fc.constantFrom('for', 'against'), tick: fc.integer({ min: 105, max: 115 }) })
        .map((each) => ({ ...each, priceKind: SELECTION_KINDS[each.direction] })),
      {
        maxLength: 2,
      },
    ),
    namedBetslip: fc.constantFrom<BetslipId | null>(BETSLIP, BETSLIP, BETSLIP, 'other' as BetslipId, null),
    risk: mostly(false).map((isRefused) => ({ isRefused, code: null })),
    pausedUntilMs: fc.constantFrom(-Infinity, -Infinity, 2_000),
    admittedFromMs: fc.constantFrom(-Infinity, -Infinity, 2_000),
    inFlight: fc.constantFrom(0, 0, 5),
    mode: fc.constantFrom(...MODES),
    foresight: fc.constantFrom('none', 'risk', 'all'),
  })
  .map(({ isConfirmed, ...given }) => ({ ...FREE, ...given, heartbeat: { ...FREE.heartbeat, isConfirmed } }));

/** The context, and a record of which fields are read. */
function watched(context: GateContext): { readonly context: GateContext; readonly read: Set<string> } {
  const read = new Set<string>();
  const get = (target: GateContext, name: string): unknown => (read.add(name), Reflect.get(target, name));
  return { context: new Proxy(context, { get } as ProxyHandler<GateContext>), read };
}

describe('a walk', () => {
  it('is decided by the first check that refuses, each by itself', () => {
    fc.assert(
      fc.property(contexts, fc.constantFrom(...MOMENTS), (context, moment) => {
        const first = SEND_GATE.find(
          ({ moments, modes, refuses }) =>
            moments.includes(moment) && modes.includes(context.mode) && refuses(context),
        );
        expect(obstacleAt(moment, context)?.code).toBe(first?.code);
      }),
      { numRuns: 1_000 },
    );
  });

  it('reads nothing that only later checks need', () => {
    fc.assert(
      fc.property(contexts, contexts, fc.constantFrom(...MOMENTS), (context, other, moment) => {
        const { context: seen, read } = watched(context);
        const decided = obstacleAt(moment, seen);
        const rest = Object.entries(other).filter(([name]) => !read.has(name));
        expect(obstacleAt(moment, { ...context, ...Object.fromEntries(rest) })).toEqual(decided);
        // Risk is asked last, because its approval counts as open.
        if (moment !== 'early' && decided !== null && decided.code !== 'risk')
          expect(read.has('risk')).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  it('decides at the sending moments as the same checks would one by one', () => {
    fc.assert(
      fc.property(contexts, fc.constantFrom(...SENDING), (given, moment) => {
        const context: GateContext = { ...given, mode: 'make_and_take', foresight: 'all' };
        expect(obstacleAt(moment, context)?.code ?? null).toBe(codeAskedInSequence(context));
      }),
      { numRuns: 2_000 },
    );
  });
});
