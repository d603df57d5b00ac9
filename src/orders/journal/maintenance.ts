import type { Desk } from '../state/context.ts';
import { Retention } from './retention.ts';
import { Verification } from './verification.ts';

/** What the journal needs while the daemon runs: it is verified whole, and its old records are let go of. */
export class Upkeep {
  readonly #desk: Desk;
  readonly #retention: Retention;
  readonly #verification: Verification;

  constructor(desk: Desk) {
    this.#desk = desk;
    const onDamage = (error: unknown): void => this.#damaged(error);
    this.#retention = new Retention(desk, onDamage);
    this.#verification = new Verification(desk, onDamage);
  }

  get dueMs(): number {
    return Math.min(this.#retention.dueMs, this.#verification.dueMs);
  }

  sweep(): void {
    this.#retention.sweep();
    this.#verification.sweep();
  }

  /** What is traded on was read and verified at the start: damage elsewhere is for people to look at. */
  #damaged(error: unknown): void {
    this.#desk.metrics.alarms.inc({ kind: 'journal_damage' });
    this.#desk.log.error('the journal is damaged where recovery did not read', { error });
  }
}
