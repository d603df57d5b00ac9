/** The part of a tape that the messages of a market become. */
import type { MarketDefinition } from '../../betfair/definition.ts';
import type { Counts, FoldedMarket, MarketListener } from '../../betfair/market-fold.ts';
import { UpdateColumns } from '../columns.ts';
import { MARKET_STATE, OP, type Updates } from '../tape.ts';

/** A market of a file, after its last line. Its updates stand beside it. */
export interface ImportedMarket extends FoldedMarket {
  readonly counts: Readonly<Counts & TapeCounts>;
}

/** Updates of a market. */
export interface TapeCounts {
  levels: number;
  trades: number;
}

/** Collects the updates of one market. */
export class MarketImport implements MarketListener {
  readonly counts: TapeCounts = { levels: 0, trades: 0 };
  readonly #columns = new UpdateColumns();
  #state = -1;
  #betDelayMs = -1;

  push(atMs: number, change: number, of: number, tick: number, micros: number): void {
    if (change <= OP.restingAgainst) this.counts.levels++;
    else this.counts.trades++;
    this.#columns.push(atMs, change, of, tick, micros);
  }

  defined(atMs: number, definition: MarketDefinition): void {
    const state = stateOf(definition);
    if (state === this.#state && definition.betDelayMs === this.#betDelayMs) return;
    this.#state = state;
    this.#betDelayMs = definition.betDelayMs;
    this.#columns.push(atMs, OP.state, 0, state, definition.betDelayMs);
  }

  /** Updates that wait to be drained. */
  get waiting(): number {
    return this.#columns.length;
  }

  /** Takes the updates since the last call. */
  drain(): Updates {
    const updates = this.#columns.updates();
    this.#columns.clear();
    return updates;
  }
}

function stateOf({ status, inPlay }: MarketDefinition): number {
  if (status === 'CLOSED') return MARKET_STATE.closed;
  const state = status === 'OPEN' ? MARKET_STATE.open : MARKET_STATE.suspended;
  return inPlay ? state + MARKET_STATE.inPlay : state;
}

/**
 * The updates with the last end of their market alone. A market that reopens was not over: its ends before that are suspensions. Returns the given
 * ones if there is no such end.
 */
export function withLastEnd(updates: Updates): Updates {
  const { op, length } = updates;
  let tick: Uint16Array<ArrayBufferLike> = updates.tick;
  let isReopened = false;
  for (let at = length - 1; at >= 0; at--) {
    if (op[at] !== OP.state) continue;
    if (updates.tick[at] !== MARKET_STATE.closed) isReopened = true;
    else if (isReopened) {
      if (tick === updates.tick) tick = tick.slice();
      tick[at] = MARKET_STATE.suspended + inPlayBefore(updates, at);
    }
  }
  return tick === updates.tick ? updates : { ...updates, tick };
}

/** The bit of play of the last state before. */
function inPlayBefore({ op, tick }: Updates, end: number): number {
  for (let at = end - 1; at >= 0; at--)
    if (op[at] === OP.state && tick[at] !== MARKET_STATE.closed)
      return (tick[at] as number) & MARKET_STATE.inPlay;
  return 0;
}
