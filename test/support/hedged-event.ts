import { type ExchangePrices, LAY_PRICES } from '../../src/domain/exchange-prices.ts';
import { selectionId } from '../../src/domain/selection.ts';
import { Hedging } from '../../src/engine/hedging/hedging.ts';
import { createLedger } from '../../src/ledger/index.ts';
import { EVENT, eventEntry, FB, offerEntry, prices, rig } from '../market/support.ts';
import { learnGrids } from '../risk/support/books.ts';
import { type Ask, ask, bench, FACTS, fillOf } from '../risk/support/harness.ts';
import { betsOf } from './account.ts';

/** A selection of the event. */
export const id = (outcome: string) => selectionId(FB, EVENT, outcome);

const PRICES: readonly (readonly [outcome: string, family: string, back: number, lay: number])[] = [
  ['h', 'wdw', 2, 2.04],
  ['d', 'wdw', 3.5, 3.6],
  ['a', 'wdw', 4.1, 4.3],
  ['over,2.5', 'ou', 1.95, 2],
  ['under,2.5', 'ou', 2, 2.06],
];

export const ODDS: ExchangePrices = { convention: 'odds', secondSide: 'against' };

/** Plans hedges of an event with five selections, and these bets on it. */
export const hedgedEvent = (...bets: readonly Ask[]) => hedgedEventAt(LAY_PRICES, ...bets);

/** The same where the exchange's prices mean this. */
export function hedgedEventAt(current: ExchangePrices, ...bets: readonly Ask[]) {
  const world = bench({}, { exchangePrices: () => current });
  const { risk } = world;
  world.facts = { ...FACTS, marketTypeOf: (betType) => (betType.includes(',win,') ? 'win' : 'wdw') };
  const ledger = createLedger();
  const market = rig({}, undefined, { current });
  learnGrids(
    risk,
    PRICES.map(([outcome]) => `for,${outcome}`),
  );
  const offers = (depth: number) => [
    eventEntry(),
    ...PRICES.flatMap(([outcome, marketType, back, lay]) => [
      offerEntry(`for,${outcome}`, prices([back, depth]), { marketType }),
      offerEntry(`against,${outcome}`, prices([lay, depth]), { marketType }),
    ]),
  ];
  market.frame(offers(1_000));
  const hedging = new Hedging({ market: market.market, risk, ledger, prices: { current } });
  const hold = (bet: Ask): void => {
    const fill = fillOf(ask(bet), bet.stake ?? 10);
    for (const projection of [risk, ledger]) betsOf(projection).report(fill);
  };
  for (const bet of bets) hold(bet);
  const { clock, frame } = market;
  const thin = (): unknown => frame(offers(1));
  return { hedging, risk, ledger, market: market.market, clock, frame, hold, offers, thin };
}
