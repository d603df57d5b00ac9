import { describe, expect, it } from 'vitest';
import { betType, type SelectionId } from '../../../src/domain/ids.ts';
import { tickOf } from '../../../src/domain/ladder.ts';
import type { Balance } from '../../../src/domain/orders.ts';
import type { QuoteIntent } from '../../../src/domain/quote-intent.ts';
import { ACCOUNT, scopeOfSelection } from '../../../src/risk/index.ts';
import { betsOf } from '../../support/account.ts';
import { foreign } from '../support/bets.ts';
import { learnGrids } from '../support/books.ts';
import { ask, type Bench, bench, codesOf, fillOf, limitsWith, live } from '../support/harness.ts';

const HOME = live(ask()).selectionId;
const BALANCE: Balance = { balanceMicros: 3e6, openStakeMicros: 0, smartCreditMicros: null };

/** A position on home at 2.00. */
function long(stake: number): Bench {
  const world = bench();
  betsOf(world.risk).report(fillOf(ask({ stake }), stake));
  return world;
}

describe('an order that reduces', () => {
  it('does not lean on a bet in doubt, which may be void', () => {
    const { risk } = bench();
    const fill = fillOf(ask({ stake: 20 }), 20);
    const hedge = ask({ betType: 'against,h', stake: 5 });
    betsOf(risk).report(fill);
    expect(risk.reduces(hedge)).toBe(true);
    betsOf(risk).doubt(fill.betId, true);
    expect(risk.reduces(hedge)).toBe(false);
    betsOf(risk).doubt(fill.betId, false);
    expect(risk.reduces(hedge)).toBe(true);
  });

  it('does not count besides itself once it is approved', () => {
    const { risk } = long(20);
    const resting = ask({ betType: 'against,h', stake: 30 });
    risk.onOrder(live(resting));
    const { requestUuid, ...again } = resting;
    expect(risk.reduces(again)).toBe(false);
    expect(risk.reduces({ ...again, requestUuid })).toBe(true);
    expect(risk.accountExposure().openMicros).toBe(30e6);
  });
});

describe('at the last instant before it is sent', () => {
  it('an order is withdrawn if funds have fallen, unless it still reduces', () => {
    const { risk } = long(20);
    learnGrids(risk, ['for,h', 'for,a']);
    const approved = [ask({ betType: 'for,a' }), ask({ betType: 'against,h', stake: 10 })].map((order) =>
      risk.approve(order),
    );
    const codes = () => approved.map((each) => each.ok && risk.recheck(each.order).map(({ code }) => code));
    expect(codes()).toEqual([[], []]);
    risk.onChange({ kind: 'balance', balance: BALANCE }, 0);
    expect(codes()).toEqual([['balance'], []]);
    betsOf(risk).report(fillOf(ask({ betType: 'against,h', stake: 20 }), 20));
    expect(codes()).toEqual([['balance'], ['balance']]);
  });

  it('an order is withdrawn if it is beyond a limit that was lowered', () => {
    const { risk } = bench();
    const approved = risk.approve(ask({ stake: 30 }));
    const codesAt = (usdt: number) => {
      risk.setLimits(limitsWith({ order: { maxLiabilityUsdt: usdt }, worstCase: { selectionUsdt: usdt } }));
      return approved.ok && risk.recheck(approved.order).map(({ code }) => code);
    };
    expect(codesAt(30)).toEqual([]);
    expect(codesAt(29.99)).toEqual(['selection_worst_case']);
  });
});

describe('when funds no longer cover what is matched', () => {
  it.each(['make_and_take', 'take_only'] as const)(
    'an order that reduces goes (%s), others do not',
    (mode) => {
      const { risk } = long(20);
      risk.onOrder(live(ask({ betType: 'against,d', stake: 60 })));
      risk.onChange({ kind: 'balance', balance: BALANCE }, 0);
      const with_ = (betTypeName: string, stake: number) => ({
        ...ask({ betType: betTypeName, stake }),
        exchangeMode: mode,
      });
      expect(codesOf(risk, with_('for,d', 54))).toEqual(['balance']);
      expect(codesOf(risk, with_('for,a', 19.3))).toEqual(['balance']);
    },
  );
});

describe('quotes where only reducing is allowed', () => {
  const quoteOf = (stake: number, changes: Partial<QuoteIntent> = {}): QuoteIntent => ({
    selectionId: HOME,
    direction: 'against',
    tick: tickOf(2) ?? 0,
    stakeMicros: stake * 1e6,
    level: 0,
    ...changes,
  });
  const limited = (): Bench => {
    const world = long(100);
    world.risk.setState(ACCOUNT, 'reducing', 'me', 'x');
    return world;
  };
  const rest = ({ risk }: Bench, quotes: readonly QuoteIntent[]): readonly number[] =>
    risk.admit([HOME], quotes).quotes.map(({ stakeMicros }) => stakeMicros / 1e6);

  it('are judged together: they must not reverse the position if all of them fill', () => {
    const levels = [90, 80, 40, 30].map((stake, level) => quoteOf(stake, { level }));
    expect(rest(limited(), levels)).toEqual([90, 80, 30]);
  });

  it('are judged the same while they rest', () => {
    const world = limited();
    const levels = [quoteOf(150), quoteOf(40, { level: 1 })];
    expect(rest(world, levels)).toEqual([150, 40]);
    for (const stake of [150, 40]) world.risk.onOrder(live(ask({ betType: 'against,h', stake })));
    expect(rest(world, levels)).toEqual([150, 40]);
  });

  it('are judged beside the orders of others, which stay', () => {
    const world = limited();
    world.risk.onForeignOrder(
      foreign({ betType: betType('against,h'), wantPrice: 2, wantStakeMicros: 150e6 }),
    );
    expect(rest(world, [quoteOf(50.01)])).toEqual([]);
    expect(rest(world, [quoteOf(50)])).toEqual([50]);
  });

  it('are judged beside quotes that need not reduce', () => {
    const world = long(100);
    learnGrids(world.risk, ['for,h', 'for,dnb,h']);
    world.risk.setState(scopeOfSelection(HOME), 'reducing', 'me', 'x');
    const free = quoteOf(150, { selectionId: 'fb|2026-11-21,10,20|dnb,h' as SelectionId });
    expect(rest(world, [quoteOf(60), free])).toEqual([150]);
    expect(rest(world, [quoteOf(50), free])).toEqual([50, 150]);
  });

  it('may be on a selection of the event without bets, if they reduce its worst case', () => {
    const world = limited();
    learnGrids(world.risk, ['for,h', 'for,dc,d,a']);
    const selectionId = 'fb|2026-11-21,10,20|dc,d,a' as SelectionId;
    const quotes = (['for', 'against'] as const).map((direction) => quoteOf(50, { direction, selectionId }));
    const { quotes: resting, blocked } = world.risk.admit([selectionId], quotes);
    expect([resting, blocked.map(({ intent }) => intent)]).toEqual([[quotes[0]], [quotes[1]]]);
  });
});
