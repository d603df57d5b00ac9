import { type EventName, eventNameOf } from '../../domain/events.ts';
import type { SelectionId } from '../../domain/ids.ts';
import { logit, midProbability, probabilityOf } from '../../domain/odds.ts';
import { bestPrice, type PriceList } from '../../domain/price-list.ts';
import type { Direction } from '../../domain/selection.ts';
import type { Ledger } from '../../ledger/index.ts';
import type { HeldPrices, MarketRead, SelectionState } from '../../market/index.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  type BestPrices,
  divergenceOf,
  type Reference,
  type Risk,
  type SelectionSighting,
} from '../../risk/index.ts';
import type { FairOfSelection } from './risk-memory.ts';

/** After this time both sources show a change of our order: offers are sent every two seconds. */
const SHOWN_WITHIN_MS = 3_000;

/** If both prices are further apart than this, in log-odds, their middle means nothing: other makers have left the market. */
const WIDE_LOG_ODDS = 1;

/** Shows guards and ledger the market of the quoted events and selections. */
export class MarketWatch {
  readonly #market: MarketRead;
  readonly #risk: Pick<Risk, 'guards' | 'decided'>;
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  readonly #fair = new Map<SelectionId, number>();
  /** Monotonic instant at which an order of ours last changed on a selection. */
  readonly #ownChangedMs = new Map<SelectionId, number>();

  constructor(market: MarketRead, risk: Pick<Risk, 'guards' | 'decided'>, ledger: Ledger, clock: Clock) {
    [this.#market, this.#risk, this.#ledger, this.#clock] = [market, risk, ledger, clock];
  }

  /** Call it when an event's market changed; `selectionIds` are its quoted selections. */
  see(name: EventName, selectionIds: readonly SelectionId[]): void {
    const state = this.#market.event(name);
    if (state === undefined) return;
    const { event, inRunning, score, redCards, suspended } = state;
    const { startTimeMs } = event;
    const sighting = { ...eventNameOf(event), inRunning, startTimeMs, score, redCards, suspended };
    this.#risk.guards.onEvent(sighting);
    for (const id of selectionIds) this.#seeSelection(id);
  }

  onOwnOrder(id: SelectionId): void {
    this.#ownChangedMs.set(id, this.#clock.monotonicMs());
  }

  /**
   * The fair probability of a selection. Once the score decides it, that is 1 or 0: the last prices are from before the goal. Without a market
   * it is the last one seen. If the market is too wide, it is the last one seen, limited to the range between both prices.
   */
  fairOf(id: SelectionId): number | null {
    return this.#risk.decided(id) ?? this.#fairBy(id, consensusOf(this.#market, id));
  }

  /**
   * The fair probability, also remembered as the last one seen, which changes no decision. Call it for every held selection, quoted or not.
   */
  seeFair(id: SelectionId, now = consensusOf(this.#market, id)): number | null {
    const fair = this.#fairBy(id, now);
    // A score may go back, so its decision is not remembered.
    if (fair !== null) this.#fair.set(id, fair);
    return this.#risk.decided(id) ?? fair;
  }

  /** The fair probabilities of selections with a position, and of some others, to be saved. */
  fairsHeld(others: readonly SelectionId[] = []): readonly FairOfSelection[] {
    return [...new Set([...this.#ledger.selections(), ...others])].flatMap((id) => {
      // A score may yet go back: what it decides is not a price to be kept.
      const fair = this.#fairBy(id, consensusOf(this.#market, id));
      return fair === null ? [] : [[id, fair] as const];
    });
  }

  /** Restores the last fair probabilities of an earlier run. */
  recall(fairs: readonly FairOfSelection[]): void {
    for (const [id, fair] of fairs) this.#fair.set(id, fair);
  }

  #fairBy(id: SelectionId, now: Reference | null): number | null {
    const last = this.#fair.get(id) ?? null;
    const middle = now?.fair ?? null;
    if (now === null || middle === null) return last;
    const [low, high] = boundsOf(now);
    const isWide = logit(high) - logit(low) > WIDE_LOG_ODDS;
    return isWide && last !== null ? Math.min(high, Math.max(low, last)) : middle;
  }

  #seeSelection(selectionId: SelectionId): void {
    const market = this.#market;
    const state = market.selection(selectionId);
    if (state === undefined) return;
    const consensus = consensusOf(market, selectionId);
    const fair = consensus?.fair ?? null;
    const value = fair === null ? null : this.seeFair(selectionId, consensus);
    if (value !== null) this.#ledger.onFair(selectionId, value, this.#clock.wallMs());
    const sighting = { ...eventNameOf(state.selection), selectionId, fair, ...this.#sourcesOf(state) };
    this.#risk.guards.onSelection(sighting);
  }

  /**
   * The best prices of each source without our own stake. One source shows a change of our stake before the other does. While our
   * orders change, the difference is therefore measured with our stake and without it, and the smaller one is used.
   */
  #sourcesOf({ selection: { id }, offers, quotes, orders }: SelectionState): Sources {
    const market = this.#market;
    const isChanging = this.#isChanging(id);
    const shown = { offers: bestOf(offers), quotes: bestOf(quotes) };
    if (orders.length === 0 && !isChanging) return shown;
    const ofOthers = {
      offers: bestIn(market.sourceOf(id, 'offer')),
      quotes: bestIn(market.sourceOf(id, 'quote')),
    };
    return isChanging && apart(shown) < apart(ofOthers) ? shown : ofOthers;
  }

  #isChanging(id: SelectionId): boolean {
    const changedMs = this.#ownChangedMs.get(id) ?? -Infinity;
    const isChanging = this.#clock.monotonicMs() - changedMs < SHOWN_WITHIN_MS;
    if (!isChanging) this.#ownChangedMs.delete(id);
    return isChanging;
  }
}

/** The probabilities of both prices, the lower first. A reference with a fair value has both. */
function boundsOf({ forBest, againstBest }: Reference): readonly [low: number, high: number] {
  const [a, b] = [probabilityOf(forBest as number), probabilityOf(againstBest as number)];
  return [Math.min(a, b), Math.max(a, b)];
}

const apart = ({ offers, quotes }: Sources): number => divergenceOf(offers, quotes);

type Sources = Pick<SelectionSighting, 'offers' | 'quotes'>;

/** Best prices of one source as it shows them, our own stake included. */
function bestOf(held: SelectionState['offers']): BestPrices {
  return bestIn({ for: listOf(held.for), against: listOf(held.against) });
}

const listOf = (held: HeldPrices | null): PriceList | null =>
  held?.freshness === 'fresh' ? held.priceList : null;

function bestIn(prices: Readonly<Record<Direction, PriceList | null>>): BestPrices {
  return { for: bestPriceIn('for', prices.for), against: bestPriceIn('against', prices.against) };
}

const bestPriceIn = (direction: Direction, prices: PriceList | null): number | null =>
  prices === null ? null : bestPrice(direction, prices);

/**
 * The reference that risk judges prices by: the best price of each direction, and their midpoint in probability as the fair
 * value. Null if the market is not known or has no fresh prices.
 */
export function consensusOf(market: MarketRead, id: SelectionId): Reference | null {
  const best = market.bestOf(id);
  if (best === null) return null;
  const { for: forBest, against: againstBest, ageMs } = best;
  return { forBest, againstBest, fair: midProbability(forBest, againstBest), ageMs };
}
