/**
 * A broken invariant: a bug in Touchline itself, never a condition of the outside world.
 *
 * `InvariantError` is no `TouchlineError`, so that no handler for expected failures swallows it. The handler at the top
 * stops quoting, closes orders and exits.
 */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.details = details;
  }
}

/** Throws `InvariantError` unless `condition` holds. */
export function invariant(
  condition: unknown,
  message: string,
  details?: Readonly<Record<string, unknown>>,
): asserts condition {
  if (!condition) throw new InvariantError(message, details);
}
