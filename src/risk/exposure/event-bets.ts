import { type EventName, eventNameOf } from '../../domain/events.ts';
import type { BetType, SelectionId, Sport } from '../../domain/ids.ts';
import type { Micros } from '../../domain/money.ts';
import type { WinnerMarket } from '../facts.ts';
import { type Entry, type Group, type Preview, ScoreGroup, SelectionGroup, WinnerGroup } from './groups.ts';
import { type Bet, type OutcomeGrid, payoffsOf } from './payoffs.ts';
import type { Reachable } from './reachable.ts';
import { liabilityMicros } from '../../domain/odds.ts';

/** How the markets of an event depend on each other. */
export interface MarketKnowledge {
  /** The outcome of a bet in each final score. Null when no score decides the bet, or its grid is not known (yet). */
  outcomes(bet: Bet): OutcomeGrid | null;
  /** The same by the exchange's lookup alone, also where it is not proven. Default: as `outcomes`. */
  lookedUp?(bet: Bet): OutcomeGrid | null;
  /** Whether a pending look-up may still bring the missing score grid. */
  isAwaited(sport: Sport, betType: BetType): boolean;
  /** The name of the market of this event in which exactly one selection wins, or null. */
  winnerMarket(bet: Bet): string | null;
}

interface Placed extends Entry {
  readonly group: Group;
}

/** The bets and orders of a bet type: `alone` of them count by themselves. */
interface OffGrid {
  /** One of them. */
  readonly bet: Bet;
  readonly count: number;
  readonly alone: number;
}

/** The net worst case of a scope, and the sum of what each bet and order could lose by itself. */
export interface Exposure {
  readonly worstMicros: Micros;
  readonly grossMicros: Micros;
}

/** The effect of a further order on its event. */
export interface EventPreview extends Pick<Preview, 'ifOpen' | 'reduces'> {
  /** The order is a bet of a hedge, and certainly worsens nothing of what is matched. */
  readonly hedges: boolean;
}

/** All bets and live orders of one event, and the least that they can pay. */
export class EventBets {
  readonly event: EventName;
  readonly #knowledge: MarketKnowledge;
  readonly #placed = new Map<string, Placed>();
  readonly #groups = new Map<string, Group>();
  readonly #selections = new Map<SelectionId, SelectionGroup>();
  /** Winner markets by selection, kept because the catalogue may drop them long before their bets are settled. */
  readonly #winnerMarkets = new Map<SelectionId, string>();
  readonly #recalled: ReadonlyMap<SelectionId, string>;
  #grossMicros: Micros = 0;
  /** A cached sum; null after a change. */
  #worstMicros: Micros | null = 0;
  /** The bet types that no score grid decides. */
  readonly #offGrid = new Map<BetType, OffGrid>();
  /** How many bets and orders each selection has. */
  readonly #counts = new Map<SelectionId, number>();
  #reachable: Reachable | null = null;
  /** How many are held until they are settled. */
  #held = 0;

  /** `recalled`: winner markets that an earlier run knew. */
  constructor(event: EventName, knowledge: MarketKnowledge, recalled: ReadonlyMap<SelectionId, string>) {
    this.event = eventNameOf(event);
    this.#knowledge = knowledge;
    this.#recalled = recalled;
  }

  get size(): number {
    return this.#placed.size;
  }

  /** Adds a bet under a key and replaces the earlier bet with that key. `held`: it is no order that may still be matched. */
  put(key: string, bet: Bet, matched: boolean, held = matched): void {
    this.remove(key);
    const entry = { ...this.#place(bet), matched, held };
    this.#placed.set(key, entry);
    entry.group.add(entry);
    this.#selectionGroup(bet.selectionId).add(entry);
    this.#count(entry, 1);
  }

  remove(key: string): void {
    const entry = this.#placed.get(key);
    if (entry === undefined) return;
    const { bet } = entry;
    this.#placed.delete(key);
    entry.group.remove(entry);
    this.#selectionGroup(bet.selectionId).remove(entry);
    this.#count(entry, -1);
  }

  /** From now on bets that the score grid decides are valued in these final scores alone; null: in all. */
  setReachable(reachable: Reachable | null): void {
    this.#reachable = reachable;
    this.scoreGroup()?.setReachable(reachable);
    this.#worstMicros = null;
  }

  /** Regroups every bet, after the knowledge of the markets has grown. */
  rebuild(): void {
    for (const [key, { bet, matched, held }] of Array.from(this.#placed)) this.put(key, bet, matched, held);
  }

  /**
   * Moves bets to their winner market once the catalogue names it: after a restart, bets are known before the catalogue.
   * Returns whether any bet moved.
   */
  regroup(): boolean {
    const types = [...this.#offGrid.values()].filter(
      ({ bet, alone }) => alone > 0 && this.#winnerMarketOf(bet) !== null,
    );
    if (types.length === 0) return false;
    const late = [...this.#placed].filter(
      ([, { bet, group }]) => isAlone(group) && this.#winnerMarketOf(bet) !== null,
    );
    for (const [key, { bet, matched, held }] of late) this.put(key, bet, matched, held);
    return late.length > 0;
  }

  exposure(): Exposure {
    return { worstMicros: this.worst(), grossMicros: this.#grossMicros };
  }

  /** The least profit over all final states of the event; at most 0. */
  worst(): Micros {
    this.#worstMicros ??= sum(Array.from(this.#groups.values(), (group) => group.worst()));
    return this.#worstMicros;
  }

  /** The least profit of what is held, over the outcomes of the event, open orders left out. Above 0 if a gain is certain. */
  least(): Micros {
    return sum(Array.from(this.#groups.values(), (group) => group.least()));
  }

  /**
   * What a further order would do. It reduces only for certain: not while pending look-ups may show that it breaks up a hedge. A bet of a
   * hedge counts as reducing if it worsens nothing.
   */
  preview(bet: Bet, isHedge = false): EventPreview {
    const entry = this.#place(bet);
    const others = this.worst() - entry.group.worst();
    const { ifOpen, reduces, worsensNothing, worsensNothingMatched } = entry.group.preview(entry);
    const isCertain = !this.#isProvisional(bet);
    return {
      ifOpen: others + ifOpen,
      reduces: (isHedge ? worsensNothing : reduces) && isCertain,
      hedges: isHedge && worsensNothingMatched && isCertain,
    };
  }

  /**
   * Whether pending look-ups may net selections that count separately now. Until then the worst case is a sum that may far
   * exceed the true loss, and an order that improves the sum may break up a hedge. A single selection is exact without a
   * look-up.
   */
  #isProvisional({ selectionId }: Bet): boolean {
    if (this.#placed.size === (this.#counts.get(selectionId) ?? 0)) return false;
    for (const { bet } of this.#offGrid.values())
      if (this.#knowledge.isAwaited(bet.sport, bet.betType)) return true;
    return false;
  }

  /** The least profit of one selection's bets by themselves. */
  selectionWorst(selectionId: SelectionId): Micros {
    return this.#selections.get(selectionId)?.worst() ?? 0;
  }

  previewSelection(bet: Bet): Preview {
    return this.#selectionGroup(bet.selectionId).preview({ bet, payoffs: payoffsOf(bet) });
  }

  entries(): Iterable<readonly [string, Entry]> {
    return this.#placed;
  }

  /** Whether anything is held until it is settled. */
  isHeld(): boolean {
    return this.#held > 0;
  }

  hasMatched(): boolean {
    return [...this.#placed.values()].some(({ matched }) => matched);
  }

  /** Winner markets of the event's selections, as far as they were ever known. */
  winnerMarkets(): readonly WinnerMarket[] {
    return Array.from(this.#winnerMarkets, ([selectionId, market]) => ({ selectionId, market }));
  }

  selectionIds(): Iterable<SelectionId> {
    return this.#selections.keys();
  }

  /** The groups of everything that was ever here, and what a further bet would pay in which of them. */
  groups(): Iterable<Group> {
    return this.#groups.values();
  }

  placed(bet: Bet): Pick<Entry, 'bet' | 'payoffs' | 'outcomes'> & { readonly group: Group } {
    return this.#place(bet);
  }

  /** Null when no bet is on the score grid. */
  scoreGroup(): ScoreGroup | null {
    const group = this.#groups.get(SCORE);
    return group instanceof ScoreGroup ? group : null;
  }

  #place(bet: Bet): Omit<Placed, 'matched' | 'held'> {
    const outcomes = this.#knowledge.outcomes(bet);
    return { bet, payoffs: payoffsOf(bet), outcomes, group: this.#groupOf(bet, outcomes !== null) };
  }

  #groupOf(bet: Bet, onGrid: boolean): Group {
    const groups = this.#groups;
    if (onGrid) return groupIn(groups, SCORE, () => this.#newScoreGroup());
    const market = this.#winnerMarketOf(bet);
    if (market !== null) return groupIn(groups, `winner:${market}`, () => new WinnerGroup());
    return groupIn(groups, `selection:${bet.selectionId}`, () => new SelectionGroup(bet.selectionId));
  }

  #newScoreGroup(): ScoreGroup {
    const group = new ScoreGroup();
    group.setReachable(this.#reachable);
    return group;
  }

  #winnerMarketOf(bet: Bet): string | null {
    const { selectionId } = bet;
    const remembered = this.#winnerMarkets.get(selectionId) ?? this.#recalled.get(selectionId) ?? null;
    const market = this.#knowledge.winnerMarket(bet) ?? remembered;
    if (market !== null) this.#winnerMarkets.set(selectionId, market);
    return market;
  }

  #count({ bet, held, outcomes, group }: Placed, sign: 1 | -1): void {
    this.#grossMicros += sign * liabilityMicros(bet.priceKind, bet.stakeMicros, bet.price);
    this.#counts.set(bet.selectionId, (this.#counts.get(bet.selectionId) ?? 0) + sign);
    if (outcomes === null) this.#countOffGrid(bet, isAlone(group), sign);
    if (held) this.#held += sign;
    this.#worstMicros = null;
  }

  #countOffGrid(bet: Bet, isItAlone: boolean, sign: 1 | -1): void {
    const known = this.#offGrid.get(bet.betType) ?? { bet, count: 0, alone: 0 };
    const count = known.count + sign;
    const alone = known.alone + (isItAlone ? sign : 0);
    if (count === 0) this.#offGrid.delete(bet.betType);
    else this.#offGrid.set(bet.betType, { bet: known.bet, count, alone });
  }

  #selectionGroup(selectionId: SelectionId): SelectionGroup {
    const group = this.#selections.get(selectionId) ?? new SelectionGroup(selectionId);
    this.#selections.set(selectionId, group);
    return group;
  }
}

const isAlone = (group: Group): boolean => group instanceof SelectionGroup;

/** Key of the group that the score grid decides. */
const SCORE = 'score';

function groupIn(groups: Map<string, Group>, key: string, create: () => Group): Group {
  const group = groups.get(key) ?? create();
  groups.set(key, group);
  return group;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
