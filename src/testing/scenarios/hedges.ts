/** The hedges that a strategy asks for in a scenario: planned and kept as in the daemon. */
import { type ExchangePrices, LAY_PRICES } from '../../domain/exchange-prices.ts';
import type { BetType, SelectionId } from '../../domain/ids.ts';
import { directionOfKind, profitMicros } from '../../domain/odds.ts';
import { MICROS_PER_UNIT } from '../../domain/money.ts';
import { GRID_SIZE, LOSS, WIN } from '../../domain/payoff.ts';
import type { PriceList } from '../../domain/price-list.ts';
import type { SelectionView } from '../../domain/event-view.ts';
import type { Score } from '../../domain/events.ts';
import type { LiveOrder } from '../../domain/live-order.ts';
import type { Direction } from '../../domain/selection.ts';
import { Hedges } from '../../engine/hedging/hedges.ts';
import { Hedging, type HedgingSources } from '../../engine/hedging/hedging.ts';
import { WantedHedges, withHedges } from '../../engine/hedging/wanted-hedges.ts';
import type { StrategyAnswer } from '../../strategy/host.ts';
import type { Account } from './account.ts';
import { EVENT, type Place, PLACES } from './match.ts';

type MarketOf = (id: SelectionId) => Readonly<Record<Direction, PriceList | null>>;

type Positions = HedgingSources['risk']['outcomePositions'];
type Further = Parameters<Positions>[1][number];

/** The parts of a scenario that its hedges see. */
export interface HedgedScenario {
  readonly strategy: string;
  readonly account: Pick<Account, 'profitIn' | 'position'>;
  /** The prices as the strategy last saw them. */
  readonly marketOf: MarketOf;
  readonly priceKinds: SelectionView['priceKinds'] | undefined;
}

const NO_QUOTES = { for: null, against: null } as const;

export class ScenarioHedges {
  readonly #scenario: HedgedScenario;
  readonly #hedges = new Hedges();
  readonly #wantedHedges: WantedHedges;
  /** The score is the least that can be. */
  score: Score = [0, 0];

  constructor(scenario: HedgedScenario) {
    this.#scenario = scenario;
    this.#wantedHedges = new WantedHedges(new Hedging(this.#sources()), this.#hedges);
  }

  /** The answer with the bets of its hedges beside its quotes. */
  beside(answer: StrategyAnswer, nowMs: number): StrategyAnswer {
    const { strategy: owner } = this.#scenario;
    const deciders = { hedges: this.#hedges, wantedHedges: this.#wantedHedges };
    return { ...answer, ...withHedges(deciders, EVENT, { ...answer, owner }, nowMs) };
  }

  onOrder(order: LiveOrder): void {
    this.#hedges.onOrder(order);
  }

  #sources(): HedgingSources {
    const { account, marketOf, priceKinds } = this.#scenario;
    const current: ExchangePrices =
      priceKinds?.against === 'odds-against' ? { convention: 'odds', secondSide: 'against' } : LAY_PRICES;
    return {
      market: {
        candidates: () => PLACES,
        marketOf,
        resolve: (id, kind) => ({ betType: betTypeOf(id, directionOfKind(kind)) }),
        sourceOf: () => NO_QUOTES,
        selection: (id) => ({
          marketType: placeOf(id)?.marketType ?? '',
          betTypes: { for: betTypeOf(id, 'for'), against: betTypeOf(id, 'against') },
        }),
      },
      risk: { outcomePositions: (_, further) => this.#positions(further) },
      ledger: {
        position: (id) => account.position(id),
        selectionsOn: () =>
          PLACES.map(({ selectionId }) => selectionId).filter((id) => isHeld(account.position(id))),
      },
      prices: { current },
    };
  }

  /** All selections of the match are decided by its final score. */
  #positions(further: Parameters<Positions>[1]): ReturnType<Positions> {
    const { account } = this.#scenario;
    if (!PLACES.some(({ selectionId }) => isHeld(account.position(selectionId)))) return null;
    const [home, away] = this.score;
    const micros = Float64Array.from(CELLS, (cell) => Math.floor(account.profitIn(cell)));
    const reachable = CELLS.filter(
      (cell) => Math.floor(cell / GRID_SIZE) >= home && cell % GRID_SIZE >= away,
    );
    return { groups: [{ kind: 'scores', micros, reachable }], further: further.map(placedIn) };
  }
}

const CELLS: readonly number[] = Array.from({ length: GRID_SIZE ** 2 }, (_, cell) => cell);

const placeOf = (id: SelectionId): Place | undefined => PLACES.find(({ selectionId }) => selectionId === id);

const betTypeOf = (id: SelectionId, direction: Direction): BetType =>
  `${direction},${placeOf(id)?.outcome ?? ''}` as BetType;

const isHeld = ({ ifWinMicros, ifLoseMicros }: ReturnType<Account['position']>): boolean =>
  ifWinMicros !== 0 || ifLoseMicros !== 0;

/** The pay of a stake of 1 of a further bet. */
function placedIn({ selectionId, priceKind, price }: Further) {
  const grid = placeOf(selectionId)?.grid;
  if (grid === undefined) return null;
  const win = profitMicros(priceKind, MICROS_PER_UNIT, price, WIN) / MICROS_PER_UNIT;
  const lose = profitMicros(priceKind, MICROS_PER_UNIT, price, LOSS) / MICROS_PER_UNIT;
  const perUnit = new Float64Array(CELLS.length);
  for (const cell of CELLS)
    perUnit[cell] = win * (grid.won[cell] as number) + lose * (grid.lost[cell] as number);
  return { group: 0, perUnit, ofSelection: { win, lose } };
}
