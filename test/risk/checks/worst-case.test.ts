import { describe, expect, it } from 'vitest';
import { toMicros } from '../../../src/domain/money.ts';
import type { CheckContext } from '../../../src/risk/checks/context.ts';
import { STRATEGY_WORST_CASES } from '../../../src/risk/checks/losses.ts';
import { worstCaseLimits } from '../../../src/risk/checks/losses.ts';
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

describe('the worst case of a strategy', () => {
  const codesOf = (
    ofEvent: number | null,
    ofAll: number | null,
    reduces: { readonly own: boolean; readonly account: boolean },
  ): readonly string[] => {
    const lossOf = (usdt: number) => ({ worstAfterMicros: -toMicros(usdt) });
    const strategy = {
      ...{ name: 'mine', limits: { eventUsdt: ofEvent, totalUsdt: ofAll } },
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
