import { reasonOf } from '../../lib/reason.ts';
import type { Clock } from '../../ports/clock.ts';
import { type AccessScope, SCOPES, type Tokens } from '../access.ts';
import { overCapacity } from './capacity.ts';
import { digestOf, idOf, type StoredCode, type StoredSession, storedSchema } from './stored-sessions.ts';

/** A code that a browser exchanges for a session. */
export interface CodeWish {
  readonly scope: AccessScope;
  readonly ttlMs: number;
  /** Whether the code works until it expires; otherwise it works once. */
  readonly isReusable: boolean;
  /** Whom it is for, in a person's words; empty if nobody said. */
  readonly note: string;
}

/** Who makes a code: a token, and the sessions between it and the code, the first one first. */
export interface Maker {
  /** The fingerprint of the token. */
  readonly token: string;
  readonly line: readonly string[];
}

/** A way in that a person can end, without its secret: only its digest is kept. */
export interface WayIn {
  readonly id: string;
  /** A link works until it expires, a code once. A session is a browser that has used one of them. */
  readonly kind: 'link' | 'code' | 'session';
  readonly scope: AccessScope;
  readonly note: string;
  /** Wall-clock milliseconds. */
  readonly expiresMs: number;
  /** Sessions that came from it. */
  readonly sessions: number;
  /** The scope of the token that it ends with. */
  readonly token: AccessScope;
  /** The link or session that it came from; null if it came from the token alone. */
  readonly from: string | null;
}

/** What a session may do. */
export interface Grant {
  readonly scope: AccessScope;
  /** Wall-clock milliseconds. */
  readonly expiresMs: number;
  /** Whether it came from a reusable code: then it may make no codes. */
  readonly isShared: boolean;
}

/** Ways in that ended before their time. */
export interface Ended {
  /** A seat is the place of a page that follows the daemon. */
  readonly what: 'link' | 'session' | 'seat';
  readonly scope: AccessScope;
  readonly count: number;
  readonly why: 'too many' | 'token withdrawn';
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
  /** The tokens of this run. What another token made has ended. */
  readonly tokens: Tokens;
  /** A text that nobody guesses. */
  readonly token: () => string;
  /** Learns why the file could not be read or written. */
  readonly onProblem: (problem: string) => void;
  /** Learns what ended because there were too many, or because its token is withdrawn. */
  readonly onEnded: (ended: Ended) => void;
}

/** A session ends after this time at the latest: then a person opens the page again. */
const SESSION_MS = 7 * 24 * 3_600_000;
/** Longest line of sessions that may make codes, each opened with a code of the one before. */
const LONGEST_LINE = 4;

/**
 * Codes and sessions of browsers. A code stands in the fragment of an address, so it never reaches a log; the page exchanges it for the
 * token of a session. Only digests are kept, so the file gives nobody access. All of them end with the token that made them, and with
 * the session through which it did.
 */
export class Sessions {
  readonly #parts: SessionParts;
  /** The scopes of the tokens by their fingerprints. */
  readonly #tokens: ReadonlyMap<string, AccessScope>;
  #codes: readonly StoredCode[] = [];
  #sessions = new Map<string, StoredSession>();

  /** Reads what an earlier run kept. What cannot be read is reported and forgotten: a person opens the page again. */
  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#tokens = new Map(SCOPES.map((scope) => [digestOf(parts.tokens[scope]), scope]));
    try {
      const text = parts.file?.read() ?? null;
      if (text !== null) this.#recall(storedSchema.parse(JSON.parse(text)));
    } catch (error) {
      parts.onProblem(`links to the dashboard are forgotten: ${reasonOf(error)}`);
    }
  }

  /** Who makes a code with this token, of a scope or of a session; null if nobody may. */
  makerOf(token: string): Maker | null {
    const digest = digestOf(token);
    if (this.#tokens.has(digest)) return { token: digest, line: [] };
    const session = this.#living(digest);
    if (session?.codeId !== null || session.line.length >= LONGEST_LINE) return null;
    return { token: session.token, line: [...session.line, idOf(digest)] };
  }

  /** Makes a code. Without a maker this process makes it itself, in the name of the token of its scope. */
  issue(
    { scope, ttlMs, isReusable, note }: CodeWish,
    maker: Maker = { token: digestOf(this.#parts.tokens[scope]), line: [] },
  ): { readonly id: string; readonly code: string } {
    const code = this.#parts.token();
    const digest = digestOf(code);
    const expiresMs = this.#parts.clock.wallMs() + ttlMs;
    const made = { id: idOf(digest), digest, scope, expiresMs, isReusable, note };
    this.#codes = [...this.#codes, { ...made, token: maker.token, line: [...maker.line] }];
    this.#save();
    return { id: made.id, code };
  }

  /** The token of a new session; null if the code is not known, was used, or has expired. */
  exchange(code: string): (Grant & { readonly token: string }) | null {
    this.#expire();
    const digest = digestOf(code);
    const found = this.#codes.find((each) => each.digest === digest);
    if (found === undefined) return null;
    const { scope, isReusable, id, note, line } = found;
    if (!isReusable) this.#codes = this.#codes.filter((each) => each !== found);
    const token = this.#parts.token();
    const longest = this.#parts.clock.wallMs() + SESSION_MS;
    const expiresMs = isReusable ? Math.min(found.expiresMs, longest) : longest;
    const codeId = isReusable ? id : null;
    const session = { digest: digestOf(token), scope, expiresMs, codeId, note, token: found.token, line };
    this.#sessions.set(session.digest, session);
    this.#save();
    return { token, scope, expiresMs, isShared: isReusable };
  }

  /** What a session's token allows; null if there is no such session. */
  grantOf(token: string): Grant | null {
    const session = this.#living(digestOf(token));
    if (session === null) return null;
    const { scope, expiresMs, codeId } = session;
    return { scope, expiresMs, isShared: codeId !== null };
  }

  /** A name of whoever uses a token, of a scope or of a session: the token, the first session below it, or the shared link. */
  holderOf(token: string): string {
    const session = this.#living(digestOf(token));
    return session === null ? digestOf(token) : `${session.token} ${groupOf(session)}`.trimEnd();
  }

  /** Every link, code and session that still works. */
  list(): readonly WayIn[] {
    this.#expire();
    const sessions = [...this.#sessions.values()];
    const made = ({ token, line }: StoredCode | StoredSession) => ({
      token: this.#tokens.get(token) as AccessScope,
      from: line.at(-1) ?? null,
    });
    const codes = this.#codes.map((code): WayIn => {
      const { id, isReusable, scope, note, expiresMs } = code;
      const count = sessions.filter(({ codeId }) => codeId === id).length;
      const kind = isReusable ? 'link' : 'code';
      return { id, kind, scope, note, expiresMs, sessions: count, ...made(code) };
    });
    const open = sessions.map((session): WayIn => {
      const { digest, scope, note, expiresMs, codeId } = session;
      const { token, from } = made(session);
      return {
        id: idOf(digest),
        kind: 'session',
        scope,
        note,
        expiresMs,
        sessions: 0,
        token,
        from: codeId ?? from,
      };
    });
    return [...codes, ...open];
  }

  /** Ends a link, code or session, and everything that came from it. Returns whether there was one. */
  revoke(id: string): boolean {
    this.#expire();
    const isSession = ({ digest }: StoredSession): boolean => idOf(digest) === id;
    const isKnown =
      this.#codes.some((code) => code.id === id) || [...this.#sessions.values()].some(isSession);
    if (!isKnown) return false;
    this.#codes = this.#codes.filter((code) => code.id !== id && !code.line.includes(id));
    this.#keepSessions(
      (session) => !isSession(session) && session.codeId !== id && !session.line.includes(id),
    );
    this.#save();
    return true;
  }

  #living(digest: string): StoredSession | null {
    const session = this.#sessions.get(digest);
    return session === undefined || session.expiresMs <= this.#parts.clock.wallMs() ? null : session;
  }

  /** What a withdrawn token made has ended with it, and the file forgets it. */
  #recall({ codes, sessions }: { codes: readonly StoredCode[]; sessions: readonly StoredSession[] }): void {
    this.#codes = codes;
    this.#sessions = new Map(sessions.map((session) => [session.digest, session]));
    this.#expire();
    const isOrphan = ({ token }: StoredCode | StoredSession): boolean => !this.#tokens.has(token);
    const orphans = [this.#codes.filter(isOrphan), [...this.#sessions.values()].filter(isOrphan)] as const;
    if (orphans.flat().length === 0) return;
    this.#end(orphans[0], orphans[1], 'token withdrawn');
    this.#save();
  }

  #expire(): void {
    const nowMs = this.#parts.clock.wallMs();
    this.#codes = this.#codes.filter(({ expiresMs }) => expiresMs > nowMs);
    this.#keepSessions(({ expiresMs }) => expiresMs > nowMs);
  }

  #end(codes: readonly StoredCode[], sessions: readonly StoredSession[], why: Ended['why']): void {
    const ended = new Set<object>([...codes, ...sessions]);
    this.#codes = this.#codes.filter((code) => !ended.has(code));
    this.#keepSessions((session) => !ended.has(session));
    for (const scope of SCOPES) {
      for (const [what, all] of [
        ['link', codes],
        ['session', sessions],
      ] as const) {
        const count = all.filter((each) => each.scope === scope).length;
        if (count > 0) this.#parts.onEnded({ what, scope, count, why });
      }
    }
  }

  #keepSessions(isKept: (session: StoredSession) => boolean): void {
    this.#sessions = new Map([...this.#sessions].filter(([, session]) => isKept(session)));
  }

  #save(): void {
    this.#expire();
    const codes = overCapacity(this.#codes, MOST_CODES, ({ line }) => line[0] ?? '');
    const sessions = overCapacity([...this.#sessions.values()], MOST_SESSIONS, groupOf);
    this.#end(codes, sessions, 'too many');
    try {
      this.#parts.file?.write(JSON.stringify({ codes: this.#codes, sessions: [...this.#sessions.values()] }));
    } catch (error) {
      this.#parts.onProblem(`links to the dashboard end with this run: ${reasonOf(error)}`);
    }
  }
}

/** For each scope that each token has given. */
const [MOST_CODES, MOST_SESSIONS] = [100, 500];

/** Sessions of one link, or of all that one session made, count as one holder's. */
const groupOf = ({ codeId, line }: StoredSession): string => codeId ?? line[0] ?? '';
