import { createHash, timingSafeEqual } from 'node:crypto';
import { type AccessScope, SCOPES } from './scopes.ts';

export { type AccessScope, permits, SCOPES } from './scopes.ts';

/** The secret token of each scope. */
export type Tokens = Readonly<Record<AccessScope, string>>;

const BEARER = /^Bearer +(\S+) *$/i;

/** The token in the value of an `Authorization` header; empty if there is none. */
export const bearerOf = (authorization: string | undefined): string =>
  BEARER.exec(authorization ?? '')?.[1] ?? '';

/** Recognises tokens. It compares in constant time, so that answers tell nothing about a token that is nearly right. */
export class AccessCheck {
  readonly #digests: readonly (readonly [AccessScope, Buffer])[];
  readonly #scopeOfSession: (token: string) => AccessScope | null;

  /** `scopeOfSession` knows the tokens of browsers; default: there are none. Throws TypeError if a token is empty. */
  constructor(tokens: Tokens, scopeOfSession: (token: string) => AccessScope | null = () => null) {
    this.#scopeOfSession = scopeOfSession;
    this.#digests = SCOPES.map((scope) => {
      if (tokens[scope] === '') throw new TypeError(`the ${scope} token is empty`);
      return [scope, digestOf(tokens[scope])];
    });
  }

  /** The scope that the value of an `Authorization` header grants; null if it grants none. */
  scopeOf(authorization: string | undefined): AccessScope | null {
    const token = bearerOf(authorization);
    const given = digestOf(token);
    let granted: AccessScope | null = null;
    for (const [scope, digest] of this.#digests) if (timingSafeEqual(digest, given)) granted = scope;
    return granted ?? this.#scopeOfSession(token);
  }
}

/** Digests have one length, which `timingSafeEqual` requires. */
const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();
