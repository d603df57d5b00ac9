import { eventKey, eventNameOf } from '../domain/events.ts';
import type { RiskDeps } from './api.ts';
import type { OrderTracker } from './exposure/tracker.ts';
import type { Guards } from './guards/index.ts';
import type { Bet } from './exposure/payoffs.ts';

/** Shows the guards how old the prices and the scores are of what an order of ours is open on. */
export function showAges(
  { eventFacts, reference }: Pick<RiskDeps, 'eventFacts' | 'reference'>,
  tracker: OrderTracker,
  guards: Guards,
): void {
  // Early in a run, the catalogue may not know the markets of orders already open.
  const isInCatalogue = (bet: Bet): boolean => (eventFacts(bet)?.marketTypeOf(bet.betType) ?? null) !== null;
  const bets = new Map(tracker.open().map(({ bet }) => [bet.selectionId, bet]));
  const events = new Map([...bets.values()].map((bet) => [eventKey(bet), bet]));
  for (const bet of events.values()) {
    const facts = eventFacts(bet);
    if (facts === null) continue;
    const { inRunning, scoreAgeMs } = facts;
    guards.onScoreAge({ ...eventNameOf(bet), inRunning, scoreAgeMs });
  }
  for (const bet of bets.values()) {
    if (!isInCatalogue(bet)) continue;
    const { sport, eventId, selectionId } = bet;
    guards.onAge({ sport, eventId, selectionId, ageMs: reference(selectionId)?.ageMs ?? null });
  }
}
