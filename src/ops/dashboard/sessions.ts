import { createHash } from 'node:crypto';
import { z } from 'zod';
import { reasonOf } from '../../lib/reason.ts';
import type { Clock } from '../../ports/clock.ts';
import { type AccessScope, SCOPES } from '../access.ts';

/** A code that a browser exchanges for a session. */
export interface CodeWish {
  readonly scope: AccessScope;
  readonly ttlMs: number;
  /** Whether the code works until it expires; otherwise it works once. */
  readonly isReusable: boolean;
  /** Whom it is for, in a person's words; empty if nobody said. */
  readonly note: string;
}

/** A reusable code, without the code itself: only its digest is kept. */
export interface SharedCode {
  readonly id: string;
  readonly scope: AccessScope;
  readonly note: string;
  /** Wall-clock milliseconds. */
  readonly expiresMs: number;
  /** Sessions that came from it. */
  readonly sessions: number;
}

/** What a session may do. */
export interface Grant {
  readonly scope: AccessScope;
  /** Wall-clock milliseconds. */
  readonly expiresMs: number;
  /** Whether it came from a reusable code: then it may make no codes. */
  readonly isShared: boolean;
}

/** A file that keeps codes and sessions. Failures are the disk's own errors. */
export interface SessionFile {
  /** Null while there is no file. */
  read(): string | null;
  write(text: string): void;
}

export interface SessionParts {
  /** Keeps codes and sessions over a restart; null: they end with this process. */
  readonly file: SessionFile | null;
  readonly clock: Pick<Clock, 'wallMs'>;
  /** A text that nobody guesses. */
  readonly token: () => string;
  /** Learns why the file could not be read or written. */
  readonly onProblem: (problem: string) => void;
}

const scopeSchema = z.enum(SCOPES);

const codeSchema = z.object({
  id: z.string(),
  digest: z.string(),
  scope: scopeSchema,
  expiresMs: z.number(),
  isReusable: z.boolean(),
  note: z.string(),
});

const sessionSchema = z.object({
  digest: z.string(),
  scope: scopeSchema,
  expiresMs: z.number(),
  /** The reusable code that it came from; null if its code worked once. */
  codeId: z.string().nullable(),
});

const storedSchema = z.object({ codes: z.array(codeSchema), sessions: z.array(sessionSchema) });

type StoredCode = z.infer<typeof codeSchema>;
type StoredSession = z.infer<typeof sessionSchema>;

/** A session ends after this time at the latest: then a person opens the page again. */
const SESSION_MS = 7 * 24 * 3_600_000;
/** The oldest ones give way. */
const [MOST_CODES, MOST_SESSIONS] = [100, 500];
const ID_CHARACTERS = 8;

/**
 * Codes and sessions of browsers. A code stands in the fragment of an address, so it never reaches a log; the page exchanges it for the
 * token of a session. Only digests are kept, so the file gives nobody access.
 */
export class Sessions {
  readonly #parts: SessionParts;
  #codes: StoredCode[] = [];
  #sessions = new Map<string, StoredSession>();

  /** Reads what an earlier run kept. What cannot be read is reported and forgotten: a person opens the page again. */
  constructor(parts: SessionParts) {
    this.#parts = parts;
    try {
      const text = parts.file?.read() ?? null;
      if (text !== null) this.#recall(storedSchema.parse(JSON.parse(text)));
    } catch (error) {
      parts.onProblem(`links to the dashboard are forgotten: ${reasonOf(error)}`);
    }
  }

  /** Makes a code. */
  issue({ scope, ttlMs, isReusable, note }: CodeWish): { readonly id: string; readonly code: string } {
    const code = this.#parts.token();
    const id = digestOf(code).slice(0, ID_CHARACTERS);
    const expiresMs = this.#parts.clock.wallMs() + ttlMs;
    this.#codes.push({ id, digest: digestOf(code), scope, expiresMs, isReusable, note });
    this.#save();
    return { id, code };
  }

  /** The token of a new session; null if the code is not known, was used, or has expired. */
  exchange(code: string): (Grant & { readonly token: string }) | null {
    this.#expire();
    const digest = digestOf(code);
    const found = this.#codes.find((each) => each.digest === digest);
    if (found === undefined) return null;
    const { scope, isReusable, id } = found;
    if (!isReusable) this.#codes = this.#codes.filter((each) => each !== found);
    const token = this.#parts.token();
    const longest = this.#parts.clock.wallMs() + SESSION_MS;
    const expiresMs = isReusable ? Math.min(found.expiresMs, longest) : longest;
    const session = { digest: digestOf(token), scope, expiresMs, codeId: isReusable ? id : null };
    this.#sessions.set(session.digest, session);
    this.#save();
    return { token, scope, expiresMs, isShared: isReusable };
  }

  /** What a session's token allows; null if there is no such session. */
  grantOf(token: string): Grant | null {
    const session = this.#sessions.get(digestOf(token));
    if (session === undefined || session.expiresMs <= this.#parts.clock.wallMs()) return null;
    const { scope, expiresMs, codeId } = session;
    return { scope, expiresMs, isShared: codeId !== null };
  }

  /** The reusable codes that still work. */
  shared(): readonly SharedCode[] {
    this.#expire();
    return this.#codes
      .filter(({ isReusable }) => isReusable)
      .map(({ id, scope, note, expiresMs }) => ({
        ...{ id, scope, note, expiresMs },
        sessions: [...this.#sessions.values()].filter(({ codeId }) => codeId === id).length,
      }));
  }

  /** Ends a reusable code and every session that came from it. Returns whether there was one. */
  revoke(id: string): boolean {
    const isKnown = this.#codes.some((code) => code.isReusable && code.id === id);
    if (!isKnown) return false;
    this.#codes = this.#codes.filter((code) => code.id !== id);
    this.#keepSessions(({ codeId }) => codeId !== id);
    this.#save();
    return true;
  }

  #recall({ codes, sessions }: z.infer<typeof storedSchema>): void {
    this.#codes = codes;
    this.#sessions = new Map(sessions.map((session) => [session.digest, session]));
    this.#expire();
  }

  #expire(): void {
    const nowMs = this.#parts.clock.wallMs();
    this.#codes = this.#codes.filter(({ expiresMs }) => expiresMs > nowMs);
    this.#keepSessions(({ expiresMs }) => expiresMs > nowMs);
  }

  #keepSessions(isKept: (session: StoredSession) => boolean): void {
    this.#sessions = new Map([...this.#sessions].filter(([, session]) => isKept(session)));
  }

  #save(): void {
    this.#expire();
    this.#codes = this.#codes.slice(-MOST_CODES);
    this.#sessions = new Map([...this.#sessions].slice(-MOST_SESSIONS));
    try {
      this.#parts.file?.write(JSON.stringify({ codes: this.#codes, sessions: [...this.#sessions.values()] }));
    } catch (error) {
      this.#parts.onProblem(`links to the dashboard end with this run: ${reasonOf(error)}`);
    }
  }
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
