import { directionOf, isFromScore } from '../domain/selection.ts';
import type { MarketKnowledge } from './exposure/event-bets.ts';
import type { BetTypeGrids } from './exposure/payoffs.ts';
import type { EventFacts } from './facts.ts';
import type { EventName } from '../domain/events.ts';
import type { RiskLimits } from './limits/limits.ts';

interface Sources {
  readonly limits: RiskLimits;
  readonly eventFacts: (event: EventName) => Pick<EventFacts, 'marketTypeOf'> | null;
}

/** What exposure knows of markets: grids, and the winner markets of the catalogue. */
export function knowledgeOf({ limits, eventFacts }: Sources, grids: BetTypeGrids): MarketKnowledge {
  const winnerTypes: ReadonlySet<string | null> = new Set(limits.grids.winnerMarketTypes);
  return {
    // What a market from a score on pays is not proven: its bets net with no other market, and may lose whole.
    outcomes: (bet) => (isFromScore(bet.betType) ? null : grids.outcomes(bet)),
    lookedUp: (bet) => (isFromScore(bet.betType) ? null : grids.lookedUp(bet)),
    // A parlay depends on other events, too: no grid look-up can net it against this event's bets.
    isAwaited: (sport, betType) =>
      directionOf(betType) !== null && !isFromScore(betType) && grids.isWanted(sport, betType),
    winnerMarket: (bet) => {
      const marketType = eventFacts(bet)?.marketTypeOf(bet.betType) ?? null;
      return winnerTypes.has(marketType) ? marketType : null;
    },
  };
}
