/** The most that our bets and orders on one event of a tape can lose, as risk counts it, and the pay of its matched bets. */
import { parseBetType, winLossGrid } from '../domain/bet-types/index.ts';
import type { BetType } from '../domain/ids.ts';
import { type Micros, toMicros } from '../domain/money.ts';
import { profitMicros, SELECTION_KINDS } from '../domain/odds.ts';
import { LOSS, readSettlementGrid, type SettlementGrid, WIN } from '../domain/payoff.ts';
import { betTypeOf, type Direction } from '../domain/selection.ts';
import {
  type Bet,
  type EventCircumstances,
  SingleEventRisk,
  type KnownOutcome,
  type OutcomePositions,
  type RiskLimits,
} from '../risk/index.ts';
import { priceAfterRemovals } from './removals.ts';
import type { EventTape } from './tape.ts';

/** The terms of a bet or an order. Recorded markets have lay prices. */
export interface TapeBet {
  /** Position in `EventTape.selections`. */
  readonly selection: number;
  readonly direction: Direction;
  readonly price: number;
  readonly stakeMicros: Micros;
}

/** A bet whose price a removal may reduce. */
interface Reducible {
  readonly key: string;
  readonly market: number;
  readonly atMs: number;
  readonly bet: TapeBet;
  /** As it counts now. */
  now: TapeBet;
}

/** Bets on a selection in one direction. */
type Side = Omit<Bet, 'price' | 'stakeMicros'>;

/** The grid of final scores of each selection; null where scores do not decide it. */
export const gridsOf = (tape: EventTape): readonly (SettlementGrid | null)[] =>
  outcomesOf(tape).map(({ grid }) => (grid === null ? null : readSettlementGrid('for', grid)));

const outcomesOf = ({ event, selections }: EventTape): readonly KnownOutcome[] =>
  selections.map(({ outcome }) => {
    const parsed = parseBetType(event.sport, `for,${outcome}`);
    return { outcome, grid: parsed?.onGrid === true ? winLossGrid(parsed) : null };
  });

export class TapeExposure {
  readonly #risk: SingleEventRisk;
  readonly #sides: readonly Readonly<Record<Direction, Side>>[];
  /** Losses since the beginning, and from the highest result, at which quoting stops for good. */
  readonly #lossMicros: Micros;
  readonly #fallMicros: Micros;
  readonly #ifWin: Float64Array;
  readonly #ifLose: Float64Array;
  /** Bets on markets that lose runners. */
  readonly #reducible: Reducible[] = [];
  readonly #tape: EventTape;
  #bets = 0;

  constructor(tape: EventTape, limits: RiskLimits) {
    this.#tape = tape;
    this.#risk = new SingleEventRisk(
      limits,
      tape.event,
      { marketTypeOf: marketTypesOf(tape) },
      outcomesOf(tape),
    );
    this.#sides = tape.selections.map(({ selectionId, outcome }) => {
      const side = (direction: Direction): Side => ({
        ...tape.event,
        selectionId,
        direction,
        priceKind: SELECTION_KINDS[direction],
        betType: betTypeOf(direction, outcome),
      });
      return { for: side('for'), against: side('against') };
    });
    const { loss } = limits;
    this.#lossMicros = toMicros(Math.min(loss.dayUsdt, loss.strategyDayUsdt));
    this.#fallMicros = toMicros(Math.min(loss.fromPeakUsdt, loss.strategyFromPeakUsdt));
    this.#ifWin = new Float64Array(tape.selections.length);
    this.#ifLose = new Float64Array(tape.selections.length);
  }

  /** Profit of the matched bets of a selection if it wins. */
  ifWinMicros(selection: number): Micros {
    return this.#ifWin[selection] as Micros;
  }

  /** The same if it loses. */
  ifLoseMicros(selection: number): Micros {
    return this.#ifLose[selection] as Micros;
  }

  /** The terms as a bet of the event. */
  betOf({ selection, direction, price, stakeMicros }: TapeBet): Bet {
    const { selectionId, sport, eventId, betType, priceKind } = (
      this.#sides[selection] as Record<Direction, Side>
    )[direction];
    return { selectionId, sport, eventId, betType, direction, priceKind, price, stakeMicros };
  }

  /** Counts what may still be matched of an order; without stake, it no longer counts. */
  open(orderId: number, order: TapeBet): void {
    this.#risk.open(String(orderId), this.betOf(order));
  }

  /** A bet was matched at `atMs`, wall-clock milliseconds. */
  matched(matched: TapeBet, atMs: number): void {
    const key = String(++this.#bets);
    this.#count(key, matched);
    const { market } = this.#tape.selections[matched.selection] as EventTape['selections'][number];
    if (this.#tape.removals.some((removal) => removal.market === market))
      this.#reducible.push({ key, market, atMs, bet: matched, now: matched });
  }

  /** Bets on a market are worth what the removals until `nowMs` leave of their prices. */
  reduce(market: number, nowMs: number): void {
    for (const each of this.#reducible) {
      if (each.market !== market) continue;
      const { bet, key, atMs } = each;
      const price = priceAfterRemovals(this.#tape, bet.selection, bet.price, [atMs, nowMs]);
      this.#add(each.now, -1);
      each.now = { ...bet, price };
      this.#count(key, each.now);
    }
  }

  #count(key: string, bet: TapeBet): void {
    this.#risk.matched(key, this.betOf(bet));
    this.#add(bet, 1);
  }

  #add({ selection, direction, price, stakeMicros }: TapeBet, sign: 1 | -1): void {
    const kind = SELECTION_KINDS[direction];
    this.#ifWin[selection] = this.ifWinMicros(selection) + sign * profitMicros(kind, stakeMicros, price, WIN);
    this.#ifLose[selection] =
      this.ifLoseMicros(selection) + sign * profitMicros(kind, stakeMicros, price, LOSS);
  }

  /** The least profit over all outcomes, "everything is void" included: at most 0. */
  worstMicros(): Micros {
    return this.#risk.worstMicros();
  }

  /** Whether a result, given the highest so far, stops quoting for good. */
  isLost(totalMicros: Micros, peakMicros: Micros): boolean {
    return 0 - totalMicros >= this.#lossMicros || peakMicros - totalMicros >= this.#fallMicros;
  }

  /** Whether an order certainly reduces risk, or is a bet of a hedge that worsens nothing. */
  reduces(bet: Bet, isHedge: boolean): boolean {
    return this.#risk.reduces(bet, isHedge);
  }

  /** The held bets by what decides them, and what a stake on further bets would add; null if there are none. */
  outcomePositions(further: readonly Bet[]): OutcomePositions | null {
    return this.#risk.outcomePositions(further);
  }

  /** The code of the limit that forbids an order; null if none does. */
  refusalOf(bet: Bet, circumstances: EventCircumstances): string | null {
    return this.#risk.refusalOf(bet, circumstances);
  }
}

/** The market type of a bet type of the event. */
export function marketTypesOf({ markets, selections }: EventTape): (betType: BetType) => string | null {
  const types = new Map(
    selections.map(({ outcome, market }) => [outcome, markets[market]?.marketType ?? null] as const),
  );
  return (betType) => types.get(betType.slice(betType.indexOf(',') + 1)) ?? null;
}
