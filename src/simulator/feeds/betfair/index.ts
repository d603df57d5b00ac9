import { ConfigError } from '../../../domain/errors.ts';
import type { Feed, Intervention, Market, SimEventName } from '../../core/api.ts';
import { type BookChange, EventReplay, RECORDED, type ReplayCounts } from './event-replay.ts';
import { eventsIn } from './events.ts';
import { DEFINED, type RecordedMarket, type Recording } from './recording.ts';

export interface BetfairFeedOptions {
  readonly recording: Recording;
  /** Recorded instant to begin at; null begins an hour before the first market's scheduled start. */
  readonly fromMs: number | null;
  /** Recorded seconds per second. */
  readonly speed: number;
  /** Exchange time of the recorded instant `fromMs`. */
  readonly startWallMs: number;
}

/** A feed that reports its progress. */
export interface BetfairFeed extends Feed {
  counts(): Readonly<ReplayCounts & { updates: number }>;
}

const LEAD_MS = 3_600_000;

/**
 * Replays recorded markets in the Betfair stream format as the exchange's liquidity, `speed` times faster than they
 * happened. Scheduled starts move with the clock. Sizes are backers' stakes and are taken as USDT. Accounts' resting
 * orders fill from recorded trades, behind the stake that was there before them, and when a recorded level crosses
 * them. The recording does not react to accounts: stake that they take of a level returns with its next change. Throws
 * ConfigError when `fromMs` lies before the recording or after it.
 */
export function createBetfairFeed(options: BetfairFeedOptions): BetfairFeed {
  const fromMs = options.fromMs ?? defaultStart(options.recording);
  checkStart(options.recording, fromMs);
  return new Replay(options, fromMs);
}

/** Before its first message a recording is an empty market: with a mistyped year, for a year. */
function checkStart({ spanMs: [firstMs, lastMs] }: Recording, fromMs: number): void {
  const iso = (ms: number): string => new Date(ms).toISOString();
  if (lastMs < fromMs) {
    throw new ConfigError(`feed-from: the recording has no message at or after ${iso(fromMs)}`, { fromMs });
  }
  if (firstMs > fromMs) {
    const problem = `the recording begins at ${iso(firstMs)}, after ${iso(fromMs)}`;
    throw new ConfigError(`feed-from: ${problem}`, { fromMs });
  }
}

function defaultStart({ markets, rows, spanMs: [firstMs] }: Recording): number {
  const first = rows.change.indexOf(DEFINED);
  const start = markets[rows.market[first] ?? -1]?.definitions[0]?.startMs;
  return start === undefined ? firstMs : Math.max(rows.atMs[first] ?? firstMs, start - LEAD_MS);
}

/** Where a market of the file is played. */
interface Played {
  readonly replay: EventReplay;
  /** Its position among the event's. */
  readonly market: number;
  readonly selectionOf: readonly number[];
}

/** The recording lacks a market from here on, or has it again. */
interface GapEdge {
  readonly atMs: number;
  readonly played: Played;
  readonly isBegin: boolean;
}

class Replay implements BetfairFeed {
  readonly #recording: Recording;
  readonly #fromMs: number;
  readonly #speed: number;
  readonly #startWallMs: number;
  readonly #events: EventReplay[] = [];
  readonly #played = new Map<number, Played>();
  readonly #edges: readonly GapEdge[];
  readonly #counts: ReplayCounts = { trades: 0, skipped: 0 };
  #next = 0;
  #nextEdge = 0;

  constructor({ recording, speed, startWallMs }: BetfairFeedOptions, fromMs: number) {
    [this.#recording, this.#fromMs] = [recording, fromMs];
    [this.#speed, this.#startWallMs] = [speed, startWallMs];
    for (const event of eventsIn(recording)) {
      const markets = event.markets.map(({ at }) => recording.markets[at] as RecordedMarket);
      const replay = new EventReplay(event, markets, (ms) => this.#wallMs(ms), this.#counts);
      this.#events.push(replay);
      for (const [market, { at, selectionOf }] of event.markets.entries())
        this.#played.set(at, { replay, market, selectionOf });
    }
    this.#edges = Array.from(this.#played)
      .flatMap(([at, played]) => edgesOf(recording.markets[at], played))
      .sort((a, b) => a.atMs - b.atMs);
  }

  start(market: Market, nowMs: number): void {
    market.followRecording(RECORDED);
    const { atMs } = this.#recording.rows;
    for (; (atMs[this.#next] ?? Infinity) < this.#fromMs; this.#next++) this.#fold(this.#next);
    for (; this.#edgeMs < this.#fromMs; this.#nextEdge++) {
      const { played, isBegin } = this.#edges[this.#nextEdge] as GapEdge;
      played.replay.foldGap(played.market, isBegin);
    }
    for (const replay of this.#events) replay.announce(market, nowMs);
  }

  nextDueMs(): number | null {
    const atMs = Math.min(this.#rowMs, this.#edgeMs);
    return atMs === Infinity ? null : this.#wallMs(atMs);
  }

  advance(market: Market, nowMs: number): void {
    for (let dueMs = this.nextDueMs(); dueMs !== null && dueMs <= nowMs; dueMs = this.nextDueMs())
      if (this.#edgeMs <= this.#rowMs) this.#passEdge(market, dueMs);
      else this.#play(market, this.#next++, dueMs);
  }

  intervene(market: Market, event: SimEventName, act: Intervention, nowMs: number): boolean {
    const replay = this.#events.find((each) => each.plays(event));
    return replay?.intervene(market, act, nowMs) ?? false;
  }

  counts(): Readonly<ReplayCounts & { updates: number }> {
    return { ...this.#counts, updates: this.#next };
  }

  get #rowMs(): number {
    return this.#recording.rows.atMs[this.#next] ?? Infinity;
  }

  get #edgeMs(): number {
    return this.#edges[this.#nextEdge]?.atMs ?? Infinity;
  }

  #passEdge(market: Market, nowMs: number): void {
    const { played, isBegin } = this.#edges[this.#nextEdge++] as GapEdge;
    played.replay.passGapEdge(market, played.market, isBegin, nowMs);
  }

  #fold(row: number): void {
    const { market, change, of } = this.#recording.rows;
    const played = this.#played.get(market[row] as number);
    if (played === undefined) return;
    if (change[row] === DEFINED) played.replay.foldDefinition(played.market, of[row] as number);
    else {
      const found = this.#changeAt(played, row);
      if (found !== null) played.replay.fold(found);
    }
  }

  #play(market: Market, row: number, nowMs: number): void {
    const { change, of } = this.#recording.rows;
    const played = this.#played.get(this.#recording.rows.market[row] as number);
    const isDefinition = change[row] === DEFINED;
    if (played !== undefined && isDefinition)
      return played.replay.define(market, played.market, of[row] as number, nowMs);
    const found = played === undefined ? null : this.#changeAt(played, row);
    if (played === undefined || found === null) this.#counts.skipped++;
    else played.replay.apply(market, found, nowMs);
  }

  /** Null for a runner without a selection. */
  #changeAt({ selectionOf }: Played, row: number): BookChange | null {
    const { change, of, tick, micros } = this.#recording.rows;
    const selection = selectionOf[of[row] as number] ?? -1;
    if (selection < 0) return null;
    return {
      change: change[row] as number,
      selection,
      tick: tick[row] as number,
      micros: micros[row] as number,
    };
  }

  /** Exchange time of a recorded instant, in whole milliseconds. */
  #wallMs(recordedMs: number): number {
    return this.#startWallMs + Math.round((recordedMs - this.#fromMs) / this.#speed);
  }
}

const edgesOf = (market: RecordedMarket | null | undefined, played: Played): GapEdge[] =>
  (market?.folded.gaps ?? []).flatMap(({ fromMs, toMs }) => [
    { atMs: fromMs, played, isBegin: true },
    { atMs: toMs, played, isBegin: false },
  ]);
