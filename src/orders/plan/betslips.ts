/**
 * Plans betslips from the complete set of targets, as `reconcile` plans orders. Pure: the pool carries out the plan.
 *
 * A betslip is scarce three times over: the account has a cap of open ones, the day has a budget, and the exchange may
 * refuse a market. Pinned markets keep a betslip. The others rotate: each gets one for its next order, in turn.
 */
import type { BetslipCode } from '../send-gate.ts';
import { type BudgetChoice, budgetFor, type BudgetLevels, spent } from './budget.ts';
import { type BetslipTarget, type Market, marketsOf } from './markets.ts';
import { type Claims, inTurn, leastWorth, renewedClaims } from './claims.ts';
import {
  bySelection,
  keepsBetslip,
  opensPinned,
  passingPlaces,
  type Pins,
  pinsAt,
  type WantedMarket,
} from './pins.ts';

export type { BetslipNeed, BetslipTarget } from './markets.ts';

/** A betslip of ours, from its create request on. */
export interface HeldBetslip {
  readonly key: string;
  readonly state: 'creating' | 'open' | 'deleting';
  /** The value of its last target. */
  readonly value: number;
  readonly hasQuote: boolean;
  /** An order was sent on it, or was to be sent. */
  readonly isUsed: boolean;
  /** It was used, or has been open for some time. */
  readonly boreFruit: boolean;
  /** Its create request waits behind those that reduce risk. */
  readonly waitsAsNormal: boolean;
  /** Monotonic instant since which an order could have been sent on it; Infinity while none could. */
  readonly readyMs: number;
  /** Monotonic instant since which no target wants it; Infinity while one does. */
  readonly unwantedMs: number;
  /** Monotonic instant before which no request about it is sent, after one has failed. */
  readonly restsUntilMs: number;
}

/** How many betslips are open to doubt. While creates fail, or betslips come to nothing, only one at a time is tried. */
export interface DoubtfulBetslips {
  readonly creating: number;
  readonly quoteless: number;
  readonly unproven: number;
}

export interface BetslipFacts {
  readonly nowMs: number;
  readonly held: readonly HeldBetslip[];
  readonly cap: {
    readonly value: number;
    /** Betslips beyond the known cap are being tried, one after the other. */
    readonly isRising: boolean;
    /** A create was refused a moment ago, so another would be, too. */
    readonly resting: boolean;
  };
  readonly budget: BudgetLevels;
  readonly pins: Pins;
  readonly claims: Claims;
  /** Returns whether a betslip of the market, or any betslip, must not be tried now. */
  readonly refuses: (key: string, doubtful: DoubtfulBetslips) => boolean;
  /**
   * Whether a betslip would serve an order of the market. Asked only of a market that gets one, or for whose sake one is deleted: the
   * answer costs. A market that it would not serve gets none, as if its orders could not be sent. Default: it would.
   */
  readonly serves?: (opening: Pick<Opening, 'key' | 'isPinned'>) => boolean;
  /** Failed deletions are repeated in turn: monotonic instant before which no other is begun. */
  readonly deletesFromMs: number;
  /** How long a betslip that no target wants is kept, milliseconds. */
  readonly idleMs: { readonly pinned: number; readonly used: number; readonly unused: number };
}

/** A betslip to open. */
export interface Opening {
  readonly key: string;
  readonly value: number;
  readonly reduces: boolean;
  readonly isReserve: boolean;
  /** Whether the market keeps the betslip until its order may be sent. */
  readonly isPinned: boolean;
}

/** A betslip to delete. */
export interface Deletion {
  readonly key: string;
  /**
   * - `idle`: no target wants it.
   * - `room`: a better market needs its place.
   * - `turn`: its market rotates, and could not use it for long.
   */
  readonly why: 'idle' | 'room' | 'turn';
  /** The market for whose sake it is deleted, and whether that market is pinned; null when it is idle. */
  readonly for: Pick<Opening, 'key' | 'isPinned'> | null;
}

/** What the targets want of a betslip that they keep. */
export interface KeptBetslip {
  readonly value: number;
  /** An order that names it is on its way. */
  readonly isPlacing: boolean;
  /** An order that names it is on its way, or rests while the market is pinned. */
  readonly servesOrder: boolean;
}

export interface BetslipPlan {
  /** The most urgent first. */
  readonly open: readonly Opening[];
  /** Requests that wait in the client's queue, to be made again with priority. */
  readonly withdraw: readonly string[];
  /** The markets that keep their betslip if they have one. */
  readonly keep: ReadonlyMap<string, KeptBetslip>;
  readonly delete: readonly Deletion[];
  /** Why a market that waits for a betslip gets none now. */
  readonly reasons: ReadonlyMap<string, BetslipCode>;
  readonly pins: Pins;
  readonly claims: Claims;
  /** The number of markets that targets name. */
  readonly wanted: number;
  /** The others would have come in another order without those that a betslip would not serve: plan again without these. */
  readonly isProvisional: boolean;
}

/** A betslip that was ready for this long without an order may give its place to another. */
const UNUSED_MS = 10_000;
/** A betslip that no target wants for this long is the first to give up its place. */
const EXPENDABLE_MS = 1_000;

export function planBetslips(targets: readonly BetslipTarget[], facts: BetslipFacts): BetslipPlan {
  return new Draft(marketsOf(targets), facts).plan();
}

function doubtfulAmong(held: readonly HeldBetslip[]): DoubtfulBetslips {
  const count = (isOne: (each: HeldBetslip) => boolean): number =>
    held.reduce((sum, each) => sum + Number(isOne(each)), 0);
  return {
    creating: count(({ state }) => state === 'creating'),
    quoteless: count(({ hasQuote }) => !hasQuote),
    unproven: count(({ boreFruit }) => !boreFruit),
  };
}

/** With one that is opened now, which has shown nothing yet. */
const oneMore = ({ creating, quoteless, unproven }: DoubtfulBetslips): DoubtfulBetslips => ({
  creating: creating + 1,
  quoteless: quoteless + 1,
  unproven: unproven + 1,
});

const MOST_URGENT_FIRST = (a: Market, b: Market): number =>
  Number(b.reduces) - Number(a.reduces) || b.value - a.value || bySelection(a, b);

class Draft {
  readonly #markets: ReadonlyMap<string, Market>;
  readonly #facts: BetslipFacts;
  readonly #held: ReadonlyMap<string, HeldBetslip>;
  /** Those that are held, and those that the plan opens. */
  #doubtful: DoubtfulBetslips;
  readonly #pins: Pins;
  readonly #open: Opening[] = [];
  readonly #delete: Deletion[] = [];
  readonly #reasons = new Map<string, BetslipCode>();
  #claims: Claims;
  #budget: BudgetLevels;
  /** The number of rotating markets with a betslip. */
  #rotating: number;
  /** Markets that a betslip would not serve. */
  readonly #unserved = new Set<string>();
  #isProvisional = false;
  readonly #isDeleting: boolean;
  #least: { readonly held: HeldBetslip; readonly rank: number } | null | undefined;
  #longestUnused: HeldBetslip | null | undefined;

  constructor(markets: ReadonlyMap<string, Market>, facts: BetslipFacts) {
    this.#markets = markets;
    this.#facts = facts;
    this.#held = new Map(facts.held.map((each) => [each.key, each]));
    const wanted = (): WantedMarket[] =>
      Array.from(markets.values(), ({ key, selection, value }) => ({
        key,
        selection,
        value,
        held: this.#held.has(key),
      }));
    this.#pins = pinsAt(facts.pins, wanted, facts.cap, facts.nowMs);
    this.#doubtful = doubtfulAmong(facts.held);
    this.#isDeleting = facts.held.some(({ state }) => state === 'deleting');
    this.#claims = facts.claims;
    this.#budget = facts.budget;
    this.#rotating = facts.held.filter(({ key }) => !keepsBetslip(this.#pins, key)).length;
  }

  plan(): BetslipPlan {
    const kept = [...this.#markets.values()].filter((each) => this.#wants(each));
    const keep = new Map(kept.map((each) => [each.key, this.#keptOf(each)]));
    const waiting = [...this.#markets.values()].filter(({ key, waits }) => waits && !this.#held.has(key));
    const isPinned = ({ key }: Market): boolean => opensPinned(this.#pins, key);
    for (const market of waiting.filter(isPinned).sort(MOST_URGENT_FIRST)) this.#serve(market, true);
    this.#takeTurns(waiting.filter((each) => !isPinned(each)));
    for (const held of this.#facts.held) if (this.#isIdle(held, keep)) this.#drop(held, 'idle', null);
    return {
      open: this.#open.sort((a, b) => Number(b.reduces) - Number(a.reduces)),
      withdraw: this.#toHurry(),
      keep,
      delete: this.#delete,
      reasons: this.#reasons,
      pins: this.#pins,
      claims: this.#claims,
      wanted: this.#markets.size,
      isProvisional: this.#isProvisional,
    };
  }

  /** An order on its way needs its betslip. Between two orders, only a pinned market keeps it. */
  #wants({ key, needs }: Market): boolean {
    return needs.order || needs.placing || keepsBetslip(this.#pins, key);
  }

  #keptOf({ key, value, needs }: Market): KeptBetslip {
    const isPlacing = needs.placing;
    const rests = needs.next && keepsBetslip(this.#pins, key);
    return { value, isPlacing, servesOrder: isPlacing || rests };
  }

  /** Rotating markets take turns: all of them wait, and the most valuable are served, those that reduce risk first. */
  #takeTurns(waiting: readonly Market[]): void {
    const { nowMs } = this.#facts;
    const claimants = waiting
      .filter((market) => !this.#isRefused(market))
      .map((market) => {
        const { key, selection, value, reduces } = market;
        return { key, selection, value: reduces ? Infinity : value, market };
      });
    this.#claims = renewedClaims(this.#facts.claims, claimants, nowMs);
    for (const { market } of inTurn(claimants, this.#claims, nowMs)) this.#serve(market, false);
    const served = claimants.filter(({ key }) => !this.#unserved.has(key));
    if (served.length < claimants.length) {
      this.#claims = renewedClaims(this.#facts.claims, served, nowMs);
      this.#isProvisional = leastWorth(served) !== leastWorth(claimants);
    }
    if (this.#open.length === 0) return;
    const opened = new Set(this.#open.map(({ key }) => key));
    this.#claims = new Map([...this.#claims].filter(([key]) => !opened.has(key)));
  }

  #serve(market: Market, isPinned: boolean): void {
    if (this.#isRefused(market)) return;
    const { key, value, reduces } = market;
    const budget = budgetFor(this.#budget, isPinned, reduces);
    const code = typeof budget === 'string' ? budget : this.#noPlace(market, isPinned);
    if (this.#unserved.has(key)) return;
    if (code !== null) return void this.#reasons.set(key, code);
    if (!this.#isServed(key, isPinned)) return;
    const choice = budget as BudgetChoice;
    this.#budget = spent(this.#budget, choice);
    this.#open.push({ key, value, reduces, isPinned, isReserve: choice.isReserve });
    this.#doubtful = oneMore(this.#doubtful);
    if (!keepsBetslip(this.#pins, key)) this.#rotating++;
  }

  #isServed(key: string, isPinned: boolean): boolean {
    const isServed = this.#facts.serves?.({ key, isPinned }) ?? true;
    if (!isServed) this.#unserved.add(key);
    return isServed;
  }

  /** A market that is refused neither opens a betslip nor takes one from another. */
  #isRefused({ key }: Market): boolean {
    const isRefused = this.#facts.refuses(key, this.#doubtful);
    if (isRefused) this.#reasons.set(key, 'betslip_refused');
    return isRefused;
  }

  /** Returns why there is no place under the cap; null when there is one. */
  #noPlace(market: Market, isPinned: boolean): BetslipCode | null {
    const { cap, held } = this.#facts;
    if (cap.resting) return 'betslip_cap';
    const free = cap.value - held.length - this.#open.length;
    const passing = isPinned ? Infinity : passingPlaces(cap.value) - this.#rotating;
    if (free >= 1 && passing >= 1) return null;
    if (passing < 1) this.#endTurn(market);
    else this.#makeRoom(market, isPinned);
    const isTurnOfOthers = !isPinned && this.#open.some((opening) => !opening.isPinned);
    return isTurnOfOthers ? 'betslip_turn' : 'betslip_cap';
  }

  /** Gives up the least valuable betslip for a better one. Its place is free once the exchange has answered. */
  #makeRoom({ key, value }: Market, isPinned: boolean): void {
    if (!this.#mayDelete()) return;
    const least = this.#leastHeld();
    if (least !== null && least.rank < (isPinned ? value : 0) && this.#isServed(key, isPinned))
      this.#drop(least.held, 'room', { key, isPinned });
  }

  /** The betslip that gives up its place first; of equal ones the first. The same for all markets of a plan. */
  #leastHeld(): { readonly held: HeldBetslip; readonly rank: number } | null {
    if (this.#least !== undefined) return this.#least;
    this.#least = null;
    for (const held of this.#facts.held) {
      if (held.state !== 'open' || this.#isNamed(held)) continue;
      const rank = this.#rankOf(held);
      if (this.#least === null || rank < this.#least.rank) this.#least = { held, rank };
    }
    return this.#least;
  }

  /** Gives the place of a rotating market whose order has been held up for longest to one that can use it. */
  #endTurn({ key }: Market): void {
    if (!this.#mayDelete()) return;
    const longest = this.#longestHeldUp();
    if (longest !== null && this.#isServed(key, false)) this.#drop(longest, 'turn', { key, isPinned: false });
  }

  /** The betslip of a rotating market whose order has been held up for longest; of equal ones the first. The same for all markets of a plan. */
  #longestHeldUp(): HeldBetslip | null {
    if (this.#longestUnused !== undefined) return this.#longestUnused;
    this.#longestUnused = null;
    for (const held of this.#facts.held) {
      const isUnused = held.state === 'open' && this.#facts.nowMs - held.readyMs > UNUSED_MS;
      if (!isUnused || this.#isNamed(held) || keepsBetslip(this.#pins, held.key)) continue;
      if (this.#longestUnused === null || held.readyMs < this.#longestUnused.readyMs)
        this.#longestUnused = held;
    }
    return this.#longestUnused;
  }

  /** An order that is on its way to the exchange names the betslip. */
  #isNamed({ key }: HeldBetslip): boolean {
    return this.#markets.get(key)?.needs.placing === true;
  }

  /** One place at a time is made. Failed deletions wait for their turn. */
  #mayDelete(): boolean {
    const { nowMs, deletesFromMs } = this.#facts;
    const isMade = this.#delete.length > 0 || this.#isDeleting;
    return !isMade && nowMs >= deletesFromMs;
  }

  /** The rank of a betslip for keeping its place: pinned ones by value, rotating ones below all of them, idle ones last. */
  #rankOf(held: HeldBetslip): number {
    const market = this.#markets.get(held.key);
    const isWanted = market !== undefined && this.#wants(market);
    if (!isWanted && this.#facts.nowMs - held.unwantedMs > EXPENDABLE_MS) return -1;
    return keepsBetslip(this.#pins, held.key) ? (market?.value ?? held.value) : -0.5;
  }

  #isIdle(
    { key, state, isUsed, unwantedMs, restsUntilMs }: HeldBetslip,
    keep: ReadonlyMap<string, unknown>,
  ): boolean {
    const { nowMs, idleMs } = this.#facts;
    if (state !== 'open' || keep.has(key) || nowMs < restsUntilMs) return false;
    const longestMs = keepsBetslip(this.#pins, key) ? idleMs.pinned : isUsed ? idleMs.used : idleMs.unused;
    return nowMs - unwantedMs > longestMs;
  }

  #drop({ key }: HeldBetslip, why: Deletion['why'], sake: Deletion['for']): void {
    if (!this.#delete.some((each) => each.key === key)) this.#delete.push({ key, why, for: sake });
  }

  #toHurry(): readonly string[] {
    const isLate = ({ key, waitsAsNormal }: HeldBetslip): boolean =>
      waitsAsNormal && this.#markets.get(key)?.reduces === true;
    return this.#facts.held.filter(isLate).map(({ key }) => key);
  }
}
