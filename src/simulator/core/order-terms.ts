/** Reads an order's terms from its request and refuses invalid terms. */
import { isFootball } from '../../domain/events.ts';
import { fromMicros, type Micros, toMicros } from '../../domain/money.ts';
import { honouringTick } from '../../domain/odds.ts';
import type { BetslipRecord, LegRecord, OrderTerms } from './model.ts';
import { invalid, invalidTogether, type Reply } from './replies.ts';
import type { OrderBody } from './schemas.ts';

/** Refuses terms that contradict each other, the order type, the ladder or the score; null if the terms are valid. */
export function termsRefusal(betslip: BetslipRecord, body: OrderBody, minStakeMicros: Micros): Reply | null {
  const refusal = stakeRefusal(toMicros(body.stake[1]), minStakeMicros);
  if (refusal !== null) return refusal;
  if (betslip.type !== 'parlay' && honouringTick(betslip.priceKind, body.price) === null) {
    return invalid({ price: ['invalid_price'] });
  }
  if (body.current_score && !scoreMatches(betslip, body.current_score)) {
    return invalidTogether('event_scores_dont_match');
  }
  return minimumRefusal(body);
}

function stakeRefusal(stakeMicros: Micros, minStakeMicros: Micros): Reply | null {
  if (stakeMicros <= 0) return invalid({ stake: { '1': ['Ensure this value is greater than 0.'] } });
  if (stakeMicros >= minStakeMicros) return null;
  const reason = `Ensure this value is greater than or equal to ${fromMicros(minStakeMicros)}.`;
  return invalid({ stake: { '1': [reason] } });
}

/** Only dark orders may set a minimum for takers, at most their own stake. */
function minimumRefusal(body: OrderBody): Reply | null {
  const minimum = body.min_taker_want_stake;
  if (!minimum) return null;
  if (body.exchange_mode !== 'dark') {
    return invalid({ min_taker_want_stake: ['only allowed with exchange_mode dark'] });
  }
  if (minimum[1] <= body.stake[1]) return null;
  return invalid({ min_taker_want_stake: ['cannot exceed the stake of the order'] });
}

/** Whether the asserted score is the event's. An unknown score counts as 0-0, and so does any score outside football. */
function scoreMatches(betslip: BetslipRecord, asserted: readonly [number, number]): boolean {
  return betslip.selections.every(({ market: { event } }) => {
    const score = isFootball(event.info.sport) ? (event.score ?? [0, 0]) : [0, 0];
    return score[0] === asserted[0] && score[1] === asserted[1];
  });
}

export function termsOf(body: OrderBody): OrderTerms {
  const minimums = Object.entries(body.bookie_min_stakes ?? {});
  return {
    mode: body.exchange_mode,
    keepOpenIr: body.keep_open_ir,
    minTakerMicros: toMicros(body.min_taker_want_stake?.[1] ?? 0),
    acceptBetterPrice: body.accept_better_price,
    acceptPartialFill: body.accept_partial_fill,
    forceWantPrice: body.force_want_price,
    excludeDanger: body.exclude_danger,
    sourceMinimums: new Map<string, Micros>(minimums.map(([source, [, least]]) => [source, toMicros(least)])),
    currentScore: body.current_score ?? null,
    userData: body.user_data ?? null,
  };
}

export function newLeg(selection: BetslipRecord['selections'][number], index: number): LegRecord {
  const { market, parsed, betType, liveScore } = selection;
  return {
    id: index + 1,
    event: market.event,
    market,
    parsed,
    betType,
    liveScore,
    price: market.shownLevels('odds-for')[0]?.price ?? 1,
    outcome: null,
    factor: null,
  };
}
