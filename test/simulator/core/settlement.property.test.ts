import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromMicros, toMicros } from '../../../src/domain/money.ts';
import { GRID_SIZE } from '../../../src/domain/payoff.ts';
import type { Direction } from '../../../src/domain/selection.ts';
import { parseBetType } from '../../../src/domain/bet-types/index.ts';
import { at, EVENT, event, Harness } from './harness.ts';
import { UNLIMITED } from './unlimited.ts';
import { PRICE_CONVENTIONS, type PriceConvention } from '../../../src/domain/odds.ts';

const OUTCOMES = ['h', 'd', 'a', 'dnb,h', 'ah,h,-3', 'ahover,9', 'over,2.5', 'cs,2,1', 'score,both,yes'];

const bet = fc.record({
  outcome: fc.constantFrom(...OUTCOMES),
  direction: fc.constantFrom<Direction>('for', 'against'),
  price: fc.constantFrom(1.05, 1.5, 1.98, 2.02, 3.35, 12.5),
  stake: fc.integer({ min: 1, max: 500_000_000 }).map(fromMicros),
  lay: fc.boolean(),
});
type Bet = typeof bet extends fc.Arbitrary<infer T> ? T : never;

/** Under the convention `lay` every bet is of a normal betslip. */
const betsOf = (convention: PriceConvention): fc.Arbitrary<readonly Bet[]> =>
  fc
    .array(bet, { minLength: 1, maxLength: 8 })
    .map((all) => all.map((each) => ({ ...each, lay: each.lay && convention === 'odds' })));

const BANK_KEY = 'key-bank';

/** An account that has exactly these bets, each against another account. */
function withBets(bets: readonly Bet[], convention: PriceConvention): Harness {
  const accounts = [
    { accountId: 'a', keys: ['key-a'], balanceMicros: toMicros(1e8) },
    { accountId: 'bank', keys: [BANK_KEY], balanceMicros: toMicros(1e9) },
  ];
  const settings = { ...UNLIMITED, priceConvention: convention };
  const h = new Harness({ accounts, settings, priced: false, parse: parseBetType });
  h.exchange.market.putEvent(event(), h.nowMs);
  for (const { outcome, direction, price, stake, lay } of bets) {
    // The outcome exists from its first liquidity on.
    h.rest(outcome, 'for', 2, 1);
    h.exchange.market.clearLevels('maker', at(outcome), h.nowMs);
    const betType = `${direction},${outcome}`;
    // The other side at the same price: under `lay` the other bet type, under `odds` the other kind of betslip.
    if (convention === 'lay') h.place(turned(betType), price, stake, {}, BANK_KEY);
    else h.place(betType, price, stake, { betslip_type: lay ? 'normal' : 'lay' }, BANK_KEY);
    const type = { betslip_type: lay ? 'lay' : 'normal' };
    h.place(betType, price, stake, { exchange_mode: 'take_only', ...type });
  }
  return h;
}

const turned = (betType: string): string =>
  betType.startsWith('for,') ? betType.replace('for,', 'against,') : betType.replace('against,', 'for,');

/** Profit of one bet at one final score, by the published facts. */
function profitIn(convention: PriceConvention, own: Bet, home: number, away: number): number {
  const { outcome, direction, price, stake, lay } = own;
  const parsed = parseBetType('fb', `for,${outcome}`);
  const settled = parsed?.settle({ kind: 'score', home, away, halfTimeHome: home, halfTimeAway: away });
  if (!settled) return 0;
  const isOnOther = convention === 'odds' && direction === 'against';
  const [won, lost] = isOnOther ? [settled.lost, settled.won] : [settled.won, settled.lost];
  const ofOdds = won * stake * (price - 1) - lost * stake;
  const isLay = convention === 'odds' ? lay : direction === 'against';
  return isLay ? -ofOdds : ofOdds;
}

describe.each(PRICE_CONVENTIONS)('under the convention `%s`, an exchange', (convention) => {
  const sumIn = (placed: readonly Bet[], home: number, away: number): number =>
    placed.reduce((sum, each) => sum + profitIn(convention, each, home, away), 0);
  const bets = betsOf(convention);

  it('settles any set of bets by the definition, at every score', () => {
    fc.assert(
      fc.property(bets, fc.nat(6), fc.nat(6), (placed, home, away) => {
        const h = withBets(placed, convention);
        const result = { kind: 'score', home, away, halfTimeHome: home, halfTimeAway: away } as const;
        h.exchange.market.settle(EVENT, result, h.nowMs);
        const [account] = h.exchange.inspect().accounts;
        const profit = fromMicros((account?.balanceMicros ?? 0) - toMicros(1e8));
        expect(profit).toBeCloseTo(sumIn(placed, home, away), 4);
        for (const order of h.call('GET', '/v2/orders/').data) {
          expect(order.status).toBe('reconciled');
          expect(order.bets[0]).toMatchObject({ reconciled: true, profit_loss: order.profit_loss });
          expect(order.event_info.result).toEqual({
            ht_home: home,
            ht_away: away,
            ft_home: home,
            ft_away: away,
          });
        }
      }),
      { numRuns: 150 },
    );
  });

  it('shows a position whose grid is the sum of its bets in all 400 scores, and frees what no score can cost', () => {
    fc.assert(
      fc.property(bets, (placed) => {
        const h = withBets(placed, convention);
        const { payoff_grid: grid, totals } = h.call('GET', '/v2/orders/position/').data;
        let worst = 0;
        for (let home = 0; home < GRID_SIZE; home++) {
          for (let away = 0; away < GRID_SIZE; away++) {
            const expected = sumIn(placed, home, away);
            expect(grid?.values[home][away] ?? 0).toBeCloseTo(expected, 4);
            worst = Math.min(worst, expected);
          }
        }
        const total = Object.values<{ got_stake: [string, number] }>(totals).reduce(
          (sum, t) => sum + t.got_stake[1],
          0,
        );
        expect(total).toBeCloseTo(
          placed.reduce((sum, { stake }) => sum + stake, 0),
          5,
        );
        const { open_stake: open, smart_credit: credit } = h.call('GET', '/v2/balance/').data;
        expect(open[1] - credit[1]).toBeCloseTo(-worst, 4);
      }),
      { numRuns: 60 },
    );
  });

  it('reverses everything when a settled event turns out to be void, and corrects a wrong result', () => {
    fc.assert(
      fc.property(bets, (placed) => {
        const h = withBets(placed, convention);
        const balance = (): number => h.exchange.inspect().accounts[0]?.balanceMicros ?? 0;
        const settle = (home: number, away: number): void =>
          h.exchange.market.settle(
            EVENT,
            { kind: 'score', home, away, halfTimeHome: home, halfTimeAway: away },
            h.nowMs,
          );
        settle(2, 1);
        settle(0, 3);
        expect(fromMicros(balance() - toMicros(1e8))).toBeCloseTo(sumIn(placed, 0, 3), 4);
        h.exchange.market.voidEvent(EVENT, h.nowMs);
        expect(balance()).toBe(toMicros(1e8));
        const statuses = h.exchange.inspect().orders.map(({ status }) => status);
        expect(new Set(statuses)).toEqual(new Set(['full_void']));
      }),
      { numRuns: 50 },
    );
  });
});
