import type { Refusal, ReviewOrder, ReviewResult } from '../domain/approval.ts';
import { mintApproval } from '../domain/mint-approval.ts';
import type { PlaceOrder } from '../domain/orders.ts';
import { malformed } from './checks/well-formed.ts';
import type { Check, ReviewContext } from './context.ts';

export interface ReviewDeps {
  /** In force now. */
  readonly checks: () => readonly Check[];
  /** Gathers what a well-formed order is judged by. */
  readonly contextOf: (order: PlaceOrder) => ReviewContext;
  /** Called before an approval is given out: from then on the order counts as open. */
  readonly onApproved: (context: ReviewContext) => void;
  readonly onRefused: (order: PlaceOrder, refusals: readonly Refusal[]) => void;
}

/** The one choke point: the only place where an order becomes one that the venue accepts. */
export function createReview(deps: ReviewDeps): ReviewOrder {
  const refuse = (order: PlaceOrder, refusals: readonly Refusal[]): ReviewResult => {
    deps.onRefused(order, refusals);
    return { ok: false, refusals };
  };
  return (order) => {
    const defects = malformed(order);
    if (defects.length > 0) return refuse(order, defects);
    const context = deps.contextOf(order);
    const refusals = deps
      .checks()
      .map((check) => check(context))
      .filter((each) => each !== null);
    if (refusals.length > 0) return refuse(order, refusals);
    deps.onApproved(context);
    return { ok: true, order: mintApproval(order) };
  };
}
