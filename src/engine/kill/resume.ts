import { JournalError } from '../../domain/errors.ts';
import { writtenEvent } from '../../domain/events.ts';
import type { OrderManager } from '../../orders/api.ts';
import { type KillRecord, type Risk, type Scope, scopeName, type StateRecord } from '../../risk/index.ts';

/** Something that keeps from trading, and what lets it go. */
export interface ResumeObstacle {
  readonly what: string;
  /** What a person does about it: a command, or work on the machine. */
  readonly release: string;
}

/** What a person's word to go on has done. */
export interface ResumeReport {
  readonly released: readonly string[];
  readonly remaining: readonly ResumeObstacle[];
  /** Whether any order may be placed on the account again, as far as a person has to confirm it. */
  readonly trading: boolean;
  /** Whether only orders may that make the worst case better: so a person has set the account. */
  readonly reducing: boolean;
}

/** Everything that a person can have to confirm. */
export interface Latched {
  readonly kill: KillRecord | null;
  readonly states: readonly StateRecord[];
  /** The order manager's own latch. */
  readonly orders: string | null;
  readonly journalFailed: boolean;
  readonly killFileExists: boolean;
}

export interface ResumeParts {
  readonly risk: Risk;
  readonly orders: OrderManager;
  readonly killFileExists: () => boolean;
}

const RESUME = 'touchline resume --reason TEXT';
const AFTER_RESTART = `make room on the disk or repair it, start the daemon again, then ${RESUME}`;

/**
 * A person's word to go on: releases the kill switch, what limits have latched, and the order manager's own latch; or
 * nothing, while it could not last: without a journal, or with the kill file still there.
 */
export function resume(parts: ResumeParts, reason: string, by: string): ResumeReport {
  const before = latchedOf(parts);
  if (before.journalFailed || before.killFileExists) return reportOf(before, before);
  parts.risk.resume(reason, by);
  if (parts.risk.killed === null) releaseOrders(parts.orders, `${reason} (${by})`);
  return reportOf(before, latchedOf(parts));
}

/** The order manager tells of a failing journal by itself; the latch holds then. */
function releaseOrders(orders: OrderManager, reason: string): void {
  try {
    orders.release(reason);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
  }
}

export function latchedOf({ risk, orders, killFileExists }: ResumeParts): Latched {
  const { latched, journalFailed } = orders.status();
  const { killed: kill, states } = risk;
  return { kill, states, orders: latched, journalFailed, killFileExists: killFileExists() };
}

/** What a person has released between two looks, and what there is left to do. */
export function reportOf(before: Latched, after: Latched): ResumeReport {
  const left = new Set(whatHolds(after).map(({ what }) => what));
  // Killed still, or anew: what seems to be gone would be back after a restart.
  const isFutile = after.kill !== null || after.journalFailed;
  const released = isFutile ? [] : whatHolds(before).filter(({ what }) => !left.has(what));
  const state = after.states.find(({ scope }) => scope.kind === 'account')?.state ?? 'active';
  const stopped = after.kill ?? after.orders ?? (after.journalFailed || after.killFileExists ? true : null);
  return {
    released: released.map(({ what }) => what),
    remaining: whatHolds(after),
    trading: stopped === null && state === 'active',
    reducing: stopped === null && state === 'reducing',
  };
}

/** Each by itself, with what releases it. */
export function whatHolds({
  kill,
  states,
  orders,
  journalFailed,
  killFileExists,
}: Latched): readonly ResumeObstacle[] {
  const holds: ResumeObstacle[] = [];
  if (journalFailed) holds.push({ what: 'the journal cannot be written', release: AFTER_RESTART });
  if (killFileExists)
    holds.push({ what: 'the kill file of ops.killFile is there', release: `remove it, then ${RESUME}` });
  if (kill !== null) holds.push({ what: `killed by ${kill.by}: ${kill.reason}`, release: RESUME });
  if (orders !== null) holds.push({ what: `the order manager's latch: ${orders}`, release: RESUME });
  for (const record of states) {
    if (record.state === 'active') continue;
    const { scope, state, by, why, latched } = record;
    const release = latched ? RESUME : `touchline risk state active${optionOf(scope)} --reason TEXT`;
    holds.push({ what: `${scopeName(scope)} ${state} by ${by}: ${why}`, release });
  }
  return holds;
}

function optionOf(scope: Scope): string {
  if (scope.kind === 'event') return ` --event '${writtenEvent(scope)}'`;
  return scope.kind === 'selection' ? ` --selection '${scope.selectionId}'` : '';
}
