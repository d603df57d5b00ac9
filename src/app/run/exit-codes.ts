/** Exit codes of every command (after sysexits.h where it has one). */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  unavailable: 69,
  /** A kill is latched nowhere: a person must look before the next start. */
  unlatched: 74,
  auth: 77,
  config: 78,
} as const;
