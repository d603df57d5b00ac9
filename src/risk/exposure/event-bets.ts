import type { BetType, EventId, SelectionId, Sport } from '../../domain/ids.ts';
import type { Micros } from '../../domain/money.ts';
import type { Bet, OutcomeGrid } from './payoffs.ts';
import { liabilityMicros, payoffsOf } from './payoffs.ts';
import type { Entry, Group, Preview } from './groups.ts';
import { ScoreGroup, SelectionGroup, WinnerGroup } from './groups.ts';

/** How the markets of an event hang together. */
export interface MarketKnowledge {
  /** What the score grid makes of a bet; null when it does not decide it, or is not known (yet). */
  outcomes(sport: Sport, betType: BetType): OutcomeGrid | null;
  /** The name of the market of this event in which exactly one selection wins, or null. */
  winnerMarket(bet: Bet): string | null;
}

interface Placed extends Entry {
  readonly group: Group;
}

/** The net worst case of a scope, and the sum of what each bet and order could lose by itself. */
export interface Exposure {
  readonly worstMicros: Micros;
  readonly grossMicros: Micros;
}

/** All bets and live orders of one event, and the least that they can pay. */
export class EventBets {
  readonly eventId: EventId;
  readonly #knowledge: MarketKnowledge;
  readonly #placed = new Map<string, Placed>();
  readonly #groups = new Map<string, Group>();
  readonly #selections = new Map<SelectionId, SelectionGroup>();
  /** Winner markets by selection, as they were told: the catalogue may drop them long before their bets are settled. */
  readonly #winnerMarkets = new Map<SelectionId, string>();
  #worst: Micros | null = 0;
  #gross: Micros = 0;

  constructor(eventId: EventId, knowledge: MarketKnowledge) {
    this.eventId = eventId;
    this.#knowledge = knowledge;
  }

  get size(): number {
    return this.#placed.size;
  }

  /** Puts a bet under a key, in place of what was there. */
  put(key: string, bet: Bet, matched: boolean): void {
    this.remove(key);
    const entry = { ...this.#place(bet), matched };
    this.#placed.set(key, entry);
    entry.group.add(entry);
    this.#selectionGroup(bet.selectionId).add(entry);
    this.#gross += liabilityMicros(bet.direction, bet.stakeMicros, bet.price);
    this.#worst = null;
  }

  remove(key: string): void {
    const entry = this.#placed.get(key);
    if (entry === undefined) return;
    const { bet } = entry;
    this.#placed.delete(key);
    entry.group.remove(entry);
    this.#selectionGroup(bet.selectionId).remove(entry);
    this.#gross -= liabilityMicros(bet.direction, bet.stakeMicros, bet.price);
    this.#worst = null;
  }

  /** Judges every bet anew, after more became known of the markets. */
  rebuild(): void {
    for (const [key, { bet, matched }] of [...this.#placed]) this.put(key, bet, matched);
  }

  /**
   * Counts bets together whose winner market is told of only now: after a restart, bets are known before the catalogue.
   * Answers whether there were any.
   */
  regroup(): boolean {
    const late = [...this.#placed].filter(([, { bet, outcomes, group }]) => {
      return group instanceof SelectionGroup && this.#groupOf(bet, outcomes !== null) !== group;
    });
    for (const [key, { bet, matched }] of late) this.put(key, bet, matched);
    return late.length > 0;
  }

  exposure(): Exposure {
    return { worstMicros: this.worst(), grossMicros: this.#gross };
  }

  /** The least profit over all final states of the event; at most 0. */
  worst(): Micros {
    this.#worst ??= sum([...this.#groups.values()].map((group) => group.worst()));
    return this.#worst;
  }

  /** `worst` had this bet been added. */
  preview(bet: Bet): Preview {
    const entry = this.#place(bet);
    const others = this.worst() - entry.group.worst();
    const { ifOpen, ifFilled } = entry.group.preview(entry);
    return { ifOpen: others + ifOpen, ifFilled: others + ifFilled };
  }

  /** The least profit of one selection's bets by themselves. */
  selectionWorst(selectionId: SelectionId): Micros {
    return this.#selections.get(selectionId)?.worst() ?? 0;
  }

  previewSelection(bet: Bet): Preview {
    return this.#selectionGroup(bet.selectionId).preview({ bet, payoffs: payoffsOf(bet) });
  }

  /** Whether a bet, filled, would make what the selection's matched bets can lose less. */
  reducesPosition(selectionId: SelectionId, bet: Pick<Bet, 'direction' | 'price' | 'stakeMicros'>): boolean {
    return this.#selectionGroup(selectionId).matchedGains(bet);
  }

  entries(): Iterable<readonly [string, Entry]> {
    return this.#placed;
  }

  /** Sports (periods are sports of their own) in which something is matched. */
  matchedSports(): ReadonlySet<Sport> {
    const matched = [...this.#placed.values()].filter((entry) => entry.matched);
    return new Set(matched.map(({ bet }) => bet.sport));
  }

  selectionIds(): Iterable<SelectionId> {
    return this.#selections.keys();
  }

  /** The score grid of one sport (a period of the match is a sport of its own), or null when no bet is on it. */
  scoreGroup(sport: Sport): ScoreGroup | null {
    const group = this.#groups.get(scoreKey(sport));
    return group instanceof ScoreGroup ? group : null;
  }

  #place(bet: Bet): Omit<Placed, 'matched'> {
    const outcomes = this.#knowledge.outcomes(bet.sport, bet.betType);
    return { bet, payoffs: payoffsOf(bet), outcomes, group: this.#groupOf(bet, outcomes !== null) };
  }

  #groupOf(bet: Bet, onGrid: boolean): Group {
    if (onGrid) return this.#group(scoreKey(bet.sport), () => new ScoreGroup());
    const market = this.#winnerMarketOf(bet);
    if (market !== null) return this.#group(`winner:${bet.sport}:${market}`, () => new WinnerGroup());
    return this.#group(`selection:${bet.selectionId}`, () => new SelectionGroup());
  }

  #winnerMarketOf(bet: Bet): string | null {
    const market = this.#knowledge.winnerMarket(bet) ?? this.#winnerMarkets.get(bet.selectionId) ?? null;
    if (market !== null) this.#winnerMarkets.set(bet.selectionId, market);
    return market;
  }

  #group(key: string, create: () => Group): Group {
    const group = this.#groups.get(key) ?? create();
    this.#groups.set(key, group);
    return group;
  }

  #selectionGroup(selectionId: SelectionId): SelectionGroup {
    const group = this.#selections.get(selectionId) ?? new SelectionGroup();
    this.#selections.set(selectionId, group);
    return group;
  }
}

const scoreKey = (sport: Sport): string => `score:${sport}`;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
