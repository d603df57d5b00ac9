/** Interventions on an event whose feed does not apply them itself. */
import type { Intervention, Market, SimEventName } from './api.ts';
import type { Catalogue } from './catalogue.ts';

/** Applies an intervention to the market only. A goal in a race is ignored: a race has no score. */
export function interveneDirectly(
  market: Market,
  catalogue: Catalogue,
  event: SimEventName,
  act: Intervention,
  nowMs: number,
): void {
  switch (act.kind) {
    case 'goal':
      return addGoal(market, catalogue, event, act.side, nowMs);
    case 'suspend':
    case 'resume':
      return market.setSuspended(event, act.kind === 'suspend', nowMs);
    case 'in_running':
      return market.goInRunning(event, nowMs);
    case 'end':
      if (act.result === null) market.voidEvent(event, nowMs);
      else market.settle(event, act.result, nowMs);
  }
}

function addGoal(
  market: Market,
  catalogue: Catalogue,
  event: SimEventName,
  side: 'home' | 'away',
  nowMs: number,
): void {
  const record = catalogue.of(event);
  if (record?.info.eventType !== 'normal') return;
  const [home, away] = record.score ?? [0, 0];
  if (side === 'home') market.setScore(event, home + 1, away, nowMs);
  else market.setScore(event, home, away + 1, nowMs);
}
