import type { EventName } from '../../domain/events.ts';
import type { SelectionId } from '../../domain/ids.ts';
import type { Micros } from '../../domain/money.ts';
import type { HedgeLeg, PlannedLeg } from '../../hedge/legs.ts';
import type { OutcomeGroup } from '../../risk/index.ts';

/** What a hedge is to do. */
export type HedgeGoal =
  /** The worst case of the event is to be no worse than `-boundMicros`. */
  | { readonly kind: 'bound'; readonly boundMicros: Micros; readonly mostLegs?: number }
  /** A market is to pay the same whichever selection wins: of the named family, else the one that is furthest from it. */
  | { readonly kind: 'equalise'; readonly marketType: string | null }
  /** The bets on a selection are to pay the same whatever its outcome. */
  | { readonly kind: 'flatten'; readonly selectionId: SelectionId };

export interface HedgeWish {
  readonly event: EventName;
  readonly goal: HedgeGoal;
  readonly way: HedgeLeg['way'];
}

/** A hedge that may be made now. */
export interface PlannedHedge extends HedgeWish {
  readonly kind: 'planned';
  /** The held bets of the event, in which the legs pay. */
  readonly book: readonly OutcomeGroup[];
  readonly legs: readonly PlannedLeg[];
}

/** A hedge, or why there is none. */
export type HedgeAnswer = PlannedHedge | { readonly kind: 'refused'; readonly why: string };

/** A bet of a hedge. Tick and stake are the exchange's own terms. */
export interface HedgeBet extends Pick<HedgeLeg, 'selectionId' | 'direction' | 'priceKind' | 'tick' | 'way'> {
  readonly stakeMicros: Micros;
}

/** A hedge that is commanded. */
export interface HedgeOrder {
  /** Names its bets over restarts: at most one order is ever placed for each. */
  readonly id: string;
  readonly event: EventName;
  readonly bets: readonly HedgeBet[];
  /** How long its bets are wanted. */
  readonly lifeMs: number;
  /** It stands beside other hedges of its event. Default: it ends them, because it was planned as if they matched nothing more. */
  readonly isBeside?: boolean;
}
