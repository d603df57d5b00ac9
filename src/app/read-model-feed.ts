import { filter, map, merge, type Observable, tap } from 'rxjs';
import { eventKey, type EventName } from '../domain/events.ts';
import type { EventKey } from '../domain/ids.ts';
import type { Fill } from '../domain/live-order.ts';
import type { StreamSignal } from '../domain/stream.ts';
import { bestPrices } from '../engine/risk-inputs/market-watch.ts';
import type { Decision, Look, OrderChange } from '../engine/turn.ts';
import { momentOf } from '../lib/time.ts';
import type { Market } from '../market/index.ts';
import { reasonCode } from '../orders/send-gate.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConnectionSignal, Fact, ReadModel } from '../read-model/read-model.ts';
import type { EventReading, Readings } from '../read-model/status.ts';
import type { EngineParts } from './engine.ts';

/** The sources of the read model's facts. */
export interface FactSources {
  readonly decision$: Observable<Decision>;
  readonly look$: Observable<Look>;
  readonly order$: Observable<OrderChange>;
  readonly fill$: Observable<Fill>;
  readonly signal$: Observable<StreamSignal>;
}

export interface FeedParts {
  readonly clock: Clock;
  readonly market: Pick<Market, 'event'>;
  readonly onFatal: (error: unknown) => void;
}

/** Passes every fact of a run to the read model as it happens. */
export function feedReadModel(
  model: ReadModel,
  sources: FactSources,
  { onFatal, ...parts }: FeedParts,
): void {
  facts(sources, parts)
    .pipe(tap((fact) => model.take(fact)))
    .subscribe({ error: onFatal });
}

const isOfConnection = (signal: StreamSignal): signal is ConnectionSignal => signal.kind !== 'frame';

function facts(
  { decision$, look$, order$, fill$, signal$ }: FactSources,
  { clock, market }: Omit<FeedParts, 'onFatal'>,
): Observable<Fact> {
  return merge(
    decision$.pipe(map((decision): Fact => ({ kind: 'decision', decision }))),
    look$.pipe(map((look): Fact => ({ kind: 'look', look, titles: titlesOf(look, market) }))),
    order$.pipe(map((change): Fact => ({ kind: 'order', change, atMs: clock.monotonicMs() }))),
    fill$.pipe(map((fill): Fact => ({ kind: 'fill', fill }))),
    signal$.pipe(
      filter(isOfConnection),
      map((signal): Fact => ({ kind: 'connection', signal })),
    ),
  );
}

function titlesOf({ events }: Look, market: FeedParts['market']): ReadonlyMap<EventKey, string> {
  const titles = new Map<EventKey, string>();
  for (const event of events) {
    const state = market.event(event);
    if (state !== undefined) titles.set(eventKey(event), state.event.eventName);
  }
  return titles;
}

/** The present state that the parts own and the read model does not count. */
export function readingsOf(parts: EngineParts, run: Omit<Readings['run'], 'mode'>): Readings {
  const { venue, market, orders, ledger, riskInputs, clock } = parts;
  const { heartbeatRemainingMs, blocked, ordersPlaced, waiting } = orders.status();
  return {
    ...momentOf(clock),
    run: { mode: venue.kind, ...run },
    ...{ heartbeatRemainingMs, blocked, ordersPlaced },
    strategiesOff: riskInputs.latchedStrategies().map(({ strategy, record }) => ({
      ...{ strategy, why: record.why, sinceMs: record.atMs },
    })),
    profitByStrategy: riskInputs.profitByStrategy,
    budgets: venue.budgets(),
    throttledResponses: venue.throttledCount,
    profitLossMicros: ledger.profitLoss((id) => riskInputs.watch.fairOf(id)).totalMicros,
    positions: new Map(ledger.selections().map((id) => [id, ledger.position(id)])),
    missing: new Map(waiting.map((each) => [each.intent.selectionId, reasonCode(each)])),
    event: (name) => eventReading(market, name),
    selection: (id) => ({
      outcome: market.selection(id)?.selection.outcome ?? id,
      market: bestPrices(market, id),
    }),
  };
}

function eventReading(market: Market, name: EventName): EventReading | null {
  const state = market.event(name);
  if (state === undefined) return null;
  const { event, inRunning, score } = state;
  return { title: event.eventName, startTimeMs: event.startTimeMs, inRunning, score };
}
