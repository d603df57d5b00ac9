import { TouchlineError } from '../../domain/errors.ts';
import { eventKey, type EventName } from '../../domain/events.ts';
import type { EventKey, SelectionId } from '../../domain/ids.ts';
import type { PaperExchange } from '../../paper/paper-exchange.ts';
import type { Journal } from '../../ports/journal.ts';
import type { FillRange } from '../../read-model/fill-range.ts';
import { type PaperFills, paperFillsIn } from './paper-fills.ts';
import { ordersIn } from './paper-orders.ts';
import { betTypesOn, checkDecides, eventResultOf, type PaperResult, writeResult } from './paper-results.ts';

/** The account of a paper run, as far as a person sees and corrects it. */
export class PaperAccount {
  readonly #exchange: Pick<PaperExchange, 'settle'>;
  readonly #fills: PaperFills;
  readonly #journal: Journal;
  readonly #over: Set<EventKey>;

  /** `told`: the events whose result earlier runs were told. */
  constructor(
    exchange: Pick<PaperExchange, 'settle'>,
    fills: PaperFills,
    journal: Journal,
    told: Iterable<EventName>,
  ) {
    [this.#exchange, this.#fills, this.#journal] = [exchange, fills, journal];
    this.#over = new Set(Array.from(told, eventKey));
  }

  /** Whether the result of an event was told. No order is placed on it any more, whatever the real exchange shows. */
  isOver(event: EventName): boolean {
    return this.#over.has(eventKey(event));
  }

  /** The selections with open bets under any fill model. */
  openSelections(): readonly SelectionId[] {
    return this.#fills.openSelections();
  }

  /** The fills under every model. Open bets are worth what the fair probabilities say; those without one are counted, and worth 0. */
  range(fairOf: (id: SelectionId) => number | null): FillRange {
    return this.#fills.range(fairOf);
  }

  /**
   * Settles the bets of an event: first in the journal, then under every fill model, and in the account, whose client hears of it as on any
   * exchange. `onOver` learns that the event is over before any of them does. Returns their bet types. Told again, it is a correction. Throws
   * as `enterResult`.
   */
  settle(result: PaperResult, onOver: () => void = () => undefined): readonly string[] {
    const betTypes = enterResult(result, this.#journal);
    this.#over.add(eventKey(result));
    onOver();
    this.#fills.settle(result);
    this.#exchange.settle(result, eventResultOf(result.told, betTypes));
    return betTypes;
  }
}

/**
 * Writes the result of an event into the journal of a paper account, durably. Returns the bet types that it settles. Throws TouchlineError
 * `usage` for an event without paper bets and for a result that does not decide them, and JournalError for a journal that fails.
 */
export function enterResult(result: PaperResult, journal: Journal): readonly string[] {
  const betTypes = betTypesOn(result, ordersIn(journal), paperFillsIn(journal));
  if (betTypes.length === 0)
    throw new TouchlineError('usage', `${result.sport}/${result.eventId}: no paper bets on this event`);
  checkDecides(result.told, betTypes);
  writeResult(result, journal);
  return betTypes;
}
