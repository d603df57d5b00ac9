import type { PlaceOrder } from './orders.ts';

declare const approved: unique symbol;

/**
 * A value that risk has approved. The venue takes orders in no other form, and only `risk/approve` can make
 * one (`mint-approval.ts`; the module boundaries allow no other importer).
 */
export type Approved<T> = T & { readonly [approved]: true };

/** Why risk refused an order: a stable code, and the numbers it was judged by. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly actual: number | string | null;
  readonly limit: number | string | null;
}

export type ApprovalResult =
  | { readonly ok: true; readonly order: Approved<PlaceOrder> }
  | { readonly ok: false; readonly refusals: readonly Refusal[] };

/** The only function that turns a wanted order into one that may be sent. */
export type ApproveOrder = (order: PlaceOrder) => ApprovalResult;
