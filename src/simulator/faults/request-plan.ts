import type { SimResponse } from '../core/api.ts';
import {
  anyAnswer,
  closeAnswer,
  conflictAnswer,
  invalidBody,
  ofOwn,
  otherShape,
  otherTerms,
  rejectedAnswer,
  type Rewrite,
  serverErrorAnswer,
  throttledAnswer,
  unavailableAnswer,
} from './answers.ts';
import type { Fault, FaultKind, FaultOf } from './schema.ts';

/**
 * How an answer travels: whole; `cut` (half of the body, then a reset); `stalled` (half of the body, then nothing);
 * `never` (silence); `reset` (no answer, the connection ends).
 */
export type Carriage = 'whole' | 'cut' | 'stalled' | 'never' | 'reset';

/** The fate of one request, from the client's send to the client's answer. */
export interface RequestPlan {
  /** The client's connection ends first; the request still travels to the exchange. */
  readonly abandoned: boolean;
  /** Delay of the request. */
  readonly beforeMs: number;
  /** Another client deletes the request's betslip just before the request arrives. */
  readonly betslipGone: boolean;
  /** How often the exchange receives the request. */
  readonly arrivals: 0 | 1 | 2;
  /** The answer that counts when the request arrives twice. */
  readonly answer: 'first' | 'second';
  readonly rewrites: readonly Rewrite[];
  /** Delay of the answer. */
  readonly afterMs: number;
  readonly carriage: Carriage;
}

/** The plan of a healthy exchange. */
export const UNHARMED: RequestPlan = {
  abandoned: false,
  beforeMs: 0,
  betslipGone: false,
  arrivals: 1,
  answer: 'first',
  rewrites: [],
  afterMs: 0,
  carriage: 'whole',
};

type Change = Partial<RequestPlan>;
type Effects = { readonly [K in FaultKind]?: (fault: FaultOf<K>) => Change };

const falseAnswer = (answer: SimResponse, applied: boolean): Change => ({
  arrivals: applied ? 1 : 0,
  rewrites: [() => answer],
});

const EFFECTS: Effects = {
  request_lost: () => ({ arrivals: 0, carriage: 'never' }),
  answer_lost: () => ({ carriage: 'never' }),
  reset: () => ({ arrivals: 0, carriage: 'reset' }),
  reset_after: () => ({ carriage: 'reset' }),
  delayed: (fault) => ({ beforeMs: fault.delay_ms }),
  answer_delayed: (fault) => ({ afterMs: fault.delay_ms }),
  late: (fault) => ({ abandoned: true, beforeMs: fault.delay_ms, carriage: 'reset' }),
  applied_twice: (fault) => ({ arrivals: 2, answer: fault.answer }),
  stall: () => ({ carriage: 'stalled' }),
  cut_body: () => ({ carriage: 'cut' }),
  invalid_body: () => ({ rewrites: [ofOwn(invalidBody)] }),
  other_shape: () => ({ rewrites: [ofOwn(otherShape)] }),
  other_terms: ({ differs }) => ({ rewrites: [ofOwn((own) => otherTerms(own, differs))] }),
  conflict: (fault) => ({
    arrivals: fault.applied ? 1 : 0,
    rewrites: [(answer) => conflictAnswer(answer, fault.with_body)],
  }),
  rejected: (fault) => falseAnswer(rejectedAnswer(fault.reasons), false),
  throttled: (fault) => falseAnswer(throttledAnswer(fault.retry_after_s), false),
  server_error: (fault) => falseAnswer(serverErrorAnswer('fault'), fault.applied),
  unavailable: (fault) => falseAnswer(unavailableAnswer(), fault.applied),
  close_ignored: () => ({ arrivals: 0, rewrites: [(_, request) => closeAnswer(request)] }),
  answer: (fault) => falseAnswer(anyAnswer(fault), fault.applied),
  betslip_gone: () => ({ betslipGone: true }),
};

/** Whether a fault affects requests. */
export function isRequestFault(fault: Fault): boolean {
  return fault.fault in EFFECTS;
}

/** Adds one fault's effect to a plan. Delays and rewrites add up; in all other fields the latest fault counts. */
export function worsen(plan: RequestPlan, fault: Fault): RequestPlan {
  const effect = EFFECTS[fault.fault] as ((fault: Fault) => Change) | undefined;
  if (effect === undefined) return plan;
  const change = effect(fault);
  // A request that never arrives must not arrive twice: an answer that nothing was done would be wrong.
  if (fault.fault === 'applied_twice' && plan.arrivals === 0) return plan;
  return {
    ...plan,
    ...change,
    beforeMs: plan.beforeMs + (change.beforeMs ?? 0),
    afterMs: plan.afterMs + (change.afterMs ?? 0),
    rewrites: [...plan.rewrites, ...(change.rewrites ?? [])],
  };
}
