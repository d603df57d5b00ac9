import type { EventName } from '../../domain/events.ts';
import type { BetType } from '../../domain/ids.ts';
import type { PriceKind } from '../../domain/odds.ts';
import type { Position } from '../../domain/orders.ts';
import { directionOf } from '../../domain/selection.ts';
import { compareGrids, type Disagreement, type GridComparison, PositionAudit } from './agreement.ts';
import type { ExposureBook } from './book.ts';
import type { EventBets } from './event-bets.ts';
import type { Bet } from './payoffs.ts';
import type { OrderTracker } from './tracker.ts';

/** Compares our matched bets with what the exchange says that we hold, and what it pays. */
export class PositionComparison {
  readonly #book: ExposureBook;
  readonly #tracker: Pick<OrderTracker, 'hasSettled'>;
  readonly #audit = new PositionAudit();

  constructor(book: ExposureBook, tracker: Pick<OrderTracker, 'hasSettled'>) {
    [this.#book, this.#tracker] = [book, tracker];
  }

  /** Returns a disagreement that persisted over several positions of the exchange. */
  audit(position: Position): Disagreement | null {
    return this.#audit.compare(this.#book.lookedUp(position), position);
  }

  /** The bet types of our matched bets, if the exchange's payoffs agree with what its lookup says of all of them. */
  provenBy(position: Position): readonly BetType[] {
    const bets = this.#book.lookedUp(position);
    const found = compareGrids(bets, position, () => false);
    if (found.kind !== 'compared' || !found.agrees) return [];
    return Array.from(bets?.entries() ?? []).flatMap(([, { bet, matched }]) =>
      matched ? [bet.betType] : [],
    );
  }

  /** The comparable events whose position differed for long. */
  *differing(): Generator<EventName> {
    for (const event of this.comparable()) if (this.#audit.differs(event)) yield event;
  }

  /** Events with matched bets, none of which is settled: how the exchange shows settled bets is not known. */
  *comparable(): Generator<EventName> {
    for (const bets of this.#book.events())
      if (bets.hasMatched() && !this.#tracker.hasSettled(bets.event)) yield bets.event;
  }

  /** What our matched bets on an event pay, beside what the exchange says. `isAwaited`: whether a look-up of the bet is under way. */
  compare(position: Position, isAwaited: (bet: Bet) => boolean): GridComparison {
    return compareGrids(this.#book.lookedUp(position), position, isAwaited);
  }

  /** Events with matched, unsettled bets on an `against` bet type that were booked at prices of this kind. */
  heldAt(kind: PriceKind): readonly EventName[] {
    const holds = (bets: EventBets): boolean =>
      Array.from(bets.entries()).some(([, { bet, matched }]) => matched && isReadAs(bet, kind));
    return this.#book
      .events()
      .filter(holds)
      .map(({ event }) => event);
  }

  /** Whether the exchange's payoffs agree with our bets as booked, or only with those of `from` read at prices of the kind `to`. */
  compareReadings(position: Position, from: PriceKind, to: PriceKind): 'as booked' | 'read again' | null {
    const isAwaited = (): boolean => false;
    const booked = compareGrids(this.#book.lookedUp(position), position, isAwaited);
    if (booked.kind !== 'compared') return null;
    if (booked.agrees) return 'as booked';
    const read = this.#book.reread(position, (bet) => (isReadAs(bet, from) ? to : bet.priceKind));
    const again = compareGrids(read, position, isAwaited);
    return again.kind === 'compared' && again.agrees ? 'read again' : null;
  }

  forget(event: EventName): void {
    this.#audit.forget(event);
  }
}

/** Whether a bet on an `against` bet type was booked with such a price: only there do the conventions differ. */
const isReadAs = ({ betType, priceKind }: Bet, kind: PriceKind): boolean =>
  priceKind === kind && directionOf(betType) === 'against';
