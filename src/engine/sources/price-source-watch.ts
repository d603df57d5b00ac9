import type { Market, SourceState } from '../../market/index.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Metrics } from '../../ports/metrics.ts';

/** Events need this long to arrive after a start, so a key that fits nothing before may fit later. */
const SETTLED_MS = 10_000;
/** Keys that a line names. */
const NAMED = 20;
/** A source that makes up keys without end is not named for ever. */
const MOST_NAMED = 20_000;

/** The keys of one source that were logged, or wait to be. */
interface Logged {
  readonly named: Set<string>;
  waitingSinceMs: number | null;
}

/** Shows how the keys of price sources fit the quoted selections: as metrics, and each misfit once in the log. */
export class PriceSourceWatch {
  readonly #market: Pick<Market, 'priceSources'>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #logged = new Map<string, Logged>();
  readonly #age;
  readonly #keys;
  readonly #unmapped;
  readonly #missing;

  constructor(market: Pick<Market, 'priceSources'>, clock: Clock, logger: Logger, metrics: Metrics) {
    [this.#market, this.#clock, this.#logger] = [market, clock, logger];
    const gauge = (name: string, help: string) => metrics.gauge(name, help, ['source']);
    this.#age = gauge('touchline_source_age_seconds', 'Time since a price source sent a price');
    this.#keys = gauge('touchline_source_keys', 'Keys of a price source with a fresh price');
    this.#unmapped = gauge('touchline_source_unmapped_keys', 'Keys that belong to no quoted selection');
    this.#missing = gauge('touchline_source_missing_keys', 'Keys of quoted selections without a fresh price');
  }

  /** Call it about once a second. */
  look(): void {
    for (const state of this.#market.priceSources()) {
      const { name: source, ageMs, keys, unmapped, missing } = state;
      if (ageMs !== null) this.#age.set(ageMs / 1000, { source });
      this.#keys.set(keys, { source });
      this.#unmapped.set(unmapped.length, { source });
      this.#missing.set(missing.length, { source });
      this.#name(state);
    }
  }

  /** Logs new keys that fit no quoted selection, and keys that fit several, together after a while. */
  #name({ name, unmapped, missing, ambiguous, dropped }: SourceState): void {
    const logged = this.#logged.get(name) ?? { named: new Set(), waitingSinceMs: null };
    this.#logged.set(name, logged);
    const isNew = (key: string): boolean => !logged.named.has(key);
    const fresh = {
      unmapped: unmapped.filter(isNew),
      ambiguous: ambiguous.filter((key) => isNew(`= ${key}`)),
    };
    if (fresh.unmapped.length + fresh.ambiguous.length === 0 || logged.named.size >= MOST_NAMED) {
      logged.waitingSinceMs = null;
      return;
    }
    const nowMs = this.#clock.monotonicMs();
    logged.waitingSinceMs ??= nowMs;
    if (nowMs - logged.waitingSinceMs < SETTLED_MS) return;
    logged.waitingSinceMs = null;
    for (const key of fresh.unmapped) logged.named.add(key);
    for (const key of fresh.ambiguous) logged.named.add(`= ${key}`);
    this.#logger.info(`price source ${name}: some keys fit no quoted selection, or several`, {
      priceSource: name,
      unmapped: fresh.unmapped.length,
      unmappedKeys: fresh.unmapped.slice(0, NAMED),
      ambiguousKeys: fresh.ambiguous.slice(0, NAMED),
      missingKeys: missing.slice(0, NAMED),
      dropped,
    });
  }
}
