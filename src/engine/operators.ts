import {
  auditTime,
  buffer,
  connect,
  filter,
  from,
  map,
  mergeMap,
  type MonoTypeOperatorFunction,
  type OperatorFunction,
  type SchedulerLike,
  startWith,
  takeWhile,
  tap,
} from 'rxjs';
import type { EventView } from '../domain/event-view.ts';
import { eventKey, type EventName } from '../domain/events.ts';
import type { SelectionId } from '../domain/ids.ts';
import type { QuoteIntent } from '../domain/quote-intent.ts';
import { isSelectionOf } from '../domain/selection.ts';
import type { StreamEntry, StreamFrame, StreamSignal } from '../domain/stream.ts';
import type { Market, MarketChange, SelectionState } from '../market/index.ts';
import { type Plan, type PlanBasis, planFor } from '../orders/targets/reconcile.ts';
import type { Admission } from '../risk/index.ts';
import type { StrategyAnswer } from '../strategy/host.ts';
import type { Owned } from './strategies.ts';
import type { Decision, Turn, TurnInput } from './turn.ts';

const PRIVATE_PRICES: ReadonlySet<StreamEntry['tag']> = new Set(['pmm', 'betslip', 'betslip_closed']);

const isPrivatePrice = ({ tag }: StreamEntry): boolean => PRIVATE_PRICES.has(tag);
const isPublic = (entry: StreamEntry): boolean => !isPrivatePrice(entry);

/** The stream without private quotes: events, offers, and changes of the connection. */
export const offers = (): OperatorFunction<StreamSignal, StreamSignal> => (signal$) =>
  signal$.pipe(
    map((signal) => (signal.kind === 'frame' ? partOf(signal, isPublic) : signal)),
    filter((signal) => signal !== null),
  );

/** The stream's private quotes (`pmm`), and the betslips that they belong to. */
export const privateQuotes = (): OperatorFunction<StreamSignal, StreamFrame> => (signal$) =>
  signal$.pipe(
    map((signal) => (signal.kind === 'frame' ? partOf(signal, isPrivatePrice) : null)),
    filter((frame) => frame !== null),
  );

/**
 * The entries of a frame that belong to one of its two parts; null if there are none. A frame whose entries all belong is
 * returned unchanged. A frame with both parts is marked, so that the join emits its changes once.
 */
function partOf(frame: StreamFrame, belongs: (entry: StreamEntry) => boolean): StreamFrame | null {
  const { entries } = frame;
  let count = 0;
  for (const entry of entries) if (belongs(entry)) count++;
  if (count === entries.length) return frame;
  return count === 0 ? null : { ...frame, isPart: true, entries: entries.filter(belongs) };
}

/** Events that have to be looked at because of an input. */
export interface Due {
  /** Null if the input itself was emitted before its consequences. */
  readonly input: TurnInput | null;
  readonly events: readonly EventName[];
}

export const due = (events: readonly EventName[], input: TurnInput | null = null): Due => ({ input, events });

/** An input whose consequences are emitted separately. */
export const arrived = (input: TurnInput): Due => due([], input);

/** A turn and the events that it has to decide, each once. */
export interface DueTurn {
  readonly turn: Turn;
  readonly events: readonly EventName[];
}

/** Inputs that concern no quoted event wait for the next turn; a tick and a wake always cause one. */
const causesTurn = ({ input, events }: Due): boolean =>
  events.length > 0 || input?.kind === 'tick' || input?.kind === 'wake';

/**
 * Gathers inputs into turns, so that a burst of frames costs one view of each event. The first due event schedules a turn at the
 * scheduler's next opportunity; everything that arrives before then belongs to that turn. `read` is called once a turn.
 */
export const conflate =
  (scheduler: SchedulerLike, read: () => Pick<Turn, 'wallMs' | 'budgets'>): OperatorFunction<Due, DueTurn> =>
  (due$) =>
    due$.pipe(
      connect((shared$) => {
        // Events that become due while a turn is decided wait for the next turn.
        const turnIsDue$ = shared$.pipe(filter(causesTurn), auditTime(0, scheduler));
        return shared$.pipe(buffer(turnIsDue$));
      }),
      map((dues, index) => {
        const inputs = dues.flatMap(({ input }) => input ?? []);
        const events = new Map(dues.flatMap((each) => each.events).map((event) => [eventKey(event), event]));
        const turn = { seq: index + 1, monotonicMs: scheduler.now(), ...read(), inputs };
        return { turn, events: [...events.values()] };
      }),
    );

/** One event of a turn, with the strategy's view. */
export interface ViewedEvent {
  readonly turn: Turn;
  readonly event: EventName;
  readonly selections: readonly SelectionId[];
  readonly view: EventView | null;
}

/** Views each event of a turn, one at a time: an event is decided before the next one is viewed. */
export const viewEach =
  (
    selectionsOf: (event: EventName) => readonly SelectionId[],
    viewOf: (event: EventName, selections: readonly SelectionId[], turn: Turn) => EventView | null,
  ): OperatorFunction<DueTurn, ViewedEvent> =>
  (turn$) =>
    turn$.pipe(
      mergeMap(({ turn, events }) => from(events).pipe(map((event) => ({ turn, event })))),
      map(({ turn, event }) => ({ turn, event, selections: selectionsOf(event) })),
      map((quoted) => ({ ...quoted, view: viewOf(quoted.event, quoted.selections, quoted.turn) })),
    );

/** A viewed event with the answer of its owning strategy. */
export interface QuotedEvent extends ViewedEvent, Owned, StrategyAnswer {}

/** A quoted event with the quotes that may rest now. */
export interface AdmittedEvent extends QuotedEvent {
  readonly admission: Admission;
}

/** Applies the risk limits. */
export const admitBy =
  (
    admit: (selections: readonly SelectionId[], intents: readonly QuoteIntent[], turn: Turn) => Admission,
  ): OperatorFunction<QuotedEvent, AdmittedEvent> =>
  (quoted$) =>
    quoted$.pipe(
      map((quoted) => ({ ...quoted, admission: admit(quoted.selections, quoted.intents, quoted.turn) })),
    );

/** An admitted event with its targets; null while too little is known of the event to set them. */
export interface TargetedEvent extends AdmittedEvent {
  readonly targets: readonly QuoteIntent[] | null;
}

/** The admitted quotes become the targets, but only for events of which enough is known. */
export const toTargets =
  (isDecidable: (event: EventName) => boolean): OperatorFunction<AdmittedEvent, TargetedEvent> =>
  (admitted$) =>
    admitted$.pipe(
      map((admitted) => ({
        ...admitted,
        targets: isDecidable(admitted.event) ? admitted.admission.quotes : null,
      })),
    );

/** The first admitted quote makes its strategy the owner of the event. */
export const ownFirst =
  (claim: (event: EventName, owner: string) => void): MonoTypeOperatorFunction<TargetedEvent> =>
  (targeted$) =>
    targeted$.pipe(
      tap(({ event, owner, targets }) => {
        if (owner !== null && targets !== null && targets.length > 0) claim(event, owner);
      }),
    );

/** Adds the plan from the existing orders to the targets, for whoever watches decisions. The order manager plans again when it acts. */
export const planWith =
  (basisOf: (event: EventName) => PlanBasis): OperatorFunction<TargetedEvent, Decision> =>
  (targeted$) =>
    targeted$.pipe(
      map((targeted) => ({ ...targeted, ...planned(targeted.targets, basisOf(targeted.event)) })),
    );

const planned = (
  targets: readonly QuoteIntent[] | null,
  basis: PlanBasis,
): { readonly basis: PlanBasis; readonly plan: Plan | null } => ({
  basis,
  plan: targets === null ? null : planFor(targets, basis),
});

/** The state of one selection: at first, then at each change of its event. Completes when the exchange removes the selection. */
export const selectionStates =
  (market: Pick<Market, 'selection'>, id: SelectionId): OperatorFunction<MarketChange, SelectionState> =>
  (change$) =>
    change$.pipe(
      filter(({ events }) => events.some((event) => isSelectionOf(event, id))),
      startWith(null),
      map(() => market.selection(id)),
      takeWhile((state) => state !== undefined),
    );
