import type { PositionView } from '../../domain/event-view.ts';
import { type EventName, eventNameOf } from '../../domain/events.ts';
import { type ExchangePrices, secondKind } from '../../domain/exchange-prices.ts';
import type { HedgeGoal } from '../../domain/hedge-intent.ts';
import type { BetType, SelectionId } from '../../domain/ids.ts';
import { priceOf, tickOf } from '../../domain/ladder.ts';
import { fromMicros, type Micros, MICROS_PER_UNIT } from '../../domain/money.ts';
import { contractsMicros, convertedTick, selectionPrice } from '../../domain/odds.ts';
import { bound } from '../../hedge/bound.ts';
import { equalise, flatten, type HedgedSelection, type HedgeResult } from '../../hedge/even.ts';
import { type HedgeLeg, inWholeCents } from '../../hedge/legs.ts';
import { refusalOf } from '../../hedge/never-worse.ts';
import type { EventState, SelectionState } from '../../market/index.ts';
import type { Bet, OutcomeGroup, PlacedBet, RiskRead } from '../../risk/index.ts';
import { type CandidateLeg, candidateLegs, type CandidateMarket, stillHolds } from './candidate-legs.ts';
import { exclusiveMarkets, type ShapedSelection } from './exclusive-markets.ts';
import type { HedgeAnswer, HedgeBet, HedgeWish, NoHedge, PlannedHedge } from './terms.ts';

/** The sources of a plan: the prices that are there, and the bets that are held. */
export interface HedgingSources {
  readonly market: CandidateMarket & {
    selection(id: SelectionId): Pick<SelectionState, 'betTypes' | 'marketType'> | undefined;
    /** Left out where suspensions are not told. */
    event?(event: EventName): Pick<EventState, 'suspended'> | undefined;
  };
  readonly risk: Pick<RiskRead, 'outcomePositions'>;
  readonly ledger: {
    position(id: SelectionId): PositionView;
    selectionsOn(event: EventName): readonly SelectionId[];
  };
  readonly prices: { readonly current: ExchangePrices };
}

/** The bets of an event and those that may hedge them, now. */
interface Situation {
  readonly book: readonly OutcomeGroup[];
  readonly legs: readonly HedgeLeg[];
  readonly selections: readonly ShapedSelection[];
  /** Whether any price is known that a bet could have. */
  readonly isPriced: boolean;
}

/** Plans hedges from the bets that are held and the prices that are there. Reads, and changes nothing. */
export class Hedging {
  readonly #sources: HedgingSources;
  #leastStakeMicros: Micros = 0;

  constructor(sources: HedgingSources) {
    this.#sources = sources;
  }

  /** From now on no smaller bet is planned: the order manager would not place it. Before the first call any stake will do. */
  setLeastStake(stakeMicros: Micros): void {
    this.#leastStakeMicros = stakeMicros;
  }

  plan({ event, goal, way, without }: HedgeWish): HedgeAnswer {
    const situation = this.#situation(event, way, without);
    if (situation === null) return NOTHING_HELD;
    const result = this.#towards(goal, situation);
    if (result === null) return { kind: 'refused', why: this.#withoutPrices(event) };
    if (result.kind === 'refused') return result;
    if (result.legs.length === 0) return withinBound(result.worstMicros);
    return { kind: 'planned', event, goal, way, book: situation.book, legs: result.legs };
  }

  /** A hedge of a single bet at a price of its own, on an event that it must not worsen. */
  planBet(event: EventName, bet: HedgeBet): HedgeAnswer {
    const { market, risk } = this.#sources;
    const own = this.#inMarketTerms(bet);
    const betType = own === null ? undefined : market.resolve(own.selectionId, own.priceKind)?.betType;
    if (own === null || betType === undefined || own.stakeMicros <= 0)
      return { kind: 'refused', why: 'the exchange has no such bet' };
    if (own.stakeMicros < this.#leastStakeMicros) return { kind: 'refused', why: this.#tooSmall };
    const { stakeMicros, ...terms } = own;
    const rest = { availableMicros: Infinity, minStakeMicros: 0, lossPerUnit: null, hasBetslip: false };
    const candidate = { ...terms, ...rest, betType };
    const positions = risk.outcomePositions(event, [betOf(event, candidate)]);
    const placed = positions?.further[0] ?? null;
    if (positions === null || placed === null) return { kind: 'refused', why: 'it hedges nothing' };
    const legs = [{ leg: { ...candidate, ...placed }, stakeMicros }];
    const why = refusalOf(positions.groups, legs);
    if (why !== null) return { kind: 'refused', why };
    const goal = { kind: 'flatten', selectionId: bet.selectionId } as const;
    return { kind: 'planned', event: eventNameOf(event), goal, way: bet.way, book: positions.groups, legs };
  }

  /** The bet on the ladder that orders of its direction are on, no nearer to fair, and with no more contracts. */
  #inMarketTerms(bet: HedgeBet): HedgeBet | null {
    const price = selectionPrice(bet.priceKind, priceOf(bet.tick));
    const priceKind =
      bet.direction === 'for' ? 'odds-for' : secondKind(this.#sources.prices.current, price, null);
    const tick = convertedTick(bet.priceKind, bet.tick, priceKind);
    if (tick === null) return null;
    const contracts = contractsMicros(bet.stakeMicros, priceOf(bet.tick));
    return { ...bet, priceKind, tick, stakeMicros: inWholeCents(contracts / priceOf(tick)) };
  }

  /** Why a hedge that was planned before cannot be made as it is; null if it can: its prices hold, and it still worsens nothing. */
  faultOf({ event, way, legs }: PlannedHedge): string | null {
    if (legs.some(({ stakeMicros }) => stakeMicros < this.#leastStakeMicros)) return this.#tooSmall;
    const now = candidateLegs(this.#sources.market, event, this.#sources.prices.current, way);
    if (way === 'take' && !legs.every(({ leg, stakeMicros }) => stillHolds(leg, stakeMicros, now)))
      return 'its prices no longer hold its stakes';
    const positions = this.#sources.risk.outcomePositions(
      event,
      legs.map(({ leg }) => betOf(event, leg)),
    );
    const again = legs.flatMap(({ leg, stakeMicros }, at) => {
      const placed = positions?.further[at] ?? null;
      return placed === null ? [] : [{ leg: { ...leg, ...placed }, stakeMicros }];
    });
    if (positions === null || again.length < legs.length) return 'the bets that it hedges are no longer held';
    return refusalOf(positions.groups, again);
  }

  /** Null: no price is known that a bet of it could have. */
  #towards(goal: HedgeGoal, { book, legs, selections, isPriced }: Situation): HedgeResult | null {
    if (goal.kind === 'flatten') {
      const hedged = this.#hedged(goal.selectionId, legs);
      const isEven = hedged.ifWinMicros === hedged.ifLoseMicros;
      return isEven || hedged.legs.length > 0 ? flatten(book, hedged) : null;
    }
    if (goal.kind === 'bound') {
      const plan = bound(book, legs, goal.boundMicros, goal.mostLegs);
      if (plan !== null) return { kind: 'plan', ...plan };
      return isPriced ? { kind: 'refused', why: this.#noBetHelps } : null;
    }
    const market = this.#unevenMarket(book, selections, goal.marketType);
    if (market === null) return { kind: 'refused', why: NOT_EXCLUSIVE };
    const hedged = market.map((id) => this.#hedged(id, legs));
    return hedged.some((each) => each.legs.length > 0) ? equalise(book, hedged) : null;
  }

  get #noBetHelps(): string {
    return `no bet that is there now${this.#ofLeastStake} makes the worst case better without a risk to worsen it`;
  }

  #withoutPrices(event: EventName): string {
    return this.#sources.market.event?.(event)?.suspended === true
      ? 'the exchange has suspended the event, so it has no prices for a bet: ask again once it is open'
      : 'no fresh prices are known for a bet of it: ask again once there are';
  }

  /** For people: the least stake, where there is one. */
  get #ofLeastStake(): string {
    return this.#leastStakeMicros === 0 ? '' : `, of ${fromMicros(this.#leastStakeMicros)} USDT or more,`;
  }

  get #tooSmall(): string {
    return `a bet of it is below the least stake of an order, ${fromMicros(this.#leastStakeMicros)} USDT`;
  }

  #hedged(selectionId: SelectionId, legs: readonly HedgeLeg[]): HedgedSelection {
    const { ifWinMicros, ifLoseMicros } = this.#sources.ledger.position(selectionId);
    return {
      selectionId,
      ifWinMicros,
      ifLoseMicros,
      legs: legs.filter((leg) => leg.selectionId === selectionId),
    };
  }

  /** The held market whose results differ most. */
  #unevenMarket(
    book: readonly OutcomeGroup[],
    selections: readonly ShapedSelection[],
    family: string | null,
  ): readonly SelectionId[] | null {
    const markets = exclusiveMarkets(selections, (group) => book[group]?.kind === 'runners')
      .filter(([first]) => family === null || first?.marketType === family)
      .map((market) => market.map(({ selectionId }) => selectionId))
      .map((market) => ({ market, spread: this.#spreadOf(market) }))
      .filter(({ spread }) => spread > 0)
      .toSorted((a, b) => b.spread - a.spread);
    return markets[0]?.market ?? null;
  }

  #spreadOf(market: readonly SelectionId[]): Micros {
    const positions = market.map((id) => this.#sources.ledger.position(id));
    const contracts = positions.map(({ ifWinMicros, ifLoseMicros }) => ifWinMicros - ifLoseMicros);
    return Math.max(...contracts) - Math.min(...contracts);
  }

  #situation(event: EventName, way: HedgeLeg['way'], without?: HedgeWish['without']): Situation | null {
    const { market, risk, prices } = this.#sources;
    const priced = candidateLegs(market, event, prices.current, way, this.#leastStakeMicros);
    const candidates = priced.filter(({ selectionId }) => without?.has(selectionId) !== true);
    const shaped = this.#selectionsOn(event);
    const bets = [
      ...candidates.map((leg) => betOf(event, leg)),
      ...shaped.map(({ selectionId, betType }) => evenBet(event, selectionId, betType)),
    ];
    const positions = risk.outcomePositions(event, bets);
    if (positions === null || positions.groups.length === 0) return null;
    const placed = positions.further;
    return {
      isPriced: priced.length > 0,
      book: positions.groups,
      legs: candidates.flatMap((leg, at) => legsOf(leg, placed[at] ?? null)),
      selections: shaped.flatMap(({ selectionId, marketType }, at) => {
        const shape = placed[candidates.length + at] ?? null;
        return shape === null ? [] : [{ selectionId, marketType, shape }];
      }),
    };
  }

  #selectionsOn(event: EventName) {
    const { market, ledger } = this.#sources;
    const ids = new Set([
      ...market.candidates(event).map(({ selectionId }) => selectionId),
      ...ledger.selectionsOn(event),
    ]);
    return [...ids].flatMap((selectionId) => {
      const state = market.selection(selectionId);
      const betType = state?.betTypes.for ?? state?.betTypes.against ?? null;
      return state === undefined || betType === null
        ? []
        : [{ selectionId, betType, marketType: state.marketType }];
    });
  }
}

const NOT_EXCLUSIVE =
  'nothing is held on a market of which exactly one selection wins: flatten its selections one by one instead (--flatten SELECTION)';

const NOTHING_HELD: NoHedge = { kind: 'refused', why: 'nothing is held on the event', isNeedless: true };
/** Hedges look at matched bets: open orders may lapse. */
const withinBound = (worstMicros: Micros): NoHedge => ({
  kind: 'refused',
  why: `the matched bets lose at most ${fromMicros(Math.abs(worstMicros))} USDT, within the bound`,
  isNeedless: true,
});

/** At even odds a whole win pays 1, and a whole loss -1. */
const EVEN_TICK = tickOf(2) as number;

const evenBet = (event: EventName, selectionId: SelectionId, betType: BetType): Bet =>
  betOf(event, { selectionId, betType, direction: 'for', priceKind: 'odds-for', tick: EVEN_TICK });

type LegTerms = Pick<HedgeLeg, 'selectionId' | 'betType' | 'direction' | 'priceKind' | 'tick'>;

function betOf({ sport, eventId }: EventName, leg: LegTerms): Bet {
  const { selectionId, betType, direction, priceKind, tick } = leg;
  const stakeMicros = MICROS_PER_UNIT;
  return { selectionId, sport, eventId, betType, direction, priceKind, price: priceOf(tick), stakeMicros };
}

const legsOf = ({ marketType: _, ...leg }: CandidateLeg, placed: PlacedBet | null): readonly HedgeLeg[] =>
  placed === null ? [] : [{ ...leg, ...placed }];
