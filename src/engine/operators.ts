import {
  auditTime,
  buffer,
  concat,
  concatMap,
  connect,
  filter,
  from,
  map,
  mergeMap,
  of,
  type OperatorFunction,
  type SchedulerLike,
  startWith,
  takeWhile,
  timer,
} from 'rxjs';
import { eventKey, type EventName } from '../domain/events.ts';
import type { SelectionId } from '../domain/ids.ts';
import { isSelectionOf } from '../domain/selection.ts';
import type { Market, MarketChange, SelectionState } from '../market/index.ts';
import type { Decision, Turn, TurnInput } from './turn.ts';

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
 * Emits what is due a few events at a time, each few in a task of their own: frames, orders and timers wait for a few events, not for all.
 * The input goes with the first.
 */
export const inSlices =
  (scheduler: SchedulerLike, most: number): OperatorFunction<Due, Due> =>
  (due$) =>
    due$.pipe(
      concatMap(({ input, events }) => {
        const others$ = from(slicesOf(events.slice(most), most)).pipe(
          concatMap((slice) => timer(0, scheduler).pipe(map(() => due(slice)))),
        );
        return concat(of(due(events.slice(0, most), input)), others$);
      }),
    );

const slicesOf = <T>(all: readonly T[], most: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, at) => all.slice(at * most, (at + 1) * most));

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

/** Decides each event of a turn before the next one. */
export const decideEach =
  (decide: (event: EventName, turn: Turn) => Decision): OperatorFunction<DueTurn, Decision> =>
  (turn$) =>
    turn$.pipe(mergeMap(({ turn, events }) => from(events).pipe(map((event) => decide(event, turn)))));

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
