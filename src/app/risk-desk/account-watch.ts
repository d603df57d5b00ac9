import type { EventId, Sport } from '../../domain/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Venue } from '../../ports/venue.ts';
import type { Risk } from '../../risk/index.ts';

export interface AccountWatchDeps {
  readonly venue: Pick<Venue, 'balance' | 'position'>;
  readonly risk: Pick<Risk, 'onBalance' | 'onPosition' | 'positions'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const BALANCE_EVERY_MS = 30_000;
const POSITION_EVERY_MS = 10_000;

/** Asks the exchange from time to time for what it knows better than we: the balance, and each event's position. */
export class AccountWatch {
  readonly #deps: AccountWatchDeps;
  #balanceDueMs = -Infinity;
  #positionDueMs = -Infinity;
  /** Positions still to be compared in this round. */
  #round: (readonly [Sport, EventId])[] = [];

  constructor(deps: AccountWatchDeps) {
    this.#deps = deps;
  }

  /** Every second or so. */
  tick(): void {
    const nowMs = this.#deps.clock.monotonicMs();
    if (nowMs >= this.#balanceDueMs) {
      this.#balanceDueMs = nowMs + BALANCE_EVERY_MS;
      this.#ask('balance', async () => this.#deps.risk.onBalance(await this.#deps.venue.balance()));
    }
    if (nowMs < this.#positionDueMs) return;
    this.#positionDueMs = nowMs + POSITION_EVERY_MS;
    this.#comparePosition();
  }

  /** One event at a time, in turn, so that many events cost no more requests. */
  #comparePosition(): void {
    if (this.#round.length === 0) this.#round = [...this.#deps.risk.positions()];
    const next = this.#round.shift();
    if (next === undefined) return;
    const [sport, eventId] = next;
    this.#ask('position', async () => {
      const position = await this.#deps.venue.position({ sport, eventId });
      const disagreement = this.#deps.risk.onPosition(position);
      if (disagreement !== null)
        this.#deps.logger.error('the exchange has another position', { eventId, ...disagreement });
    });
  }

  #ask(what: string, question: () => Promise<void>): void {
    question().catch((error: unknown) => this.#deps.logger.warn(`the ${what} could not be asked`, { error }));
  }
}
