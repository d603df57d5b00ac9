/** Results as a recording states them: a settlement for each outcome, whatever the score was. */
import type { EventResult, ParsedBetType } from '../../domain/bet-types/result.ts';
import { parseBetType } from '../../domain/bet-types/index.ts';
import type { Settlement } from '../../domain/payoff.ts';
import type { ParseBetType } from '../../simulator/core/settings.ts';
import type { EventTape } from '../tape.ts';

type Settlements = ReadonlyMap<string, Settlement | null>;

/** Makes results for an exchange that parses bet types with `parse`. */
export class RecordedResults {
  readonly #settlements = new WeakMap<EventResult, Settlements>();

  /** Bet types settle as the tape says. An outcome without a recorded settlement is void. */
  readonly parse: ParseBetType = (sport, betType) => {
    const parsed = parseBetType(sport, betType);
    return parsed === null ? null : this.#settling(parsed);
  };

  /** Null if the tape has no result at all. */
  readonly of = ({ selections }: EventTape): EventResult | null => {
    if (selections.every(({ settlement }) => settlement === null)) return null;
    const result: EventResult = { kind: 'places', places: new Map() };
    this.#settlements.set(result, new Map(selections.map((each) => [each.outcome, each.settlement])));
    return result;
  };

  #settling(parsed: ParsedBetType): ParsedBetType {
    return {
      ...parsed,
      settle: (result) => this.#settlements.get(result)?.get(parsed.outcome) ?? null,
    };
  }
}
