import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/lib/random.ts';
import { betsOf } from '../../support/account.ts';
import { ask, bench, codesOf, fillOf, limitsWith, live } from '../support/harness.ts';
import { learnGrids } from '../support/books.ts';
import { judgeReducing } from '../support/reducing-states.ts';
import { SHARE } from '../support/share.ts';

describe('an order reduces risk', () => {
  it('exactly if it does so over every subset of the open orders that may fill, and of the bets in doubt that may stand', () => {
    const { differences, ...kinds } = judgeReducing(400 * SHARE, (state) =>
      seededRandom(state, 'reductions'),
    );
    expect(differences).toEqual([]);
    // The states prove nothing unless they have orders of each kind.
    if (SHARE === 1) expect(Math.min(...Object.values(kinds))).toBeGreaterThan(10);
  });

  it('only if it helps what is matched: orders that have not filled may lapse', () => {
    const { risk } = bench();
    risk.onOrder(live(ask({ betType: 'for,h', price: 2, stake: 50 })));
    expect(risk.reduces(ask({ betType: 'against,h', price: 2, stake: 20 }))).toBe(false);
    betsOf(risk).report(fillOf(ask({ betType: 'for,h', price: 2 }), 20));
    expect(risk.reduces(ask({ betType: 'against,h', price: 2, stake: 20 }))).toBe(true);
    expect(risk.reduces(ask({ betType: 'against,h', price: 2, stake: 39 }))).toBe(true);
    expect(risk.reduces(ask({ betType: 'against,h', price: 2, stake: 40 }))).toBe(false);
  });

  it('only if it does no harm should the open orders fill before it', () => {
    const { risk } = bench();
    betsOf(risk).report(fillOf(ask({ betType: 'for,h', price: 2 }), 20));
    risk.onOrder(live(ask({ betType: 'against,h', price: 2, stake: 38 })));
    expect(risk.reduces(ask({ betType: 'against,h', price: 2, stake: 2 }))).toBe(true);
    expect(risk.reduces(ask({ betType: 'against,h', price: 2, stake: 3 }))).toBe(false);
  });

  it('across the markets of an event', () => {
    const { risk } = bench();
    learnGrids(risk, ['for,h', 'for,dc,d,a']);
    betsOf(risk).report(fillOf(ask({ betType: 'for,h', price: 2 }), 20));
    expect(risk.reduces(ask({ betType: 'for,dc,d,a', price: 2, stake: 20 }))).toBe(true);
    expect(risk.reduces(ask({ betType: 'against,dc,d,a', price: 2, stake: 20 }))).toBe(false);
  });
});

describe('once the balance no longer covers the worst case', () => {
  const poor = () => {
    const world = bench();
    betsOf(world.risk).report(fillOf(ask({ betType: 'for,h', price: 2 }), 20));
    world.risk.onOrder(live(ask({ betType: 'for,h', price: 2, stake: 60 })));
    world.risk.onChange(
      { kind: 'balance', balance: { balanceMicros: 3e6, openStakeMicros: 0, smartCreditMicros: null } },
      0,
    );
    return world;
  };

  it.each([19.3, 54])('no order of %d goes on the strength of orders that have not filled', (stake) => {
    const world = bench();
    world.risk.onOrder(live(ask({ betType: 'for,h', price: 2, stake: 60 })));
    world.risk.onChange(
      { kind: 'balance', balance: { balanceMicros: 3e6, openStakeMicros: 0, smartCreditMicros: null } },
      0,
    );
    expect(codesOf(world.risk, ask({ betType: 'against,h', price: 2, stake }))).toContain('balance');
  });

  it('a position is reduced all the same, with our own quotes of both sides open', () => {
    const { risk } = poor();
    risk.onOrder(live(ask({ betType: 'against,h', price: 2, stake: 10 })));
    expect(codesOf(risk, ask({ betType: 'against,h', price: 2, stake: 20 }))).not.toContain('balance');
    expect(codesOf(risk, ask({ betType: 'for,h', price: 2, stake: 5 }))).toContain('balance');
    expect(codesOf(risk, ask({ betType: 'against,h', price: 2, stake: 54 }))).toContain('balance');
  });
});

describe('once the limits are lowered', () => {
  const lowered = () => {
    const world = bench();
    const limits = limitsWith();
    const tiny = Object.fromEntries(Object.keys(limits.worstCase).map((scope) => [scope, 5]));
    world.risk.setLimits({ ...limits, worstCase: tiny as typeof limits.worstCase });
    return world;
  };
  const beyond = (codes: readonly string[]): readonly string[] =>
    codes.filter((code) => code.endsWith('_worst_case'));

  it('no order goes beyond them because others, not filled, would lose more', () => {
    const { risk } = lowered();
    risk.onOrder(live(ask({ betType: 'for,h', price: 2, stake: 60 })));
    expect(beyond(codesOf(risk, ask({ betType: 'against,h', price: 2, stake: 54 })))).toContain(
      'event_worst_case',
    );
  });

  it('a position is reduced all the same', () => {
    const { risk } = lowered();
    betsOf(risk).report(fillOf(ask({ betType: 'for,h', price: 2 }), 20));
    expect(beyond(codesOf(risk, ask({ betType: 'against,h', price: 2, stake: 20 })))).toEqual([]);
    expect(beyond(codesOf(risk, ask({ betType: 'for,h', price: 2, stake: 1 })))).not.toEqual([]);
  });
});
