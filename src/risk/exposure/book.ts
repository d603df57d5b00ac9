import { eventKey, type EventName } from '../../domain/events.ts';
import type { EventKey, SelectionId, Sport } from '../../domain/ids.ts';
import type { Micros } from '../../domain/money.ts';
import type { EventFactsOf, EventPlace, WinnerMarket } from '../facts.ts';
import { EventBets, type Exposure, type MarketKnowledge } from './event-bets.ts';
import { liabilityMicros, type PriceKind } from '../../domain/odds.ts';
import type { Bet } from './payoffs.ts';
import type { Reachable } from './reachable.ts';

/** A part of the account that has limits of its own. */
export type ScopeKind = 'selection' | 'event' | 'competition' | 'sport' | 'day' | 'account';

/** A scope's exposure now, and with a further order open. */
export interface ScopePreview {
  readonly worstMicros: Micros;
  readonly worstAfterMicros: Micros;
  readonly grossAfterMicros: Micros;
}

export interface OrderPreview {
  /** The order certainly reduces the risk of its event, or is a bet of a hedge that worsens nothing (`reducing.ts`); so it is with everything around the event. */
  readonly reduces: boolean;
  /** The order is a bet of a hedge, and certainly worsens nothing of what is matched. */
  readonly hedges: boolean;
  /** The order reduces the risk of its selection by itself. */
  readonly reducesSelection: boolean;
  readonly scopes: Readonly<Record<ScopeKind, ScopePreview>>;
}

interface Tally {
  worstMicros: Micros;
  grossMicros: Micros;
}

interface Held {
  readonly key: EventKey;
  readonly bets: EventBets;
  /** The event's share in each wider scope, as counted there now. */
  counted: readonly Counted[];
  /** The last known place, kept because the catalogue may drop the event long before its bets are settled. */
  place: Place | null;
  /** Number of unfinished changes. Until it is 0, the event keeps its place, even without bets. */
  changes: number;
}

type Place = Omit<EventPlace, keyof EventName>;

interface WiderScope {
  readonly kind: ScopeKind;
  readonly name: string;
}

/** Knowledge that a restart keeps: the catalogue drops events long before their bets are settled. */
interface Remembered {
  readonly places: readonly EventPlace[];
  readonly winnerMarkets: readonly WinnerMarket[];
}

/** The final scores that an event can still have; null: all. */
type ReachableOf = (event: EventName) => Reachable | null;

type Counted = readonly [scope: WiderScope, part: Exposure];

/** Everything around an event that has limits of its own. */
type WiderScopes = readonly [
  competition: WiderScope,
  sport: WiderScope,
  day: WiderScope,
  account: WiderScope,
];

const NOTHING: Exposure = { worstMicros: 0, grossMicros: 0 };
/** Name of a competition or day that is not known. */
const UNKNOWN = 'unknown';

/**
 * The exposure of the whole account: exact within an event, added up over events, which end independently. Every
 * change costs one pass over the score grid of its event; the sums above it are kept.
 */
export class ExposureBook {
  readonly #knowledge: MarketKnowledge;
  readonly #factsOf: EventFactsOf;
  readonly #reachableOf: ReachableOf;
  readonly #events = new Map<EventKey, Held>();
  readonly #tallies = new Map<string, Tally & WiderScope>();
  /** Events whose place neither the catalogue nor an earlier run knows. */
  readonly #unplaced = new Set<Held>();
  /** Places from an earlier run: bets are known before the catalogue, and the catalogue omits events that are over. */
  readonly #recalled = new Map<EventKey, EventPlace>();
  readonly #recalledMarkets = new Map<SelectionId, string>();

  constructor(knowledge: MarketKnowledge, factsOf: EventFactsOf, reachableOf: ReachableOf = () => null) {
    this.#knowledge = knowledge;
    this.#factsOf = factsOf;
    this.#reachableOf = reachableOf;
  }

  /** What can still happen on an event has changed. */
  onReachable(key: EventKey): void {
    const held = this.#events.get(key);
    if (held === undefined) return;
    held.bets.setReachable(this.#reachableOf(held.bets.event));
    this.#recount(held);
  }

  /** Adds a bet under a key and replaces the earlier bet with that key. A stake of 0 only removes. */
  put(key: string, bet: Bet, matched: boolean, isHeld = matched): void {
    if (bet.stakeMicros <= 0) {
      this.remove(bet, key);
      return;
    }
    const held = this.#held(bet);
    held.bets.put(key, bet, matched, isHeld);
    this.#recount(held);
  }

  remove(event: EventName, key: string): void {
    const held = this.#events.get(eventKey(event));
    if (held === undefined) return;
    held.bets.remove(key);
    this.#recount(held);
    this.#dropEmpty(held);
  }

  /** Changes an event in several steps. The event is kept between the steps, even if it has no bets then. */
  change<T>(event: EventName, make: () => T): T {
    const held = this.#events.get(eventKey(event));
    if (held === undefined) return make();
    held.changes++;
    try {
      return make();
    } finally {
      held.changes--;
      this.#dropEmpty(held);
    }
  }

  /** Regroups and recounts every event, after the knowledge of the markets has grown. */
  rebuild(): void {
    for (const held of this.#events.values()) {
      held.bets.rebuild();
      this.#recount(held);
    }
  }

  /** Recounts events whose competition, day or winner markets became known or changed. */
  refresh(): void {
    for (const held of this.#events.values()) {
      if (held.bets.regroup()) this.#recount(held);
      else this.#refresh(held);
    }
  }

  /** Places and winner markets of all held events, for a later run. */
  remembered(): Remembered {
    const held = [...this.#events.values()];
    return {
      places: held.map(placeOf).filter((place) => place !== null),
      winnerMarkets: held.flatMap(({ bets }) => bets.winnerMarkets()),
    };
  }

  /** Takes over what an earlier run knew. Before the first bet. */
  recall({ places, winnerMarkets }: Remembered): void {
    for (const place of places) this.#recalled.set(eventKey(place), place);
    for (const { selectionId, market } of winnerMarkets) this.#recalledMarkets.set(selectionId, market);
  }

  /** `isHedge`: the order is a bet of a hedge. */
  preview(bet: Bet, isHedge = false): OrderPreview {
    for (const unplaced of this.#unplaced) this.#refresh(unplaced);
    const held = this.#events.get(eventKey(bet));
    // The event may have moved to another day. Its bets and the order must count on the same day.
    if (held !== undefined) this.#refresh(held);
    const bets = held?.bets ?? this.#newBets(bet);
    const [competition, sport, day, account] = scopesOf(bet.sport, this.#placeOf(bet, held));
    const { reduces, hedges, reducesSelection, selection, event, change } = orderIn(bets, bet, isHedge);
    return {
      reduces,
      hedges,
      reducesSelection,
      scopes: {
        selection,
        event,
        competition: this.#previewScope(competition, change),
        sport: this.#previewScope(sport, change),
        day: this.#previewScope(day, change),
        account: this.#previewScope(account, change),
      },
    };
  }

  /** The bets of an event whose keys pass; the event's own object if all of them do. */
  part(event: EventName, passes: (key: string) => boolean): EventBets {
    const held = this.#events.get(eventKey(event))?.bets;
    if (held !== undefined && Array.from(held.entries()).every(([key]) => passes(key))) return held;
    return this.copy(event, passes);
  }

  /** A copy of those entries of an event that pass. */
  copy(event: EventName, passes: (key: string) => boolean): EventBets {
    return this.#filled(this.#newBets(event), event, passes);
  }

  #filled(copy: EventBets, event: EventName, passes: (key: string) => boolean = () => true): EventBets {
    for (const [key, { bet, matched, held }] of this.event(event)?.entries() ?? [])
      if (passes(key)) copy.put(key, bet, matched, held);
    return copy;
  }

  /** The bets of an event, those that `to` gives another kind of price read so. */
  reread(event: EventName, to: (bet: Bet) => PriceKind): EventBets {
    const read = this.#newBets(event);
    for (const [key, { bet, matched, held }] of this.event(event)?.entries() ?? [])
      read.put(key, { ...bet, priceKind: to(bet) }, matched, held);
    return read;
  }

  /** The bets of an event by the exchange's lookup, also where it is not proven. */
  lookedUp(event: EventName): EventBets | null {
    const held = this.event(event);
    const { lookedUp } = this.#knowledge;
    if (held === null || lookedUp === undefined) return held;
    const isProven = Array.from(held.entries()).every(
      ([, { bet, outcomes }]) => outcomes !== null || lookedUp(bet) === null,
    );
    return isProven
      ? held
      : this.#filled(
          new EventBets(event, { ...this.#knowledge, outcomes: lookedUp }, this.#recalledMarkets),
          event,
        );
  }

  event(event: EventName): EventBets | null {
    return this.#events.get(eventKey(event))?.bets ?? null;
  }

  events(): readonly EventBets[] {
    return Array.from(this.#events.values(), (held) => held.bets);
  }

  /** Competitions, sports, days and the account, where they have exposure. */
  wider(): readonly (WiderScope & Exposure)[] {
    return [...this.#tallies.values()].map((tally) => ({ ...tally }));
  }

  account(): Exposure {
    const { worstMicros, grossMicros } = this.#tallies.get('account|') ?? NOTHING;
    return { worstMicros, grossMicros };
  }

  #newBets(event: EventName): EventBets {
    const bets = new EventBets(event, this.#knowledge, this.#recalledMarkets);
    bets.setReachable(this.#reachableOf(event));
    return bets;
  }

  #held(bet: Bet): Held {
    const key = eventKey(bet);
    const known = this.#events.get(key);
    if (known !== undefined) return known;
    const bets = this.#newBets(bet);
    const held: Held = { key, bets, counted: [], place: null, changes: 0 };
    this.#events.set(key, held);
    return held;
  }

  #dropEmpty({ key, bets, changes }: Held): void {
    if (bets.size === 0 && changes === 0) this.#events.delete(key);
  }

  /** Replaces the event's share in its wider scopes with its present exposure. */
  #recount(held: Held): void {
    for (const counted of held.counted) this.#tally(counted, -1);
    held.place = this.#placeOf(held.bets.event, held);
    if (held.bets.size === 0 || held.place !== null) this.#unplaced.delete(held);
    else this.#unplaced.add(held);
    held.counted = countedOf(held);
    for (const counted of held.counted) this.#tally(counted, 1);
  }

  #tally([scope, by]: Counted, sign: 1 | -1): void {
    const key = scopeKey(scope);
    const tally = this.#tallies.get(key) ?? { ...scope, worstMicros: 0, grossMicros: 0 };
    tally.worstMicros += sign * by.worstMicros;
    tally.grossMicros += sign * by.grossMicros;
    if (tally.grossMicros === 0) this.#tallies.delete(key);
    else this.#tallies.set(key, tally);
  }

  /** Events of unknown place may belong to this scope, so all of them count in it. */
  #previewScope(scope: WiderScope, change: Exposure): ScopePreview {
    const { worstMicros, grossMicros } = this.#tallyOf(scope);
    const unplaced = scope.name === UNKNOWN ? NOTHING : this.#tallyOf({ kind: scope.kind, name: UNKNOWN });
    const now = {
      worstMicros: worstMicros + unplaced.worstMicros,
      grossMicros: grossMicros + unplaced.grossMicros,
    };
    return previewOf(now, change);
  }

  #tallyOf(scope: WiderScope): Exposure {
    return this.#tallies.get(scopeKey(scope)) ?? NOTHING;
  }

  #refresh(held: Held): void {
    if (!isPlacedAlike(this.#placeOf(held.bets.event, held), held.place)) this.#recount(held);
  }

  #placeOf(event: EventName, held: Held | undefined): Place | null {
    return this.#factsOf(event) ?? held?.place ?? this.#recalled.get(held?.key ?? eventKey(event)) ?? null;
  }
}

function placeOf({ bets: { event }, place }: Held): EventPlace | null {
  if (place === null) return null;
  const { competitionId, startTimeMs } = place;
  return { ...event, competitionId, startTimeMs };
}

function countedOf({ bets, place }: Held): Counted[] {
  if (bets.size === 0) return [];
  const part = bets.exposure();
  return scopesOf(bets.event.sport, place).map((scope) => [scope, part]);
}

function scopesOf(sport: Sport, place: Place | null): WiderScopes {
  return [
    { kind: 'competition', name: `${place?.competitionId ?? UNKNOWN}` },
    { kind: 'sport', name: sport },
    { kind: 'day', name: dayOf(place) },
    { kind: 'account', name: '' },
  ];
}

const isPlacedAlike = (a: Place | null, b: Place | null): boolean =>
  a?.competitionId === b?.competitionId && a?.startTimeMs === b?.startTimeMs;

const scopeKey = (scope: WiderScope): string => `${scope.kind}|${scope.name}`;

/** The UTC day on which an event starts, as YYYY-MM-DD; unknown for an invalid date. */
function dayOf(place: Place | null): string {
  const start = new Date(place?.startTimeMs ?? NaN);
  return Number.isNaN(start.getTime()) ? UNKNOWN : start.toISOString().slice(0, 10);
}

/** What a further order would do to its selection and its event, and by how much it would change what is around the event. */
function orderIn(bets: EventBets, bet: Bet, isHedge: boolean) {
  const { ifOpen, reduces, hedges } = bets.preview(bet, isHedge);
  const selection = bets.previewSelection(bet);
  const grossMicros = liabilityMicros(bet.priceKind, bet.stakeMicros, bet.price);
  const change: Exposure = { worstMicros: ifOpen - bets.worst(), grossMicros };
  return {
    reduces,
    hedges,
    change,
    reducesSelection: selection.reduces,
    event: previewOf(bets.exposure(), change),
    selection: {
      worstMicros: bets.selectionWorst(bet.selectionId),
      worstAfterMicros: selection.ifOpen,
      grossAfterMicros: 0,
    },
  };
}

/** The preview of an order for an event that is all that the account has. */
export function previewAlone(bets: EventBets, bet: Bet, isHedge: boolean): OrderPreview {
  const { reduces, hedges, reducesSelection, selection, event } = orderIn(bets, bet, isHedge);
  const around = { competition: event, sport: event, day: event, account: event };
  return { reduces, hedges, reducesSelection, scopes: { selection, event, ...around } };
}

function previewOf({ worstMicros, grossMicros }: Exposure, change: Exposure): ScopePreview {
  return {
    worstMicros,
    worstAfterMicros: worstMicros + change.worstMicros,
    grossAfterMicros: grossMicros + change.grossMicros,
  };
}
