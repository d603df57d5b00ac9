/** Tapes of the modelled market, with its trades: what nobody outside the exchange can record. */
import { parseBetType } from '../../domain/bet-types/index.ts';
import type { EventResult } from '../../domain/bet-types/result.ts';
import { eventId as eventIdOf, sport as sportOf } from '../../domain/ids.ts';
import type { Micros } from '../../domain/money.ts';
import { tickOf } from '../../domain/ladder.ts';
import { honouringTick, SELECTION_KINDS } from '../../domain/odds.ts';
import type { Settlement } from '../../domain/payoff.ts';
import { type Direction, DIRECTIONS, opposite, selectionId } from '../../domain/selection.ts';
import { seededRandom } from '../../lib/random.ts';
import type { Market, SimEvent, SimEventName, SimOutcome } from '../../simulator/core/api.ts';
import { createExchange } from '../../simulator/core/exchange.ts';
import { observedFeed } from '../../simulator/core/observed-feed.ts';
import { createModelFeed, type ModelFeedOptions } from '../../simulator/feeds/model/index.ts';
import { UpdateColumns } from '../columns.ts';
import { type EventTape, MARKET_STATE, OP, UNKNOWN_RUNNERS } from '../tape.ts';

export interface EveningInput {
  readonly seed: number;
  readonly startMs: number;
  readonly eveningMs: number;
  /** The number of events at any time. */
  readonly events: number;
  /** How much later than usual the programme begins, in minutes. */
  readonly leadMinutes: number;
  /** The market types that the tapes have, such as `wdw`; empty for all. */
  readonly marketTypes: readonly string[];
  /** The events, where they are not those of every evening. */
  readonly programme?: Pick<ModelFeedOptions, 'opening' | 'sequence'>;
  /** Whether events that have not ended by then have a tape, too. */
  readonly isCutOff?: boolean;
}

/**
 * The events of an evening without any customer, by their start. Left out are events that have not ended by then, or have none of the
 * market types.
 */
export function modelledEvening(input: EveningInput): EventTape[] {
  const { seed, startMs, eveningMs, events, leadMinutes, programme, isCutOff = false } = input;
  const taping = new Taping(input.marketTypes);
  const feed = createModelFeed({ seed, startWallMs: startMs, events, leadMinutes, ...programme });
  const exchange = createExchange({
    accounts: [],
    feeds: [observedFeed(feed, (market) => taping.observe(market))],
    parseBetType,
    startMs,
    random: seededRandom(seed, 'exchange'),
    // Nobody asks for its offers.
    settings: { priceConvention: 'lay', offersLagMs: 0 },
  });
  const endMs = startMs + eveningMs;
  for (let dueMs = exchange.nextDueMs(); dueMs !== null && dueMs <= endMs; dueMs = exchange.nextDueMs()) {
    exchange.advance(dueMs);
    exchange.drain();
  }
  return taping.tapes(isCutOff);
}

/** Follows the calls of a feed. */
class Taping {
  readonly #marketTypes: readonly string[];
  readonly #events = new Map<string, TapedEvent>();

  constructor(marketTypes: readonly string[]) {
    this.#marketTypes = marketTypes;
  }

  tapes(isCutOff: boolean): EventTape[] {
    const taped = [...this.#events.values()].filter((event) => (event.isOver || isCutOff) && event.isQuoted);
    return taped.map((event) => event.tape()).sort((a, b) => a.startMs - b.startMs);
  }

  observe(market: Market): Partial<Market> {
    return {
      putEvent: (event, nowMs) => {
        market.putEvent(event, nowMs);
        this.#put(event);
      },
      setLevel: (participant, at, resting, price, stakeMicros, nowMs) => {
        market.setLevel(participant, at, resting, price, stakeMicros, nowMs);
        this.#of(at)?.level(market, at, resting, price, nowMs);
      },
      clearLevels: (participant, at, nowMs) => {
        market.clearLevels(participant, at, nowMs);
        for (const resting of DIRECTIONS) this.#of(at)?.levels(market, at, resting, nowMs);
      },
      take: (at, direction, limitPrice, stakeMicros, nowMs) => {
        const takenMicros = market.take(at, direction, limitPrice, stakeMicros, nowMs);
        if (takenMicros > 0) this.#of(at)?.trade(market, at, opposite(direction), nowMs);
        return takenMicros;
      },
      setSuspended: (event, suspended, nowMs) => {
        market.setSuspended(event, suspended, nowMs);
        this.#of(event)?.suspended(suspended, nowMs);
      },
      goInRunning: (event, nowMs) => {
        market.goInRunning(event, nowMs);
        this.#of(event)?.inPlay(nowMs);
      },
      settle: (event, result, nowMs) => {
        this.#of(event)?.end(result, nowMs);
        market.settle(event, result, nowMs);
      },
      voidEvent: (event, nowMs) => {
        this.#of(event)?.end(null, nowMs);
        market.voidEvent(event, nowMs);
      },
    };
  }

  #of({ sport, eventId }: SimEventName): TapedEvent | undefined {
    return this.#events.get(`${sport},${eventId}`);
  }

  #put(event: SimEvent): void {
    const known = this.#of(event);
    if (known !== undefined) return;
    this.#events.set(`${event.sport},${event.eventId}`, new TapedEvent(event, this.#marketTypes));
  }
}

interface TapedSelection {
  readonly at: number;
  readonly outcome: string;
  readonly market: number;
  /** The stake of each level, and what the tape says of it. */
  readonly held: Readonly<Record<Direction, Map<number, Micros>>>;
  readonly told: Readonly<Record<Direction, Map<number, Micros>>>;
  settlement: Settlement | null;
}

interface ChangedLevel {
  readonly selection: TapedSelection;
  readonly resting: Direction;
  readonly tick: number;
}

/** A tape has what an instant left of each level, as the streams of exchanges do: a level that was refilled at once did not fall. */
class TapedEvent {
  isOver = false;
  isQuoted = false;
  readonly #event: SimEvent;
  readonly #marketTypes: readonly string[];
  readonly #columns = new UpdateColumns();
  readonly #selections = new Map<string, TapedSelection | null>();
  readonly #markets: string[] = [];
  #changed: ChangedLevel[] = [];
  #changedMs = -Infinity;
  #isSuspended = false;
  #inPlayMs: number | null = null;

  constructor(event: SimEvent, marketTypes: readonly string[]) {
    this.#event = event;
    this.#marketTypes = marketTypes;
  }

  /** The stake at one price may have changed. */
  level(market: Market, at: SimOutcome, resting: Direction, price: number, nowMs: number): void {
    const selection = this.#selection(at.outcome, nowMs);
    const tick = honouringTick(SELECTION_KINDS[resting], price);
    if (selection === null || tick === null) return;
    const level = market.levels(at, resting).find((each) => tickOf(each.price) === tick);
    this.#note(selection, resting, tick, level?.stakeMicros ?? 0, nowMs);
  }

  /** Every level of a side may have changed. */
  levels(market: Market, at: SimOutcome, resting: Direction, nowMs: number): void {
    const selection = this.#selection(at.outcome, nowMs);
    if (selection === null) return;
    const now = levelsOf(market, at, resting);
    const gone = [...selection.held[resting].keys()].filter((tick) => !now.has(tick));
    for (const tick of gone) this.#note(selection, resting, tick, 0, nowMs);
    for (const [tick, micros] of now) this.#note(selection, resting, tick, micros, nowMs);
  }

  /** A taker took resting stake: what a level lost was traded. */
  trade(market: Market, at: SimOutcome, resting: Direction, nowMs: number): void {
    const selection = this.#selection(at.outcome, nowMs);
    if (selection === null) return;
    this.#passTo(nowMs);
    const now = levelsOf(market, at, resting);
    for (const [tick, heldMicros] of selection.held[resting]) {
      const tradedMicros = heldMicros - (now.get(tick) ?? 0);
      const op = resting === 'for' ? OP.tradedFor : OP.tradedAgainst;
      if (tradedMicros > 0) this.#columns.push(nowMs, op, selection.at, tick, tradedMicros);
    }
    this.levels(market, at, resting, nowMs);
  }

  suspended(isSuspended: boolean, nowMs: number): void {
    this.#isSuspended = isSuspended;
    this.#state(nowMs);
  }

  inPlay(nowMs: number): void {
    this.#inPlayMs ??= nowMs;
    this.#state(nowMs);
  }

  end(result: EventResult | null, nowMs: number): void {
    this.isOver = true;
    this.#passTo(nowMs);
    for (const market of this.#markets.keys())
      this.#columns.push(nowMs, OP.state, market, MARKET_STATE.closed + this.#playing(), 0);
    for (const selection of this.#selections.values()) {
      if (selection === null || result === null) continue;
      const parsed = parseBetType(this.#event.sport, `for,${selection.outcome}`);
      selection.settlement = parsed?.settle(result) ?? null;
    }
  }

  tape(): EventTape {
    this.#passTo(Infinity);
    const { sport, eventId, eventName, eventType, home, away, competitionId, competitionName } = this.#event;
    const event = { sport: sportOf(sport), eventId: eventIdOf(eventId) };
    const isMatch = eventType === 'normal';
    const selections = [...this.#selections.values()].filter((each) => each !== null);
    return {
      event,
      eventName,
      home: isMatch ? home : null,
      away: isMatch ? away : null,
      competitionId,
      competitionName,
      startMs: this.#event.startTimeMs,
      inPlayMs: this.#inPlayMs,
      markets: this.#markets.map((marketType) => ({
        marketId: marketType,
        marketType,
        commissionRate: null,
        ...UNKNOWN_RUNNERS,
      })),
      selections: selections.map(({ outcome, market, settlement }) => ({
        selectionId: selectionId(event.sport, event.eventId, outcome),
        outcome,
        market,
        name: outcome,
        settlement,
      })),
      updates: this.#columns.updates(),
      hasTrades: true,
      gaps: [],
      removals: [],
    };
  }

  #note(selection: TapedSelection, resting: Direction, tick: number, micros: Micros, nowMs: number): void {
    this.#passTo(nowMs);
    const held = selection.held[resting];
    if ((held.get(tick) ?? 0) === micros) return;
    setStake(held, tick, micros);
    this.#changed.push({ selection, resting, tick });
  }

  /** Writes what earlier instants changed. */
  #passTo(nowMs: number): void {
    if (nowMs <= this.#changedMs) return;
    for (const { selection, resting, tick } of this.#changed) {
      const micros = selection.held[resting].get(tick) ?? 0;
      if ((selection.told[resting].get(tick) ?? 0) === micros) continue;
      setStake(selection.told[resting], tick, micros);
      const op = resting === 'for' ? OP.restingFor : OP.restingAgainst;
      this.#columns.push(this.#changedMs, op, selection.at, tick, micros);
    }
    this.#changed = [];
    this.#changedMs = nowMs;
  }

  /** Null for an outcome of a market type that the tape leaves out. */
  #selection(outcome: string, nowMs: number): TapedSelection | null {
    const known = this.#selections.get(outcome);
    if (known !== undefined) return known;
    const marketType = parseBetType(this.#event.sport, `for,${outcome}`)?.marketType ?? '';
    const isWanted = this.#marketTypes.length === 0 || this.#marketTypes.includes(marketType);
    const selection = isWanted ? this.#newSelection(outcome, marketType, nowMs) : null;
    this.#selections.set(outcome, selection);
    return selection;
  }

  #newSelection(outcome: string, marketType: string, nowMs: number): TapedSelection {
    this.isQuoted = true;
    this.#passTo(nowMs);
    const at = [...this.#selections.values()].filter((each) => each !== null).length;
    const [held, told] = [emptySides(), emptySides()];
    return { at, outcome, market: this.#market(marketType, nowMs), held, told, settlement: null };
  }

  #market(marketType: string, nowMs: number): number {
    const known = this.#markets.indexOf(marketType);
    if (known !== -1) return known;
    const market = this.#markets.push(marketType) - 1;
    this.#columns.push(nowMs, OP.state, market, this.#stateNow(), 0);
    return market;
  }

  #state(nowMs: number): void {
    this.#passTo(nowMs);
    for (const market of this.#markets.keys())
      this.#columns.push(nowMs, OP.state, market, this.#stateNow(), 0);
  }

  #stateNow(): number {
    return (this.#isSuspended ? MARKET_STATE.suspended : MARKET_STATE.open) + this.#playing();
  }

  #playing(): number {
    return this.#inPlayMs === null ? 0 : MARKET_STATE.inPlay;
  }
}

const emptySides = (): Record<Direction, Map<number, Micros>> => ({ for: new Map(), against: new Map() });

function setStake(levels: Map<number, Micros>, tick: number, micros: Micros): void {
  if (micros === 0) levels.delete(tick);
  else levels.set(tick, micros);
}

function levelsOf(market: Market, at: SimOutcome, resting: Direction): Map<number, Micros> {
  return new Map(
    market.levels(at, resting).flatMap(({ price, stakeMicros }) => {
      const tick = tickOf(price);
      return tick === null ? [] : [[tick, stakeMicros] as const];
    }),
  );
}
