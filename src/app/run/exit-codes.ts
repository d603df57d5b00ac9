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

/** By the code of an error that no class of its own tells apart. */
const BY_CODE: ReadonlyMap<string, number> = new Map([
  ['usage', EXIT.usage],
  ['unquoted', EXIT.unquoted],
  ['unlatched', EXIT.unlatched],
  ['port_in_use', EXIT.unavailable],
  ['cannot_listen', EXIT.unavailable],
  ['unavailable', EXIT.unavailable],
  ['warming', EXIT.unavailable],
  ['locked', EXIT.unavailable],
]);

/** The exit code by which a supervisor knows the kind of failure. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof ConfigError) return EXIT.config;
  if (error instanceof VenueRejection && (error.status === 401 || error.status === 403)) return EXIT.auth;
  if (error instanceof TransportError) return EXIT.unavailable;
  if (error instanceof TouchlineError) return BY_CODE.get(error.code) ?? EXIT.failure;
  return EXIT.failure;
}
