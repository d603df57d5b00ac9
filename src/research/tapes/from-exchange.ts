/**
 * Tapes of what an exchange sent: the public offers of a recording, as levels, scores and clocks, and the prices of price sources. The
 * stream names no trades and no bet delays, so fills are inferred. What accounts rested is part of the offers, our own orders of a
 * recorded run included.
 */
import { parseBetType } from '../../domain/bet-types/index.ts';
import type { SportEvent } from '../../domain/events.ts';
import { eventId as eventIdOf, sport as sportOf } from '../../domain/ids.ts';
import type { Micros } from '../../domain/money.ts';
import { tickOf } from '../../domain/ladder.ts';
import { levelsOf, type PriceList } from '../../domain/price-list.ts';
import { type Direction, opposite, selectionId } from '../../domain/selection.ts';
import type { SourceBatch } from '../../domain/source-price.ts';
import type { Offer, StreamEntry } from '../../domain/stream.ts';
import { UpdateColumns } from '../columns.ts';
import {
  type EventTape,
  type Gap,
  isSameClock,
  isSamePair,
  MARKET_STATE,
  OP,
  type TapeScore,
  type TapeSourcePrice,
  UNKNOWN_RUNNERS,
  UNTOLD,
} from '../tape.ts';

/** An offer that leaves the tape: its price is outside the ladder, or nobody can tell what it means. */
export interface OffersLeftOut {
  unknownBetTypes: number;
  offLadder: number;
}

/** Turns entries of the stream into tapes. */
export class ExchangeTapes {
  readonly leftOut: OffersLeftOut = { unknownBetTypes: 0, offLadder: 0 };
  readonly #events = new Map<string, OfferedEvent>();
  readonly #sourcePrices: TapeSourcePrice[] = [];
  #gapFromMs: number | null = null;

  /** `atMs`: when the entry arrived, wall-clock milliseconds. Other entries than those of the market are ignored. */
  entry(entry: StreamEntry, atMs: number): void {
    switch (entry.tag) {
      case 'event':
        return this.#of(entry.event.sport, entry.event.eventId).describe(entry.event, atMs);
      case 'offer':
        return this.#of(entry.offer.sport, entry.offer.eventId).offer(entry.offer, atMs);
      case 'remove_offer':
        return this.#known(entry)?.removeOffer(entry.betType, atMs);
      case 'remove_event':
        return this.#known(entry)?.end(atMs);
      case 'event_score':
        return this.#of(entry.sport, entry.eventId).told({ score: entry.score }, atMs);
      case 'event_red_cards':
        return this.#of(entry.sport, entry.eventId).told({ redCards: entry.redCards }, atMs);
      case 'event_time':
        return this.#of(entry.sport, entry.eventId).told({ clock: entry.time }, atMs);
      case 'clear_events':
        return this.lost(atMs);
      case 'sync':
        return this.#found(atMs);
      default:
    }
  }

  /** A price source sent prices. Which selections they are for, its configuration says. */
  prices({ source, prices }: SourceBatch, atMs: number): void {
    const arrivedMs = Math.max(Math.floor(atMs), this.#sourcePrices.at(-1)?.arrivedMs ?? -Infinity);
    for (const price of prices) this.#sourcePrices.push({ ...price, source, arrivedMs });
  }

  /** From now on the recording lacks what the exchange sent, until the next `sync`. */
  lost(atMs: number): void {
    this.#gapFromMs ??= atMs;
  }

  /** The tapes by their start, and those without any offer left out. Events without a known start begin with their first offer. */
  tapes(): EventTape[] {
    const sourcePrices = this.#sourcePrices;
    const told = sourcePrices.length === 0 ? {} : { sourcePrices };
    const tapes = [...this.#events.values()].flatMap((event) => {
      const tape = event.tape();
      return tape === null ? [] : [{ ...tape, ...told }];
    });
    return tapes.sort((a, b) => a.startMs - b.startMs);
  }

  #found(atMs: number): void {
    const fromMs = this.#gapFromMs;
    this.#gapFromMs = null;
    if (fromMs === null || fromMs >= atMs) return;
    for (const event of this.#events.values()) event.gap(fromMs, atMs);
  }

  #known({ sport, eventId }: { readonly sport: string; readonly eventId: string }): OfferedEvent | undefined {
    return this.#events.get(`${sport},${eventId}`);
  }

  #of(sport: string, eventId: string): OfferedEvent {
    const key = `${sport},${eventId}`;
    const known = this.#events.get(key) ?? new OfferedEvent(sport, eventId, this.leftOut);
    this.#events.set(key, known);
    return known;
  }
}

type Description = Pick<
  EventTape,
  'eventName' | 'home' | 'away' | 'competitionId' | 'competitionName' | 'startMs'
>;

interface OfferedSelection {
  readonly at: number;
  readonly outcome: string;
  readonly market: number;
  readonly held: Readonly<Record<Direction, Map<number, Micros>>>;
}

class OfferedEvent {
  readonly #sport: string;
  readonly #eventId: string;
  readonly #leftOut: OffersLeftOut;
  readonly #columns = new UpdateColumns();
  readonly #selections = new Map<string, OfferedSelection>();
  readonly #markets: string[] = [];
  readonly #gaps: Gap[] = [];
  readonly #scores: TapeScore[] = [];
  #about: SportEvent | null = null;
  #inPlayMs: number | null = null;
  #lastMs = -Infinity;

  constructor(sport: string, eventId: string, leftOut: OffersLeftOut) {
    [this.#sport, this.#eventId, this.#leftOut] = [sport, eventId, leftOut];
  }

  describe(event: SportEvent, atMs: number): void {
    this.#about = event;
    if (event.irStatus === 'in_running') this.#inPlay(atMs);
  }

  offer({ betType, marketType, inRunning, priceList }: Offer, atMs: number): void {
    if (inRunning) this.#inPlay(atMs);
    const parsed = parseBetType(this.#sport, betType);
    if (parsed === null) return void this.#leftOut.unknownBetTypes++;
    const selection = this.#selection(parsed.outcome, marketType, atMs);
    this.#show(selection, parsed.direction, this.#levelsIn(priceList), atMs);
  }

  /** Scores and clocks are told anew with each connection; only changes are kept. */
  told(changes: Partial<Omit<TapeScore, 'atMs'>>, atMs: number): void {
    const before = this.#scores.at(-1) ?? UNTOLD;
    const now = { ...before, ...changes };
    const { score, redCards, clock } = before;
    if (isSamePair(now.score, score) && isSamePair(now.redCards, redCards) && isSameClock(now.clock, clock))
      return;
    this.#scores.push({ ...now, atMs: Math.max(Math.floor(atMs), before.atMs) });
  }

  removeOffer(betType: string, atMs: number): void {
    const parsed = parseBetType(this.#sport, betType);
    const selection = parsed === null ? undefined : this.#selections.get(parsed.outcome);
    if (parsed !== null && selection !== undefined) this.#show(selection, parsed.direction, new Map(), atMs);
  }

  end(atMs: number): void {
    for (const market of this.#markets.keys()) this.#push(atMs, OP.state, market, MARKET_STATE.closed, 0);
  }

  gap(fromMs: number, toMs: number): void {
    if (this.#lastMs > -Infinity && fromMs >= this.#lastMs) this.#gaps.push({ fromMs, toMs, market: null });
  }

  tape(): EventTape | null {
    if (this.#columns.length === 0) return null;
    const event = { sport: sportOf(this.#sport), eventId: eventIdOf(this.#eventId) };
    const updates = this.#columns.updates();
    return {
      event,
      ...this.#described(updates.atMs[0] ?? 0),
      inPlayMs: this.#inPlayMs,
      markets: this.#markets.map((marketType) => ({
        marketId: marketType,
        marketType,
        commissionRate: null,
        ...UNKNOWN_RUNNERS,
      })),
      selections: Array.from(this.#selections.values(), ({ outcome, market }) => ({
        selectionId: selectionId(event.sport, event.eventId, outcome),
        outcome,
        market,
        name: outcome,
        settlement: null,
      })),
      updates,
      hasTrades: false,
      gaps: this.#gaps,
      removals: [],
      ...(this.#scores.length === 0 ? {} : { scores: this.#scores }),
    };
  }

  #described(firstMs: number): Description {
    const about = this.#about;
    if (about === null)
      return {
        eventName: this.#eventId,
        home: null,
        away: null,
        competitionId: 0,
        competitionName: '',
        startMs: firstMs,
      };
    const isMatch = about.home !== '' && about.away !== '';
    return {
      eventName: about.eventName,
      competitionName: about.competitionName,
      home: isMatch ? about.home : null,
      away: isMatch ? about.away : null,
      competitionId: about.competitionId ?? 0,
      startMs: about.startTimeMs ?? firstMs,
    };
  }

  /** Takers of a direction get the resting stake of the other one. */
  #show(
    selection: OfferedSelection,
    takers: Direction,
    levels: ReadonlyMap<number, Micros>,
    atMs: number,
  ): void {
    const resting = opposite(takers);
    const held = selection.held[resting];
    const op = resting === 'for' ? OP.restingFor : OP.restingAgainst;
    for (const tick of [...held.keys()])
      if (!levels.has(tick)) {
        held.delete(tick);
        this.#push(atMs, op, selection.at, tick, 0);
      }
    for (const [tick, micros] of levels) {
      if (held.get(tick) === micros) continue;
      held.set(tick, micros);
      this.#push(atMs, op, selection.at, tick, micros);
    }
  }

  #levelsIn(list: PriceList): Map<number, Micros> {
    const levels = new Map<number, Micros>();
    for (const { price, maxMicros } of levelsOf(list)) {
      const tick = tickOf(price);
      if (tick === null) this.#leftOut.offLadder++;
      else levels.set(tick, (levels.get(tick) ?? 0) + maxMicros);
    }
    return levels;
  }

  #selection(outcome: string, marketType: string, atMs: number): OfferedSelection {
    const known = this.#selections.get(outcome);
    if (known !== undefined) return known;
    const held = { for: new Map<number, Micros>(), against: new Map<number, Micros>() };
    const selection = { at: this.#selections.size, outcome, market: this.#market(marketType, atMs), held };
    this.#selections.set(outcome, selection);
    return selection;
  }

  #market(marketType: string, atMs: number): number {
    const known = this.#markets.indexOf(marketType);
    if (known !== -1) return known;
    const market = this.#markets.push(marketType) - 1;
    this.#push(atMs, OP.state, market, MARKET_STATE.open + this.#playing(), 0);
    return market;
  }

  #inPlay(atMs: number): void {
    if (this.#inPlayMs !== null) return;
    this.#inPlayMs = atMs;
    for (const market of this.#markets.keys())
      this.#push(atMs, OP.state, market, MARKET_STATE.open + MARKET_STATE.inPlay, 0);
  }

  #playing(): number {
    return this.#inPlayMs === null ? 0 : MARKET_STATE.inPlay;
  }

  /** Wall times of a recording may jump back; those of a tape ascend. */
  #push(atMs: number, op: number, of: number, tick: number, micros: Micros): void {
    this.#lastMs = Math.max(this.#lastMs, Math.floor(atMs));
    this.#columns.push(this.#lastMs, op, of, tick, micros);
  }
}
