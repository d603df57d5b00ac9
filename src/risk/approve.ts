import type { ApproveOrder, Refusal } from '../domain/approval.ts';
import { mintApproval } from '../domain/mint-approval.ts';
import type { PlaceOrder } from '../domain/orders.ts';
import type { Check, CheckContext } from './checks/context.ts';
import { malformed } from './checks/order.ts';

export interface ApproverDeps {
  /** The checks in force now. */
  readonly checks: () => readonly Check[];
  /** The checks in force that need no betslip. */
  readonly earlyChecks: () => readonly Check[];
  /** Gathers the facts by which a well-formed order is judged. */
  readonly contextOf: (order: PlaceOrder) => CheckContext;
  /** Called before an approval is given out: from then on the order counts as open. */
  readonly onApproved: (context: CheckContext) => void;
  readonly onRefused: (order: PlaceOrder, refusals: readonly Refusal[]) => void;
}

export interface Approver {
  readonly approve: ApproveOrder;
  /**
   * The refusals that `approve` would give now, whatever prices the betslip may show. They are noted, too, but no order
   * counts as open.
   */
  readonly precheck: (order: PlaceOrder) => readonly Refusal[];
}

/** The only place where an order becomes one that the venue accepts. */
export function createApprover(deps: ApproverDeps): Approver {
  return {
    approve: (order) => {
      const { refusals, context } = judge(deps, deps.checks(), order);
      if (context === null) return { ok: false, refusals };
      deps.onApproved(context);
      return { ok: true, order: mintApproval(order) };
    },
    precheck: (order) => judge(deps, deps.earlyChecks(), order).refusals,
  };
}

/** The reasons of a refusal, which are reported; else the context of the judgement. */
interface Judgement {
  readonly refusals: readonly Refusal[];
  readonly context: CheckContext | null;
}

function judge(deps: ApproverDeps, checks: readonly Check[], order: PlaceOrder): Judgement {
  const refuse = (refusals: readonly Refusal[]): Judgement => {
    deps.onRefused(order, refusals);
    return { refusals, context: null };
  };
  const defects = malformed(order);
  if (defects.length > 0) return refuse(defects);
  const context = deps.contextOf(order);
  const refusals = checks.map((check) => check(context)).filter((each) => each !== null);
  return refusals.length > 0 ? refuse(refusals) : { refusals, context };
}
