import type { EventView, MarketSide, SelectionView } from '../../domain/event-view.ts';
import type { SelectionId } from '../../domain/ids.ts';
import { noteMid } from '../../domain/mid-history.ts';
import { priceOf } from '../../domain/ladder.ts';
import {
  compareTicks,
  contractsMicros,
  convertedTick,
  isBetter,
  isComplement,
  midProbability,
  type PriceKind,
  SELECTION_KINDS,
} from '../../domain/odds.ts';
import { toMicros } from '../../domain/money.ts';
import { modeOf } from '../../domain/orders.ts';
import type { PriceList } from '../../domain/price-list.ts';
import { kindOfIntent, type QuoteIntent, stakeAt } from '../../domain/quote-intent.ts';
import type { Direction } from '../../domain/selection.ts';
import { seededRandom } from '../../lib/random.ts';
import type { Strategy } from '../../strategy/contract.ts';
import type { StrategyAnswer } from '../../strategy/host.ts';
import type { ScoreGrid } from '../../strategy/sdk.ts';
import { aView, prices } from '../builders.ts';
import { type RunOptions, runStrategy, type StrategyRun } from '../strategy-run.ts';
import { Account, type AccountChange, type Offered } from './account.ts';
import { type HedgedScenario, ScenarioHedges } from './hedges.ts';
import {
  EVENT,
  fairLogOdds,
  levelsOf,
  type Makers,
  makersAround,
  Match,
  type Place,
  PLACES,
  waysToSettle,
} from './match.ts';
import { type Conditions, conditionsAt, type Scenario } from './scenario.ts';
import type { ScenarioInput } from './inputs.ts';
import { type Counts, Tally } from './tally.ts';
import { Takers } from './takers.ts';

/**
 * Options of `playScenario`.
 *
 * @example
 * const options: PlayOptions = { parameters: { stake: 5 }, seed: 7 };
 */
export interface PlayOptions extends Omit<RunOptions, 'startMs'> {
  /** Default 1. The same seed gives the same market. */
  readonly seed?: number;
  /** What the prices of our orders are, as on an exchange of odds. Default: prices of the selection. */
  readonly priceKinds?: Readonly<Record<Direction, PriceKind>>;
}

/**
 * What a strategy did in a scenario, and all that it received.
 *
 * @example
 * const isSafe = ({ worstCaseMicros }: ScenarioResult): boolean => worstCaseMicros > -toMicros(200);
 */
export interface ScenarioResult extends Counts {
  readonly inputs: readonly ScenarioInput[];
}

const START_MS = 1_700_000_000_000;
const BEFORE_START_MS = 3_600_000;
/** Without a connection the daemon closes what rests within this time. */
const CLOSES_WITHIN_S = 10;

/**
 * Plays a scenario second by second: the market moves and fills our orders, the strategy sees a view, and its intents become orders.
 * The same strategy, parameters and seed give the same result. Throws ConfigError for parameters that the strategy refuses.
 *
 * @example
 * const idle = defineStrategy({ name: 'idle', description: '', parameters: z.object({}), quote: () => [] });
 * const [quiet] = SCENARIOS;
 * quiet && playScenario(idle, quiet).views; // 600
 */
export function playScenario(
  strategy: Strategy,
  scenario: Scenario,
  { seed = 1, priceKinds, ...options }: PlayOptions = {},
): ScenarioResult {
  const run = runStrategy(strategy, { ...options, startMs: START_MS });
  const play = new Play(run, scenario, seed, { strategy: strategy.name, priceKinds });
  for (let second = 0; second < scenario.minutes * 60; second++) play.second(second);
  run.end(EVENT);
  run.stop();
  return play.result();
}

/** The prices of one selection as the strategy last saw them. Null prices: nothing is fresh. */
interface Seen {
  readonly makers: Makers | null;
  readonly atMs: number;
  readonly mids: number[];
}

/** The fair log-odds of a selection, the other makers' quotes, and the log-odds around which they stand. */
interface Quoted {
  readonly fair: number;
  readonly around: number;
  readonly makers: Makers;
}

/** The other makers move their quotes once fair is this far from where they quoted, in log-odds. */
const MAKERS_BAND = 0.015;

const quotedAround = (place: Place, fair: number): Quoted => ({
  fair,
  around: fair,
  makers: makersAround(place, fair),
});

const NO_MAKERS: Makers = { for: [], against: [] };

class Play {
  readonly #run: StrategyRun;
  readonly #scenario: Scenario;
  readonly #priceKinds: Pick<SelectionView, 'priceKinds'>;
  readonly #match: Match;
  readonly #takers: Takers;
  readonly #account = new Account();
  readonly #tally: Tally;
  readonly #hedges: ScenarioHedges;
  readonly #seen = new Map<SelectionId, Seen>();
  /** The market of the second before. */
  readonly #before = new Map<SelectionId, Quoted>();
  /** Changes that a lost connection keeps from us. */
  readonly #unreported: AccountChange[] = [];
  readonly #inputs: ScenarioInput[] = [];
  #scores: ScoreGrid = new Float64Array();
  #conditions: Conditions;
  #ways: readonly number[] = [];
  #second = 0;
  #lostS = 0;

  constructor(
    run: StrategyRun,
    scenario: Scenario,
    seed: number,
    { strategy, priceKinds }: Pick<HedgedScenario, 'strategy' | 'priceKinds'>,
  ) {
    this.#priceKinds = priceKinds === undefined ? {} : { priceKinds };
    this.#run = run;
    this.#scenario = scenario;
    this.#conditions = conditionsAt(scenario, 0);
    this.#match = new Match(seededRandom(seed, `${scenario.name} match`));
    this.#takers = new Takers(seededRandom(seed, `${scenario.name} takers`));
    this.#tally = new Tally(scenario, seed, this.#account);
    const marketOf = (id: SelectionId) => this.#seenOf(id);
    this.#hedges = new ScenarioHedges({ strategy, account: this.#account, marketOf, priceKinds });
  }

  result(): ScenarioResult {
    return { ...this.#tally.result(this.#scores), inputs: this.#inputs };
  }

  /** Timers of the strategy come first, then the market, the fills, and the view. */
  second(second: number): void {
    const ms = second === 0 ? 0 : 1000;
    this.#inputs.push({ kind: 'advance', ms });
    const between = this.#run.advance(ms, () => this.#view());
    for (const answer of between) this.#take(answer);
    this.#second = second;
    const { score } = this.#conditions;
    this.#conditions = conditionsAt(this.#scenario, second);
    if (second === 0 || this.#conditions.score !== score) this.#ways = waysToSettle(this.#conditions.score);
    this.#scores = this.#match.next(this.#conditions, this.#playedS());
    for (const place of PLACES) this.#trade(place);
    if (this.#conditions.shown === 'lost') this.#beLost();
    else this.#report();
    this.#tally.worst(this.#ways);
  }

  /** The connection is there: reports what happened, and views the event. */
  #report(): void {
    this.#lostS = 0;
    for (const change of this.#unreported.splice(0)) this.#tell(change);
    const view = this.#view();
    if (view === null) return;
    this.#inputs.push({ kind: 'view', view });
    this.#take(this.#run.view(view));
  }

  #beLost(): void {
    if (++this.#lostS === CLOSES_WITHIN_S)
      this.#unreported.push(...this.#account.setWanted([], this.#run.nowMs));
  }

  #tell({ order, fill }: AccountChange): void {
    if (fill !== null) {
      this.#inputs.push({ kind: 'fill', fill });
      this.#run.fill(fill);
    }
    this.#inputs.push({ kind: 'order', order });
    this.#hedges.onOrder(order);
    this.#run.order(order);
  }

  /** The market of a selection moves on and matches our orders. */
  #trade(place: Place): void {
    const fair = fairLogOdds(place, this.#scores);
    const { shown, isSurprise } = this.#conditions;
    const before = this.#before.get(place.selectionId) ?? quotedAround(place, fair);
    const isNear = Math.abs(fair - before.around) < MAKERS_BAND;
    const quoted = isSurprise || isNear ? { ...before, fair } : quotedAround(place, fair);
    const { makers } = quoted;
    const open = this.#account.open.filter(({ selectionId }) => selectionId === place.selectionId);
    const instant = { place, fair, fairBefore: before.fair, makers, conditions: this.#conditions, open };
    const matches = shown === 'suspended' ? [] : this.#takers.matches(instant);
    for (const { order, stakeMicros } of matches)
      this.#unreported.push(this.#account.match(order, stakeMicros, this.#run.nowMs));
    this.#before.set(place.selectionId, quoted);
    this.#see(place, makers);
  }

  #see({ selectionId }: Place, makers: Makers): void {
    const { shown } = this.#conditions;
    const seen = this.#seen.get(selectionId);
    if (shown === 'lost' || (shown === 'frozen' && seen !== undefined)) return;
    const nowMs = this.#run.nowMs;
    const mids = seen?.mids ?? [];
    const now = shown === 'stale' ? null : shown === 'suspended' ? NO_MAKERS : makers;
    noteMid(mids, midOf(now), nowMs);
    this.#seen.set(selectionId, { makers: now, atMs: nowMs, mids });
  }

  /** Null while the connection is lost. */
  #view(): EventView | null {
    const { shown, score, redCards } = this.#conditions;
    if (shown === 'lost') return null;
    const { playedMinutes } = this.#scenario;
    const inRunning = playedMinutes !== null;
    const nowMs = this.#run.nowMs;
    const minutes = Math.floor(this.#playedS() / 60);
    return aView({
      ...EVENT,
      nowMs,
      inRunning,
      score: inRunning ? score : null,
      redCards: inRunning ? redCards : null,
      startsInMs: inRunning
        ? -playedMinutes * 60_000 - (nowMs - START_MS)
        : BEFORE_START_MS - (nowMs - START_MS),
      matchClock: inRunning ? { period: '1h', minutes } : null,
      selections: PLACES.map((place) => this.#selection(place)),
      profit: { realisedMicros: 0, openMicros: this.#openMicros() },
    });
  }

  #selection({ selectionId, marketType, outcome, name, grid }: Place): SelectionView {
    const nowMs = this.#run.nowMs;
    const seen = this.#seen.get(selectionId);
    const side = (direction: Direction): MarketSide | null => {
      const levels = seen?.makers?.[direction];
      return levels === undefined ? null : prices(levelsOf(levels), { ageMs: nowMs - (seen?.atMs ?? nowMs) });
    };
    return {
      selectionId,
      marketType,
      outcome,
      name,
      grid,
      market: { for: side('for'), against: side('against') },
      ...this.#priceKinds,
      position: this.#account.position(selectionId),
      quotes: this.#account.quotes(selectionId),
      recentFills: this.#account.recentFills(selectionId, nowMs),
      mids: [...(seen?.mids ?? [])],
      mid: midOf(seen?.makers ?? null),
      lastTraded: null,
      tradedVolume: null,
      betDelayMs: null,
      betDelayModels: null,
      suspension: suspensionOf(seen?.makers ?? null),
      sourcePrices: {},
    };
  }

  /** The prices of a selection as they were last seen. */
  #seenOf(id: SelectionId): Readonly<Record<Direction, PriceList | null>> {
    const makers = this.#seen.get(id)?.makers ?? null;
    const listOf = (direction: Direction): PriceList | null =>
      makers === null ? null : (prices(levelsOf(makers[direction]))?.priceList ?? null);
    return { for: listOf('for'), against: listOf('against') };
  }

  /** Expected profit of the matched bets at the mids that are seen; null while one is missing. */
  #openMicros(): number | null {
    let total = 0;
    for (const { selectionId } of PLACES) {
      const { ifWinMicros, ifLoseMicros } = this.#account.position(selectionId);
      if (ifWinMicros === 0 && ifLoseMicros === 0) continue;
      const mid = midOf(this.#seen.get(selectionId)?.makers ?? null);
      if (mid === null) return null;
      total += mid * ifWinMicros + (1 - mid) * ifLoseMicros;
    }
    return Math.round(total);
  }

  #take(answered: StrategyAnswer): void {
    const nowMs = this.#run.nowMs;
    this.#hedges.score = this.#conditions.score;
    const answer = this.#hedges.beside(answered, nowMs);
    const [quotes, takes] = partedByMode(answer.intents);
    const placed = quotes.filter((intent) => !this.#wouldTake(intent));
    this.#tally.answer(answer, {
      second: this.#second,
      atMs: nowMs - START_MS,
      placed,
      quotes: quotes.length,
    });
    for (const change of this.#account.setWanted(placed, nowMs)) this.#tell(change);
    for (const intent of takes)
      for (const change of this.#account.take(intent, this.#offeredTo(intent), nowMs)) this.#tell(change);
  }

  /** What a take can get: the other makers' stake up to its price. A market that is suspended matches nothing. */
  #offeredTo(intent: QuoteIntent): readonly Offered[] {
    const { selectionId, direction, tick } = intent;
    const levels =
      this.#conditions.shown === 'suspended' ? [] : this.#before.get(selectionId)?.makers[direction];
    const [priceKind, limit] = [kindOfIntent(intent), { priceKind: kindOfIntent(intent), tick }];
    return (levels ?? []).flatMap(({ tick: at, stake }) => {
      const level = { priceKind: SELECTION_KINDS[direction], tick: at };
      const isWithin = !isBetter(SELECTION_KINDS[direction], compareTicks(limit, level), 0);
      const ownTick = isComplement(priceKind) ? convertedTick(level.priceKind, at, priceKind) : at;
      if (!isWithin || ownTick === null) return [];
      const contracts = { contractsMicros: Math.round(contractsMicros(toMicros(stake), priceOf(at))) };
      const stakeMicros = isComplement(priceKind) ? stakeAt(contracts, priceKind, ownTick) : toMicros(stake);
      return [{ tick: ownTick, stakeMicros }];
    });
  }

  /** Whether the daemon would hold the order back, because it would take the best price that is seen. */
  #wouldTake(intent: QuoteIntent): boolean {
    const { selectionId, direction, tick } = intent;
    const best = this.#seen.get(selectionId)?.makers?.[direction][0];
    if (best === undefined) return false;
    const shown = { priceKind: SELECTION_KINDS[direction], tick: best.tick };
    const beyond = compareTicks({ priceKind: kindOfIntent(intent), tick }, shown);
    return !isBetter(SELECTION_KINDS[direction], beyond, 0);
  }

  #playedS(): number {
    const { playedMinutes } = this.#scenario;
    return playedMinutes === null ? 0 : playedMinutes * 60 + this.#second;
  }
}

/** An offer of a hedge has an id like a take, and rests like a quote. */
const partedByMode = (
  intents: readonly QuoteIntent[],
): readonly [quotes: readonly QuoteIntent[], takes: readonly QuoteIntent[]] => [
  intents.filter((intent) => modeOf(intent) !== 'take_only'),
  intents.filter((intent) => modeOf(intent) === 'take_only'),
];

/** While the market is suspended, no selection has prices. */
const suspensionOf = (makers: Makers | null): SelectionView['suspension'] =>
  makers === null ? null : makers.for.length + makers.against.length === 0 ? 'no-prices' : 'none';

function midOf(makers: Makers | null): number | null {
  const [best, other] = [makers?.for[0], makers?.against[0]];
  if (best === undefined || other === undefined) return null;
  return midProbability(priceOf(best.tick), priceOf(other.tick));
}
