import { TouchlineError } from '../../domain/errors.ts';
import type { Journal } from '../../ports/journal.ts';
import { paperFillsIn } from './paper-fills.ts';
import { ordersIn } from './paper-orders.ts';
import { betTypesOn, checkDecides, type PaperResult, writeResult } from './paper-results.ts';

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
