import type { EventId, SelectionId } from '../../domain/ids.ts';
import { bestLevel } from '../../domain/price-list.ts';
import type { Direction } from '../../domain/selection.ts';
import type { Ledger } from '../../ledger/index.ts';
import type { HeldPrices, Market, SelectionState } from '../../market/index.ts';
import type { Clock } from '../../ports/clock.ts';
import type { BestPrices, Guards } from '../../risk/index.ts';
import { consensusOf } from '../consensus.ts';

export interface MarketWatchDeps {
  readonly market: Market;
  readonly guards: Guards;
  readonly ledger: Ledger;
  readonly clock: Clock;
}

/** Shows guards and ledger what the market says of the events and selections that are quoted. */
export class MarketWatch {
  readonly #deps: MarketWatchDeps;
  readonly #fair = new Map<SelectionId, number>();

  constructor(deps: MarketWatchDeps) {
    this.#deps = deps;
  }

  /** The market of an event changed. */
  see(eventId: EventId, selectionIds: readonly SelectionId[]): void {
    const state = this.#deps.market.event(eventId);
    if (state === undefined) return;
    const { event, inRunning, score, redCards, suspended } = state;
    const { startTimeMs } = event;
    this.#deps.guards.onEvent({ eventId, inRunning, startTimeMs, score, redCards, suspended });
    for (const id of selectionIds) this.#seeSelection(eventId, id);
  }

  /** The fair probability of a selection; the last one seen while its market is away. */
  fairOf(id: SelectionId): number | null {
    return consensusOf(this.#deps.market, id)?.fair ?? this.#fair.get(id) ?? null;
  }

  #seeSelection(eventId: EventId, selectionId: SelectionId): void {
    const { market, guards, ledger, clock } = this.#deps;
    const state = market.selection(selectionId);
    if (state === undefined) return;
    const fair = consensusOf(market, selectionId)?.fair ?? null;
    if (fair !== null) {
      this.#fair.set(selectionId, fair);
      ledger.onFair(selectionId, fair, clock.wallMs());
    }
    guards.onSelection({
      eventId,
      selectionId,
      fair,
      offers: bestOf(state.offers),
      quotes: bestOf(state.quotes),
    });
  }
}

/** Best prices of one source, our own stake included: it is in both sources alike. */
function bestOf(held: SelectionState['offers']): BestPrices {
  return { for: best('for', held.for), against: best('against', held.against) };
}

function best(direction: Direction, held: HeldPrices | null): number | null {
  return held?.freshness === 'fresh' ? (bestLevel(direction, held.priceList)?.price ?? null) : null;
}
