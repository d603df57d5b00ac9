import type { SelectionId } from '../domain/ids.ts';
import type { Mode } from '../domain/mode.ts';
import type { Direction } from '../domain/selection.ts';

/** What an operator sees at a glance. Money in USDT, prices decimal. */
export interface Status {
  readonly mode: Mode;
  readonly strategy: string;
  readonly runningS: number;
  readonly stream: string;
  readonly heartbeatRemainingS: number | null;
  readonly stopping: string | null;
  /** Why no order can be placed, a kill among the reasons; null when orders can be. */
  readonly blocked: string | null;
  readonly budgets: {
    readonly ordersNow: number;
    readonly betslipsNow: number;
    readonly betslipsToday: number;
  };
  readonly ordersOpen: number;
  readonly ordersPlaced: number;
  readonly ordersRefused: number;
  readonly fills: number;
  readonly stakeMatched: number;
  readonly profitLoss: number;
  readonly twoSidedQuoteRatio: number;
  readonly throttledResponses: number;
  readonly events: readonly EventStatus[];
}

export interface EventStatus {
  readonly name: string;
  readonly sport: string;
  readonly startsInMs: number | null;
  readonly inRunning: boolean;
  readonly score: string | null;
  readonly selections: readonly SelectionStatus[];
}

export interface SelectionStatus {
  readonly selectionId: SelectionId;
  readonly outcome: string;
  /** Best price that takers can get, without our own quotes. */
  readonly market: Readonly<Record<Direction, number | null>>;
  /** Our best open quote. */
  readonly quoted: Readonly<Record<Direction, number | null>>;
  readonly ifWin: number;
  readonly ifLose: number;
  /** Why a wanted quote is not open; null when nothing is missing. */
  readonly missing: string | null;
}
