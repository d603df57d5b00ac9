/** The scopes of access, from the least to the greatest. Each one contains those before it. */
export const SCOPES = ['read', 'reduce', 'control'] as const;

/**
 * `read` shows everything. `reduce` also stops or reduces trading: kill, halt, close. `control` also allows more trading: resume,
 * parameters.
 */
export type AccessScope = (typeof SCOPES)[number];

/** Whether a scope contains another. */
export const permits = (held: AccessScope, needed: AccessScope): boolean =>
  SCOPES.indexOf(held) >= SCOPES.indexOf(needed);
