import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { priceOf } from '../../src/domain/ladder.ts';
import { DIRECTIONS } from '../../src/domain/selection.ts';
import { type TapeBet, TapeExposure } from '../../src/research/exposure.ts';
import { ask, bench, codesOf, FACTS, fillOf, limitsWith, live, START_MS } from '../risk/support/harness.ts';
import { learnGrids, OUTCOMES } from '../risk/support/books.ts';
import { betsOf } from '../support/account.ts';
import { TAPE_START_MS, tapeOf, type TapeOptions } from '../support/tapes.ts';

const bet = (selection: number, direction: TapeBet['direction'], price: number, stake: number): TapeBet => ({
  selection,
  direction,
  price,
  stakeMicros: stake * 1e6,
});

const exposureOf = (
  outcomes: readonly string[],
  limits: Parameters<typeof limitsWith>[0] = {},
  markets?: TapeOptions['markets'],
): TapeExposure => {
  const options = { selections: outcomes.map((outcome) => ({ outcome })) };
  return new TapeExposure(tapeOf([], markets ? { ...options, markets } : options), limitsWith(limits));
};

/** Where nothing but the exposure can refuse. */
const circumstances = {
  facts: FACTS,
  openStakeMicros: 0,
  matchedTodayMicros: 0,
  balanceMicros: 1e12,
  order: {},
  takenMicros: { event: 0, hour: 0 },
  wallMs: START_MS - 3_600_000,
};

/** Selections that no score decides. */
const ALONE = ['win,1', 'win,2'];

describe('what bets and orders on an event of a tape can lose', () => {
  it('counts selections alone: each at its worst', () => {
    const exposure = exposureOf(ALONE);
    exposure.matched(bet(0, 'for', 3, 10), 0);
    exposure.open(1, bet(0, 'against', 2, 15));
    exposure.matched(bet(1, 'against', 4, 5), 0);
    // Selection 0 wins 20 - 15 or loses 10; selection 1 loses 15.
    expect(exposure.worstMicros()).toBe(-25e6);
    expect([exposure.ifWinMicros(0), exposure.ifLoseMicros(0)]).toEqual([20e6, -10e6]);
    expect([exposure.ifWinMicros(1), exposure.ifLoseMicros(1)]).toEqual([-15e6, 5e6]);
    exposure.open(1, bet(0, 'against', 2, 40));
    expect(exposure.worstMicros()).toBe(-35e6);
    exposure.open(1, bet(0, 'against', 2, 0));
    expect(exposure.worstMicros()).toBe(-25e6);
  });

  it('lets one selection of a winner market win', () => {
    const exposure = exposureOf(['win,1', 'win,2', 'win,3'], {}, [{ marketType: 'win' }]);
    exposure.matched(bet(0, 'for', 3, 10), 0);
    exposure.matched(bet(1, 'for', 3, 10), 0);
    expect(exposure.worstMicros()).toBe(-20e6);
    exposure.matched(bet(2, 'against', 2, 10), 0);
    // The third wins: all three bets lose. Another winner may be a runner without bets.
    expect(exposure.worstMicros()).toBe(-30e6);
  });

  it('values selections of the score grid in the same score', () => {
    const exposure = exposureOf(['h', 'dnb,h']);
    exposure.matched(bet(0, 'for', 3, 10), 0);
    exposure.matched(bet(1, 'against', 2, 10), 0);
    // Home wins: 20 - 10; draw: -10; away wins: -10 + 10.
    expect(exposure.worstMicros()).toBe(-10e6);
    exposure.open(1, bet(0, 'for', 3, 7));
    expect(exposure.worstMicros()).toBe(-17e6);
  });

  it('refuses what passes a limit, unless it reduces what is matched, whichever open orders fill', () => {
    const exposure = exposureOf(ALONE, {
      order: { maxStakeUsdt: 60, maxLiabilityUsdt: 60 },
      worstCase: { selectionUsdt: 100, eventUsdt: 100 },
    });
    const refuses = (order: TapeBet): boolean =>
      exposure.refusalOf(exposure.betOf(order), circumstances) !== null;
    exposure.matched(bet(1, 'for', 2, 50), 0);
    expect([50, 50.01].map((stake) => refuses(bet(0, 'for', 2, stake)))).toEqual([false, true]);
    exposure.open(1, bet(0, 'for', 2, 60));
    expect(refuses(bet(0, 'against', 2, 54))).toBe(true);
    exposure.matched(bet(0, 'for', 2, 20), 0);
    expect([39.99, 40].map((stake) => refuses(bet(0, 'against', 2, stake)))).toEqual([false, true]);
  });

  it('refuses markets that are not allowed, orders in play or of too many, turnover and what the balance lacks', () => {
    const exposure = exposureOf(['h'], {
      allow: { marketTypes: ['wdw'] },
      turnover: { dayUsdt: 100 },
      openOrders: { selection: 1 },
      order: { maxStakeUsdt: 50, maxLiabilityUsdt: 50 },
    });
    const order = exposure.betOf(bet(0, 'for', 2, 10));
    const refuses = (changes: Partial<typeof circumstances>): boolean =>
      exposure.refusalOf(order, { ...circumstances, ...changes }) !== null;
    expect(refuses({})).toBe(false);
    expect(refuses({ facts: { ...FACTS, marketTypeOf: () => 'ah' } })).toBe(true);
    expect(refuses({ facts: { ...FACTS, inRunning: true } })).toBe(true);
    expect(refuses({ matchedTodayMicros: 60e6, openStakeMicros: 30e6 })).toBe(false);
    expect(refuses({ matchedTodayMicros: 60e6, openStakeMicros: 31e6 })).toBe(true);
    expect(refuses({ balanceMicros: 5e6 })).toBe(true);
    expect(exposure.refusalOf(order, { ...circumstances, balanceMicros: 5e6 })).toBe('balance');
    // One order is open, then as one that filled in part, and then none.
    const isRefused = [10, 4, 0].map((stake) => {
      exposure.open(1, bet(0, 'for', 2, stake));
      return refuses({});
    });
    expect(isRefused).toEqual([true, true, false]);
  });

  it('is lost at the narrowest limit on losses, from the beginning or from the highest result', () => {
    const limits = {
      loss: { dayUsdt: 100, strategyDayUsdt: 80, fromPeakUsdt: 95, strategyFromPeakUsdt: 90 },
    };
    const exposure = exposureOf(['h'], limits);
    expect([-79.99e6, -80e6].map((total) => exposure.isLost(total, 0))).toEqual([false, true]);
    expect([0.01e6, 0].map((total) => exposure.isLost(total, 90e6))).toEqual([false, true]);
  });

  it('counts a bet at the price that each removal leaves of it, one after the other', () => {
    const removals = [
      { atMs: 10, market: 0, selection: 2, factor: 10 },
      { atMs: 20, market: 0, selection: 3, factor: 20 },
    ];
    const selections = ['win,1', 'win,2', 'win,3', 'win,4'].map((outcome) => ({ outcome }));
    const tape = tapeOf([], { selections, markets: [{ marketType: 'win' }], removals });
    const exposure = new TapeExposure(tape, limitsWith({}));
    const result = (): readonly number[] => [exposure.ifWinMicros(0), exposure.ifLoseMicros(0)];
    exposure.matched(bet(0, 'for', 10, 10), TAPE_START_MS + 5);
    expect(result()).toEqual([90e6, -10e6]);
    exposure.reduce(0, TAPE_START_MS + 10);
    expect(result()).toEqual([80e6, -10e6]);
    exposure.matched(bet(0, 'against', 5, 10), TAPE_START_MS + 15);
    for (const _ of ['told', 'told again']) {
      exposure.reduce(0, TAPE_START_MS + 20);
      // 10 × .9 × .8 = 7.2 for, 5 × .8 = 4 against.
      expect(result()).toEqual([62e6 - 30e6, -10e6 + 10e6]);
    }
  });

  it('is what the risk of an account says that has nothing else', () => {
    const terms = fc.record({
      selection: fc.nat({ max: OUTCOMES.length - 1 }),
      direction: fc.constantFrom(...DIRECTIONS),
      price: fc.integer({ min: 0, max: 150 }).map(priceOf),
      stake: fc.integer({ min: 1, max: 20_000 }).map((cents) => cents / 100),
    });
    const booked = fc.record({ terms, isMatched: fc.boolean() });
    const limits = {
      worstCase: { eventUsdt: 150, selectionUsdt: 90 },
      gross: { eventUsdt: 400 },
      order: { maxStakeUsdt: 60, maxLiabilityUsdt: 60 },
    };
    const collar = { collar: { adverseProbability: 0.99, adverseLogOdds: 99, awayLogOdds: 99 } };
    fc.assert(
      fc.property(fc.array(booked, { maxLength: 6, size: 'max' }), terms, (book, next) => {
        const { risk } = bench({ ...limits, ...collar });
        const exposure = exposureOf(OUTCOMES, limits);
        const orderOf = ({ selection, direction, ...rest }: typeof next) =>
          ask({ betType: `${direction},${OUTCOMES[selection]}`, ...rest });
        const ofTape = ({ stake, ...rest }: typeof next): TapeBet => ({
          ...rest,
          stakeMicros: Math.round(stake * 1e6),
        });
        learnGrids(
          risk,
          [...book.map((each) => each.terms), next].map(({ selection }) => `for,${OUTCOMES[selection]}`),
        );
        for (const [at, { terms: each, isMatched }] of book.entries()) {
          if (isMatched) betsOf(risk).report(fillOf(orderOf(each), each.stake));
          else risk.onOrder(live(orderOf(each)));
          if (isMatched) exposure.matched(ofTape(each), 0);
          else exposure.open(at, ofTape(each));
        }
        expect(exposure.worstMicros()).toBe(risk.accountExposure().worstMicros);
        const codes = codesOf(risk, orderOf(next)).filter((code) =>
          /worst_case|gross|liability|stake/.test(code),
        );
        const refusal = exposure.refusalOf(exposure.betOf(ofTape(next)), circumstances);
        expect(codes.length > 0 ? codes : [null]).toContain(refusal);
      }),
      { numRuns: 300 },
    );
  });
});
