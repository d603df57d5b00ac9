import { JournalError } from '../../domain/errors.ts';
import { PRICE_CONVENTIONS, type PriceConvention, type PriceKind } from '../../domain/odds.ts';
import { type Direction, directionOf } from '../../domain/selection.ts';
import type { BetType } from '../../domain/ids.ts';
import type { Journal, Json } from '../../ports/journal.ts';

/** Journal record of the convention that later orders are placed by; only the last one counts. */
export const PRICE_CONVENTION = 'price_convention';

/** The order manager's record of the start of a run. */
const RUN_STARTED = 'run_started';

/** Journal record of a kind of price whose payoff the exchange confirmed. */
export const DIRECTION_PROVEN = 'direction_proven';

/** `stream`: the offers proved it. `configured`: a person said it. */
export interface RecordedConvention {
  readonly convention: PriceConvention;
  readonly how: 'stream' | 'configured';
}

/** `position`: the exchange's payoffs agreed. `settled`: a result did. */
export interface ProvenDirection {
  readonly direction: Direction;
  readonly priceKind: PriceKind;
  readonly convention: PriceConvention;
  readonly how: 'position' | 'settled';
}

/** What earlier runs wrote down; null if none did. A journal without it holds orders of the convention `lay`. */
export function recordedConvention(journal: Journal): RecordedConvention | null {
  return unlessDamaged(null, () => {
    const record = journal.last(PRICE_CONVENTION);
    if (record === null) return null;
    const recorded = record.data as object as RecordedConvention;
    return PRICE_CONVENTIONS.includes(recorded.convention) ? recorded : null;
  });
}

/** Whether no earlier run has written to the journal. */
export const isFresh = (journal: Journal): boolean =>
  unlessDamaged(false, () => journal.rootSeq() === 0 && journal.last(RUN_STARTED) === null);

/** The kinds of prices that the exchange confirmed to earlier runs, by the convention of then. */
export function provenDirections(journal: Journal): readonly ProvenDirection[] {
  return unlessDamaged([], () =>
    Array.from(journal.ofKind(DIRECTION_PROVEN), ({ data }) => data as object as ProvenDirection),
  );
}

export const conventionEntry = (recorded: RecordedConvention) => ({
  kind: PRICE_CONVENTION,
  uuid: null,
  data: { ...recorded } as Json,
});

export const directionEntry = (proven: ProvenDirection) => ({
  kind: DIRECTION_PROVEN,
  uuid: null,
  data: { ...proven } as Json,
});

/** Whether the conventions differ in what a price of this bet type is. */
export const dependsOnConvention = (betType: BetType): boolean => directionOf(betType) === 'against';

/** A damaged journal only closes orders, so nothing depends on what it does not tell. */
function unlessDamaged<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return otherwise;
  }
}
