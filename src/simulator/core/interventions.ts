/** What a hand from outside does to an event whose feed leaves it to the exchange. */
import type { Intervention, Market } from './api.ts';
import type { Catalogue } from './catalogue.ts';

/** Does it to the market alone. A race has no score to add to. */
export function interveneDirectly(
  market: Market,
  catalogue: Catalogue,
  eventId: string,
  act: Intervention,
  nowMs: number,
): void {
  switch (act.kind) {
    case 'goal':
      return addGoal(market, catalogue, eventId, act.side, nowMs);
    case 'suspend':
    case 'resume':
      return market.setSuspended(eventId, act.kind === 'suspend', nowMs);
    case 'in_running':
      return market.goInRunning(eventId, nowMs);
    case 'end':
      if (act.result === null) market.voidEvent(eventId, nowMs);
      else market.settle(eventId, act.result, nowMs);
  }
}

function addGoal(
  market: Market,
  catalogue: Catalogue,
  eventId: string,
  side: 'home' | 'away',
  nowMs: number,
): void {
  const event = catalogue.byId(eventId)[0];
  if (event?.info.eventType !== 'normal') return;
  const [home, away] = event.score ?? [0, 0];
  if (side === 'home') market.setScore(eventId, home + 1, away, nowMs);
  else market.setScore(eventId, home, away + 1, nowMs);
}
