import type { BetslipId } from '../domain/ids.ts';
import type { PriceList } from '../domain/price-list.ts';
import type { MarketName } from './api.ts';
import type { BetslipCreate } from './betslip-create.ts';

/** A refresh or deletion that failed is repeated this much later. */
export const REST_MS = 1_000;

/** One betslip of ours, from the request on. */
export interface Slot {
  /** Names the market: asked for at each sweep. */
  readonly key: string;
  readonly market: MarketName;
  readonly create: BetslipCreate;
  id: BetslipId | null;
  state: 'creating' | 'open' | 'deleting';
  expiresMs: number;
  /** Set while a refresh is out. */
  refreshing: boolean;
  quote: PriceList | null;
  quoteMs: number;
  /** Since when it has none that can be used; of no meaning while it has one. */
  quotelessMs: number;
  wantedMs: number;
  value: number;
  /** It is left alone until then: a call about it has failed. */
  restsUntilMs: number;
}

/** One that is asked for now. */
export const newSlot = (of: Pick<Slot, 'key' | 'market' | 'create' | 'value'>, nowMs: number): Slot => ({
  ...{ ...of, id: null, state: 'creating', expiresMs: Infinity, refreshing: false },
  ...{ quote: null, quoteMs: -Infinity, quotelessMs: nowMs, wantedMs: nowMs, restsUntilMs: -Infinity },
});

/** Its market is wanted: what was to be deleted in its turn may have to be refreshed before. */
export function noteWanted(slot: Slot, value: number, nowMs: number): void {
  [slot.wantedMs, slot.value] = [nowMs, value];
  slot.restsUntilMs = Math.min(slot.restsUntilMs, nowMs + REST_MS);
}
