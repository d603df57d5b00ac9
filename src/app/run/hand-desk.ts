import { TouchlineError } from '../../domain/errors.ts';
import { eventNameOf } from '../../domain/events.ts';
import { secondKind } from '../../domain/exchange-prices.ts';
import type { SelectionId } from '../../domain/ids.ts';
import { type Tick, tickOf } from '../../domain/ladder.ts';
import { type Micros, toMicros } from '../../domain/money.ts';
import {
  contractsMicros,
  convertedTick,
  isComplement,
  limitsCross,
  type PriceKind,
  SELECTION_KINDS,
} from '../../domain/odds.ts';
import { stakeAt } from '../../domain/quote-intent.ts';
import { type Direction, selectionFrom } from '../../domain/selection.ts';
import type { HandQuote } from '../../engine/by-hand/hand-quotes.ts';
import type { HandControls, HandQuoteWish } from '../../ops/commands/controls.ts';
import { shownHandQuote } from '../../read-model/live/shown-by-hand.ts';
import { scopeOfSelection } from '../../risk/index.ts';
import type { Composed } from '../compose.ts';
import { exchangePricesOf } from '../read-model-feed.ts';
import { selectionNamed } from './meaning.ts';
import { untilMsOf } from './endings.ts';

/** More would hide what the strategies do. */
const MOST_ON_SELECTION = 4;

type Side = Pick<HandQuote, 'direction' | 'priceKind' | 'tick'>;

const refused = (why: string): TouchlineError => new TouchlineError('refused', why);

/** The daemon's answers about quotes of persons. */
export class HandDesk implements HandControls {
  readonly #composed: Composed;
  #count = 0;

  constructor(composed: Composed) {
    this.#composed = composed;
  }

  quote(wish: HandQuoteWish, by: string): unknown {
    const { core, parts } = this.#composed;
    const selectionId = this.#selectionNamed(wish.selection);
    const event = selectionId === null ? null : selectionFrom(selectionId);
    if (selectionId === null || event === null) return null;
    const { direction, price, stakeUsdt, reason: why } = wish;
    const terms = this.#termsOf(selectionId, direction, price, toMicros(stakeUsdt));
    this.#mustBePossible(selectionId);
    this.#mustNotCross({ direction, ...terms }, selectionId, null);
    const quote = {
      // One of an earlier run must not be taken for one of this run.
      id: `hand-${parts.clock.wallMs().toString(36)}-${++this.#count}`,
      event: eventNameOf(event),
      selectionId,
      direction,
      ...terms,
      untilMs: untilMsOf(this.#composed, wish, event),
    };
    core.apply({ kind: 'hand_quote', quote, by, why });
    return this.#shownNow(quote.id);
  }

  move(id: string, price: number, reason: string, by: string): unknown {
    const { core } = this.#composed;
    const quote = core.handQuotes.get(id);
    if (quote === null) return null;
    const tick = tickFor(quote.direction, price, quote.priceKind);
    this.#mustNotCross({ ...quote, tick }, quote.selectionId, id);
    core.apply({ kind: 'move_hand_quote', id, tick, by, why: reason });
    return this.#shownNow(id);
  }

  withdraw(id: string, reason: string, by: string): unknown {
    const { core } = this.#composed;
    const shown = this.#shownNow(id);
    if (shown !== null) core.apply({ kind: 'withdraw_hand_quote', id, by, why: reason });
    return shown;
  }

  quotes(): unknown {
    return this.#composed.core.handQuotes.records().map((quote) => this.#shown(quote));
  }

  #selectionNamed(text: string): SelectionId | null {
    const { core, engine } = this.#composed;
    if (core.market.selection(text as SelectionId) !== undefined) return text as SelectionId;
    return selectionNamed(this.#composed, text, [...engine.chosen.values()].flat());
  }

  /** A person is told at once what would keep the quote from ever being placed. */
  #mustBePossible(selectionId: SelectionId): void {
    const { core } = this.#composed;
    const event = selectionFrom(selectionId);
    if (event === null) return;
    const { state, record } = core.risk.effectiveState(scopeOfSelection(selectionId));
    if (state === 'halted') throw refused(`halted by ${record?.by}: ${record?.why}`);
    if (core.adjustments.isLeft(event)) throw refused('a person leaves the event as it is: end that first');
    if (core.strategies.quoterOf(event) === null)
      throw refused('no strategy matches the event, so that nothing can be quoted beside one');
    const there = core.handQuotes.of(event).filter((quote) => quote.selectionId === selectionId);
    if (there.length >= MOST_ON_SELECTION)
      throw refused(`persons have ${MOST_ON_SELECTION} quotes on the selection: withdraw one first`);
  }

  /** Quotes of a strategy give way to a person's. Those of persons do not give way to each other. */
  #mustNotCross(side: Side, selectionId: SelectionId, apart: string | null): void {
    const event = selectionFrom(selectionId);
    const others = event === null ? [] : this.#composed.core.handQuotes.of(event);
    const isCrossed = others.some(
      (other) => other.id !== apart && other.selectionId === selectionId && wouldMatch(side, other),
    );
    if (isCrossed) throw refused('it would match another quote of a person');
  }

  /** What the price and the stake are on the exchange. */
  #termsOf(
    selectionId: SelectionId,
    direction: Direction,
    price: number,
    stakeMicros: Micros,
  ): Pick<HandQuote, 'priceKind' | 'tick' | 'stakeMicros'> {
    const prices = exchangePricesOf(this.#composed.parts);
    const priceKind = direction === 'for' ? SELECTION_KINDS.for : secondKind(prices, price, null);
    const tick = tickFor(direction, price, priceKind);
    if (this.#composed.core.market.resolve(selectionId, priceKind) === null)
      throw refused('the exchange has no market for this side of the selection');
    const size = isComplement(priceKind)
      ? { contractsMicros: Math.round(contractsMicros(stakeMicros, price)) }
      : { stakeMicros };
    return { priceKind, tick, stakeMicros: stakeAt(size, priceKind, tick) };
  }

  #shownNow(id: string): unknown {
    const quote = this.#composed.core.handQuotes.get(id);
    return quote === null ? null : this.#shown(quote);
  }

  #shown(quote: HandQuote) {
    const { core, names, parts } = this.#composed;
    const { selectionId } = quote;
    const { stake, filled, ...shown } = shownHandQuote(
      quote,
      core.handQuotes.filledMicros(quote.id),
      exchangePricesOf(parts),
    );
    return { ...shown, selectionId, name: names.whole(selectionId), stakeUsdt: stake, filledUsdt: filled };
  }
}

/** The tick of our orders for a price of the selection. Throws TouchlineError `refused` if there is none. */
function tickFor(direction: Direction, price: number, kind: PriceKind): Tick {
  const tick = tickOf(price);
  if (tick === null) throw refused(`${price} is not on the ladder`);
  const own = convertedTick(SELECTION_KINDS[direction], tick, kind);
  if (own === null) throw refused(`the exchange has no price for ${price} on this side`);
  return own;
}

function wouldMatch(a: Side, b: Side): boolean {
  if (a.direction === b.direction) return false;
  return a.direction === 'for' ? limitsCross(a, b) : limitsCross(b, a);
}
