import { describe, expect, it } from 'vitest';
import { toMicros } from '../../../src/domain/money.ts';
import type { CheckContext } from '../../../src/risk/checks/context.ts';
import { worstCaseLimits } from '../../../src/risk/checks/worst-case.ts';
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
