import { createHash, timingSafeEqual } from 'node:crypto';

/** The scopes of access, from the least to the greatest. Each one contains those before it. */
export const SCOPES = ['read', 'reduce', 'control'] as const;

/**
 * `read` shows everything. `reduce` also stops or reduces trading: kill, halt, close. `control` also allows more trading: resume,
 * parameters.
 */
export type AccessScope = (typeof SCOPES)[number];

/** The secret token of each scope. */
export type Tokens = Readonly<Record<AccessScope, string>>;

/** Whether a scope contains another. */
export const permits = (held: AccessScope, needed: AccessScope): boolean =>
  SCOPES.indexOf(held) >= SCOPES.indexOf(needed);

const BEARER = /^Bearer +(\S+) *$/i;

/** Recognises tokens. It compares in constant time, so that answers tell nothing about a token that is nearly right. */
export class AccessCheck {
  readonly #digests: readonly (readonly [AccessScope, Buffer])[];

  /** Throws TypeError if a token is empty. */
  constructor(tokens: Tokens) {
    this.#digests = SCOPES.map((scope) => {
      if (tokens[scope] === '') throw new TypeError(`the ${scope} token is empty`);
      return [scope, digestOf(tokens[scope])];
    });
  }

  /** The scope that the value of an `Authorization` header grants; null if it grants none. */
  scopeOf(authorization: string | undefined): AccessScope | null {
    const given = digestOf(BEARER.exec(authorization ?? '')?.[1] ?? '');
    let granted: AccessScope | null = null;
    for (const [scope, digest] of this.#digests) if (timingSafeEqual(digest, given)) granted = scope;
    return granted;
  }
}

/** Digests have one length, which `timingSafeEqual` requires. */
const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();
