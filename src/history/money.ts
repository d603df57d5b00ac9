/** Reconciliation of the exchange's balance with what the account earned. Pure; amounts in micros. */
import type { Micros } from '../domain/money.ts';
import { ROUNDING_MICROS } from '../domain/money.ts';
import type { Balance } from '../domain/orders.ts';
import type { Reconciliation } from './facts.ts';

/**
 * How the exchange's balance is read. `whole`: it holds deposits and results, and the stakes at risk are part of it. `available`:
 * the stakes at risk are deducted.
 */
export const BALANCE_READINGS = ['whole', 'available'] as const;

export type BalanceReading = (typeof BALANCE_READINGS)[number];

/** A residual up to a cent counts as rounding. */
export const EXPLAINED_MICROS: Micros = ROUNDING_MICROS;

/** The money of the account, and all that explains it, at one instant. The amounts but the first are sums since the journal began. */
export interface MoneyPoint {
  /** Wall-clock milliseconds. */
  readonly atMs: number;
  /** Deposits and results, whether they are at risk or not. */
  readonly moneyMicros: Micros;
  /** Results that the exchange reported, before commission. A voided bet has the result 0. */
  readonly settledMicros: Micros;
  /** The net winnings of each event, which commission is taken from. */
  readonly winningsMicros: Micros;
  readonly depositsMicros: Micros;
}

/** The account's money in a balance record. */
export function moneyOf(
  { balanceMicros, openStakeMicros, smartCreditMicros }: Balance,
  reading: BalanceReading,
): Micros {
  if (reading === 'whole') return balanceMicros;
  return balanceMicros + openStakeMicros - (smartCreditMicros ?? 0);
}

/** The net profit of each event where it is positive, added up. */
export const winningsOf = (profitsMicros: readonly Micros[]): Micros =>
  profitsMicros.reduce((sum, micros) => sum + Math.max(0, micros), 0);

/**
 * Compares two instants: change = settled - commission + deposits + residual. Without an earlier one there is nothing to compare,
 * and the residual is 0.
 */
export function reconciled(
  base: MoneyPoint | null,
  now: MoneyPoint,
  commissionRate: number,
  balanceMicros: Micros,
): Reconciliation {
  const { atMs, moneyMicros, settledMicros, winningsMicros, depositsMicros } = now;
  const from = base ?? now;
  const changeMicros = moneyMicros - from.moneyMicros;
  const settled = settledMicros - from.settledMicros;
  const commissionMicros = Math.ceil(commissionRate * (winningsMicros - from.winningsMicros));
  const deposits = depositsMicros - from.depositsMicros;
  return {
    atMs,
    sinceMs: base?.atMs ?? null,
    balanceMicros,
    changeMicros,
    settledMicros: settled,
    commissionMicros,
    depositsMicros: deposits,
    residualMicros: changeMicros - settled + commissionMicros - deposits,
  };
}

/** Whether results and deposits explain the balance, up to rounding. */
export const isExplained = ({ residualMicros }: Pick<Reconciliation, 'residualMicros'>): boolean =>
  Math.abs(residualMicros) <= EXPLAINED_MICROS;
