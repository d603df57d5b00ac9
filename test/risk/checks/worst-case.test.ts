import { describe, expect, it } from 'vitest';
import { toMicros } from '../../../src/domain/money.ts';
import type { CheckContext } from '../../../src/risk/checks/context.ts';
import { turnoverLimit } from '../../../src/risk/checks/activity.ts';
import { tradingState } from '../../../src/risk/checks/gates.ts';
import {
  coveredByBalance,
  grossLimits,
  STRATEGY_WORST_CASES,
  worstCaseLimits,
} from '../../../src/risk/checks/losses.ts';
import type { ScopeKind } from '../../../src/risk/exposure/book.ts';
import { limitsWith } from '../support/harness.ts';

const SCOPES: readonly ScopeKind[] = ['selection', 'event', 'competition', 'sport', 'day', 'account'];
const LIMITS = limitsWith({
  order: { maxStakeUsdt: 50, maxLiabilityUsdt: 50 },
  worstCase: Object.fromEntries(SCOPES.map((kind, at) => [`${kind}Usdt`, 100 + at])),
});

/** The codes of an order after which each scope may lose so much, in USDT. */
function refused(
  lossUsdt: (kind: ScopeKind) => number,
  reduces: { readonly reduces: boolean; readonly reducesSelection: boolean },
): readonly string[] {
  const scopes = Object.fromEntries(
    SCOPES.map((kind) => [kind, { worstAfterMicros: -toMicros(lossUsdt(kind)) }]),
  );
  const context = { exposure: { ...reduces, scopes } } as unknown as CheckContext;
  return worstCaseLimits(LIMITS).flatMap((check) => check(context)?.code ?? []);
}

const codes = (kinds: readonly ScopeKind[]): readonly string[] => kinds.map((kind) => `${kind}_worst_case`);
const limitOf = (kind: ScopeKind): number => 100 + SCOPES.indexOf(kind);

describe('the worst case of a scope', () => {
  it('may reach its own limit and not pass it', () => {
    const adds = { reduces: false, reducesSelection: false };
    expect(refused(limitOf, adds)).toEqual([]);
    for (const scope of SCOPES)
      expect(refused((kind) => limitOf(kind) + Number(kind === scope), adds)).toEqual(codes([scope]));
  });

  it('is no matter for an order that reduces; one that reduces its selection alone passes the limit of the selection alone', () => {
    const beyond = (): number => 1_000;
    expect(refused(beyond, { reduces: false, reducesSelection: false })).toEqual(codes(SCOPES));
    expect(refused(beyond, { reduces: true, reducesSelection: false })).toEqual([]);
    expect(refused(beyond, { reduces: true, reducesSelection: true })).toEqual([]);
    expect(refused(beyond, { reduces: false, reducesSelection: true })).toEqual(codes(SCOPES.slice(1)));
  });
});

describe('every other limit that an order may pass only if it reduces', () => {
  const { gross, turnover, balance } = limitsWith();
  const checks = [
    tradingState,
    ...grossLimits(limitsWith()),
    coveredByBalance(limitsWith()),
    turnoverLimit(limitsWith()),
  ];
  /** What each limit judges is its limit, and so much more, in USDT. */
  const codesAt = (
    moreUsdt: number,
    state: string,
    reduces: { readonly reduces: boolean; readonly reducesSelection: boolean },
  ): readonly string[] => {
    const scope = (grossUsdt: number) => ({
      grossAfterMicros: toMicros(grossUsdt),
      worstAfterMicros: -toMicros(70),
    });
    const scopes = {
      event: scope(gross.eventUsdt + moreUsdt),
      account: scope(gross.accountUsdt + moreUsdt),
    };
    const context = {
      exposure: { ...reduces, scopes },
      state: { state, record: null },
      balanceMicros: toMicros(balance.reserveUsdt + 70 - moreUsdt),
      matchedTodayMicros: toMicros(turnover.dayUsdt - 30 + moreUsdt),
      openStakeMicros: toMicros(20),
      bet: { stakeMicros: toMicros(10) },
    } as unknown as CheckContext;
    return checks.flatMap((check) => check(context)?.code ?? []);
  };
  const ALL = ['reducing_only', 'event_gross', 'account_gross', 'balance', 'day_turnover'];

  it('may be reached, and passed only by an order that reduces more than its selection', () => {
    const adds = { reduces: false, reducesSelection: false };
    expect(codesAt(0, 'active', adds)).toEqual([]);
    expect(codesAt(0.01, 'reducing', adds)).toEqual(ALL);
    expect(codesAt(0.01, 'reducing', { ...adds, reducesSelection: true })).toEqual(ALL);
    expect(codesAt(0.01, 'reducing', { ...adds, reduces: true })).toEqual([]);
    expect(codesAt(0.01, 'halted', { ...adds, reduces: true })).toEqual(['halted']);
  });
});

describe('the worst case of a strategy', () => {
  const codesOf = (
    ofEvent: number | null,
    ofAll: number | null,
    reduces: { readonly own: boolean; readonly account: boolean },
  ): readonly string[] => {
    const lossOf = (usdt: number) => -toMicros(usdt);
    const strategy = {
      name: 'mine',
      limits: { eventUsdt: ofEvent, totalUsdt: ofAll },
      own: { event: () => lossOf(50), total: () => lossOf(80), reduces: reduces.own },
    };
    const context = { strategy, exposure: { reduces: reduces.account } } as unknown as CheckContext;
    return STRATEGY_WORST_CASES.flatMap((check) => check(context)?.code ?? []);
  };
  const adds = { own: false, account: false };

  it.each([
    [50, 80, []],
    [49.99, 80, ['strategy_event_worst_case']],
    [50, 79.99, ['strategy_worst_case']],
    [10, 10, ['strategy_event_worst_case', 'strategy_worst_case']],
    [null, null, []],
    [null, 79.99, ['strategy_worst_case']],
  ])('with limits %s and %s is judged by each: %j', (ofEvent, ofAll, expected) => {
    expect(codesOf(ofEvent, ofAll, adds)).toEqual(expected);
  });

  it('lets pass what reduces its own risk, whatever it does to that of the account', () => {
    for (const account of [false, true]) {
      expect(codesOf(10, 10, { own: true, account })).toEqual([]);
      expect(codesOf(10, 10, { own: false, account })).toHaveLength(2);
    }
  });

  it('is no matter for an order without a strategy', () => {
    const context = { strategy: null, exposure: { reduces: false } } as unknown as CheckContext;
    expect(STRATEGY_WORST_CASES.map((check) => check(context))).toEqual([null, null]);
  });
});
