import type { Observable, OperatorFunction, SchedulerLike } from 'rxjs';
import type { z } from 'zod';
import type { EventView, SourcePriceView } from '../domain/event-view.ts';
import type { EventName } from '../domain/events.ts';
import type { SelectionId } from '../domain/ids.ts';
import type { OrderState } from '../domain/lifecycle.ts';
import type { Micros } from '../domain/money.ts';
import type { Tick } from '../domain/ladder.ts';
import type { HedgeIntent } from '../domain/hedge-intent.ts';
import type { QuoteIntent, SizedIntent } from '../domain/quote-intent.ts';
import type { Direction } from '../domain/selection.ts';
import type { Random } from '../lib/random.ts';
import type { TimeOperators } from './time.ts';

/**
 * The version of this contract. `defineStrategy` writes it into a strategy, and the loader refuses any other.
 *
 * @example
 * CONTRACT; // 1
 */
export const CONTRACT = 1;

/**
 * A quote that a strategy wants, with a stake or a size, or a hedge.
 *
 * @example
 * const { selectionId } = selection;
 * const wanted: readonly Wanted[] = [
 *   { selectionId, direction: 'for', tick: 139, level: 0, stakeMicros: toMicros(20) },
 *   { selectionId, direction: 'against', tick: 110, level: 0, size: { contractsMicros: toMicros(46) } },
 *   { hedge: 'flat', goal: { kind: 'flatten', selectionId } },
 * ];
 */
export type Wanted = QuoteIntent | SizedIntent | HedgeIntent;

/**
 * The parts that both forms of a strategy have.
 *
 * @example
 * const titleOf = ({ name, description }: StrategyHead<unknown>): string => `${name}: ${description}`;
 */
export interface StrategyHead<P> {
  readonly contract: typeof CONTRACT;
  /** The name in logs, in the journal and in the strategy's loss limits. Not empty. */
  readonly name: string;
  /** A line for people. */
  readonly description: string;
  /** A zod schema that validates the parameters of the configuration and fills in defaults. */
  readonly parameters: z.ZodType<P>;
}

/**
 * A strategy without memory: the stream form with `map`.
 *
 * @example
 * const idle: PureStrategy<{ stake: number }> = defineStrategy({
 *   name: 'idle',
 *   description: 'quotes nothing',
 *   parameters: z.object({ stake: z.number().default(1) }),
 *   quote: () => [],
 * });
 */
export interface PureStrategy<P = unknown> extends StrategyHead<P> {
  /**
   * Returns all quotes and hedges wanted on the event, at most one quote for each selection, direction and level. A quote that is
   * missing is closed, and so are the bets of a hedge that is missing. Called when the event changed, and about once a second. `view` is frozen. Throwing, or returning a promise, gives
   * the event no quotes.
   */
  quote(view: EventView, parameters: P): readonly Wanted[];
}

/**
 * A strategy that remembers, waits, or watches more than one view.
 *
 * @example
 * const idle: StreamStrategy = defineStrategy({
 *   name: 'idle',
 *   description: 'quotes nothing, once a view',
 *   parameters: z.unknown(),
 *   quotes: (view$) => view$.pipe(rxjs.map(() => [])),
 * });
 */
export interface StreamStrategy<P = unknown> extends StrategyHead<P> {
  /**
   * Returns a stream of complete sets of quotes; the last set counts until the next one. Called once for each event that the
   * strategy quotes. `view$` completes when the event is over. A set that is emitted while a view is delivered counts for that
   * view; any other emission causes a view of the event. A stream that fails gives the event no quotes, and `quotes` is called
   * again at the next view; a stream that completes early gives it none for good.
   */
  quotes(view$: Observable<EventView>, context: StrategyContext<P>): Observable<readonly Wanted[]>;
}

/**
 * A strategy in one of its two forms.
 *
 * @example
 * const isStream = (strategy: Strategy): boolean => 'quotes' in strategy;
 */
export type Strategy<P = unknown> = PureStrategy<P> | StreamStrategy<P>;

/**
 * An order of ours on the event, after a change.
 *
 * @example
 * const unfilled = ({ stakeMicros, filledMicros }: OwnOrder): Micros => stakeMicros - filledMicros;
 */
export interface OwnOrder {
  readonly requestUuid: string;
  readonly selectionId: SelectionId;
  readonly direction: Direction;
  readonly tick: Tick;
  readonly stakeMicros: Micros;
  readonly filledMicros: Micros;
  readonly state: OrderState;
  /** The id of the take that it carries out; absent if it is a quote's order. */
  readonly take?: string;
}

/**
 * A matched stake of an order of ours.
 *
 * @example
 * const contractsOf = ({ stakeMicros, price }: OwnFill): number => fromMicros(stakeMicros) * price;
 */
export interface OwnFill {
  readonly betId: string;
  readonly requestUuid: string;
  readonly selectionId: SelectionId;
  readonly direction: Direction;
  /** Decimal. */
  readonly price: number;
  readonly stakeMicros: Micros;
  readonly role: 'maker' | 'taker' | 'unknown';
  /** The id of the take that its order carries out; absent if it is a quote's order. */
  readonly take?: string;
  /** Wall-clock milliseconds at which we received it. */
  readonly atMs: number;
  /** Whether it was booked before the strategy subscribed. */
  readonly replayed: boolean;
}

/**
 * Everything besides views that a stream strategy sees of one event. It offers no input or output.
 *
 * @example
 * const fillCount = ({ fill$, keep }: StrategyContext): rxjs.Observable<number> =>
 *   fill$.pipe(keep('fills', (count) => count + 1, 0));
 */
export interface StrategyContext<P = unknown> {
  readonly event: EventName;
  /** The parameters at once, then after each change. */
  readonly parameters$: Observable<P>;
  /** Changes of our orders on the event, from now on. */
  readonly ownOrder$: Observable<OwnOrder>;
  /** Our fills on the event: first all earlier ones, marked `replayed`, then each new one. */
  readonly fill$: Observable<OwnFill>;
  /** Views of another event: the last one at once if there is any, then each new one. */
  otherEvent(event: EventName): Observable<EventView>;
  /**
   * The prices of a price source for the selections of the event: with the first view, then each time that a price changes, appears
   * or becomes stale.
   */
  sourcePrice$(this: void, source: string): Observable<ReadonlyMap<SelectionId, SourcePriceView>>;
  /** Uniform numbers, seeded by strategy and event. A restart continues the sequence. */
  readonly random: Random;
  /** Writes a line to the daemon's log. A strategy that writes too much is cut short. */
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
  /** The daemon's time. Give it to every RxJS operator that waits; a timer of any other kind breaks replay and tests. */
  readonly scheduler: SchedulerLike;
  /** The RxJS operators that wait, bound to the scheduler. */
  readonly time: TimeOperators;
  /**
   * A `scan` whose state outlives the process. It emits the state at once, then after each value. `name` is unique within the
   * strategy. The state must be plain data (JSON). It is saved now and then, and at a clean stop. After a restart it receives no
   * fill a second time: what an already counted fill of `fill$` causes is left out.
   */
  readonly keep: <A, S>(name: string, reduce: (state: S, value: A) => S, seed: S) => OperatorFunction<A, S>;
}

/**
 * A strategy as an author writes it, without the number of the contract.
 *
 * @example
 * const definition: Definition<PureStrategy> = {
 *   name: 'idle',
 *   description: 'quotes nothing',
 *   parameters: z.unknown(),
 *   quote: () => [],
 * };
 */
export type Definition<S> = Omit<S, 'contract'>;

/**
 * Makes a strategy from its definition and marks it with the version of the contract. It lets the compiler infer the type of
 * the parameters from the schema.
 *
 * @example
 * const strategy = defineStrategy({
 *   name: 'backs-the-first',
 *   description: 'backs the first selection at a price of 3',
 *   parameters: z.strictObject({ stake: numberParameter(20, [1, 1000], 'stake, in USDT') }),
 *   quote: ({ selections: [first] }, { stake }) =>
 *     first === undefined
 *       ? []
 *       : [{ selectionId: first.selectionId, direction: 'for', tick: 149, stakeMicros: toMicros(stake), level: 0 }],
 * });
 * strategy.contract; // 1
 */
export function defineStrategy<P>(definition: Definition<PureStrategy<P>>): PureStrategy<P>;
export function defineStrategy<P>(definition: Definition<StreamStrategy<P>>): StreamStrategy<P>;
export function defineStrategy<P>(
  definition: Definition<PureStrategy<P>> | Definition<StreamStrategy<P>>,
): Strategy<P> {
  return { ...definition, contract: CONTRACT };
}

export const isStream = <P>(strategy: Strategy<P>): strategy is StreamStrategy<P> => 'quotes' in strategy;
