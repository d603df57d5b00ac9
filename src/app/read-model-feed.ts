import { filter, map, merge, type Observable, tap } from 'rxjs';
import { eventKey, type EventName } from '../domain/events.ts';
import type { EventKey, SelectionId } from '../domain/ids.ts';
import type { ExchangePrices } from '../domain/exchange-prices.ts';
import type { Participants } from '../domain/selection-name.ts';
import type { StreamSignal } from '../domain/stream.ts';
import type { Input } from '../engine/input.ts';
import type { Look } from '../engine/turn.ts';
import { momentOf } from '../lib/time.ts';
import type { EventState, MarketRead } from '../market/index.ts';
import { reasonCode } from '../orders/send-gate.ts';
import { markedStakeMicros, type OnMarked } from '../ledger/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventMoney } from '../read-model/profit.ts';
import type { ConnectionSignal, Fact, ReadModel } from '../read-model/read-model.ts';
import type { EventPlay, LiveReadings } from '../read-model/live/live-state.ts';
import { shownAdjustment, shownHandQuote } from '../read-model/live/shown-by-hand.ts';
import type { LiveRestriction, LiveTrading } from '../read-model/live/message.ts';
import type { EventReading, Readings } from '../read-model/status.ts';
import { ACCOUNT, eventScope, type RiskRead, type Scope, scopeOfSelection } from '../risk/index.ts';
import type { Core } from '../engine/core.ts';
import type { Engine, EngineParts } from '../engine/engine.ts';
import { namesFrom } from './names.ts';

/** Passes every fact of a run to the read model as it happens. */
export function feedReadModel(
  model: ReadModel,
  engine: Pick<Engine, 'decision$' | 'look$' | 'signal$'>,
  core: Pick<Core, 'change$' | 'input$' | 'market'>,
  clock: Clock,
  onFatal: (error: unknown) => void,
): void {
  facts(engine, core, clock)
    .pipe(tap((fact) => model.take(fact)))
    .subscribe({ error: onFatal });
}

/** A person ends what stopped the whole account. */
const isResume = (input: Input): boolean =>
  input.kind === 'resume' ||
  (input.kind === 'state' && input.scope.kind === 'account' && input.state === 'active');

const isOfConnection = (signal: StreamSignal): signal is ConnectionSignal => signal.kind !== 'frame';

function facts(
  { decision$, look$, signal$ }: Pick<Engine, 'decision$' | 'look$' | 'signal$'>,
  { change$, input$, market }: Pick<Core, 'change$' | 'input$' | 'market'>,
  clock: Clock,
): Observable<Fact> {
  return merge(
    decision$.pipe(map((decision): Fact => ({ kind: 'decision', decision }))),
    look$.pipe(map((look): Fact => ({ kind: 'look', look, ...namesIn(look, market) }))),
    change$.pipe(
      map((change): Fact => ({ kind: 'account', change, atMs: clock.monotonicMs(), wallMs: clock.wallMs() })),
    ),
    input$.pipe(
      filter(isResume),
      map((): Fact => ({ kind: 'resumed', atMs: clock.monotonicMs() })),
    ),
    signal$.pipe(
      map((signal): Fact =>
        isOfConnection(signal)
          ? { kind: 'connection', signal }
          : { kind: 'frame', atMs: signal.receivedMonotonicMs },
      ),
    ),
  );
}

function namesIn(
  { events }: Look,
  market: Pick<MarketRead, 'event'>,
): Pick<Extract<Fact, { readonly kind: 'look' }>, 'titles' | 'who'> {
  const titles = new Map<EventKey, string>();
  const who = new Map<EventKey, Participants>();
  for (const event of events) {
    const described = market.event(event)?.event;
    if (described === undefined) continue;
    titles.set(eventKey(event), described.eventName);
    who.set(eventKey(event), described);
  }
  return { titles, who };
}

const MARKED_AFTER_S = 10;

/** Forwards mark-outs to the history, and those after 10 s to the read model. */
export const markedBy =
  (model: ReadModel, history: { readonly onMarked: OnMarked } | undefined): OnMarked =>
  (fill, horizonS, micros) => {
    history?.onMarked(fill, horizonS, micros);
    if (horizonS !== MARKED_AFTER_S) return;
    model.take({ kind: 'markout10', betId: fill.betId, ratio: micros / markedStakeMicros(fill) });
  };

export const exchangePricesOf = ({ core }: Pick<EngineParts, 'core'>): ExchangePrices => core.prices.current;

/** The present state that the parts own and the read model does not count. */
export function readingsOf(
  parts: EngineParts,
  run: Omit<Readings['run'], 'mode'>,
  last: Pick<ReadModel, 'titleOf' | 'whoOf'>,
  stateOf = eventStates(parts.core.market),
): Readings {
  const names = namesFrom(
    (name) => stateOf(name)?.event,
    (name) => last.titleOf(name),
    (name) => last.whoOf(name),
  );
  const { venue, orders, riskInputs, clock, convention } = parts;
  const { market, ledger, strategies, risk } = parts.core;
  const { heartbeatRemainingMs, blocked, ordersPlaced, waiting, ...betslips } = orders.status();
  const fairOf = once((id: SelectionId) => parts.core.fairValues.fairOf(id), asIs);
  return {
    ...momentOf(clock),
    run: { mode: venue.kind, ...run },
    heartbeatRemainingMs,
    blocked,
    ordersPlaced,
    strategiesOff: riskInputs
      .latchedStrategies()
      .map(({ strategy, record }) => ({ strategy, why: record.why, sinceMs: record.atMs })),
    profitByStrategy: riskInputs.profitByStrategy,
    budgets: venue.budgets(),
    betslipCap: { open: betslips.betslipCap, isLearned: betslips.betslipCapLearned },
    reasonOf: (id) => risk.stoppedBy(id),
    throttledResponses: venue.throttledCount,
    profitLossMicros: ledger.profitLoss(fairOf).totalMicros,
    money: moneyOf(parts),
    fairOf,
    sources: ledger.attribution(),
    markouts: ledger.markouts(),
    balance: riskInputs.balance,
    priceConvention: convention.status,
    turnoverMicros: risk.matchedTodayMicros(),
    limits: risk.limitUses(),
    ownerOf: (event) => strategies.ownerOf(event),
    positions: new Map(ledger.selections().map((id) => [id, ledger.position(id)])),
    missing: new Map(waiting.map((each) => [each.intent.selectionId, reasonCode(each)])),
    event: (name) => eventReading(stateOf(name)),
    outcomeOf: names.selection,
    depthOf: once((id: SelectionId) => market.marketOf(id), asIs),
    exchangePrices: exchangePricesOf(parts),
  };
}

/** Reads the state of each event once: within one status, it is the same wherever it is shown. */
export const eventStates = (market: MarketRead): StateOf => once((name) => market.event(name), eventKey);

type StateOf = (name: EventName) => EventState | undefined;

/** The same for pages, with what they show beyond the status. */
export function liveReadingsOf(
  parts: EngineParts,
  readings: Readings,
  stateOf: StateOf,
  heartbeatS: number,
  alertsAt: LiveReadings['alertsAt'],
): LiveReadings {
  const { risk, adjustments, handQuotes } = parts.core;
  return {
    ...readings,
    heartbeatS,
    alertsAt,
    play: (name) => playOf(stateOf(name)),
    risk: (name) => risk.eventRisk(name),
    trading: tradingOf(parts),
    restriction: (event, selection) =>
      restrictionOf(risk, selection === null ? eventScope(event) : scopeOfSelection(selection)),
    adjustments: (event) => adjustments.of(event).map(shownAdjustment),
    byHand: (selection) =>
      handQuotes
        .records()
        .filter(({ selectionId }) => selectionId === selection)
        .map((quote) => shownHandQuote(quote, handQuotes.filledMicros(quote.id), exchangePricesOf(parts))),
  };
}

function playOf(state: EventState | undefined): EventPlay | null {
  if (state === undefined) return null;
  const { inRunning, score, redCards, time, suspended } = state;
  const { competitionName: competition, startTimeMs, home, away, teams } = state.event;
  return { competition, startTimeMs, home, away, teams, inRunning, score, redCards, time, suspended };
}

function tradingOf({ core: { risk }, riskInputs: { kept } }: EngineParts): LiveTrading {
  const { killed } = risk;
  const keptOver = kept.isForThisRun ? 'for this run' : 'over restarts';
  if (killed !== null) {
    const { by, reason: why, atMs } = killed;
    const keptKill = kept.latchedIn === null ? 'nowhere' : keptOver;
    return { state: 'killed', by, why, sinceMs: Math.round(atMs), kept: keptKill };
  }
  const { state, record } = risk.effectiveState(ACCOUNT);
  if (record === null) return { state, by: null, why: null, sinceMs: null, kept: keptOver };
  return { state, by: record.by, why: record.why, sinceMs: Math.round(record.atMs), kept: keptOver };
}

/** What narrows a scope beyond the account. */
function restrictionOf(risk: RiskRead, scope: Scope): LiveRestriction | null {
  const { state, record } = risk.effectiveState(scope);
  if (state === 'active' || record === null || record.scope.kind === 'account') return null;
  const untilMs = record.untilMs === undefined ? null : Math.round(record.untilMs);
  return { state, by: record.by, why: record.why, untilMs };
}

/**
 * Settled and open bets by event. Profit of an event without an owner belongs to the first strategy, as for the limits on losses.
 * Risk may know a bet before the ledger does: the stake of a fill that is not reported yet.
 */
function moneyOf({ core: { ledger, risk, strategies } }: EngineParts): readonly EventMoney[] {
  const held = new Map(risk.heldEvents().map((event) => [eventKey(event), event]));
  const [first = ''] = strategies.names;
  const booked = ledger.events().map(({ realisedMicros, isHeld, selections, ...event }) => {
    const key = eventKey(event);
    const least = held.get(key);
    held.delete(key);
    return {
      ...event,
      owner: strategies.ownerOf(event) ?? first,
      settledMicros: realisedMicros,
      selections,
      isHeld: isHeld || least !== undefined,
      leastMicros: least?.leastMicros ?? 0,
    };
  });
  const early = Array.from(held.values(), (event) => ({
    ...event,
    owner: strategies.ownerOf(event) ?? first,
    settledMicros: 0,
    selections: [],
    isHeld: true,
  }));
  return [...booked, ...early];
}

/** Reads each subject once: within one status, its state is the same wherever it is shown. */
function once<T, K, V>(read: (of: T) => V, keyOf: (of: T) => K): (of: T) => V {
  const known = new Map<K, V>();
  return (of) => {
    const key = keyOf(of);
    if (!known.has(key)) known.set(key, read(of));
    return known.get(key) as V;
  };
}

const asIs = <T>(value: T): T => value;

function eventReading(state: EventState | undefined): EventReading | null {
  if (state === undefined) return null;
  const { event, inRunning, score } = state;
  return { title: event.eventName, startTimeMs: event.startTimeMs, inRunning, score };
}
