import { type Obstacle, SEND_GATE, type WaitCode } from '../send-gate.ts';
import type { BlockedQuote } from './blocked.ts';

/** What only time changes in the market is found once a second, when all events are decided. A wake is missed when it is later. */
const LATE_MS = 1_500;
/** Longest step between two looks at a suspect. A longer one shows that the loop hung: what would have woken it is still to come. */
const STEP_MS = 500;

interface Suspect {
  /** How long its judgement has been another one, as far as it was watched. */
  changedMs: number;
  lookedMs: number;
}

const RANKS: ReadonlyMap<string, number> = new Map(SEND_GATE.map(({ code }, rank) => [code, rank]));

/**
 * Whether what blocked a quote does not block it any more. A reason that goes before it may have come up meanwhile: then the quote
 * still waits rightly.
 */
const isOver = (was: WaitCode, now: Obstacle | null): boolean =>
  now === null || (RANKS.get(now.code) ?? -1) > (RANKS.get(was) ?? -1);

/**
 * Judges all blocked quotes now and then, and finds those whose judgement had changed without a wake. There should be none: the
 * audit proves that every row of the gate names all that it waits for.
 */
export class WakeAudit {
  readonly #everyMs: number;
  readonly #suspects = new Map<BlockedQuote, Suspect>();
  #nextMs = -Infinity;

  /** With 0, looks in every turn. */
  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  isDue(nowMs: number): boolean {
    return nowMs >= this.#nextMs;
  }

  /** Returns the quotes that missed their wake. `review` judges a quote without effect. */
  missed(
    blocked: Iterable<BlockedQuote>,
    review: (quote: BlockedQuote) => Obstacle | null,
    nowMs: number,
  ): readonly BlockedQuote[] {
    const suspects = new Map<BlockedQuote, Suspect>();
    for (const quote of blocked) {
      if (!isOver(quote.code, review(quote))) continue;
      const before = this.#suspects.get(quote) ?? { changedMs: 0, lookedMs: nowMs };
      const stepMs = Math.min(STEP_MS, nowMs - before.lookedMs);
      suspects.set(quote, { changedMs: before.changedMs + stepMs, lookedMs: nowMs });
    }
    const missed = [...suspects].filter(([, { changedMs }]) => changedMs >= LATE_MS).map(([quote]) => quote);
    for (const quote of missed) suspects.delete(quote);
    this.#suspects.clear();
    for (const [quote, suspect] of suspects) this.#suspects.set(quote, suspect);
    this.#nextMs = nowMs + (suspects.size > 0 ? Math.min(STEP_MS, this.#everyMs) : this.#everyMs);
    return missed;
  }
}
