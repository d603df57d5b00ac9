import type { Mode } from '../domain/mode.ts';
import { fromMicros } from '../domain/money.ts';
import type { Micros } from '../domain/money.ts';

/** What a bounded run tells at its end; the field names are part of the command's interface. */
export interface RunSummary {
  readonly mode: Mode;
  readonly duration_s: number;
  readonly events: number;
  readonly selections_quoted: number;
  readonly orders_placed: number;
  readonly orders_refused: number;
  readonly orders_open_at_exit: number;
  readonly fills: number;
  readonly stake_matched: number;
  readonly two_sided_quote_ratio: number;
  readonly throttled_responses: number;
  readonly profit_loss: number;
  readonly reconnects: number;
  /** Asked of the exchange; null when it did not answer. */
  readonly exchange_orders_open_at_exit: number | null;
}

const DECIMALS = 6;

/** Rounds for reading, without pretending to more digits than money has. */
export const rounded = (value: number, decimals = DECIMALS): number => Number(value.toFixed(decimals));

/** A money amount in USDT for people and JSON. */
export const usdt = (micros: Micros): number => rounded(fromMicros(micros));
