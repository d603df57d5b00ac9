import { Observable } from 'rxjs';
import type { SourceBatch } from '../../../domain/source-price.ts';
import type { Clock, Timer } from '../../../ports/clock.ts';
import type { EventTape, TapeSourcePrice } from '../../../research/tape.ts';

/** The prices of price sources that tapes recorded, each at its own instant; what had arrived before comes at once. */
export function recordedPrices(tapes: readonly EventTape[], clock: Clock): Observable<SourceBatch> {
  // The events of one recording share one list.
  const lists = new Set(tapes.map(({ sourcePrices = [] }) => sourcePrices));
  const prices = [...lists].flat().sort((a, b) => a.arrivedMs - b.arrivedMs);
  return new Observable((subscriber) => {
    let at = 0;
    let timer: Timer | null = null;
    const plan = (): void => {
      const next = prices[at];
      if (next === undefined) return;
      timer = clock.after(Math.max(0, next.arrivedMs - clock.wallMs()), () => {
        for (let due = prices[at]; due !== undefined && due.arrivedMs <= clock.wallMs(); due = prices[++at])
          subscriber.next(batchOf(due));
        plan();
      });
    };
    plan();
    return () => timer?.cancel();
  });
}

const batchOf = ({ source, arrivedMs: _, ...price }: TapeSourcePrice): SourceBatch => ({
  source,
  prices: [price],
});
