import type { SelectionId } from './ids.ts';
import type { Micros } from './money.ts';

/**
 * The end of a hedge.
 *
 * @example
 * const goal: HedgeGoal = { kind: 'bound', boundMicros: toMicros(50) };
 */
export type HedgeGoal =
  /** The worst case of the event is to be no worse than `-boundMicros`. */
  | { readonly kind: 'bound'; readonly boundMicros: Micros; readonly mostLegs?: number }
  /** A market is to pay the same whichever selection wins: of the named family, else the one that is furthest from it. */
  | { readonly kind: 'equalise'; readonly marketType: string | null }
  /** The bets on a selection are to pay the same whatever its outcome. */
  | { readonly kind: 'flatten'; readonly selectionId: SelectionId };

/**
 * How the bets of a hedge are made. `take`: they take what is there now. `offer`: they rest at the best price of their side.
 *
 * @example
 * const way: HedgeWay = 'offer';
 */
export type HedgeWay = 'take' | 'offer';

/**
 * A hedge that a strategy wants. The daemon chooses its bets, as for a person's hedge: no subset of their fills makes the worst case of the
 * event worse.
 *
 * @example
 * const intent: HedgeIntent = { hedge: `${view.eventId} 1-0`, goal: { kind: 'bound', boundMicros: toMicros(50) } };
 */
export interface HedgeIntent {
  /** An id of the strategy's own: at most one hedge is made for it, ever, and at most one order for each of its bets. */
  readonly hedge: string;
  readonly goal: HedgeGoal;
  /** Default `take`. */
  readonly way?: HedgeWay;
  /** Why the strategy wants it, in a few words, for `touchline why`. */
  readonly reason?: string;
}
