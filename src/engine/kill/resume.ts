import { JournalError } from '../../domain/errors.ts';
import { writtenEvent } from '../../domain/events.ts';
import type { Core } from '../core.ts';
import type { OrderManager } from '../../orders/api.ts';
import type { KeptRisk } from '../risk-inputs/kept-risk.ts';
import { type KillRecord, type Scope, scopeName, type StateRecord } from '../../risk/index.ts';

/** A condition that prevents trading, and how to end it. */
export interface ResumeObstacle {
  readonly what: string;
  /** The person's next step: a command, or work on the machine. */
  readonly release: string;
}

/** The effect of a resume. */
export interface ResumeReport {
  readonly released: readonly string[];
  readonly remaining: readonly ResumeObstacle[];
  /** Whether orders may be placed again, as far as a person has to confirm it. */
  readonly trading: boolean;
  /** Whether only orders that improve the worst case may be placed, because a person has set the account to reducing. */
  readonly reducing: boolean;
}

/** Every latch that a person may have to confirm. */
export interface Latched {
  readonly kill: KillRecord | null;
  readonly states: readonly StateRecord[];
  /** The order manager's own latch. */
  readonly orders: string | null;
  readonly journalFailed: boolean;
  readonly killFileExists: boolean;
}

const RESUME = 'touchline resume --reason TEXT';
const AFTER_RESTART = `make room on the disk or repair it, start the daemon again, then ${RESUME}`;

/**
 * Resumes on a person's command. Releases the kill switch, latched limits and the order manager's latch. Releases nothing while
 * the resume could not last: the journal has failed, or the kill file still exists.
 */
export function resume(
  core: Pick<Core, 'risk' | 'apply'>,
  orders: OrderManager,
  kept: Pick<KeptRisk, 'killFileExists'>,
  reason: string,
  by: string,
): ResumeReport {
  const before = latchedOf(core, orders, kept);
  if (before.journalFailed || before.killFileExists) return reportOf(before, before);
  core.apply({ kind: 'resume', why: reason, by });
  if (core.risk.killed === null) releaseOrders(orders, `${reason} (${by})`);
  return reportOf(before, latchedOf(core, orders, kept));
}

/** The order manager reports a failing journal itself; its latch then holds. */
function releaseOrders(orders: OrderManager, reason: string): void {
  try {
    orders.release(reason);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
  }
}

export function latchedOf(
  { risk }: Pick<Core, 'risk'>,
  orders: OrderManager,
  { killFileExists }: Pick<KeptRisk, 'killFileExists'>,
): Latched {
  const { latched, journalFailed } = orders.status();
  const { killed: kill, states } = risk;
  return { kill, states, orders: latched, journalFailed, killFileExists };
}

/** Compares the latches before and after a resume: which were released, and which remain. */
export function reportOf(before: Latched, after: Latched): ResumeReport {
  const left = new Set(whatHolds(after).map(({ what }) => what));
  // While a kill or a failed journal remains, nothing counts as released: a restart would bring it back.
  const isFutile = after.kill !== null || after.journalFailed;
  const released = isFutile ? [] : whatHolds(before).filter(({ what }) => !left.has(what));
  const state = after.states.find(({ scope }) => scope.kind === 'account')?.state ?? 'active';
  const isStopped = isFutile || after.orders !== null || after.killFileExists;
  return {
    released: released.map(({ what }) => what),
    remaining: whatHolds(after),
    trading: !isStopped && state === 'active',
    reducing: !isStopped && state === 'reducing',
  };
}

/** Every present latch, with the way to release it. */
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
    const { scope, state, by, why } = record;
    holds.push({ what: `${scopeName(scope)} ${state} by ${by}: ${why}`, release: releaseOf(record) });
  }
  return holds;
}

/** The command that ends a trading state. */
export const releaseOf = ({ latched, scope }: Pick<StateRecord, 'latched' | 'scope'>): string =>
  latched ? RESUME : `touchline risk state active${optionOf(scope)} --reason TEXT`;

/** The option that names a scope to `touchline risk state`. */
export function optionOf(scope: Scope): string {
  if (scope.kind === 'event') return ` --event '${writtenEvent(scope)}'`;
  return scope.kind === 'selection' ? ` --selection '${scope.selectionId}'` : '';
}
