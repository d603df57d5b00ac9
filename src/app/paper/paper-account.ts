import type { SelectionId } from '../../domain/ids.ts';
import type { PaperExchange } from '../../paper/paper-exchange.ts';
import type { Journal } from '../../ports/journal.ts';
import type { FillRange } from '../../read-model/fill-range.ts';
import { enterResult } from './enter-result.ts';
import type { PaperFills } from './paper-fills.ts';
import { eventResultOf, type PaperResult } from './paper-results.ts';

/** The account of a paper run, as far as a person sees and corrects it. */
export class PaperAccount {
  readonly #exchange: Pick<PaperExchange, 'settle'>;
  readonly #fills: PaperFills;
  readonly #journal: Journal;

  constructor(exchange: Pick<PaperExchange, 'settle'>, fills: PaperFills, journal: Journal) {
    [this.#exchange, this.#fills, this.#journal] = [exchange, fills, journal];
  }

  /** The fills under every model. Open bets are worth what the fair probabilities say; 0 without one. */
  range(fairOf: (id: SelectionId) => number | null): FillRange {
    return this.#fills.range(fairOf);
  }

  /**
   * Settles the bets of an event: first in the journal, then under every fill model, and in the account, whose client hears of it as on any
   * exchange. Returns their bet types. Told again, it is a correction. Throws as `enterResult`.
   */
  settle(result: PaperResult): readonly string[] {
    const betTypes = enterResult(result, this.#journal);
    this.#fills.settle(result);
    this.#exchange.settle(result, eventResultOf(result.told, betTypes));
    return betTypes;
  }
}
