import type { Refusal, ApproveOrder } from '../domain/approval.ts';
import { mintApproval } from '../domain/mint-approval.ts';
import type { PlaceOrder } from '../domain/orders.ts';
import type { Check, CheckContext } from './checks/context.ts';
import { malformed } from './checks/well-formed.ts';

export interface ApproverDeps {
  /** In force now. */
  readonly checks: () => readonly Check[];
  /** Those of them that need no betslip. */
  readonly earlyChecks: () => readonly Check[];
  /** Gathers what a well-formed order is judged by. */
  readonly contextOf: (order: PlaceOrder) => CheckContext;
  /** Called before an approval is given out: from then on the order counts as open. */
  readonly onApproved: (context: CheckContext) => void;
  readonly onRefused: (order: PlaceOrder, refusals: readonly Refusal[]) => void;
}

export interface Approver {
  readonly approve: ApproveOrder;
  /**
   * What `approve` would refuse an order for now, whatever its betslip may show of prices. It is noted likewise; nothing counts as
   * open for it.
   */
  readonly precheck: (order: PlaceOrder) => readonly Refusal[];
}

/** The one choke point: the only place where an order becomes one that the venue accepts. */
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

/** Why an order is refused, which is told; else what it was judged by. */
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
