import { ConfigError, JournalError, TouchlineError, VenueRejection } from '../../domain/errors.ts';
import type { BetslipId } from '../../domain/ids.ts';
import type { KeyInForce, Secret } from '../../domain/secret.ts';
import { reasonOf } from '../../lib/reason.ts';
import type { KnownAccount } from '../../orders/api.ts';
import { identify, whyOther } from '../../orders/recovery/account-check.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Logger } from '../../ports/logger.ts';
import { knownValues, type Metrics } from '../../ports/metrics.ts';
import type { Venue } from '../../ports/venue.ts';

/** The questions that check a key. None of them changes anything. */
export type KeyProbe = Pick<Venue, 'xrates' | 'heartbeats' | 'orders' | 'order' | 'deleteBetslip' | 'close'>;

/** The key of a running daemon, and what uses it. */
export interface RunningKey {
  readonly inForce: KeyInForce;
  /** Reads the key again from where the start read it. Throws ConfigError. */
  readonly read: () => Secret;
  /** Opens a client of its own with a key. */
  readonly probe: (key: Secret) => KeyProbe;
  /** What the journal knows of the account. */
  readonly account: () => KnownAccount;
  /** Tells those that hold a connection or a copy of the key. The key in force is replaced already. */
  readonly onReplaced: (key: Secret) => void;
  readonly journal: Pick<Journal, 'append'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const RESULTS = ['changed', 'unchanged', 'refused'] as const;

export type KeyChangeResult = (typeof RESULTS)[number];

/** Journal record of another key of the same account. It holds no key. */
const RECORD = 'key_changed';

const URGENT = { priority: 'urgent' } as const;

/**
 * Replaces the API key while the daemon runs. The new key is tried first, with a client of its own: the exchange must accept it,
 * it must open the account of the journal, and it must be allowed to act. Otherwise the old key stays in force.
 *
 * Unlike a start, a change needs proof that the account is the same: orders of ours are open, and only its own keys can close
 * them. While the daemon trades, its heartbeat is the proof.
 */
export class KeyChange {
  readonly #running: RunningKey;
  readonly #changes;
  #latest: Promise<unknown> = Promise.resolve();

  constructor(running: RunningKey) {
    this.#running = running;
    this.#changes = running.metrics.counter(
      'touchline_key_changes_total',
      'Readings of the API key while the daemon runs',
      ['result'],
      knownValues('result', RESULTS),
    );
  }

  /** Reads the key again, and uses it if it is another one. Never throws. Changes run one at a time. */
  change(by: string): Promise<KeyChangeResult> {
    const result = this.#latest.then(() => this.#change(by));
    this.#latest = result;
    return result;
  }

  async #change(by: string): Promise<KeyChangeResult> {
    const result = await this.#replaced(by);
    this.#changes.inc({ result });
    return result;
  }

  async #replaced(by: string): Promise<KeyChangeResult> {
    const { inForce, read, logger } = this.#running;
    try {
      const next = read();
      if (next.reveal() === inForce.key.reveal()) return 'unchanged';
      await this.#check(next);
      this.#use(next, by);
      return 'changed';
    } catch (error) {
      if (!(error instanceof TouchlineError)) throw error;
      logger.error(`the API key was not changed: ${reasonOf(error)}. The old one stays in use`, { by });
      return 'refused';
    }
  }

  /** Throws the reason not to use the key. */
  async #check(next: Secret): Promise<void> {
    const { probe: open, account, clock } = this.#running;
    const probe = open(next);
    try {
      await accepted(probe);
      const heartbeats = await probe.heartbeats(URGENT);
      const ids = heartbeats.map(({ heartbeatId }) => heartbeatId);
      const verdict = await identify(probe, account(), ids, clock.wallMs());
      if (verdict.kind === 'other') throw new ConfigError(`it opens another account: ${whyOther(verdict)}`);
      if (verdict.kind === 'undecided')
        throw new ConfigError(
          'nothing shows that it opens the same account; a restart uses it without this proof',
        );
      await this.#mayAct(probe);
    } finally {
      await probe.close();
    }
  }

  /** A key that may only read could place and close nothing. No betslip has this id, so there is nothing to delete. */
  async #mayAct(probe: KeyProbe): Promise<void> {
    try {
      await probe.deleteBetslip(this.#running.ids.uuid() as BetslipId, URGENT);
    } catch (error) {
      if (!(error instanceof VenueRejection)) throw error;
      if (error.status === 403) throw new ConfigError(`it may not place or close orders (${error.code})`);
      if (error.status !== 404) throw error;
    }
  }

  #use(next: Secret, by: string): void {
    const { inForce, journal, logger, onReplaced } = this.#running;
    inForce.replace(next);
    onReplaced(next);
    logger.info('the API key was changed', { by });
    try {
      journal.append([{ kind: RECORD, uuid: null, data: { by } }]);
    } catch (error) {
      // The journal's failure is handled where it is watched. Closing needs the new key more than ever.
      if (!(error instanceof JournalError)) throw error;
    }
  }
}

/** Exchange rates serve as the check of a key (specification, Account). */
async function accepted(probe: KeyProbe): Promise<void> {
  try {
    await probe.xrates(URGENT);
  } catch (error) {
    if (!(error instanceof VenueRejection) || error.status !== 401) throw error;
    throw new ConfigError(`the exchange refuses it (${error.code})`);
  }
}
