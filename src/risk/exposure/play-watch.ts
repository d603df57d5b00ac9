import { eventKey, type EventName } from '../../domain/events.ts';
import type { EventKey } from '../../domain/ids.ts';
import type { Fill } from '../../domain/live-order.ts';
import type { Guards } from '../guards/index.ts';
import type { RiskLimits } from '../limits/limits.ts';
import type { ExposureBook } from './book.ts';
import { type KeptDispute, type PlayReport, Plays, type Reachable } from './reachable.ts';
import type { OrderTracker } from './tracker.ts';

type Counted = readonly [book: ExposureBook, tracker: OrderTracker, guards: Guards];

/** Sports whose score of the match is the score that settles. The score of a part of a match is not told. */
const SPORT = 'fb';

/** Keeps exposure in step with the scores of events in play. */
export class PlayWatch {
  readonly #plays: Plays;
  /** By the events whose score is known. */
  readonly scored: Plays['scored'];
  readonly #wallNow: () => number;
  readonly #isOnGrid: boolean;

  constructor({ grids, guards }: RiskLimits, wallNow: () => number) {
    this.#plays = new Plays(guards.scoreChange.backCoolDownS * 1_000);
    this.scored = this.#plays.scored;
    this.#wallNow = wallNow;
    this.#isOnGrid = grids.scoreSports.includes(SPORT);
  }

  readonly reachableOf = (event: EventName): Reachable | null => this.#plays.reachable(event);

  /** Whether a bet was matched by a score that may not have stood. */
  get isDisputed(): (fill: Fill) => boolean {
    return this.#plays.isDisputed;
  }

  /** Whether the score of an event is disputed. */
  isOpen(event: EventName): boolean {
    return this.#plays.dispute(event) !== null;
  }

  report(report: PlayReport, ...counted: Counted): void {
    if (!this.#isOnGrid || report.sport !== SPORT) return;
    if (this.#plays.report(report, this.#wallNow())) this.#recount(eventKey(report), counted);
    if (this.isOpen(report)) counted[2].onScoreBack(report);
  }

  /** Ends what time has settled. */
  settle(...counted: Counted): void {
    for (const key of this.#plays.settle(this.#wallNow())) this.#recount(key, counted);
  }

  /** The events whose score is disputed, for a later run. */
  kept(): readonly KeptDispute[] {
    return this.#plays.kept();
  }

  /** Takes over what an earlier run kept. Before the first bet. */
  restore(kept: readonly KeptDispute[]): void {
    this.#plays.restore(kept);
  }

  forget(event: EventName): void {
    this.#plays.forget(event);
  }

  #recount(key: EventKey, [book, tracker]: Counted): void {
    book.onReachable(key);
    tracker.onDispute(key);
  }
}
