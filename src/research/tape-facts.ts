/**
 * The facts that a tape tells beside prices to take: trades, bet delays, suspensions, scores and the stake before an order of ours. It is read
 * up to a row of the updates, and each row is looked at once. Nobody pays for what is not read.
 */
import type { RecordedFacts, Suspension } from '../domain/event-view.ts';
import { LADDER, priceOf } from '../domain/ladder.ts';
import type { Micros } from '../domain/money.ts';
import { NO_MINIMUM, type PriceList } from '../domain/price-list.ts';
import type { Direction } from '../domain/selection.ts';
import { type EventTape, MARKET_STATE, OP, type TapeScore } from './tape.ts';

/** The trades of a selection. */
interface Traded {
  lastTick: number | null;
  readonly micros: Float64Array;
  /** Made when it is read; null after a further trade. */
  list: PriceList | null;
}

/** A state without `MARKET_STATE.inPlay`. */
const STATE_BITS = 3;

export class TapeFacts {
  readonly #tape: EventTape;
  readonly #traded: (Traded | undefined)[] = [];
  readonly #states: number[];
  readonly #delaysMs: (number | null)[];
  /** Whether each market has trades anywhere; null before anybody asks. */
  #tellsTrades: readonly boolean[] | null = null;
  #row = 0;
  #score = 0;

  /** `tape`: without `OP.clear`, see `explicitLevels`. */
  constructor(tape: EventTape) {
    this.#tape = tape;
    this.#states = tape.markets.map(() => MARKET_STATE.open);
    this.#delaysMs = tape.markets.map(() => null);
  }

  /** The facts that the updates before a row tell of a selection. Rows ascend from call to call. `inGap`: of each market. */
  of(selection: number, row: number, inGap: readonly boolean[]): RecordedFacts {
    const market = this.#tape.selections[selection]?.market ?? -1;
    return {
      lastTraded: this.lastTraded(selection, row),
      tradedVolume: this.tradedVolume(selection, row),
      betDelayMs: this.betDelayMs(market, row),
      betDelayModels: this.betDelayModels(market),
      suspension: this.suspension(market, row, inGap[market] === true),
    };
  }

  lastTraded(selection: number, row: number): number | null {
    this.#readTo(row);
    const tick = this.#traded[selection]?.lastTick ?? null;
    return tick === null ? null : priceOf(tick);
  }

  tradedVolume(selection: number, row: number): PriceList | null {
    this.#readTo(row);
    const { selections } = this.#tape;
    this.#tellsTrades ??= tellsTrades(this.#tape);
    if (this.#tellsTrades[selections[selection]?.market ?? -1] !== true) return null;
    const traded = this.#traded[selection];
    if (traded === undefined) return NOTHING_TRADED;
    return (traded.list ??= listOf(traded.micros));
  }

  betDelayMs(market: number, row: number): number | null {
    this.#readTo(row);
    return this.#delaysMs[market] ?? null;
  }

  betDelayModels(market: number): readonly string[] | null {
    const models = this.#tape.markets[market]?.betDelayModels ?? [];
    return models.length === 0 ? null : models;
  }

  suspension(market: number, row: number, inGap: boolean): Suspension {
    this.#readTo(row);
    const state = (this.#states[market] as number) & STATE_BITS;
    if (state === MARKET_STATE.closed) return 'closed';
    if (inGap) return 'gap';
    return state === MARKET_STATE.open ? 'none' : 'exchange';
  }

  /** The last score and clock by an instant, wall-clock milliseconds; null before the first. Instants ascend from call to call. */
  score(atMs: number): TapeScore | null {
    const { scores = [] } = this.#tape;
    while ((scores[this.#score]?.atMs ?? Infinity) <= atMs) this.#score++;
    return scores[this.#score - 1] ?? null;
  }

  #readTo(row: number): void {
    const { op, of, tick, micros } = this.#tape.updates;
    for (; this.#row < row; this.#row++) {
      const at = this.#row;
      const kind = op[at] as number;
      if (kind === OP.tradedFor || kind === OP.tradedAgainst)
        this.#trade(of[at] as number, tick[at] as number, micros[at] as number);
      else if (kind === OP.state) {
        this.#states[of[at] as number] = tick[at] as number;
        this.#delaysMs[of[at] as number] = micros[at] as number;
      }
    }
  }

  #trade(selection: number, tick: number, micros: Micros): void {
    const traded = (this.#traded[selection] ??= newTraded());
    traded.lastTick = tick;
    traded.micros[tick] = (traded.micros[tick] as number) + micros;
    traded.list = null;
  }
}

const NOTHING_TRADED: PriceList = [];

const newTraded = (): Traded => ({ lastTick: null, micros: new Float64Array(LADDER.length), list: null });

function listOf(micros: Float64Array): PriceList {
  const list: number[] = [];
  for (let tick = micros.length - 1; tick >= 0; tick--)
    if (micros[tick] !== 0) list.push(priceOf(tick), NO_MINIMUM, micros[tick] as number);
  return list;
}

/** A market without a single trade in a tape that has trades was recorded without them. */
function tellsTrades({ hasTrades, markets, selections, updates: { length, op, of } }: EventTape): boolean[] {
  const told = markets.map(() => false);
  if (!hasTrades) return told;
  for (let at = 0; at < length; at++)
    if (op[at] === OP.tradedFor || op[at] === OP.tradedAgainst)
      told[selections[of[at] as number]?.market ?? -1] = true;
  return told;
}

/** A level of a selection, where an order of ours rests. */
export interface LevelPlace {
  readonly selection: number;
  readonly direction: Direction;
  readonly tick: number;
}

/**
 * The stake before an order after further rows: what trades at its price goes first, what joins stands behind, and of what leaves
 * nobody knows from where, so that it counts only once the level holds less than was before us.
 */
export function aheadAfter(
  { updates }: Pick<EventTape, 'updates'>,
  { selection, direction, tick }: LevelPlace,
  before: { readonly micros: Micros; readonly row: number },
  row: number,
): Micros {
  const [level, trade] =
    direction === 'for' ? [OP.restingFor, OP.tradedFor] : [OP.restingAgainst, OP.tradedAgainst];
  let { micros } = before;
  for (let at = before.row; at < row && micros > 0; at++) {
    if (updates.of[at] !== selection || updates.tick[at] !== tick) continue;
    if (updates.op[at] === trade) micros = Math.max(0, micros - (updates.micros[at] as number));
    else if (updates.op[at] === level) micros = Math.min(micros, updates.micros[at] as number);
  }
  return micros;
}
