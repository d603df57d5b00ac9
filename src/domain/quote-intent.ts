import type { ExchangeMode } from './exchange-mode.ts';
import type { SelectionId } from './ids.ts';
import type { Micros } from './money.ts';
import type { Tick } from './odds.ts';
import type { Direction } from './selection.ts';

/** One order that a strategy would like to have, at most one per selection, direction and level. */
export interface QuoteIntent {
  readonly selectionId: SelectionId;
  readonly direction: Direction;
  readonly tick: Tick;
  readonly stakeMicros: Micros;
  /** 0 is the level nearest to the market. */
  readonly level: number;
  /** How the exchange matches it. Default `make_and_take`: the order is meant to rest. */
  readonly mode?: ExchangeMode;
  /**
   * What the quote is worth to the strategy per second, in micros, when budgets must choose; default what its fair
   * probability makes of it, else 0.
   */
  readonly valueMicrosPerS?: number;
  /** The strategy's own fair probability: tells the default of the quote's value. */
  readonly fairProbability?: number;
}

/** The name under which an intent and the order that serves it are matched. */
export type IntentKey = `${string}#${Direction}#${number}`;

export function intentKey(intent: Pick<QuoteIntent, 'selectionId' | 'direction' | 'level'>): IntentKey {
  return `${intent.selectionId}#${intent.direction}#${intent.level}`;
}
