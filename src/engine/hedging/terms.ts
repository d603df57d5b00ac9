import type { EventName } from '../../domain/events.ts';
import type { HedgeGoal } from '../../domain/hedge-intent.ts';
import type { SelectionId } from '../../domain/ids.ts';
import type { Micros } from '../../domain/money.ts';
import type { HedgeLeg, PlannedLeg } from '../../hedge/legs.ts';
import type { OutcomeGroup } from '../../risk/index.ts';

export interface HedgeWish {
  readonly event: EventName;
  readonly goal: HedgeGoal;
  readonly way: HedgeLeg['way'];
  /** Selections on which no bet can be made now. Default: none. */
  readonly without?: ReadonlySet<SelectionId>;
}

/** A hedge that may be made now. */
export interface PlannedHedge extends HedgeWish {
  readonly kind: 'planned';
  /** The held bets of the event, in which the legs pay. */
  readonly book: readonly OutcomeGroup[];
  readonly legs: readonly PlannedLeg[];
}

/** Why there is no hedge. */
export interface NoHedge {
  readonly kind: 'refused';
  readonly why: string;
  /** Its end is reached already. */
  readonly isNeedless?: true;
}

/** A hedge, or why there is none. */
export type HedgeAnswer = PlannedHedge | NoHedge;

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
  /** Why its bets are wanted, for people. Default: that they are a hedge. */
  readonly reason?: string;
}
