import { eventKey, type EventName, eventNameOf, type Score } from '../domain/events.ts';
import type { EventKey, SelectionId } from '../domain/ids.ts';
import { DIRECTIONS, eventOfSelection } from '../domain/selection.ts';
import {
  type Candidate,
  chooseUniverse,
  EMPTY_UNIVERSE,
  type EventState,
  type Market,
  type MarketRead,
  type QuoteRules,
  type Universe,
} from '../market/index.ts';
import type { Venue } from '../ports/venue.ts';
import type { Core } from './core.ts';

/**
 * The events and selections that are quoted now. Registers events on the stream when they are chosen, and unregisters them when
 * they leave.
 */
export class QuotedEvents {
  readonly #venue: Pick<Venue, 'registerEvent' | 'unregisterEvent'>;
  readonly #core: Pick<Core, 'market' | 'apply'>;
  readonly #isOver: (event: EventName) => boolean;
  #rules: QuoteRules;
  #universe: Universe = EMPTY_UNIVERSE;
  #names = new Map<EventKey, EventName>();
  /** The scores of events in play, as they were told last. */
  readonly #scores = new Map<EventKey, Score>();
  #chosen = new Map<EventKey, SelectionId[]>();
  /** Events with at least one decision since they were chosen. */
  readonly #begun = new Set<EventKey>();
  /** Events that the last choice dropped: the strategy wants nothing on them. */
  #left: ReadonlySet<EventKey> = new Set();
  /** Other events with quoted selections whose offers had arrived at the last choice. */
  #offered: ReadonlySet<EventKey> = new Set();

  /** `setRules` replaces the rules. Events that are over are not chosen, whatever the exchange shows. */
  constructor(
    venue: Pick<Venue, 'registerEvent' | 'unregisterEvent'>,
    core: Pick<Core, 'market' | 'apply'>,
    rules: QuoteRules,
    isOver: (event: EventName) => boolean = () => false,
  ) {
    [this.#venue, this.#core, this.#rules, this.#isOver] = [venue, core, rules, isOver];
  }

  get universe(): Universe {
    return this.#universe;
  }

  get rules(): QuoteRules {
    return this.#rules;
  }

  /** The quoted selections of each event. An event without any is included, so that its quotes are withdrawn. */
  get chosen(): ReadonlyMap<EventKey, readonly SelectionId[]> {
    return this.#chosen;
  }

  /** Applies from the next choice on. */
  setRules(rules: QuoteRules): void {
    this.#rules = rules;
  }

  selectionsOf(event: EventName): readonly SelectionId[] {
    return this.#chosen.get(eventKey(event)) ?? [];
  }

  /**
   * The market of these events has changed. Tells the core the scores of those in play, quoted or not, since exposure depends on them. Returns
   * the quoted ones.
   */
  changed(events: Iterable<EventName>): readonly EventName[] {
    const quoted: EventName[] = [];
    for (const event of events) {
      const key = eventKey(event);
      const name = this.#names.get(key);
      if (name !== undefined) quoted.push(name);
      const { inRunning, score } = this.#core.market.playOf(event);
      if (!inRunning || score === null) this.#scores.delete(key);
      else if (this.#scores.get(key) !== score) {
        this.#scores.set(key, score);
        this.#core.apply({ kind: 'play', report: { ...eventNameOf(event), inRunning, score } });
      }
    }
    return quoted;
  }

  /** Chooses again and returns the events that left. */
  choose(wallMs: number): readonly EventName[] {
    const { market } = this.#core;
    const before = this.#universe;
    const candidatesOf = (...asked: Parameters<MarketRead['candidates']>): readonly Candidate[] =>
      market.candidates(...asked);
    this.#universe = chooseUniverse(this.#rules, this.#going(), candidatesOf, wallMs, before);
    const { events } = this.#universe;
    this.#names = new Map(events.map((name) => [eventKey(name), name]));
    const gone = before.events.filter((event) => !this.#names.has(eventKey(event)));
    this.#tell(groupByEvent(this.#universe), [...events, ...gone]);
    const waiting = events.filter(
      (name) => this.selectionsOf(name).length > 0 && !this.#begun.has(eventKey(name)),
    );
    this.#offered = keysOf(waiting.filter((name) => isOffered(market, name)));
    const left = this.#register(before);
    this.#left = keysOf(left);
    return left;
  }

  /**
   * Whether the strategy's answer for an event covers everything it wants. Before the offers arrive it does not: the strategy may
   * still want the quotes that an earlier run left there.
   */
  isComplete(event: EventName): boolean {
    const key = eventKey(event);
    if (this.#left.has(key) || this.#begun.has(key)) return true;
    return this.selectionsOf(event).length > 0 && this.#offered.has(key);
  }

  /** Until the next choice, which leaves out an event that is over, nothing is quoted on it: each attempt would cost a betslip. */
  leave(event: EventName): void {
    if (this.selectionsOf(event).length > 0)
      this.#tell(new Map(this.#chosen).set(eventKey(event), []), [event]);
  }

  /** Every decision on the event counts from now on, until the event leaves. */
  begin(event: EventName): void {
    const key = eventKey(event);
    if (!this.#left.has(key)) this.#begun.add(key);
  }

  *#going(): Generator<EventState> {
    for (const state of this.#core.market.events()) if (!this.#isOver(state.event)) yield state;
  }

  /** Tells the core which selections are quoted from now on, where it changes. */
  #tell(chosen: Map<EventKey, SelectionId[]>, events: readonly EventName[]): void {
    const before = this.#chosen;
    this.#chosen = chosen;
    for (const event of events) {
      const [was, is] = [before.get(eventKey(event)) ?? [], this.selectionsOf(event)];
      const isSame = was.length === is.length && was.every((id, at) => id === is[at]);
      if (!isSame) this.#core.apply({ kind: 'quoted', event, selections: is });
    }
  }

  #register({ events: before }: Universe): readonly EventName[] {
    const venue = this.#venue;
    const { events } = this.#universe;
    const [was, is] = [keysOf(before), keysOf(events)];
    // Soonest start first, in case the exchange limits the number of registrations.
    events.forEach((name, rank) => {
      if (!was.has(eventKey(name))) venue.registerEvent(name.sport, name.eventId, -rank);
    });
    const left = before.filter((name) => !is.has(eventKey(name)));
    for (const event of left) {
      this.#begun.delete(eventKey(event));
      venue.unregisterEvent(event.sport, event.eventId);
    }
    return left;
  }
}

const keysOf = (events: readonly EventName[]): ReadonlySet<EventKey> => new Set(events.map(eventKey));

function groupByEvent({ events, selections }: Universe): Map<EventKey, SelectionId[]> {
  const groups = new Map<EventKey, SelectionId[]>(events.map((event) => [eventKey(event), []]));
  for (const id of selections) {
    const event = eventOfSelection(id);
    if (event !== null) groups.get(eventKey(event))?.push(id);
  }
  return groups;
}

/** Whether the exchange has sent any offer of an event. A private quote of an earlier run's betslip does not count. */
export function isOffered(market: Pick<Market, 'candidates' | 'selection'>, event: EventName): boolean {
  return market.candidates(event).some(({ selectionId }) => {
    const offers = market.selection(selectionId)?.offers;
    return offers !== undefined && DIRECTIONS.some((direction) => offers[direction] !== null);
  });
}
