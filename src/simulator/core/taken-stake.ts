/**
 * Recorded stake that orders of accounts took. A recording shows a level again and again, as if nobody had taken from it. Each unit of
 * it is matched once: what was taken is subtracted from the recorded size, until the recorded size itself is smaller.
 */
import type { Micros } from '../../domain/money.ts';
import type { PricedTick } from '../../domain/odds.ts';
import type { MarketBook } from './model.ts';

/** A level of a participant. */
export interface LevelName extends PricedTick {
  readonly owner: string;
}

export class TakenStake {
  readonly #recorded = new Set<string>();
  readonly #taken = new WeakMap<MarketBook, Map<string, Micros>>();

  /** From now on the stake of this owner is the one of a recording. */
  follow(owner: string): void {
    this.#recorded.add(owner);
  }

  /** Accounts took stake of a level. */
  note(market: MarketBook, level: LevelName, stakeMicros: Micros): void {
    if (!this.#recorded.has(level.owner) || stakeMicros <= 0) return;
    const taken = this.#taken.get(market) ?? new Map<string, Micros>();
    this.#taken.set(market, taken);
    const key = keyOf(level);
    taken.set(key, (taken.get(key) ?? 0) + stakeMicros);
  }

  /** The stake of a level that is left of its recorded size. */
  left(market: MarketBook, level: LevelName, recordedMicros: Micros): Micros {
    const taken = this.#taken.get(market);
    const takenMicros = Math.min(taken?.get(keyOf(level)) ?? 0, recordedMicros);
    if (takenMicros > 0) taken?.set(keyOf(level), takenMicros);
    else taken?.delete(keyOf(level));
    return recordedMicros - takenMicros;
  }
}

const keyOf = ({ owner, priceKind, tick }: LevelName): string => `${owner} ${priceKind} ${tick}`;
