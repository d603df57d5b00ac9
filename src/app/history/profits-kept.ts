import { toMicros } from '../../domain/money.ts';
import type { ProfitReading } from '../../history/facts.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import type { ProfitReport } from '../../read-model/profit.ts';

/** Chooses what the history keeps of the profits of strategies and events: those that changed, once a minute. */
export class ProfitsKept {
  #keptMs = -Infinity;
  /** The profit that was kept last of each that the report still names. */
  #last: ReadonlyMap<string, number> = new Map();

  /** The readings to keep now; `atMs` are wall-clock milliseconds. */
  at(
    atMs: number,
    { byStrategy, byEvent }: Pick<ProfitReport, 'byStrategy' | 'byEvent'>,
  ): readonly ProfitReading[] {
    if (atMs - this.#keptMs < MINUTE_MS) return [];
    this.#keptMs = atMs;
    const readings = [
      ...byStrategy.map(({ name, expected }) => ({ of: 'strategy' as const, name, expected })),
      ...byEvent.map(({ eventKey, expected }) => ({ of: 'event' as const, name: eventKey, expected })),
    ];
    const before = this.#last;
    this.#last = new Map(readings.map(({ of, name, expected }) => [`${of} ${name}`, expected]));
    return readings.flatMap(({ of, name, expected }) =>
      before.get(`${of} ${name}`) === expected ? [] : [{ atMs, of, name, profitMicros: toMicros(expected) }],
    );
  }
}
