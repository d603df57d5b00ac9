import type { BetType, EventKey } from '../../domain/ids.ts';
import { eventKey, type EventName, isSameEvent } from '../../domain/events.ts';
import {
  areUncrossed,
  kindsOf,
  midProbability,
  PRICE_CONVENTIONS,
  type PriceConvention,
  selectionPrice,
} from '../../domain/odds.ts';
import { levelAt, levelCount, type PriceList } from '../../domain/price-list.ts';
import { splitBetType } from '../../domain/selection.ts';
import type { Offer, StreamEntry } from '../../domain/stream.ts';

/**
 * Evidence about what `against` prices are, from public offers as the exchange sends them.
 *
 * Below `VOTES_FROM` both readings can be possible. From there on at most one is: a possible book has lay prices of at least the
 * `for` price f, and odds of at most f / (f − 1), which is less than f. Own orders in a book do not mislead: the exchange shows them
 * by its own convention, and matches what would cross.
 */

/** The price of a selection from which on its book votes. */
const VOTES_FROM = 2.2;
/** How far the probabilities of a set may add up from its number of winners. */
const SUM_TOLERANCE = 0.1;
/** So many votes prove, if the share agrees. With fewer voters, all of so many have to agree, in so many frames. */
const ENOUGH = 10;
const SHARE = 0.95;
const FEWEST = 3;
const FRAMES = 2;

/** The best price of takers under a reading: their highest odds, or their lowest lay price. */
const bestAgainst = (convention: PriceConvention, list: PriceList): number | null => {
  const at = convention === 'odds' ? 0 : levelCount(list) - 1;
  return levelAt(list, at)?.price ?? null;
};

/** The readings under which the book of a selection is not crossed. */
const readingsOf = (forPrice: number, against: PriceList): readonly PriceConvention[] =>
  PRICE_CONVENTIONS.filter((convention) => {
    const price = bestAgainst(convention, against);
    return price !== null && areUncrossed(kindsOf(convention).against, forPrice, price);
  });

/** The one reading under which the book of a selection is possible; null if it does not vote. */
export function voteOf(forList: PriceList, against: PriceList): PriceConvention | null {
  if (!isVotable(forList, against)) return null;
  const [reading = null, second] = readingsOf(levelAt(forList, 0)?.price as number, against);
  return second === undefined ? reading : null;
}

const isVotable = (forList: PriceList, against: PriceList): boolean =>
  levelCount(against) > 0 && (levelAt(forList, 0)?.price ?? 0) >= VOTES_FROM;

/** The prices of one selection. */
export interface TwoLists {
  readonly for: PriceList;
  readonly against: PriceList;
}

/**
 * The one reading under which the middles of a set add up to its winners; null if it does not vote. `selections` are all that can win,
 * and `winners` of them do.
 */
export function voteOfSet(selections: readonly TwoLists[], winners: number): PriceConvention | null {
  // A wide book of a small set adds up to half its size under the wrong reading, which must not look like its winners.
  if (selections.length <= 2 * (winners + SUM_TOLERANCE)) return null;
  const fitting = PRICE_CONVENTIONS.filter((convention) => {
    const sum = sumOfMids(selections, convention);
    return sum !== null && Math.abs(sum - winners) <= SUM_TOLERANCE;
  });
  return fitting.length === 1 ? (fitting[0] as PriceConvention) : null;
}

function sumOfMids(selections: readonly TwoLists[], convention: PriceConvention): number | null {
  const kind = kindsOf(convention).against;
  let sum = 0;
  for (const lists of selections) {
    const best = bestAgainst(convention, lists.against);
    const price = best === null ? null : selectionPrice(kind, best);
    const mid = midProbability(levelAt(lists.for, 0)?.price ?? null, price);
    if (mid === null) return null;
    sum += mid;
  }
  return sum;
}

/** A selection or a set that can vote. */
interface Voter {
  vote: PriceConvention | null;
  /** Number of frames in a row with this vote. */
  frames: number;
}

interface Book extends Voter {
  readonly event: EventBooks;
  for: PriceList;
  against: PriceList;
}

interface EventBooks {
  readonly key: EventKey;
  readonly name: EventName;
  /** The last offer of each market, in the order in which the markets were first offered, and the books that they are in. */
  readonly offers: Offer[];
  readonly booksOfOffers: Book[];
  readonly positions: Map<BetType, number>;
  /** By outcome. */
  readonly books: Map<string, Book>;
  readonly sets: Map<string, Voter>;
  /** Runners of an outright; 0 if it is none, or not known. */
  runners: number;
}

/** The votes by reading, and what they prove. */
export interface Tally {
  readonly votes: Readonly<Record<PriceConvention, number>>;
  /** Selections that could vote now, by their prices. */
  readonly votable: number;
  /** The reading that is proven; null while none is. */
  readonly verdict: PriceConvention | null;
}

/** The sets of outcomes of which exactly one wins, by market type. Outrights are found by their runners. */
const ONE_WINS: ReadonlyMap<string, readonly string[]> = new Map([['wdw', ['h', 'd', 'a']]]);
const OUTRIGHT = 'win,';

/** Collects the latest vote of each selection and set. Reads no clock. */
export class Votes {
  readonly #events = new Map<EventKey, EventBooks>();
  readonly #counts: Record<PriceConvention, number> = { odds: 0, lay: 0 };
  readonly #votable = new Set<Book>();
  readonly #sets = new Set<Voter>();
  /** The event of the last offer, and the position of the next one if it follows as in earlier frames. */
  #event: EventBooks | null = null;
  #next = 0;

  /** Takes the entries of one frame. */
  take(entries: readonly StreamEntry[]): void {
    const touched = new Set<Book>();
    const sets = new Map<EventBooks, Set<string>>();
    for (const entry of entries) this.#takeEntry(entry, touched, sets);
    for (const book of touched) this.#judge(book);
    for (const [event, types] of sets) for (const type of types) this.#judgeSet(event, type);
  }

  /** Forgets everything: the feed was lost. */
  clear(): void {
    this.#events.clear();
    this.#event = null;
    this.#votable.clear();
    this.#sets.clear();
    for (const convention of PRICE_CONVENTIONS) this.#counts[convention] = 0;
  }

  get tally(): Tally {
    return { votes: { ...this.#counts }, votable: this.#votable.size, verdict: this.#verdict() };
  }

  #takeEntry(entry: StreamEntry, touched: Set<Book>, sets: Map<EventBooks, Set<string>>): void {
    if (entry.tag === 'offer') this.#takeOffer(entry.offer, touched, sets);
    else if (entry.tag === 'remove_offer') this.#empty(entry, entry.betType, touched);
    else if (entry.tag === 'remove_event') this.#forget(eventKey(entry));
    else if (entry.tag === 'clear_events') {
      this.clear();
      touched.clear();
      sets.clear();
    } else if (entry.tag === 'event' && entry.event.eventType === 'multirunner')
      this.#open(entry.event).runners = entry.event.teams.length;
  }

  #takeOffer(offer: Offer, touched: Set<Book>, sets: Map<EventBooks, Set<string>>): void {
    const event = this.#eventOf(offer);
    const at = this.#positionIn(event, offer);
    // Unchanged offers arrive as the same object.
    const known = event.offers[at] === offer ? event.booksOfOffers[at] : undefined;
    if (known !== undefined && this.#isSettled(known, offer)) return;
    const parts = splitBetType(offer.betType);
    if (parts === null) return;
    const book = known ?? this.#book(event, parts.outcome);
    book[parts.direction] = offer.priceList;
    [event.offers[at], event.booksOfOffers[at]] = [offer, book];
    event.positions.set(offer.betType, at);
    touched.add(book);
    const type = setOf(offer.marketType, parts.outcome);
    if (type === null) return;
    const types = sets.get(event) ?? new Set();
    sets.set(event, types.add(type));
  }

  /** Frames name one event after the other. */
  #eventOf(offer: Offer): EventBooks {
    const last = this.#event;
    if (last !== null && isSameEvent(last.name, offer)) return last;
    this.#next = 0;
    return (this.#event = this.#open(offer));
  }

  /** The position that followed the last one in earlier frames, if it is the offer's; else it is found by name. */
  #positionIn({ offers, positions }: EventBooks, offer: Offer): number {
    const guess = this.#next;
    const isGuess = offers[guess] === offer || offers[guess]?.betType === offer.betType;
    const at = isGuess ? guess : (positions.get(offer.betType) ?? offers.length);
    this.#next = at + 1;
    return at;
  }

  /** Another look at the same prices would change nothing. */
  #isSettled(book: Book, { priceList }: Offer): boolean {
    const isHeld = book.for === priceList || book.against === priceList;
    return isHeld && (book.vote === null || book.frames >= FRAMES);
  }

  #empty(name: EventName, betType: string, touched: Set<Book>): void {
    const parts = splitBetType(betType);
    const book = parts && this.#events.get(eventKey(name))?.books.get(parts.outcome);
    if (!parts || !book) return;
    book[parts.direction] = [];
    touched.add(book);
  }

  #open(name: EventName): EventBooks {
    const key = eventKey(name);
    const known = this.#events.get(key);
    if (known !== undefined) return known;
    const { sport, eventId } = name;
    const event: EventBooks = {
      key,
      name: { sport, eventId },
      books: new Map(),
      sets: new Map(),
      runners: 0,
      offers: [],
      booksOfOffers: [],
      positions: new Map(),
    };
    this.#events.set(key, event);
    return event;
  }

  #book(event: EventBooks, outcome: string): Book {
    const known = event.books.get(outcome);
    if (known !== undefined) return known;
    const book: Book = { event, vote: null, frames: 0, for: [], against: [] };
    event.books.set(outcome, book);
    return book;
  }

  #forget(key: EventKey): void {
    const event = this.#events.get(key);
    if (event === undefined) return;
    this.#events.delete(key);
    if (this.#event === event) this.#event = null;
    for (const book of event.books.values()) {
      this.#votable.delete(book);
      this.#vote(book, null);
    }
    for (const set of event.sets.values()) {
      this.#sets.delete(set);
      this.#vote(set, null);
    }
  }

  /** A selection that does not vote now keeps its latest vote. */
  #judge(book: Book): void {
    if (this.#events.get(book.event.key) !== book.event) return;
    if (isVotable(book.for, book.against)) this.#votable.add(book);
    else this.#votable.delete(book);
    const vote = voteOf(book.for, book.against);
    if (vote !== null) this.#vote(book, vote);
  }

  #judgeSet(event: EventBooks, type: string): void {
    if (this.#events.get(event.key) !== event) return;
    const lists =
      type === OUTRIGHT ? runnersOf(event) : (ONE_WINS.get(type) ?? []).map((it) => event.books.get(it));
    const whole = lists.filter((book) => book !== undefined);
    const vote = whole.length === lists.length ? voteOfSet(whole, 1) : null;
    if (vote === null) return;
    const voter = event.sets.get(type) ?? { vote: null, frames: 0 };
    event.sets.set(type, voter);
    this.#sets.add(voter);
    this.#vote(voter, vote);
  }

  #vote(voter: Voter, vote: PriceConvention | null): void {
    if (voter.vote !== null) this.#counts[voter.vote]--;
    if (vote !== null) this.#counts[vote]++;
    voter.frames = voter.vote === vote ? voter.frames + 1 : 1;
    voter.vote = vote;
  }

  #verdict(): PriceConvention | null {
    const { odds, lay } = this.#counts;
    const [leader, most] = odds > lay ? (['odds', odds] as const) : (['lay', lay] as const);
    if (odds + lay >= ENOUGH) return most >= SHARE * (odds + lay) ? leader : null;
    if (most < odds + lay || this.#votable.size + this.#sets.size < FEWEST) return null;
    const agree = [...this.#votable, ...this.#sets].every(
      ({ vote, frames }) => vote === leader && frames >= FRAMES,
    );
    return agree ? leader : null;
  }
}

/** The name of the set that a selection belongs to; null if it belongs to none that votes. */
function setOf(marketType: string, outcome: string): string | null {
  if (ONE_WINS.get(marketType)?.includes(outcome) === true) return marketType;
  return outcome.startsWith(OUTRIGHT) ? OUTRIGHT : null;
}

/** The books of all runners of an outright; a missing one is undefined. */
function runnersOf({ books, runners }: EventBooks): readonly (Book | undefined)[] {
  const found = Array.from(books).flatMap(([outcome, book]) => (outcome.startsWith(OUTRIGHT) ? [book] : []));
  return runners === 0 ? [undefined] : [...found, ...Array<undefined>(Math.max(0, runners - found.length))];
}
