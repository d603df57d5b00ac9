import { fromMicros, type Micros } from '../domain/money.ts';

const DECIMALS = 6;

/** Rounds for display to the digits that money has. */
export const rounded = (value: number, decimals = DECIMALS): number => Number(value.toFixed(decimals));

/** A money amount in USDT for people and JSON. */
export const usdt = (micros: Micros): number => rounded(fromMicros(micros));
