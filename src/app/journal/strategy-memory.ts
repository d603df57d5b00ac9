import { isDeepStrictEqual } from 'node:util';
import { JournalError } from '../../domain/errors.ts';
import { BoundPassed, foreignJson } from '../../lib/foreign-text.ts';
import type { EngineMemory } from '../../engine/engine.ts';
import type { Core } from '../../engine/core.ts';
import type { OrderManager } from '../../orders/api.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Journal, Json } from '../../ports/journal.ts';
import type { Logger } from '../../ports/logger.ts';
import type { SavedSession } from '../../strategy/session.ts';

/** Journal record of everything that strategies keep; only the last one counts. */
export const STRATEGY_STATES = 'strategy_states';

/** A crash loses at most this much of a state that does not come from fills. */
const SAVE_EVERY_MS = 30_000;

/** Keeps the states of strategies in the journal. Writes nothing while no strategy keeps anything. */
export class StrategyMemory implements EngineMemory {
  readonly #core: Pick<Core, 'strategies' | 'apply'>;
  readonly #orders: Pick<OrderManager, 'status'>;
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #savedText = '[]';
  /** Monotonic. */
  #savedMs: number;
  /** States that were reported as not plain data. */
  readonly #refused = new Set<string>();

  constructor(
    core: Pick<Core, 'strategies' | 'apply'>,
    orders: Pick<OrderManager, 'status'>,
    journal: Journal,
    clock: Clock,
    logger: Logger,
  ) {
    [this.#core, this.#orders, this.#journal] = [core, orders, journal];
    [this.#clock, this.#logger] = [clock, logger];
    this.#savedMs = clock.monotonicMs();
  }

  /** Gives the strategies what the last run saved. If it cannot be read, they start anew. */
  restore(): void {
    try {
      const last = this.#journal.last(STRATEGY_STATES);
      if (last === null) return;
      const { sessions } = last.data as object as { readonly sessions: readonly SavedSession[] };
      this.#savedText = JSON.stringify(sessions);
      this.#core.apply({ kind: 'restored_sessions', sessions });
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      this.#logger.error('the states of strategies cannot be read; the strategies start anew', { error });
    }
  }

  /** Saves now and then, if something changed. */
  housekeeping(): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#savedMs < SAVE_EVERY_MS) return;
    this.#savedMs = nowMs;
    this.end();
  }

  /** Durable on return. A journal that fails here has failed for every writer and reports it itself. */
  end(): void {
    if (this.#orders.status().journalFailed) return;
    const sessions = this.#core.strategies.save().map((session) => this.#plain(session));
    const text = JSON.stringify(sessions);
    if (text === this.#savedText) return;
    try {
      this.#journal.append([
        { kind: STRATEGY_STATES, uuid: null, data: JSON.parse(`{"sessions":${text}}`) as Json },
      ]);
      this.#savedText = text;
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
    }
  }

  /** The session without states that JSON would change. */
  #plain(session: SavedSession): SavedSession {
    const kept = Object.entries(session.keeps).filter(([name, keep]) => {
      const isPlain = survivesJson(keep.state);
      if (!isPlain) this.#report(session, name);
      return isPlain;
    });
    return { ...session, keeps: Object.fromEntries(kept) };
  }

  #report({ strategy, event }: SavedSession, name: string): void {
    const key = `${strategy} ${name}`;
    if (this.#refused.has(key)) return;
    this.#refused.add(key);
    const message =
      'a kept state is not plain data (JSON), so it is not saved: keep numbers, texts, lists and objects';
    this.#logger.error(message, { strategy, name, ...event });
  }
}

/** The record of a state has not more levels around it. */
const LEVELS_AROUND = 8;

function survivesJson(state: unknown): boolean {
  try {
    const text = JSON.stringify(state) as string | undefined;
    if (text === undefined) return false;
    const within = foreignJson(
      `${'['.repeat(LEVELS_AROUND)}${text}${']'.repeat(LEVELS_AROUND)}`,
    ) as unknown[];
    return isDeepStrictEqual(within.flat(LEVELS_AROUND - 1), [state]);
  } catch (error) {
    // Nested more deeply than a journal is read.
    if (error instanceof BoundPassed) return false;
    throw error;
  }
}
