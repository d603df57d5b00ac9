import type { ApprovalResult, Refusal } from '../domain/approval.ts';
import { mintApproval } from '../domain/mint-approval.ts';
import type { PlaceOrder } from '../domain/orders.ts';
import type { Check, CheckContext } from './checks/context.ts';
import { malformed } from './checks/order.ts';

/** Gathers the facts by which a well-formed order is judged. */
type ContextOf = (order: PlaceOrder) => CheckContext;

interface Judgement {
  readonly refusals: readonly Refusal[];
  /** The facts; null for a malformed order. */
  readonly context: CheckContext | null;
}

function judge(order: PlaceOrder, checks: readonly Check[], contextOf: ContextOf): Judgement {
  const defects = malformed(order);
  if (defects.length > 0) return { refusals: defects, context: null };
  const context = contextOf(order);
  return { refusals: checks.map((check) => check(context)).filter((each) => each !== null), context };
}

/** The refusals of an order by these checks; empty if there are none. */
export const refusalsOf = (
  order: PlaceOrder,
  checks: readonly Check[],
  contextOf: ContextOf,
): readonly Refusal[] => judge(order, checks, contextOf).refusals;

/**
 * The only place where an order becomes one that the venue accepts. `reserve` runs before the approval is given out: from then on
 * the order counts as open.
 */
export function approve(
  order: PlaceOrder,
  checks: readonly Check[],
  contextOf: ContextOf,
  reserve: (context: CheckContext) => void,
): ApprovalResult {
  const { refusals, context } = judge(order, checks, contextOf);
  if (context === null || refusals.length > 0) return { ok: false, refusals };
  reserve(context);
  return { ok: true, order: mintApproval(order) };
}
