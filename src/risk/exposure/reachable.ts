/**
 * The final scores that an event can still have. Goals are only added, so what lies below the score is out of reach. A score that goes back
 * was provisional, as a goal that is looked at again: until a while has passed, the final scores of both are reachable, and bets that were
 * matched while it stood may be void.
 */
import { type EventName, eventKey, isSameScore, type Score } from '../../domain/events.ts';
import type { EventKey } from '../../domain/ids.ts';
import type { Fill } from '../../domain/live-order.ts';
import { GRID_SIZE } from '../../domain/payoff.ts';
import { CELL_COUNT, OUTCOME, type OutcomeGrid } from './payoffs.ts';

/** One entry for each final score: 1 if the event can still end with it. */
export type Reachable = Uint8Array;

/** The final scores that can follow one of these scores; null: all, since a score lies outside the grid. */
export function reachableFrom(scores: readonly Score[]): Reachable | null {
  const isOnGrid = scores.every((score) => score.every((goals) => goals >= 0 && goals < GRID_SIZE));
  if (scores.length === 0 || !isOnGrid) return null;
  return Uint8Array.from({ length: CELL_COUNT }, (_, cell) => {
    const [home, away] = [Math.floor(cell / GRID_SIZE), cell % GRID_SIZE];
    return scores.some(([ofHome, ofAway]) => home >= ofHome && away >= ofAway) ? 1 : 0;
  });
}

/** 1 if a bet of these outcomes wins in every reachable final score, 0 if it loses in each; null: neither. */
export function decidedBy(outcomes: OutcomeGrid, reachable: Reachable): 0 | 1 | null {
  const open = outcomes.filter((_, cell) => reachable[cell] === 1);
  if (open.length === 0) return null;
  if (open.every((outcome) => outcome === OUTCOME.win)) return 1;
  return open.every((outcome) => outcome === OUTCOME.loss) ? 0 : null;
}

/** The state of play of an event, as the exchange tells it. */
export interface PlayReport extends EventName {
  readonly inRunning: boolean;
  /** Null: not known. */
  readonly score: Score | null;
}

/** The doubt about an event since its score went back. */
export interface Dispute {
  /** Wall-clock instant from which on bets were matched by a score that did not stand. */
  readonly sinceMs: number;
  /** The scores of which each may be the right one. */
  readonly scores: readonly Score[];
}

/** A disputed event as a restart keeps it. Plain data. */
export interface KeptDispute extends EventName {
  readonly score: Score;
  /** Wall-clock instant of the first report of the score. */
  readonly atMs: number;
  /** Null: always. */
  readonly sinceMs: number | null;
  readonly scores: readonly Score[];
  readonly untilMs: number;
}

interface Play {
  readonly event: EventName;
  readonly score: Score;
  /** Wall-clock instant of its first report. */
  readonly atMs: number;
  /** The score before it, and the instant of its first report. */
  readonly before: Pick<Play, 'score' | 'atMs'> | null;
  readonly dispute: (Dispute & { readonly untilMs: number }) | null;
}

/** Follows the scores of events in play. */
export class Plays {
  readonly #byEvent = new Map<EventKey, Play>();
  /** By the events whose score is known. */
  readonly scored: ReadonlyMap<EventKey, unknown> = this.#byEvent;
  readonly #disputeMs: number;

  /** `disputeMs`: how long a score must have stood, after one went back, to count alone. */
  constructor(disputeMs: number) {
    this.#disputeMs = disputeMs;
  }

  /** Takes a report at a wall-clock instant. Returns whether anything changed. A score that is not known says nothing. */
  report({ inRunning, score, ...event }: PlayReport, nowMs: number): boolean {
    const key = eventKey(event);
    const known = this.#byEvent.get(key);
    if (!inRunning || score === null) return false;
    if (known !== undefined && isSameScore(known.score, score)) return false;
    this.#byEvent.set(
      key,
      known === undefined ? first(event, score, nowMs) : this.#next(known, score, nowMs),
    );
    return true;
  }

  /** The final scores that the event can still have; null: all, as far as is known. */
  reachable(event: EventName): Reachable | null {
    const play = this.#byEvent.get(eventKey(event));
    return play === undefined ? null : reachableFrom(play.dispute?.scores ?? [play.score]);
  }

  dispute(event: EventName): Dispute | null {
    return this.#byEvent.get(eventKey(event))?.dispute ?? null;
  }

  /** Whether a bet was matched by a score that may not have stood. */
  readonly isDisputed = (fill: Fill): boolean => {
    const dispute = this.#byEvent.get(eventKey(fill))?.dispute ?? null;
    return dispute !== null && fill.atMs >= dispute.sinceMs;
  };

  /** Ends disputes whose time is over. Returns their events. */
  settle(nowMs: number): readonly EventKey[] {
    const over = [...this.#byEvent].filter(([, { dispute }]) => dispute !== null && nowMs >= dispute.untilMs);
    for (const [key, play] of over) this.#byEvent.set(key, { ...play, dispute: null });
    return over.map(([key]) => key);
  }

  forget(event: EventName): void {
    this.#byEvent.delete(eventKey(event));
  }

  /** The events whose score is disputed, for a later run. */
  kept(): readonly KeptDispute[] {
    return [...this.#byEvent.values()].flatMap(({ event, score, atMs, dispute }) => {
      if (dispute === null) return [];
      const { scores, untilMs, sinceMs } = dispute;
      return [{ ...event, score, atMs, scores, untilMs, sinceMs: sinceMs === -Infinity ? null : sinceMs }];
    });
  }

  /** Takes over what an earlier run kept. Before the first report. */
  restore(kept: readonly KeptDispute[]): void {
    for (const { score, atMs, sinceMs, scores, untilMs, ...event } of kept) {
      const dispute = { scores, untilMs, sinceMs: sinceMs ?? -Infinity };
      this.#byEvent.set(eventKey(event), { event, score, atMs, before: null, dispute });
    }
  }

  /** A score that goes back opens a dispute; one that changes during a dispute prolongs it. */
  #next({ event, score: last, atMs, before, dispute }: Play, score: Score, nowMs: number): Play {
    const isBack = score[0] < last[0] || score[1] < last[1];
    const play = { event, score, atMs: nowMs, before: { score: last, atMs } };
    if (!isBack && dispute === null) return { ...play, dispute };
    const scores = [...(dispute?.scores ?? [last]), score];
    const sinceMs = Math.min(
      dispute?.sinceMs ?? Infinity,
      isBack ? sinceOf(score, { score: last, atMs }, before) : nowMs,
    );
    return { ...play, dispute: { scores, sinceMs, untilMs: nowMs + this.#disputeMs } };
  }
}

const first = (event: EventName, score: Score, atMs: number): Play => ({
  event,
  score,
  atMs,
  before: null,
  dispute: null,
});

type Reported = NonNullable<Play['before']>;

/** A goal falls this long before its report, at most: bets of that time may be void with those after it. */
const LEAD_MS = 10_000;

/** Bets are in doubt from the first report of the score that did not stand, and shortly before; or, if it went back further than one step, always. */
const sinceOf = (score: Score, last: Reported, before: Reported | null): number =>
  isSameScore(before?.score ?? null, score) ? last.atMs - LEAD_MS : -Infinity;
