import { ConfigError, TouchlineError, TransportError, VenueRejection } from '../../domain/errors.ts';

/** Exit codes of every command (after sysexits.h where it has one). */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  /** The run was in order, and quoted nothing although it had to. */
  unquoted: 3,
  unavailable: 69,
  /** A kill is latched nowhere: a person must look before the next start. */
  unlatched: 74,
  auth: 77,
  config: 78,
} as const;

const UNAVAILABLE_CODES = ['port_in_use', 'cannot_listen', 'unavailable', 'warming', 'locked'];

/** The exit code by which a supervisor knows the kind of failure. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof ConfigError) return EXIT.config;
  if (error instanceof TouchlineError && error.code === 'usage') return EXIT.usage;
  if (error instanceof TouchlineError && error.code === 'unquoted') return EXIT.unquoted;
  if (error instanceof VenueRejection && (error.status === 401 || error.status === 403)) return EXIT.auth;
  if (error instanceof TouchlineError && error.code === 'unlatched') return EXIT.unlatched;
  if (error instanceof TransportError) return EXIT.unavailable;
  if (error instanceof TouchlineError && UNAVAILABLE_CODES.includes(error.code)) return EXIT.unavailable;
  return EXIT.failure;
}
