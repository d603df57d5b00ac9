import { ConfigError, JournalError, TouchlineError } from '../../domain/errors.ts';
import { MODES } from '../../domain/mode.ts';
import { reasonOf } from '../../lib/reason.ts';
import type { Journal, Json } from '../../ports/journal.ts';
import type { Logger } from '../../ports/logger.ts';
import { knownValues, type Metrics } from '../../ports/metrics.ts';
import { LIVE_LIMITS } from '../../risk/index.ts';
import { type Change, changesOf, withChanges } from '../config/changes.ts';
import { checkContradictions, type Config } from '../config/load.ts';

export interface ReloadParts {
  /** Reads the configuration again from its original sources and validates it as a start does. Throws ConfigError. */
  readonly read: () => Promise<Config>;
  /** Validates a configuration and returns a function that applies it and cannot fail. Throws ConfigError. */
  readonly prepare: (config: Config) => () => void;
  readonly journal: Journal;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const RESULTS = ['applied', 'unchanged', 'refused'] as const;

export type ReloadResult = (typeof RESULTS)[number];

/** Journal record of a reload: the settings it changed, and those that wait for a restart. */
const RECORD = 'config_changed';

/**
 * Applies a changed configuration while the daemon runs. Settings that may change are applied together; settings that need a
 * restart are reported and left. A configuration that the next start would refuse changes nothing.
 */
export class Reloader {
  readonly #parts: ReloadParts;
  readonly #reloads;
  readonly #waiting;
  /** The configuration in force. */
  #config: Config;
  #latest: Promise<unknown> = Promise.resolve();

  constructor(config: Config, parts: ReloadParts) {
    this.#config = config;
    this.#parts = parts;
    this.#reloads = parts.metrics.counter(
      'touchline_config_reloads_total',
      'Reloads of the configuration',
      ['result'],
      knownValues('result', RESULTS),
    );
    this.#waiting = parts.metrics.gauge(
      'touchline_config_waiting_for_restart',
      'Changed settings that take effect at the next restart',
    );
  }

  /** The configuration in force. */
  get config(): Config {
    return this.#config;
  }

  /**
   * Changes nothing, and never throws, if a file is invalid or the journal cannot be written. Reloads run one at a time, so that
   * an older reading never replaces a newer one.
   */
  reload(by: string): Promise<ReloadResult> {
    const result = this.#latest.then(() => this.#reload(by));
    this.#latest = result;
    return result;
  }

  async #reload(by: string): Promise<ReloadResult> {
    const result = await this.#takenOver(by);
    this.#reloads.inc({ result });
    return result;
  }

  async #takenOver(by: string): Promise<ReloadResult> {
    try {
      const read = await this.#parts.read().catch(asConfigError);
      mustNotBecomeReal(this.#config, read);
      return this.#takeOver(by, changesOf(this.#config, read, { risk: LIVE_LIMITS }));
    } catch (error) {
      if (!(error instanceof ConfigError) && !(error instanceof JournalError)) throw error;
      this.#parts.logger.error(`the configuration was not reloaded: ${error.message}`, { by });
      return 'refused';
    }
  }

  #takeOver(by: string, changes: readonly Change[]): ReloadResult {
    const live = changes.filter((change) => change.live);
    const waiting = changes.filter((change) => !change.live).map(({ key }) => key);
    if (live.length > 0) this.#apply(by, live, waiting);
    this.#waiting.set(waiting.length);
    if (waiting.length > 0) {
      this.#parts.logger.warn('settings that take effect at the next restart', { keys: waiting });
    }
    if (live.length > 0) return 'applied';
    this.#parts.logger.info('the configuration was reloaded: nothing to change', { by });
    return 'unchanged';
  }

  /** Validate, then write to the journal, then apply. After a crash in between, the next start uses the new file anyway. */
  #apply(by: string, live: readonly Change[], waiting: readonly string[]): void {
    const next = withChanges(this.#config, live);
    checkContradictions(next, () => `while ${waiting.join(', ')} cannot change without a restart`);
    const takeOver = this.#parts.prepare(next);
    const changed = live.map(({ key, from, to }) => ({ key, from: jsonOf(from), to: jsonOf(to) }));
    this.#parts.journal.append([{ kind: RECORD, uuid: null, data: { by, changed, waiting } }]);
    takeOver();
    this.#config = next;
    this.#parts.logger.info('the configuration was reloaded', { by, changed });
  }
}

/** A mode needs a restart, and real money a person who starts it: nothing of such a configuration is taken over. Throws ConfigError. */
export function mustNotBecomeReal({ mode: before }: Config, { mode }: Config): void {
  if (MODES[before].real.money || !MODES[mode].real.money) return;
  throw new ConfigError(
    `mode = "${mode}": this run began with "${before}", and a reload changes no mode: end it, and use "touchline run --live" with a journal of its own`,
  );
}

/** Any failure to read becomes a ConfigError: a file that is being edited must not end a daemon with open orders. */
function asConfigError(error: unknown): never {
  if (error instanceof TouchlineError) throw error;
  throw new ConfigError(`it cannot be read: ${reasonOf(error)}`);
}

const jsonOf = (value: unknown): Json => (value === undefined ? null : (value as Json));
