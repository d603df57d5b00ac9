import { fromMicros, type Micros } from '../domain/money.ts';

const DECIMALS = 6;

/** Rounds for display to the digits that money has. */
export const rounded = (value: number, decimals = DECIMALS): number => Number(value.toFixed(decimals));

/** A money amount in USDT for people and JSON. */
export const usdt = (micros: Micros): number => rounded(fromMicros(micros));

/** The same for an amount that may not be known. */
export const usdtOrNull = (micros: Micros | null): number | null => (micros === null ? null : usdt(micros));
