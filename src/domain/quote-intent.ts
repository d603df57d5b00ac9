import type { SelectionId } from './ids.ts';
import type { Micros } from './money.ts';
import type { Tick } from './odds.ts';
import type { ExchangeMode } from './orders.ts';
import type { Direction } from './selection.ts';

/** An order that a strategy wants: at most one per selection, direction and level. */
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
   * The value of the quote to the strategy, in micros per second. Budgets choose by it. Default: the value at its fair
   * probability, else 0.
   */
  readonly valueMicrosPerS?: number;
  /** The strategy's own fair probability. The default of the quote's value follows from it. */
  readonly fairProbability?: number;
}

/** The key that matches an intent with its order. */
export type IntentKey = `${string}#${Direction}#${number}`;

export function intentKey(intent: Pick<QuoteIntent, 'selectionId' | 'direction' | 'level'>): IntentKey {
  return `${intent.selectionId}#${intent.direction}#${intent.level}`;
}
