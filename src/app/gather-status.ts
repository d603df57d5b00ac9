import type { SelectionId } from '../domain/ids.ts';
import type { LiveOrder } from '../domain/live-order.ts';
import { isBetter, priceOf } from '../domain/odds.ts';
import type { Direction } from '../domain/selection.ts';
import type { OrderManagerStatus } from '../orders/api.ts';
import { told } from '../orders/wait-code.ts';
import type { Composed } from './compose.ts';
import { bestPrices } from './consensus.ts';
import { usdt } from './session-summary.ts';
import type { EventStatus, SelectionStatus, Status } from './status.ts';

/** What the status holds that the parts do not know. */
export type StatusFacts = Pick<Status, 'strategy' | 'runningS' | 'stopping'>;

/** Reads the whole status off the parts; cheap enough for twice a second. */
export function gatherStatus(composed: Composed, facts: StatusFacts): Status {
  const { engine, parts } = composed;
  const manager = parts.orders.status();
  const activity = parts.ledger.activity();
  const budgets = parts.venue.budgets();
  return {
    ...facts,
    mode: parts.venue.kind,
    stream: engine.streamState,
    heartbeatRemainingS: manager.heartbeatRemainingMs > 0 ? manager.heartbeatRemainingMs / 1000 : null,
    budgets,
    blocked: manager.blocked,
    ordersOpen: [...parts.orders.orders()].length,
    ordersPlaced: manager.ordersPlaced,
    ordersRefused: engine.ordersRefused,
    fills: activity.fills,
    stakeMatched: usdt(activity.stakeMatchedMicros),
    profitLoss: usdt(parts.ledger.profitLoss((id) => parts.riskDesk.watch.fairOf(id)).totalMicros),
    twoSidedQuoteRatio: engine.uptime.ratio(parts.clock.monotonicMs()),
    throttledResponses: parts.venue.throttledCount,
    events: eventStatuses(composed, manager),
  };
}

function eventStatuses(composed: Composed, manager: OrderManagerStatus): EventStatus[] {
  const { engine, parts } = composed;
  const orders = Map.groupBy(parts.orders.orders(), (order) => order.selectionId);
  const missing = new Map(manager.waiting.map((waiting) => [waiting.intent.selectionId, told(waiting)]));
  return [...engine.chosen].flatMap(([eventId, selections]) => {
    const state = parts.market.event(eventId);
    if (state === undefined) return [];
    const { event, inRunning, score } = state;
    return {
      name: event.eventName,
      sport: event.sport,
      startsInMs: event.startTimeMs === null ? null : event.startTimeMs - parts.clock.wallMs(),
      inRunning,
      score: score === null ? null : score.join(':'),
      selections: selections.map((id) =>
        selectionStatus(composed, id, orders.get(id) ?? [], missing.get(id) ?? null),
      ),
    };
  });
}

function selectionStatus(
  { parts }: Composed,
  id: SelectionId,
  orders: readonly LiveOrder[],
  missing: string | null,
): SelectionStatus {
  const { ifWinMicros, ifLoseMicros } = parts.ledger.position(id);
  return {
    selectionId: id,
    outcome: parts.market.selection(id)?.selection.outcome ?? id,
    market: bestPrices(parts.market, id),
    quoted: { for: bestQuoted(orders, 'for'), against: bestQuoted(orders, 'against') },
    ifWin: usdt(ifWinMicros),
    ifLose: usdt(ifLoseMicros),
    missing,
  };
}

/** Our quote that the next taker gets: of our `for` orders the lowest price, of our `against` orders the highest. */
function bestQuoted(orders: readonly LiveOrder[], direction: Direction): number | null {
  const open = orders.filter(
    (order) => order.direction === direction && ['live', 'closing'].includes(order.state),
  );
  const ticks = open.map((order) => order.tick);
  if (ticks.length === 0) return null;
  return priceOf(ticks.reduce((best, tick) => (isBetter(direction, best, tick) ? tick : best)));
}
