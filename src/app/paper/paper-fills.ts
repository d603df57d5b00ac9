/**
 * The fills of a paper account under every fill model, since its journal began. Each is a record of the journal before the daemon hears
 * of it, so a restart loses none.
 */
import { JournalError } from '../../domain/errors.ts';
import { FILL_CAUSES, type FillCause } from '../../domain/fill-cause.ts';
import type { EventResult } from '../../domain/bet-types/result.ts';
import type { SelectionId } from '../../domain/ids.ts';
import type { Micros } from '../../domain/money.ts';
import { directionOfKind } from '../../domain/odds.ts';
import { selectionIdOf } from '../../domain/selection.ts';
import type { SimulatedFill } from '../../domain/simulated-fill.ts';
import type { HistoryFact } from '../../history/facts.ts';
import { createLedger, type Ledger } from '../../ledger/index.ts';
import { type Scenario, SCENARIOS } from '../../fills/fill-model.ts';
import type { Journal, Json } from '../../ports/journal.ts';
import type { Logger } from '../../ports/logger.ts';
import type { FillRange } from '../../read-model/fill-range.ts';
import { usdt } from '../../read-model/usdt.ts';
import { eventResultOf, paidMicros, type PaperResult } from './paper-results.ts';

/** Journal record of a fill, of the account or under another fill model. */
export const PAPER_FILL = 'paper_fill';

export interface PaperFillsParts {
  /** What a person told of events. Bets on these count by it. */
  readonly results?: readonly PaperResult[];
  /** The model of the account's own fills. */
  readonly account: Scenario;
  readonly journal: Journal;
  /** Tells the history of each fill. */
  readonly note: (fact: HistoryFact) => void;
  readonly logger: Logger;
}

/** The sums of a model. */
class Sums {
  readonly ledger: Ledger = createLedger();
  fills = 0;
  stakeMicros: Micros = 0;
  /** Matched stake by order. */
  readonly orders = new Map<number, Micros>();
  readonly causes = new Map<FillCause, number>();
  readonly #bets = new Map<SelectionId, number>();

  add({ orderId, selectionId, stakeMicros, cause }: SimulatedFill): void {
    this.fills++;
    this.stakeMicros += stakeMicros;
    this.orders.set(orderId, (this.orders.get(orderId) ?? 0) + stakeMicros);
    this.causes.set(cause, (this.causes.get(cause) ?? 0) + 1);
    this.#bets.set(selectionId, (this.#bets.get(selectionId) ?? 0) + 1);
  }

  /** Open bets without a fair probability, by which they would be valued. Bets that cancel each other need none. */
  unpriced(fairOf: (id: SelectionId) => number | null): number {
    const without = this.ledger.selections().filter((id) => fairOf(id) === null);
    return without.reduce((sum, id) => sum + (this.#bets.get(id) ?? 0), 0);
  }
}

export class PaperFills {
  readonly #parts: PaperFillsParts;
  readonly #sums: ReadonlyMap<string, Sums> = new Map(SCENARIOS.map((name) => [name, new Sums()]));

  /** Continues from what the journal holds. */
  constructor(parts: PaperFillsParts) {
    this.#parts = parts;
    // After a crash the history may lack the last ones. Each counts once.
    const earlier = earlierFills(parts);
    for (const fill of earlier) {
      parts.note(factOfPaperFill(fill));
      this.#add(fill);
    }
    for (const result of parts.results ?? []) this.#settle(result, earlier);
  }

  /** Writes a fill down. A journal that fails stops the daemon's orders; what it no longer takes is counted all the same. */
  take(fill: SimulatedFill): void {
    const { journal, logger, note } = this.#parts;
    try {
      journal.append([{ kind: PAPER_FILL, uuid: null, data: recordOf(fill) }]);
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      logger.error('a paper fill is not in the journal: a restart will not know it', { error });
    }
    note(factOfPaperFill(fill));
    this.#add(fill);
  }

  /** Books what a person told. Told again, it is a correction. Throws JournalError if the fills cannot be read. */
  settle(result: PaperResult): void {
    this.#settle(result, paperFillsIn(this.#parts.journal));
  }

  /** The selections with open bets under any fill model. */
  openSelections(): readonly SelectionId[] {
    return [...new Set(Array.from(this.#sums.values(), ({ ledger }) => ledger.selections()).flat())];
  }

  /** Open bets are worth what the fair probabilities say; those without one are counted, and worth 0. */
  range(fairOf: (id: SelectionId) => number | null): FillRange {
    return {
      account: this.#parts.account,
      causes: this.#causes(),
      nearMisses: this.#nearMisses(),
      models: Array.from(this.#sums, ([model, sums]) => ({
        model,
        fills: sums.fills,
        stakeMatched: usdt(sums.stakeMicros),
        profitLoss: usdt(sums.ledger.profitLoss(fairOf).totalMicros),
        unpriced: sums.unpriced(fairOf),
      })),
    };
  }

  /** How many fills of the account have each cause. */
  #causes(): FillRange['causes'] {
    const { causes } = this.#sums.get(this.#parts.account) ?? new Sums();
    return Object.fromEntries(
      FILL_CAUSES.flatMap((cause) => (causes.has(cause) ? [[cause, causes.get(cause)]] : [])),
    );
  }

  #nearMisses(): number {
    const [touch, queue] = [this.#sums.get('touch'), this.#sums.get('queue')];
    if (touch === undefined || queue === undefined) return 0;
    return Array.from(touch.orders).filter(([id, micros]) => micros > (queue.orders.get(id) ?? 0)).length;
  }

  #settle({ sport, eventId, told }: PaperResult, earlier: readonly SimulatedFill[]): void {
    const fills = earlier.filter((fill) => fill.sport === sport && fill.eventId === eventId);
    const result = eventResultOf(
      told,
      fills.map(({ betType }) => betType),
    );
    for (const [model, { ledger }] of this.#sums) {
      const ofModel = Map.groupBy(
        fills.filter((fill) => fill.model === model),
        ({ orderId }) => orderId,
      );
      for (const ofOrder of ofModel.values()) settleIn(ledger, ofOrder, result);
    }
  }

  #add(fill: SimulatedFill): void {
    const sums = this.#sums.get(fill.model);
    if (sums === undefined) return;
    sums.add(fill);
    const booked = { kind: 'booked', fill, state: 'matched', isRecorded: false } as const;
    sums.ledger.onChange(booked, fill.atMs);
  }
}

/** Books what an order's fills, of which there is one at least, pay. */
function settleIn(ledger: Ledger, fills: readonly SimulatedFill[], result: EventResult | null): void {
  const [{ orderId, sport, eventId, atMs }] = fills as [SimulatedFill];
  const profitLossMicros = fills.reduce((sum, fill) => sum + paidMicros(fill, result), 0);
  ledger.onChange(
    {
      kind: 'result',
      result: { orderId, sport, eventId, profitLossMicros },
      beforeMicros: null,
      isTakenBack: false,
      hasBets: true,
      bets: fills,
      isNews: false,
      isRecorded: true,
      atMs,
    },
    atMs,
  );
  for (const fill of fills) ledger.onChange({ kind: 'moved', fill, from: 'matched', to: 'settled' }, atMs);
}

/** A fill in the journal. What follows from these fields is not among them. Records of earlier versions lack the uuid. */
type FillRecord = Omit<SimulatedFill, 'selectionId' | 'direction' | 'requestUuid'> &
  Partial<Pick<SimulatedFill, 'requestUuid'>>;

const recordOf = ({
  selectionId: _,
  direction: __,
  ...record
}: SimulatedFill): { readonly [name: string]: Json } => ({ ...record });

const fillIn = (record: FillRecord): SimulatedFill => ({
  requestUuid: null,
  ...record,
  selectionId: selectionIdOf(record),
  direction: directionOfKind(record.priceKind),
});

/** The fills of a journal. Throws JournalError on damage. */
export const paperFillsIn = (journal: Pick<Journal, 'ofKind'>): readonly SimulatedFill[] =>
  // Safe because the journal verifies its checksums, and only `PaperFills` writes this kind.
  Array.from(journal.ofKind(PAPER_FILL), ({ data }) => fillIn(data as object as FillRecord));

/** None of a damaged journal: nothing is placed with it. */
function earlierFills({ journal, logger }: PaperFillsParts): readonly SimulatedFill[] {
  try {
    return paperFillsIn(journal);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    logger.error('the paper fills of earlier runs cannot be read', { error });
    return [];
  }
}

/** A fill as the history keeps it. */
export function factOfPaperFill(fill: SimulatedFill): HistoryFact {
  const { model, cause, betId, orderId, sport, eventId, selectionId } = fill;
  const { direction, priceKind, price, stakeMicros, atMs } = fill;
  const bet = { betId, orderId, sport, eventId, selectionId, direction, priceKind, price, stakeMicros, atMs };
  return { kind: 'paper_fill', fill: { ...bet, model, cause } };
}
