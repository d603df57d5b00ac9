import { TransportError } from '../../domain/errors.ts';
import type { Priority } from '../../ports/venue.ts';
import type { Budget } from './budgets.ts';

/** Others may overtake a request in the client's line, and use up what it waits for: for hours then. */
const LONGEST_IN_LINE_MS = 10_000;

/** The create request of one betslip, which can be taken back for as long as it waits in the client's line. */
export class BetslipCreate {
  readonly priority: Priority;
  readonly isFromReserve: boolean;
  readonly #budget: Budget;
  readonly #sinceMs: number;
  readonly #aborter = new AbortController();
  #state: 'waiting' | 'sent' | 'withdrawn' = 'waiting';

  constructor(budget: Budget, priority: Priority, nowMs: number) {
    this.#budget = budget;
    this.isFromReserve = budget.isReserve;
    this.priority = priority;
    this.#sinceMs = nowMs;
    budget.from.spend();
  }

  /** Ends its wait. */
  get signal(): AbortSignal {
    return this.#aborter.signal;
  }

  /** Nothing has left, and nothing will. */
  get isWithdrawn(): boolean {
    return this.#state === 'withdrawn';
  }

  /** It waits behind those that reduce risk. */
  get waitsAsNormal(): boolean {
    return this.#state === 'waiting' && this.priority === 'normal';
  }

  isOverdue(nowMs: number): boolean {
    return this.#state === 'waiting' && nowMs - this.#sinceMs > LONGEST_IN_LINE_MS;
  }

  /** It leaves now. Throws TransportError `not-sent` when it was withdrawn. */
  leave(): void {
    if (this.isWithdrawn) throw this.#unsent();
    this.#state = 'sent';
  }

  /** Takes it back, and what it was to cost. Does nothing once it has left. */
  withdraw(): void {
    if (this.#state !== 'waiting') return;
    this.#state = 'withdrawn';
    this.#budget.from.giveBack();
    this.#aborter.abort(this.#unsent());
  }

  #unsent(): TransportError {
    return new TransportError('not-sent', 'the betslip was withdrawn while it waited for its budget');
  }
}
