import { describe, expect, it } from 'vitest';
import { type CodeWish, type SessionFile, Sessions } from '../../../src/ops/dashboard/sessions.ts';

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

/** Sessions on a clock that stands until it is moved, with tokens that count. */
function sessionsAt(file: SessionFile | null = null) {
  const clock = { ms: 1_000_000 };
  const problems: string[] = [];
  let made = 0;
  const make = (): Sessions =>
    new Sessions({
      ...{ file, clock: { wallMs: () => clock.ms }, token: () => `token-${++made}` },
      onProblem: (problem) => problems.push(problem),
    });
  return { sessions: make(), again: make, clock, problems };
}

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
    expect(sessions.shared()).toEqual([
      { id, scope: 'read', note: 'Anna', expiresMs: 4_600_000, sessions: 2 },
    ]);
    clock.ms += 3_600_000;
    expect([first, second].map((each) => sessions.grantOf(each?.token ?? ''))).toEqual([null, null]);
    expect(sessions.exchange(code)).toBeNull();
    expect(sessions.shared()).toEqual([]);
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

  it('is no name under which a code for one use can be revoked', () => {
    const { sessions } = sessionsAt();
    expect(sessions.revoke(sessions.issue(WISH).id)).toBe(false);
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
    expect(sessions.shared()).toHaveLength(100);
    expect(file.text?.length).toBeLessThan(150_000);
  });
});
