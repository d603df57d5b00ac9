import { describe, expect, it } from 'vitest';
import { sport } from '../../../src/domain/ids.ts';
import { tickOf } from '../../../src/domain/ladder.ts';
import type { QuoteIntent } from '../../../src/domain/quote-intent.ts';
import { ACCOUNT } from '../../../src/risk/index.ts';
import { ask, type Bench, bench, codesOf, fillOf, live } from '../support/harness.ts';
import { betsOf } from '../../support/account.ts';

const SELECTION = live(ask()).selectionId;

describe('reducing only', () => {
  const quote = (direction: 'for' | 'against', price: number, stakeMicros: number): QuoteIntent => ({
    selectionId: SELECTION,
    direction,
    tick: tickOf(price) ?? 0,
    stakeMicros,
    level: 0,
  });
  const codes = (world: Bench, intent: QuoteIntent): string[] =>
    world.risk.admit([SELECTION], [intent]).blocked.map(({ code }) => code);

  it('lets only orders through that improve the position', () => {
    const world = bench();
    betsOf(world.risk).report(fillOf(ask(), 10));
    world.risk.setState(ACCOUNT, 'reducing', 'me', 'x');
    world.reference = { forBest: null, againstBest: null, fair: 1 / 3, ageMs: 0 };
    expect(codes(world, quote('against', 3, 10e6))).toEqual(['reducing_only']);
    expect(codes(world, quote('against', 3, 10e6 - 1))).toEqual([]);
    const order = ask({ betType: 'against,h', price: 3 });
    expect(codesOf(world.risk, order)).toEqual(['reducing_only']);
    expect(codesOf(world.risk, { ...order, stakeMicros: 10e6 - 1 })).toEqual([]);
  });

  it('does not treat a resting order as a position', () => {
    const world = bench();
    world.risk.onOrder(live(ask({ stake: 10 })));
    world.risk.setState(ACCOUNT, 'reducing', 'me', 'x');
    expect(codes(world, quote('against', 2, 5e6))).toEqual(['reducing_only']);
  });
});

describe('the same order in another period of the match', () => {
  it('is no duplicate', () => {
    const { risk } = bench();
    expect(codesOf(risk, ask())).toEqual([]);
    expect(codesOf(risk, ask({ sport: sport('fb_ht') }))).toEqual([]);
    expect(codesOf(risk, ask())).toEqual(['duplicate_order']);
  });
});
