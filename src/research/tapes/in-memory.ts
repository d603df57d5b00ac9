import { groupedByEvent } from '../../betfair/identity.ts';
import type { Updates } from '../tape.ts';
import type { ImportSink } from '../import/betfair.ts';
import { eventOf, type ImportedEvent } from '../import/event-import.ts';
import type { ImportedMarket } from '../import/market-import.ts';

/** Imported markets in memory: for a few files. */
export class MarketsInMemory implements ImportSink {
  readonly #updates = new Map<string, Updates[]>();
  readonly #markets: { readonly source: number; readonly market: ImportedMarket }[] = [];

  async updates(source: number, marketId: string, updates: Updates): Promise<void> {
    const key = `${source}:${marketId}`;
    const portions = this.#updates.get(key);
    if (portions === undefined) this.#updates.set(key, [updates]);
    else portions.push(updates);
  }

  async market(source: number, market: ImportedMarket): Promise<void> {
    this.#markets.push({ source, market });
  }

  /** The events by their scheduled start. */
  events(): ImportedEvent[] {
    const sources = new Map(this.#markets.map(({ source, market }) => [market, source]));
    const groups = groupedByEvent(this.#markets.map(({ market }) => market));
    const events = groups.map((group) =>
      eventOf(
        group.map((market) => ({
          ...market,
          updates: concatenated(this.#updates.get(`${sources.get(market)}:${market.marketId}`) ?? []),
        })),
      ),
    );
    return events.sort((a, b) => startOf(a) - startOf(b));
  }
}

const startOf = ({ tapes }: ImportedEvent): number => tapes[0]?.startMs ?? Infinity;

/** One after the other. */
export function concatenated(portions: readonly Updates[]): Updates {
  const [first] = portions;
  if (portions.length === 1 && first !== undefined) return first;
  const length = portions.reduce((sum, portion) => sum + portion.length, 0);
  const whole: Updates = {
    length,
    atMs: new Float64Array(length),
    op: new Uint8Array(length),
    of: new Uint16Array(length),
    tick: new Uint16Array(length),
    micros: new Float64Array(length),
  };
  let at = 0;
  for (const portion of portions) {
    for (const column of ['atMs', 'op', 'of', 'tick', 'micros'] as const)
      whole[column].set(portion[column], at);
    at += portion.length;
  }
  return whole;
}
