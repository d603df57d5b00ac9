/** The hedges that a strategy asks for on an event of a tape: planned and kept as in the daemon. */
import type { EventName } from '../../../domain/events.ts';
import { LAY_PRICES } from '../../../domain/exchange-prices.ts';
import type { SelectionId } from '../../../domain/ids.ts';
import type { Micros } from '../../../domain/money.ts';
import { directionOfKind } from '../../../domain/odds.ts';
import type { QuoteIntent } from '../../../domain/quote-intent.ts';
import { EMPTY_PRICE_LIST, type PriceList } from '../../../domain/price-list.ts';
import { Hedges, quotesBeside } from '../../../engine/hedging/hedges.ts';
import { Hedging, type HedgingSources } from '../../../engine/hedging/hedging.ts';
import { WantedHedges } from '../../../engine/hedging/wanted-hedges.ts';
import type { Wishes } from '../../../strategy/wishes.ts';
import type { TapeExposure } from '../../exposure.ts';
import type { EventTape } from '../../tape.ts';
import { NOTHING_SHOWN, type Showing, type ShownSide } from '../deciding/showings.ts';
import type { OwnOrder } from '../exchange/own-order.ts';

/** The levels of a side; null without an offer. */
const listOf = (side: ShownSide | null): PriceList | null =>
  side === null ? null : (side.list ?? EMPTY_PRICE_LIST);

const NO_QUOTES = { for: null, against: null } as const;

export class TapeHedges {
  readonly #event: EventName;
  readonly #tape: EventTape;
  readonly #exposure: TapeExposure;
  readonly #hedges = new Hedges();
  readonly #wanted: WantedHedges;
  readonly #positions: ReadonlyMap<SelectionId, number>;
  #showing: Showing | null = null;
  /** Whether a hedge was ever asked for. */
  wereWanted = false;

  /** `leastStakeMicros`: of an order. */
  constructor(tape: EventTape, exposure: TapeExposure, leastStakeMicros: Micros) {
    [this.#event, this.#tape, this.#exposure] = [tape.event, tape, exposure];
    this.#positions = new Map(tape.selections.map(({ selectionId }, at) => [selectionId, at]));
    const hedging = new Hedging(this.#sources());
    hedging.setLeastStake(leastStakeMicros);
    this.#wanted = new WantedHedges(hedging, this.#hedges);
  }

  /** The quotes that are wanted, and the bets of hedges beside them. */
  beside({ intents, hedges = [] }: Wishes, showing: Showing, nowMs: number): readonly QuoteIntent[] {
    if (hedges.length === 0 && !this.wereWanted) return intents;
    this.wereWanted = true;
    this.#showing = showing;
    this.#wanted.make(this.#event, hedges, nowMs);
    const hedging = this.#hedges.intentsOn(this.#event, nowMs);
    return hedging.length === 0 ? intents : [...quotesBeside(hedging, intents), ...hedging];
  }

  /** Takes what is known of an order now. */
  onOrder({ take, knownFilledMicros: filledMicros }: OwnOrder, isClosed: boolean): void {
    if (take?.hedge === undefined) return;
    const state = isClosed ? 'closed' : 'live';
    this.#hedges.onOrder({ ...this.#event, take, filledMicros, state, closeReason: null });
  }

  /** A recorded market has no betslips, and prices of the selection. */
  #sources(): HedgingSources {
    const [tape, exposure] = [this.#tape, this.#exposure];
    const at = (id: SelectionId): number => this.#positions.get(id) ?? -1;
    const sideOf = (id: SelectionId, direction: 'for' | 'against') =>
      exposure.betOf({ selection: at(id), direction, price: 1, stakeMicros: 0 }).betType;
    const marketType = (id: SelectionId): string =>
      tape.markets[tape.selections[at(id)]?.market ?? -1]?.marketType ?? '';
    return {
      market: {
        candidates: () =>
          tape.selections.map(({ selectionId }) => ({ selectionId, marketType: marketType(selectionId) })),
        marketOf: (id) => {
          const shown = this.#showing?.selections[at(id)] ?? NOTHING_SHOWN;
          return { for: listOf(shown.for), against: listOf(shown.against) };
        },
        resolve: (id, kind) => ({ betType: sideOf(id, directionOfKind(kind)) }),
        sourceOf: () => NO_QUOTES,
        selection: (id) => ({
          marketType: marketType(id),
          betTypes: { for: sideOf(id, 'for'), against: sideOf(id, 'against') },
        }),
      },
      risk: { outcomePositions: (_, further) => exposure.outcomePositions(further) },
      ledger: {
        position: (id) => ({
          ifWinMicros: exposure.ifWinMicros(at(id)),
          ifLoseMicros: exposure.ifLoseMicros(at(id)),
        }),
        selectionsOn: () =>
          tape.selections
            .filter((_, each) => exposure.ifWinMicros(each) !== 0 || exposure.ifLoseMicros(each) !== 0)
            .map(({ selectionId }) => selectionId),
      },
      prices: { current: LAY_PRICES },
    };
  }
}
