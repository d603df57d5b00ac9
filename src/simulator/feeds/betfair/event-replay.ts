import { BOOK_CHANGE } from '../../../betfair/runner-book.ts';
import type { MarketDefinition, RunnerDefinition } from '../../../betfair/definition.ts';
import { reducedMarketOf } from '../../../domain/reduction.ts';
import { DAY_MS } from '../../../lib/time.ts';
import type { EventResult } from '../../../domain/bet-types/result.ts';
import { priceOf, type Tick } from '../../../domain/ladder.ts';
import type { Micros } from '../../../domain/money.ts';
import { type Direction, DIRECTIONS } from '../../../domain/selection.ts';
import type {
  Intervention,
  Market,
  RunnerRemoval,
  SimEvent,
  SimEventName,
  SimOutcome,
} from '../../core/api.ts';
import { isSameEvent } from '../../core/catalogue.ts';
import { type MarketState, MarketStates } from '../market-states.ts';
import type { RecordedEvent } from './events.ts';
import type { RecordedMarket } from './recording.ts';

/** Name of the background participant that holds the recorded stake. */
export const RECORDED = 'recorded';

/** A recording does not say when an outright ends before it ends: a day after its start, at the latest. */
const OUTRIGHT_MS = DAY_MS;

/** Counts of a replay, for reports. */
export interface ReplayCounts {
  trades: number;
  /** Skipped changes of runners that the market does not define. */
  skipped: number;
}

/** A change of a runner's book. */
export interface BookChange {
  readonly change: number;
  readonly selection: number;
  readonly tick: Tick;
  readonly micros: Micros;
}

/** Recorded stake by tick. */
type Ladder = Map<Tick, Micros>;

/**
 * A recorded event: folded from its changes, and from `announce` on replayed on the exchange. `wallMs` maps recorded
 * time to exchange time.
 */
export class EventReplay {
  readonly #event: RecordedEvent;
  readonly #markets: readonly RecordedMarket[];
  readonly #name: SimEventName;
  readonly #wallMs: (recordedMs: number) => number;
  readonly #counts: ReplayCounts;
  readonly #books: readonly Readonly<Record<Direction, Ladder>>[];
  /** By market of the event: what counts now; null before the first. */
  readonly #definitions: (MarketDefinition | null)[];
  /** By market: gaps of the recording that go on. */
  readonly #gaps: number[];
  readonly #states: MarketStates;
  #announced = false;
  #inRunning = false;
  /** Suspended by intervention, until an intervention resumes it. */
  #held = false;
  #over = false;

  /** `markets` are those of the event, in its order. */
  constructor(
    event: RecordedEvent,
    markets: readonly RecordedMarket[],
    wallMs: (recordedMs: number) => number,
    counts: ReplayCounts,
  ) {
    [this.#event, this.#markets, this.#wallMs, this.#counts] = [event, markets, wallMs, counts];
    const { startMs, numbers } = event.identity;
    const date = new Date(wallMs(startMs)).toISOString().slice(0, 10);
    this.#name = { sport: event.sport, eventId: `${date},${numbers}` };
    this.#books = event.selections.map(() => ({ for: new Map(), against: new Map() }));
    this.#definitions = markets.map(() => null);
    this.#gaps = markets.map(() => 0);
    this.#states = new MarketStates(
      this.#name,
      markets.map((_, of) =>
        event.selections.flatMap(({ outcome, market }) => (market === of ? [outcome] : [])),
      ),
    );
  }

  /** Whether this is the event. */
  plays(event: SimEventName): boolean {
    return isSameEvent(this.#name, event);
  }

  /** Folds a change that happened before the replay begins. */
  fold(change: BookChange): void {
    this.#store(change);
  }

  /** Folds a definition that came before the replay begins. */
  foldDefinition(market: number, definition: number): void {
    this.#definitions[market] = this.#markets[market]?.definitions[definition] ?? null;
  }

  /** Folds the beginning or the end of a gap before the replay begins. */
  foldGap(market: number, isBegin: boolean): void {
    this.#gaps[market] = (this.#gaps[market] as number) + (isBegin ? 1 : -1);
  }

  /** The recording lacks a market from now on, or has it again. In between nothing is matched there and nothing is shown. */
  passGapEdge(market: Market, of: number, isBegin: boolean, nowMs: number): void {
    this.foldGap(of, isBegin);
    if (this.#announced && !this.#over) this.#showStates(market, nowMs);
  }

  /** Puts the event as folded so far onto the exchange, unless it is over or not yet defined. */
  announce(market: Market, nowMs: number): void {
    this.#announced = true;
    if (this.#definitions.every((definition) => definition === null)) return;
    if (this.#isEnded()) {
      this.#over = true;
      return;
    }
    this.#show(market, nowMs);
    for (const [selection, book] of this.#books.entries())
      for (const direction of DIRECTIONS)
        for (const tick of book[direction].keys()) this.#showLevel(market, selection, direction, tick, nowMs);
  }

  /** Applies a definition to the exchange. */
  define(market: Market, of: number, definition: number, nowMs: number): void {
    if (this.#over) return;
    if (!this.#announced) this.announce(market, nowMs);
    const before = this.#definitions[of] ?? null;
    this.foldDefinition(of, definition);
    this.#removeRunners(market, of, before, nowMs);
    if (this.#isEnded()) this.#endWith(market, this.#event.result, nowMs);
    else this.#show(market, nowMs);
  }

  /** Applies a change of a book to the exchange. */
  apply(market: Market, change: BookChange, nowMs: number): void {
    if (this.#over) return;
    const { selection, tick } = change;
    const direction = directionOf(change.change);
    if (isTrade(change.change)) return this.#trade(market, change, direction, nowMs);
    this.#store(change);
    this.#showLevel(market, selection, direction, tick, nowMs);
  }

  /** Carries out suspend, resume and end. Returns false for other interventions, which the exchange then handles. */
  intervene(market: Market, act: Intervention, nowMs: number): boolean {
    if (this.#over) return false;
    if (act.kind === 'end') this.#endWith(market, act.result, nowMs);
    else if (act.kind === 'suspend' || act.kind === 'resume') this.#hold(market, act.kind, nowMs);
    else return false;
    return true;
  }

  /** Runners that are removed since the definition before. */
  #removeRunners(market: Market, of: number, before: MarketDefinition | null, nowMs: number): void {
    const { runners } = this.#definitions[of] as MarketDefinition;
    const gone = runners.filter(
      ({ status, runnerId, handicap }) =>
        status === 'REMOVED' &&
        before?.runners.some(
          (each) => each.runnerId === runnerId && each.handicap === handicap && each.status !== 'REMOVED',
        ),
    );
    for (const runner of gone) market.removeRunner(this.#name, this.#removalOf(of, runner, nowMs), nowMs);
  }

  #removalOf(
    of: number,
    { runnerId, handicap, factor, removedMs }: RunnerDefinition,
    nowMs: number,
  ): RunnerRemoval {
    const { markets, selections } = this.#event;
    const place = this.#markets[of]?.folded.runners.findIndex(
      (each) => each.runnerId === runnerId && each.handicap === handicap,
    );
    const removed = markets[of]?.selectionOf[place ?? -1] ?? -1;
    return {
      removed: selections[removed]?.outcome ?? null,
      others: selections.flatMap(({ outcome, market }, at) =>
        market === of && at !== removed ? [outcome] : [],
      ),
      market: reducedMarketOf(markets[of]?.family ?? ''),
      factor,
      fromMs: removedMs === null ? nowMs : Math.min(nowMs, this.#wallMs(removedMs)),
    };
  }

  #hold(market: Market, kind: 'suspend' | 'resume', nowMs: number): void {
    this.#held = kind === 'suspend';
    // A recorded suspension is lifted too; the next recorded status counts again.
    this.#states.force(market, this.#held, nowMs);
  }

  /** Every market of the event that was defined is closed, and none is to come. */
  #isEnded(): boolean {
    return this.#definitions.every((definition) => definition?.status === 'CLOSED');
  }

  #show(market: Market, nowMs: number): void {
    market.putEvent(this.#simEvent(), nowMs);
    const inPlay = this.#definitions.some((definition) => definition?.inPlay === true);
    if (inPlay && !this.#inRunning) market.goInRunning(this.#name, nowMs);
    this.#inRunning ||= inPlay;
    this.#showStates(market, nowMs);
  }

  #showStates(market: Market, nowMs: number): void {
    if (this.#held) return this.#states.force(market, true, nowMs);
    const states = this.#definitions.map((definition, of): MarketState => {
      if (definition === null || definition.status === 'CLOSED') return 'absent';
      return definition.status === 'OPEN' && this.#gaps[of] === 0 ? 'open' : 'halted';
    });
    this.#states.show(market, states, nowMs);
  }

  #simEvent(): SimEvent {
    const { identity, country, competitors, home, away } = this.#event;
    const { teams, eventName } = identity;
    const [homeId, awayId] = teams === null ? [0, 0] : [teams.home.runnerId, teams.away.runnerId];
    // The definition of the instant: a start moves.
    const startMs = this.#wallMs(this.#definitions.find((it) => it !== null)?.startMs ?? identity.startMs);
    return {
      ...this.#name,
      eventType: teams === null ? 'multirunner' : 'normal',
      eventName,
      competitionId: 1,
      competitionName: 'Recorded market',
      competitionCountry: country,
      home,
      away,
      homeId,
      awayId,
      teams: competitors,
      startTimeMs: startMs,
      endTimeMs: teams === null ? startMs + OUTRIGHT_MS : null,
    };
  }

  #endWith(market: Market, result: EventResult | null, nowMs: number): void {
    this.#over = true;
    if (result === null) market.voidEvent(this.#name, nowMs);
    else market.settle(this.#name, result, nowMs);
  }

  #outcomeOf(selection: number): SimOutcome {
    return { ...this.#name, outcome: this.#event.selections[selection]?.outcome ?? '' };
  }

  #ladder(selection: number, direction: Direction): Ladder {
    return (this.#books[selection] as Readonly<Record<Direction, Ladder>>)[direction];
  }

  #store({ change, selection, tick, micros }: BookChange): void {
    if (isTrade(change)) return;
    const ladder = this.#ladder(selection, directionOf(change));
    if (micros === 0) ladder.delete(tick);
    else ladder.set(tick, micros);
  }

  /** The queue at its price waits for the level, which the recording tells next. */
  #trade(market: Market, { selection, tick, micros }: BookChange, resting: Direction, nowMs: number): void {
    this.#counts.trades++;
    market.trade(this.#outcomeOf(selection), resting, priceOf(tick), micros, nowMs);
  }

  #showLevel(market: Market, selection: number, resting: Direction, tick: Tick, nowMs: number): void {
    const micros = this.#ladder(selection, resting).get(tick) ?? 0;
    market.setLevel(RECORDED, this.#outcomeOf(selection), resting, priceOf(tick), micros, nowMs);
  }
}

const isTrade = (change: number): boolean =>
  change === BOOK_CHANGE.tradedFor || change === BOOK_CHANGE.tradedAgainst;

const directionOf = (change: number): Direction =>
  change === BOOK_CHANGE.restingFor || change === BOOK_CHANGE.tradedFor ? 'for' : 'against';
