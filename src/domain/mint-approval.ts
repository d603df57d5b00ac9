import type { Approved } from './approval.ts';

/** Marks a value as approved. For `risk/approve` alone. */
export function mintApproval<T extends object>(value: T): Approved<T> {
  return Object.freeze(value) as Approved<T>;
}
