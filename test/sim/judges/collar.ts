import type { PlaceOrder } from '../../../src/domain/orders.ts';
import { isOnLadder } from '../ladder.ts';
import type { Levels, ReceivedMarket, ReceivedOffers } from '../received-offers.ts';
import {
  bestFirst,
  type Kind,
  kindOf,
  offeredKind,
  ofSelection,
  type Side,
  sideOfKind,
} from '../order-terms.ts';
import { OwnPrices } from '../own-prices.ts';
import { isCreate, uuidOf } from '../witness.ts';
import type { Run } from '../world.ts';
import type { MakeJudgement } from './judge.ts';
import { riskBehind } from '../../support/inputs.ts';

/**
 * A price may not lie farther than this from the consensus: on the bad side in probability and log-odds, on the good
 * one.
 */
const [WORSE_PROBABILITY, WORSE_LOG_ODDS, BETTER_LOG_ODDS] = [0.05, 0.5, 2];
/** Values that are computed twice differ in their last digits. */
const ROUNDING = 1e-9;
/** Prices may be used for 15 s, and quotes that fall behind the offers for 5 s. */
const USABLE_MS = 16_000;

const COLLAR_CODES = ['collar_adverse', 'collar_away'];

type Prices = (side: Side) => readonly (number | null)[];

/**
 * 11: price and stake of each order are finite. The price is on the ladder and inside the collar around the middle of
 * the reported taker prices, without our own orders. No refusal names a collar that holds.
 */
export const collar: MakeJudgement = ({ world, plan, journal, fail }) => {
  const convention = plan.world.againstPrices ?? 'lay';
  const own = new OwnPrices(() => world.clock.monotonicMs());
  const watched = new WeakSet<Run>();
  const fairsOf = (received: ReceivedOffers, market: ReceivedMarket): readonly number[] =>
    middles((side) =>
      bestOf(
        received,
        { ...market, betType: turned(market.betType, side) },
        offeredKind(side, convention),
        own,
      ),
    );

  const listen = (run: Run): void => {
    if (watched.has(run)) return;
    watched.add(run);
    const risk = riskBehind(run.composed.core);
    const approve = risk.approve.bind(risk);
    Object.assign(risk, {
      approve: (order: PlaceOrder) => {
        const result = approve(order);
        if (!result.ok)
          refused(
            run,
            order,
            result.refusals.map(({ code }) => code),
          );
        return result;
      },
    });
  };

  const refused = (run: Run, order: PlaceOrder, codes: readonly string[]): void => {
    const kind = kindOf(order);
    const named = COLLAR_CODES.filter((code) => codes.includes(code));
    if (kind === null || named.length === 0) return;
    const breaks = fairsOf(run.received.offers, order).map((fair) => brokenBy(kind, order.price, fair));
    for (const code of named)
      if (breaks.every((broken) => broken !== code))
        fail('11 collar', `${code} at ${order.price} for ${order.betType}, which it does not break`);
  };

  return {
    onSent(sent, { received }) {
      if (!isCreate(sent)) return;
      const { price, stake } = JSON.parse(sent.body ?? '{}') as { price: number; stake: [string, number] };
      const isFinite = Number.isFinite(stake[1]) && stake[1] > 0;
      if (!isOnLadder(price) || !isFinite) fail('11 on tick', `${stake.join(' ')} at ${price}`);
      const intended = journal.intended.get(uuidOf(sent));
      const kind = intended === undefined ? null : kindOf(intended.place);
      if (intended === undefined || kind === null) return;
      const fairs = fairsOf(received.offers, intended.place);
      if (fairs.length === 0) fail('11 no reference', `${price} for ${intended.place.betType}`);
      else if (fairs.every((fair) => brokenBy(kind, price, fair) !== null))
        fail('11 collar', `${intended.place.betType} at ${price}, fair ${fairs.join(' or ')}`);
    },
    onEvent(changed) {
      own.see(changed);
      if (world.run !== null) listen(world.run);
    },
  };
};

const logOdds = (probability: number): number => Math.log(probability / (1 - probability));

/** How much worse than fair the price is for us: `for` pays less than it costs. */
function brokenBy(kind: Kind, own: number, fair: number): string | null {
  const sign = sideOfKind(kind) === 'for' ? 1 : -1;
  const price = ofSelection(kind, own);
  const worse = sign * (logOdds(1 / price) - logOdds(fair));
  if (sign * (1 / price - fair) > WORSE_PROBABILITY + ROUNDING) return 'collar_adverse';
  if (worse > WORSE_LOG_ODDS + ROUNDING) return 'collar_adverse';
  return -worse > BETTER_LOG_ODDS + ROUNDING ? 'collar_away' : null;
}

/** Every fair probability that the reports allow: the middle of both sides, or the one known side. */
function middles(best: Prices): readonly number[] {
  return best('for').flatMap((one) =>
    best('against').flatMap((other) => {
      const known = [one, other].filter((price) => price !== null);
      return known.length === 0 ? [] : [known.reduce((sum, price) => sum + 1 / price, 0) / known.length];
    }),
  );
}

/** The possible best prices of others for a taker, as prices of the selection; null where there may be none. */
function bestOf(
  received: ReceivedOffers,
  market: ReceivedMarket,
  kind: Kind,
  own: OwnPrices,
): readonly (number | null)[] {
  const quote = received.quoteOf(market);
  const offers = (received.offersOf(market) ?? [null]).map((levels) => ({ levels, kind }));
  const quotes = quote !== null && quote.ageMs < USABLE_MS ? [{ ...quote, kind: quote.kind ?? kind }] : [];
  const best = [...offers, ...quotes].flatMap((list) =>
    bestWithin(list.levels ?? [], list.kind, market, own),
  );
  return [...new Set(best)];
}

function bestWithin(levels: Levels, kind: Kind, market: ReceivedMarket, own: OwnPrices): (number | null)[] {
  const prices = levels.filter((_, at) => at % 3 === 0 && levels[at + 2] !== 0);
  const ordered = bestFirst(kind, prices);
  const first = ordered.findIndex((price) => !own.mayBe(market, price, kind));
  const known = (first === -1 ? ordered : ordered.slice(0, first + 1)).map((price) =>
    ofSelection(kind, price),
  );
  return first === -1 ? [...known, null] : known;
}

const turned = (betType: string, side: Side): string => betType.replace(/^(for|against),/, `${side},`);
