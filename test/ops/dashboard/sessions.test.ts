import { describe, expect, it } from 'vitest';
import type { Tokens } from '../../../src/ops/access.ts';
import {
  type CodeWish,
  type Ended,
  type SessionFile,
  Sessions,
} from '../../../src/ops/dashboard/sessions.ts';

const WISH: CodeWish = { scope: 'control', ttlMs: 120_000, isReusable: false, note: '' };
const SHARED: CodeWish = { scope: 'read', ttlMs: 3_600_000, isReusable: true, note: 'Anna' };
const DAY_MS = 24 * 3_600_000;

function fileInMemory(text: string | null = null): SessionFile & { text: string | null } {
  const file = {
    text,
    read: () => file.text,
    write: (next: string) => void (file.text = next),
  };
  return file;
}

const TOKENS: Tokens = { read: 'the-read-token', reduce: 'the-reduce-token', control: 'the-control-token' };

/** Sessions on a clock that stands until it is moved, with codes and tokens that count. `again` starts anew, with other tokens. */
function sessionsAt(file: SessionFile | null = null) {
  const clock = { ms: 1_000_000 };
  const problems: string[] = [];
  const ended: Ended[] = [];
  let made = 0;
  const again = (tokens: Partial<Tokens> = {}): Sessions =>
    new Sessions({
      file,
      clock: { wallMs: () => clock.ms },
      token: () => `token-${++made}`,
      tokens: { ...TOKENS, ...tokens },
      onProblem: (problem) => problems.push(problem),
      onEnded: (each) => ended.push(each),
    });
  return { sessions: again(), again, clock, problems, ended };
}

/** A session from a code that the holder of this token makes, and the name of the code. */
function sessionBy(sessions: Sessions, token: string, wish: CodeWish = WISH) {
  const maker = sessions.makerOf(token);
  if (maker === null) throw new Error('this token makes no code');
  const { id, code } = sessions.issue(wish, maker);
  return { id, code, token: sessions.exchange(code)?.token ?? '' };
}

const works = (sessions: Sessions, ...tokens: readonly string[]): boolean[] =>
  tokens.map((token) => sessions.grantOf(token) !== null);

describe('a code that works once', () => {
  it('gives a session of its scope, and no second one', () => {
    const { sessions } = sessionsAt();
    const { code } = sessions.issue(WISH);
    const session = sessions.exchange(code);
    expect(session).toMatchObject({ scope: 'control', isShared: false });
    expect(sessions.grantOf(session?.token ?? '')).toMatchObject({ scope: 'control' });
    expect(sessions.exchange(code)).toBeNull();
    expect(sessions.grantOf(code)).toBeNull();
  });

  it('expires', () => {
    const { sessions, clock } = sessionsAt();
    const { code } = sessions.issue(WISH);
    clock.ms += 120_000;
    expect(sessions.exchange(code)).toBeNull();
  });

  it('gives a session that ends after a week', () => {
    const { sessions, clock } = sessionsAt();
    const token = sessions.exchange(sessions.issue(WISH).code)?.token ?? '';
    clock.ms += 7 * DAY_MS - 1;
    expect(sessions.grantOf(token)).not.toBeNull();
    clock.ms += 1;
    expect(sessions.grantOf(token)).toBeNull();
  });
});

describe('a shared code', () => {
  it('works until it expires, and its sessions end with it', () => {
    const { sessions, clock } = sessionsAt();
    const { code, id } = sessions.issue(SHARED);
    const [first, second] = [sessions.exchange(code), sessions.exchange(code)];
    expect(first?.token).not.toBe(second?.token);
    const both = { scope: 'read', note: 'Anna', expiresMs: 4_600_000, token: 'read' };
    const session = { ...both, kind: 'session', sessions: 0, from: id, id: expect.any(String) as string };
    expect(sessions.list()).toEqual([
      { ...both, id, kind: 'link', sessions: 2, from: null },
      session,
      session,
    ]);
    clock.ms += 3_600_000;
    expect([first, second].map((each) => sessions.grantOf(each?.token ?? ''))).toEqual([null, null]);
    expect(sessions.exchange(code)).toBeNull();
    expect(sessions.list()).toEqual([]);
  });

  it('is revoked with all of its sessions, and with no other', () => {
    const { sessions } = sessionsAt();
    const { code, id } = sessions.issue(SHARED);
    const shared = sessions.exchange(code)?.token ?? '';
    const own = sessions.exchange(sessions.issue(WISH).code)?.token ?? '';
    expect(sessions.revoke(id)).toBe(true);
    expect(sessions.grantOf(shared)).toBeNull();
    expect(sessions.exchange(code)).toBeNull();
    expect(sessions.grantOf(own)).toMatchObject({ scope: 'control' });
    expect(sessions.revoke(id)).toBe(false);
  });
});

describe('the file of sessions', () => {
  it('keeps codes and sessions over a restart, and neither code nor token', () => {
    const file = fileInMemory();
    const { sessions, again } = sessionsAt(file);
    const { code } = sessions.issue(SHARED);
    const token = sessions.exchange(code)?.token ?? '';
    expect(file.text).not.toMatch(new RegExp(`${code}|${token}`));
    const next = again();
    expect(next.grantOf(token)).toMatchObject({ scope: 'read', isShared: true });
    expect(next.exchange(code)).not.toBeNull();
  });

  it('keeps that a code was used or revoked', () => {
    const file = fileInMemory();
    const { sessions, again } = sessionsAt(file);
    const { code } = sessions.issue(WISH);
    const { code: shared, id } = sessions.issue(SHARED);
    sessions.exchange(code);
    sessions.revoke(id);
    expect([code, shared].map((each) => again().exchange(each))).toEqual([null, null]);
  });

  it.each(['{', '{"codes": 1}', 'null'])('that holds %s is reported and forgotten', (text) => {
    const { sessions, problems } = sessionsAt(fileInMemory(text));
    expect(problems).toHaveLength(1);
    expect(sessions.exchange(sessions.issue(WISH).code)).not.toBeNull();
  });

  it('may fail: then sessions end with the process', () => {
    const file = {
      read: () => null,
      write() {
        throw new Error('no space left');
      },
    };
    const { sessions, problems } = sessionsAt(file);
    expect(sessions.exchange(sessions.issue(WISH).code)).not.toBeNull();
    expect(problems[0]).toContain('no space left');
  });

  it('stays small, whoever asks for codes', () => {
    const file = fileInMemory();
    const { sessions } = sessionsAt(file);
    for (let i = 0; i < 150; i++) sessions.issue(SHARED);
    const { code } = sessions.issue(SHARED);
    for (let i = 0; i < 600; i++) sessions.exchange(code);
    expect(sessions.list().filter(({ kind }) => kind === 'link')).toHaveLength(100);
    expect(sessions.list()).toHaveLength(600);
    expect(file.text?.length).toBeLessThan(200_000);
  });
});

describe('what a token made', () => {
  it('ends when the token is withdrawn, and stays ended when the token comes back', () => {
    const file = fileInMemory();
    const { sessions, again, ended } = sessionsAt(file);
    const own = sessionBy(sessions, TOKENS.control);
    const shared = sessionBy(sessions, TOKENS.control, SHARED);
    const deep = sessionBy(sessions, own.token, SHARED);
    const { code } = sessions.issue(WISH, sessions.makerOf(TOKENS.control) ?? undefined);
    const other = sessionBy(sessions, TOKENS.reduce, SHARED);
    const next = again({ control: 'another' });
    expect(works(next, own.token, shared.token, deep.token, other.token)).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect([code, shared.code, deep.code].map((each) => next.exchange(each))).toEqual([null, null, null]);
    expect(next.makerOf(own.token)).toBeNull();
    expect(next.list().map(({ token }) => token)).toEqual(['reduce', 'reduce']);
    expect(ended).toEqual([
      { what: 'link', scope: 'read', count: 2, why: 'token withdrawn' },
      { what: 'session', scope: 'read', count: 2, why: 'token withdrawn' },
      { what: 'link', scope: 'control', count: 1, why: 'token withdrawn' },
      { what: 'session', scope: 'control', count: 1, why: 'token withdrawn' },
    ]);
    expect(works(again(), own.token, shared.token, other.token)).toEqual([false, false, true]);
  });

  it('ends with the token of its scope if the daemon itself made it', () => {
    const file = fileInMemory();
    const { sessions, again } = sessionsAt(file);
    const token = sessions.exchange(sessions.issue(WISH).code)?.token ?? '';
    expect(works(again({ read: 'another', reduce: 'another' }), token)).toEqual([true]);
    expect(works(again({ control: 'another' }), token)).toEqual([false]);
  });

  it('is not told by the file of an earlier version, so that it ends', () => {
    const digest = 'x'.repeat(43);
    const code = { id: 'a', digest, scope: 'control', expiresMs: 9e12, isReusable: true, note: '' };
    const session = { digest, scope: 'control', expiresMs: 9e12, codeId: null };
    const { sessions, problems } = sessionsAt(
      fileInMemory(JSON.stringify({ codes: [code], sessions: [session] })),
    );
    expect([sessions.list(), problems]).toEqual([[], []]);
  });
});

describe('every link, code and session', () => {
  it('is listed with the token and the session that it came from', () => {
    const { sessions } = sessionsAt();
    const own = sessionBy(sessions, TOKENS.control);
    const deep = sessionBy(sessions, own.token, { ...SHARED, scope: 'reduce' });
    sessions.issue({ ...WISH, scope: 'read' });
    const [link, code, first, second] = sessions.list();
    expect(link).toMatchObject({
      id: deep.id,
      kind: 'link',
      scope: 'reduce',
      token: 'control',
      from: first?.id,
    });
    expect(code).toMatchObject({ kind: 'code', scope: 'read', token: 'read', from: null });
    expect(first).toMatchObject({ kind: 'session', scope: 'control', from: null });
    expect(second).toMatchObject({ kind: 'session', scope: 'reduce', from: deep.id, note: 'Anna' });
  });

  it('is revoked with all that came from it, at any distance, and nothing else', () => {
    const { sessions } = sessionsAt();
    const other = sessionBy(sessions, TOKENS.control);
    const first = sessionBy(sessions, TOKENS.control);
    const [, session] = sessions.list();
    const second = sessionBy(sessions, first.token);
    const third = sessionBy(sessions, second.token, SHARED);
    const { code } = sessions.issue(WISH, sessions.makerOf(second.token) ?? undefined);
    expect(works(sessions, first.token, second.token, third.token)).toEqual([true, true, true]);
    expect(sessions.revoke(session?.id ?? '')).toBe(true);
    expect(works(sessions, first.token, second.token, third.token, other.token)).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect([code, third.code].map((each) => sessions.exchange(each))).toEqual([null, null]);
    expect(sessions.list()).toHaveLength(1);
    expect(sessions.revoke(session?.id ?? '')).toBe(false);
  });

  it.each([0, 1, 2, 3, 4])('of a line of five ends number %d with all after it, and none before', (at) => {
    const { sessions } = sessionsAt();
    const tokens = [sessionBy(sessions, TOKENS.control).token];
    while (tokens.length < 5) tokens.push(sessionBy(sessions, tokens.at(-1) ?? '').token);
    const ids = sessions.list().map(({ id }) => id);
    // Each of the first four has also made a link, and a code that nobody has used.
    const made = tokens.slice(0, 4).map((token) => ({
      link: sessionBy(sessions, token, SHARED),
      code: sessions.issue(WISH, sessions.makerOf(token) ?? undefined).code,
    }));
    expect(sessions.revoke(ids[at] ?? '')).toBe(true);
    expect(works(sessions, ...tokens)).toEqual(tokens.map((_, i) => i < at));
    expect(works(sessions, ...made.map(({ link }) => link.token))).toEqual(made.map((_, i) => i < at));
    expect(made.map(({ link }) => sessions.exchange(link.code) !== null)).toEqual(made.map((_, i) => i < at));
    expect(made.map(({ code }) => sessions.exchange(code) !== null)).toEqual(made.map((_, i) => i < at));
  });

  it('is revoked alone if something else made it', () => {
    const { sessions } = sessionsAt();
    const first = sessionBy(sessions, TOKENS.control);
    const second = sessionBy(sessions, first.token);
    const { id, code } = sessions.issue(WISH);
    expect(sessions.revoke(sessions.list().findLast(({ kind }) => kind === 'session')?.id ?? '')).toBe(true);
    expect(works(sessions, first.token, second.token)).toEqual([true, false]);
    expect(sessions.revoke(id)).toBe(true);
    expect(sessions.exchange(code)).toBeNull();
  });
});

describe('who makes codes', () => {
  it('is a token or a session of its own, and neither a stranger nor a shared session', () => {
    const { sessions, clock } = sessionsAt();
    expect(sessions.makerOf('a guess')).toBeNull();
    expect(sessions.makerOf(sessionBy(sessions, TOKENS.control, SHARED).token)).toBeNull();
    const own = sessionBy(sessions, TOKENS.read);
    expect(sessions.makerOf(own.token)?.line).toHaveLength(1);
    clock.ms += 7 * DAY_MS;
    expect(sessions.makerOf(own.token)).toBeNull();
  });

  it('stands in a line that has an end', () => {
    const { sessions } = sessionsAt();
    let { token } = sessionBy(sessions, TOKENS.control);
    for (let i = 0; i < 4; i++) ({ token } = sessionBy(sessions, token));
    expect(sessions.makerOf(token)).toBeNull();
  });
});

describe('a flood', () => {
  const LINK = { ...SHARED, scope: 'control' as const };
  const READ = { ...WISH, scope: 'read' as const };

  it.each(['read', 'reduce'] as const)('of the %s token ends nothing of another token', (scope) => {
    const { sessions, ended } = sessionsAt();
    const operator = sessionBy(sessions, TOKENS.control, LINK);
    const own = sessionBy(sessions, TOKENS.control, READ);
    const anna = sessionBy(sessions, TOKENS.control, SHARED);
    for (let i = 0; i < 101; i++) sessions.issue(SHARED, sessions.makerOf(TOKENS[scope]) ?? undefined);
    for (let i = 0; i < 501; i++) sessionBy(sessions, TOKENS[scope], READ);
    expect(works(sessions, operator.token, own.token, anna.token)).toEqual([true, true, true]);
    expect([operator.code, anna.code].map((code) => sessions.exchange(code) !== null)).toEqual([true, true]);
    expect(ended).toContainEqual({ what: 'link', scope: 'read', count: 1, why: 'too many' });
    expect(ended).toContainEqual({ what: 'session', scope: 'read', count: 1, why: 'too many' });
  });

  it('of one scope ends nothing of another', () => {
    const { sessions } = sessionsAt();
    const operator = sessionBy(sessions, TOKENS.control, LINK);
    for (let i = 0; i < 101; i++) sessions.issue(SHARED, sessions.makerOf(TOKENS.control) ?? undefined);
    for (let i = 0; i < 501; i++) sessionBy(sessions, TOKENS.control, READ);
    expect(works(sessions, operator.token)).toEqual([true]);
    expect(sessions.exchange(operator.code)).not.toBeNull();
  });

  it('through a shared link ends sessions of this link alone', () => {
    const { sessions } = sessionsAt();
    const own = sessionBy(sessions, TOKENS.control, READ);
    const anna = sessionBy(sessions, TOKENS.control, SHARED);
    const ben = sessionBy(sessions, TOKENS.control, { ...SHARED, note: 'Ben' });
    for (let i = 0; i < 600; i++) sessions.exchange(ben.code);
    expect(works(sessions, own.token, anna.token, ben.token)).toEqual([true, true, false]);
  });

  it('through a link that a session has shared ends sessions of this link alone, whatever else the session made', () => {
    const { sessions } = sessionsAt();
    const maker = sessionBy(sessions, TOKENS.control, READ);
    const below = sessionBy(sessions, maker.token, READ);
    const anna = sessionBy(sessions, maker.token, SHARED);
    const ben = sessionBy(sessions, maker.token, { ...SHARED, note: 'Ben' });
    for (let i = 0; i < 600; i++) sessions.exchange(ben.code);
    expect(works(sessions, maker.token, below.token, anna.token, ben.token)).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(new Set([maker, below, anna, ben].map(({ token }) => sessions.holderOf(token))).size).toBe(4);
  });

  it('of a session, and of those below it, ends what came from it alone', () => {
    const { sessions } = sessionsAt();
    const own = sessionBy(sessions, TOKENS.control, READ);
    const anna = sessionBy(sessions, TOKENS.control, SHARED);
    const guest = sessionBy(sessions, TOKENS.control, READ);
    for (let i = 0; i < 300; i++) {
      const below = sessionBy(sessions, guest.token, READ);
      sessionBy(sessions, below.token, READ);
      sessionBy(sessions, below.token, SHARED);
    }
    expect(works(sessions, own.token, anna.token, guest.token)).toEqual([true, true, true]);
    expect(sessions.exchange(anna.code)).not.toBeNull();
  });
});

describe('whoever uses a token', () => {
  it('is the token, the first session below it, or the shared link: seats and capacity count by it', () => {
    const { sessions, clock } = sessionsAt();
    const { control, read } = TOKENS;
    const own = sessionBy(sessions, control);
    const below = sessionBy(sessions, own.token);
    const deeper = sessionBy(sessions, below.token);
    const other = sessionBy(sessions, control);
    const ofOther = sessionBy(sessions, other.token);
    const shared = sessionBy(sessions, control, SHARED);
    const again = sessions.exchange(shared.code)?.token ?? '';
    const elsewhere = sessionBy(sessions, read, { ...WISH, scope: 'read' });
    const holders = [control, read, own, below, deeper, other, ofOther, shared, again, elsewhere].map(
      (each) => sessions.holderOf(typeof each === 'string' ? each : each.token),
    );
    const [ofControl, ofRead, first, second, third, fourth, fifth, sixth, seventh, last] = holders;
    // What a token made itself counts as the token's own.
    expect([first, fourth]).toEqual([ofControl, ofControl]);
    expect(last).toBe(ofRead);
    expect(second).toBe(third);
    expect(sixth).toBe(seventh);
    expect(new Set([ofControl, ofRead, second, fifth, sixth]).size).toBe(5);
    // An ended session is a stranger like any other.
    clock.ms += 8 * DAY_MS;
    expect(sessions.holderOf(below.token)).not.toBe(second);
  });
});

describe('at every moment', () => {
  it('a list has nothing that has expired, and counts the sessions of each link alone', () => {
    const { sessions, clock } = sessionsAt();
    const [anna, ben] = [
      sessions.issue(SHARED),
      sessions.issue({ ...SHARED, note: 'Ben', ttlMs: 7_200_000 }),
    ];
    for (const { code } of [anna, ben, ben]) sessions.exchange(code);
    const counts = () =>
      sessions.list().flatMap(({ kind, note, sessions: count }) => (kind === 'link' ? [[note, count]] : []));
    expect(counts()).toEqual([
      ['Anna', 1],
      ['Ben', 2],
    ]);
    clock.ms += 3_600_000;
    expect(counts()).toEqual([['Ben', 2]]);
    expect(sessions.list()).toHaveLength(3);
  });

  it('nothing that has expired is revoked', () => {
    const { sessions, clock } = sessionsAt();
    const { id } = sessions.issue(SHARED);
    const own = sessionBy(sessions, TOKENS.control);
    const { id: session } = sessions.list().find(({ kind }) => kind === 'session') ?? { id: '' };
    clock.ms += 7 * DAY_MS;
    expect([id, session, own.id].map((each) => sessions.revoke(each))).toEqual([false, false, false]);
  });

  it('a session knows whether it is shared', () => {
    const { sessions } = sessionsAt();
    const [own, shared] = [sessionBy(sessions, TOKENS.control), sessionBy(sessions, TOKENS.control, SHARED)];
    expect([own, shared].map(({ token }) => sessions.grantOf(token)?.isShared)).toEqual([false, true]);
  });

  it('a code that was only just made survives a restart, and an expired one does not', () => {
    const file = fileInMemory();
    const { sessions, again, clock } = sessionsAt(file);
    const { code } = sessions.issue(WISH);
    expect(again().exchange(code)).not.toBeNull();
    sessions.issue(SHARED);
    clock.ms += 3_600_000;
    expect(again().list()).toEqual([]);
  });

  it('revoking one code leaves the other codes', () => {
    const { sessions } = sessionsAt();
    const [first, second] = [sessions.issue(WISH), sessions.issue(WISH)];
    sessions.revoke(first.id);
    expect(sessions.exchange(first.code)).toBeNull();
    expect(sessions.exchange(second.code)).not.toBeNull();
  });
});
