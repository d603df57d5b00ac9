import type { EventName } from '../../domain/events.ts';
import type { SelectionId } from '../../domain/ids.ts';
import { bestPrices } from '../../engine/risk-inputs/consensus.ts';
import { momentOf } from '../../lib/time.ts';
import { reasonCode } from '../../orders/send-gate.ts';
import type { EventReading, Readings, SelectionReading } from '../../read-model/status.ts';
import type { EngineParts } from '../engine.ts';

/** The present state that the parts own and the read model does not count. */
export function readingsOf(parts: EngineParts, run: Omit<Readings['run'], 'mode'>): Readings {
  const { venue, orders, ledger, riskInputs, clock } = parts;
  const { heartbeatRemainingMs, blocked, ordersPlaced, waiting } = orders.status();
  return {
    ...momentOf(clock),
    run: { mode: venue.kind, ...run },
    ...{ heartbeatRemainingMs, blocked, ordersPlaced },
    budgets: venue.budgets(),
    throttledResponses: venue.throttledCount,
    profitLossMicros: ledger.profitLoss((id) => riskInputs.watch.fairOf(id)).totalMicros,
    positions: new Map(ledger.selections().map((id) => [id, ledger.position(id)])),
    missing: new Map(waiting.map((each) => [each.intent.selectionId, reasonCode(each)])),
    event: (name) => eventReading(parts, name),
    selection: (id) => selectionReading(parts, id),
  };
}

function eventReading({ market }: EngineParts, name: EventName): EventReading | null {
  const state = market.event(name);
  if (state === undefined) return null;
  const { event, inRunning, score } = state;
  return { title: event.eventName, startTimeMs: event.startTimeMs, inRunning, score };
}

function selectionReading({ market }: EngineParts, id: SelectionId): SelectionReading {
  return { outcome: market.selection(id)?.selection.outcome ?? id, market: bestPrices(market, id) };
}
