import type { Direction } from '../domain/selection.ts';
import type { Ending } from './adjust-controls.ts';

/** A quote that a person wants. Price and stake are those of the selection. */
export interface HandQuoteWish extends Ending {
  /** A name, a unique part of one, or an id. */
  readonly selection: string;
  readonly direction: Direction;
  /** On the ladder. */
  readonly price: number;
  readonly stakeUsdt: number;
  readonly reason: string;
}

/** Quotes of persons, as the admin interface gives them. */
export interface HandControls {
  /**
   * Quotes beside the strategy until the stake is matched. Null if the daemon knows no such selection. Throws TouchlineError `ambiguous`, or
   * `refused` with the reason.
   */
  quote(wish: HandQuoteWish, by: string): unknown;
  /** Moves a quote to another price; null for an unknown one. Throws TouchlineError `refused` with the reason. */
  move(id: string, price: number, reason: string, by: string): unknown;
  /** Withdraws a quote; null for an unknown one. */
  withdraw(id: string, reason: string, by: string): unknown;
  /** The quotes of persons. */
  quotes(): unknown;
}
