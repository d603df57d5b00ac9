/** One pass over a tape that measures its market, apart from any strategy. */
import { emptySide, setLevel, clearSide, type Side, touchOf } from '../../fair/touch.ts';
import { type FairSeries, fairSeries } from '../../fair/series.ts';
import { LADDER, priceOf } from '../../domain/ladder.ts';
import { fromMicros } from '../../domain/money.ts';
import { logOddsOf, probabilityOf } from '../../domain/odds.ts';
import { type EventTape, type GapEdge, gapEdges, MARKET_STATE, OP } from '../tape.ts';
import { MARK_HORIZONS_S } from '../../fair/marks.ts';
import type { Phase, Samples } from './samples.ts';

/** Books and fair values are looked at this often while a market is open. */
const LOOK_MS = 10_000;
/** Every third look is the end of a change, every sixth of a minute's move. */
const LOOKS_OF_CHANGE = 3;
const LOOKS_OF_MINUTE = 6;
const BEFORE_SUSPENSION_MS = 5_000;
/** A fair value that comes back later tells what the market did since, and not what the suspension did. */
const SOON_MS = 60_000;
const STATE_BITS = 3;
const NONE = -1;
const TICKS = LADDER.length;

const RISK = Float64Array.from(LADDER, (price) => Math.sqrt(price - 1));

interface Book {
  readonly for: Side;
  readonly against: Side;
  /** When each level began to stand, by side and tick. */
  readonly sinceMs: { readonly for: Float64Array; readonly against: Float64Array };
  /** Stake that traded at this instant, by side and tick. */
  readonly tradedNow: Map<number, number>;
  lastTradeMs: number;
  /** The last looks, the newest first; NaN without a fair value. */
  readonly looks: number[];
}

interface MarketNow {
  state: number;
  /** Gaps of the recording that go on. */
  gaps: number;
  /** The suspension that lasts, and the phase in which it began. */
  suspension: { readonly fromMs: number; readonly samples: Samples } | null;
  readonly tradesMs: number[];
  /** The fair value of each selection that had one when the suspension began. */
  readonly before: Map<number, number>;
}

/** Adds what a tape shows to the samples of its phases. */
export function measure(tape: EventTape, samplesOf: (phase: Phase) => Samples): void {
  new EventPass(tape, samplesOf).run();
}

class EventPass {
  readonly #tape: EventTape;
  readonly #fair: FairSeries;
  readonly #samplesOf: (phase: Phase) => Samples;
  readonly #books: readonly Book[];
  readonly #markets: readonly MarketNow[];
  readonly #edges: readonly GapEdge[];
  #edge = 0;
  #lookMs = Infinity;

  constructor(tape: EventTape, samplesOf: (phase: Phase) => Samples) {
    this.#tape = tape;
    this.#fair = fairSeries(tape);
    this.#samplesOf = samplesOf;
    this.#books = tape.selections.map(() => ({
      for: emptySide('for'),
      against: emptySide('against'),
      looks: [],
      sinceMs: { for: new Float64Array(TICKS), against: new Float64Array(TICKS) },
      tradedNow: new Map(),
      lastTradeMs: NaN,
    }));
    this.#edges = gapEdges(tape.gaps);
    this.#markets = tape.markets.map(() => ({
      state: NONE,
      gaps: 0,
      suspension: null,
      tradesMs: [],
      before: new Map(),
    }));
  }

  run(): void {
    const { atMs, length } = this.#tape.updates;
    for (let at = 0; at < length;) {
      const nowMs = atMs[at] as number;
      this.#runUntil(nowMs);
      const touched = new Set<Book>();
      for (; at < length && atMs[at] === nowMs; at++) this.#update(at, nowMs, touched);
      for (const book of touched) book.tradedNow.clear();
    }
  }

  /** Looks at all markets, and passes the edges of gaps, until an instant. */
  #runUntil(nowMs: number): void {
    if (this.#lookMs === Infinity) this.#lookMs = nowMs + LOOK_MS;
    for (;;) {
      const edge = this.#edges[this.#edge];
      const edgeMs = edge?.atMs ?? Infinity;
      const nextMs = Math.min(edgeMs, this.#lookMs);
      if (nextMs > nowMs) return;
      if (edge !== undefined && edgeMs === nextMs) {
        this.#edge++;
        this.#passEdge(edge);
      } else {
        this.#look(nextMs);
        this.#lookMs += LOOK_MS;
      }
    }
  }

  #passEdge({ isBegin, market: of }: GapEdge): void {
    for (const [market, now] of this.#markets.entries())
      if (of === null || of === market) now.gaps += isBegin ? 1 : -1;
  }

  #look(nowMs: number): void {
    for (const market of this.#markets.keys()) {
      const samples = this.#open(market);
      if (samples === null) continue;
      samples.marketMs += LOOK_MS;
      if (this.#tape.hasTrades) samples.tradedMs += LOOK_MS;
    }
    for (const [selection, { market }] of this.#tape.selections.entries()) {
      const samples = this.#open(market);
      const { looks } = this.#books[selection] as Book;
      const { logOdds } = this.#fair.fairAt(selection, nowMs);
      looks.unshift(samples === null ? NaN : (logOdds ?? NaN));
      looks.length = Math.min(looks.length, 1 + 2 * LOOKS_OF_MINUTE);
      if (samples !== null) this.#lookAt(selection, samples, Math.round(nowMs / LOOK_MS));
    }
    this.#lookAtSets();
  }

  #lookAt(selection: number, samples: Samples, number: number): void {
    const { for: forSide, against, looks } = this.#books[selection] as Book;
    samples.openMs += LOOK_MS;
    if (!Number.isNaN(looks[0])) samples.fairMs += LOOK_MS;
    const [back, lay] = [touchOf(against), touchOf(forSide)];
    if (back?.isDeep === true && lay?.isDeep === true && back.logOdds >= lay.logOdds)
      samples.halfSpreads.push((back.logOdds - lay.logOdds) / 2);
    for (const { best, stakes } of [forSide, against])
      if (best !== NONE) samples.depths.push(fromMicros((stakes[best] as number) * (RISK[best] as number)));
    if (number % LOOKS_OF_CHANGE === 0) addChange(samples, looks);
    if (number % LOOKS_OF_MINUTE === 0) addMinute(samples, looks);
  }

  /** Notes what a taker of every runner of a set pays, where each has a price. */
  #lookAtSets(): void {
    for (const { market, selections, winners } of this.#fair.groups) {
      const samples = this.#open(market);
      if (winners === null || samples === null) continue;
      const bests = selections.map((selection) => (this.#books[selection] as Book).against.best);
      if (bests.includes(NONE)) continue;
      const sum = bests.reduce((total, best) => total + probabilityOf(priceOf(best)), 0);
      samples.overrounds.push(sum / winners - 1);
    }
  }

  /** The samples of a market that is open; null otherwise. */
  #open(market: number): Samples | null {
    const { state, gaps } = this.#markets[market] as MarketNow;
    if (gaps > 0 || state === NONE || (state & STATE_BITS) !== MARKET_STATE.open) return null;
    return this.#samplesOf((state & MARKET_STATE.inPlay) === 0 ? 'before play' : 'in play');
  }

  #update(at: number, nowMs: number, touched: Set<Book>): void {
    const { op, of, tick, micros } = this.#tape.updates;
    const [subject, place, amount] = [of[at] as number, tick[at] as number, micros[at] as number];
    if (op[at] === OP.state) return this.#setState(subject, place, nowMs);
    const book = this.#books[subject] as Book;
    touched.add(book);
    if (op[at] === OP.clear) {
      clearSide(book.for);
      clearSide(book.against);
      book.sinceMs.for.fill(0);
      book.sinceMs.against.fill(0);
    } else if (op[at] === OP.restingFor) this.#level(subject, 'for', place, amount, nowMs);
    else if (op[at] === OP.restingAgainst) this.#level(subject, 'against', place, amount, nowMs);
    else this.#trade(subject, op[at] === OP.tradedFor ? 'for' : 'against', place, amount, nowMs);
  }

  #level(selection: number, side: 'for' | 'against', tick: number, micros: number, nowMs: number): void {
    const book = this.#books[selection] as Book;
    const samples = this.#open(this.#tape.selections[selection]?.market ?? NONE);
    const before = book[side].stakes[tick] as number;
    setLevel(book[side], tick, micros);
    const since = book.sinceMs[side];
    if (before === 0 && micros > 0) since[tick] = nowMs;
    if (samples === null) return;
    if (micros === 0 && before > 0 && (since[tick] as number) > 0)
      samples.levelLivesMs.push(nowMs - (since[tick] as number));
    if (micros >= before) return;
    const key = keyOf(side, tick);
    const traded = book.tradedNow.get(key) ?? 0;
    const byTrade = Math.min(traded, before - micros);
    book.tradedNow.set(key, traded - byTrade);
    if (!this.#tape.hasTrades) return;
    samples.fallen += before - micros;
    samples.fallenByTrade += byTrade;
  }

  /** A taker took resting stake of a side. */
  #trade(selection: number, side: 'for' | 'against', tick: number, micros: number, nowMs: number): void {
    const market = this.#tape.selections[selection]?.market ?? NONE;
    const book = this.#books[selection] as Book;
    const samples = this.#open(market);
    if (samples === null) return;
    const key = keyOf(side, tick);
    book.tradedNow.set(key, (book.tradedNow.get(key) ?? 0) + micros);
    samples.trades++;
    samples.traded += micros;
    samples.tradeStakes.push(fromMicros(micros));
    if (!Number.isNaN(book.lastTradeMs)) samples.tradeGapsMs.push(nowMs - book.lastTradeMs);
    book.lastTradeMs = nowMs;
    (this.#markets[market] as MarketNow).tradesMs.push(nowMs);
    this.#addLate(samples, micros, nowMs);
    this.#addPaid(samples, { selection, side, tick, micros, nowMs });
  }

  #addLate(samples: Samples, micros: number, nowMs: number): void {
    const { inPlayMs } = this.#tape;
    if (inPlayMs === null || nowMs >= inPlayMs) return;
    samples.lateStakes ??= { five: 0, one: 0 };
    if (inPlayMs - nowMs <= 300_000) samples.lateStakes.five += micros;
    if (inPlayMs - nowMs <= 60_000) samples.lateStakes.one += micros;
  }

  /** Adds what the taker paid beyond the fair value, before the trade and some time after it. */
  #addPaid(samples: Samples, { selection, side, tick, micros, nowMs }: Trade): void {
    const before = this.#fair.fairAt(selection, nowMs).logOdds;
    if (before === null) return;
    const risk = fromMicros(micros * (RISK[tick] as number));
    // Takers of stake `against` buy the selection; those of stake `for` sell it.
    const sign = side === 'against' ? 1 : -1;
    const paidTo = (fair: number): number => risk * sign * (logOddsOf(priceOf(tick)) - fair);
    samples.effective.risk += risk;
    samples.effective.paid += paidTo(before);
    for (const [at, horizonS] of MARK_HORIZONS_S.entries()) {
      const { logOdds } = this.#fair.markAfter(selection, nowMs, horizonS);
      const realised = samples.realised[at];
      if (logOdds === null || realised === undefined) continue;
      realised.risk += risk;
      realised.paid += paidTo(logOdds);
    }
  }

  #setState(market: number, state: number, nowMs: number): void {
    const before = this.#open(market);
    const now = this.#markets[market] as MarketNow;
    now.state = state;
    const after = this.#open(market);
    if (before !== null && (state & STATE_BITS) === MARKET_STATE.suspended) {
      before.suspensions++;
      if (this.#tape.hasTrades) before.tradedSuspensions++;
      before.tradesBeforeSuspension += now.tradesMs.filter(
        (atMs) => nowMs - atMs <= BEFORE_SUSPENSION_MS,
      ).length;
      now.suspension = { fromMs: nowMs, samples: before };
      now.before.clear();
      for (const selection of this.#selectionsOf(market)) this.#noteBefore(now, selection, nowMs);
    }
    if (after === null || now.suspension === null) return;
    const { fromMs, samples } = now.suspension;
    samples.suspensionsMs.push(nowMs - fromMs);
    now.suspension = null;
    now.tradesMs.length = 0;
    for (const [selection, fair] of now.before) {
      const mark = this.#fair.markAfter(selection, nowMs, 0);
      const isSoon = mark.logOdds !== null && mark.atMs - nowMs <= SOON_MS;
      if (isSoon) samples.suspensionJumps.push(Math.abs(mark.logOdds - fair));
    }
    now.before.clear();
  }

  #noteBefore(now: MarketNow, selection: number, nowMs: number): void {
    const { logOdds } = this.#fair.fairAt(selection, nowMs);
    if (logOdds !== null) now.before.set(selection, logOdds);
  }

  #selectionsOf(market: number): number[] {
    return [...this.#tape.selections.keys()].filter((at) => this.#tape.selections[at]?.market === market);
  }
}

interface Trade {
  readonly selection: number;
  readonly side: 'for' | 'against';
  readonly tick: number;
  readonly micros: number;
  readonly nowMs: number;
}

const keyOf = (side: 'for' | 'against', tick: number): number => 2 * tick + Number(side === 'for');

/** A change over 30 s, and its product with the one before, where every look between has a fair value. */
function addChange({ moves }: Samples, looks: readonly number[]): void {
  const change = moveOver(looks, 0, LOOKS_OF_CHANGE);
  if (change === null) return;
  moves.changes++;
  moves.squares += change ** 2;
  const earlier = moveOver(looks, LOOKS_OF_CHANGE, LOOKS_OF_CHANGE);
  if (earlier === null) return;
  moves.pairs++;
  moves.products += Math.abs(change) * Math.abs(earlier);
}

function addMinute({ minuteMoves }: Samples, looks: readonly number[]): void {
  const move = moveOver(looks, 0, LOOKS_OF_MINUTE);
  if (move !== null) minuteMoves.push(Math.abs(move));
}

/** From an older look to a newer one; null if a look from one to the other has no fair value. */
function moveOver(looks: readonly number[], newest: number, steps: number): number | null {
  const between = looks.slice(newest, newest + steps + 1);
  if (between.length <= steps || between.some((look) => Number.isNaN(look))) return null;
  return (between[0] as number) - (between[steps] as number);
}
