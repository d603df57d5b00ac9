import { chmodSync, mkdirSync, mkdtempSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noteDaemon, notedDaemons, notedTokens, runtimeTokens } from '../../../src/app/admin/rendezvous.ts';
import { temporaryFolder } from '../../support/exchange.ts';

const temporary = temporaryFolder();
afterAll(() => temporary.remove());

const URL_OF_DAEMON = 'http://127.0.0.1:4711';
const TOKENS = '/var/lib/touchline/tokens';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(temporary.path, 'run-'));
  vi.stubEnv('XDG_RUNTIME_DIR', base);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** The folder of notes of a user. */
const notesOf = (uid = process.getuid?.() ?? NaN): string => join(base, `touchline-${uid}`);

/** A note as a daemon leaves it. */
const NOTE = [TOKENS, URL_OF_DAEMON, process.pid].join('\n');

const found = () => ({ tokens: notedTokens(4711), daemons: notedDaemons() });
const NOTHING = { tokens: null, daemons: [] };
const ONE = { tokens: TOKENS, daemons: [{ url: URL_OF_DAEMON, tokens: TOKENS }] };

describe.runIf(process.platform !== 'win32')('a note of a daemon', () => {
  it('is found until the daemon removes it', () => {
    expect(found()).toEqual(NOTHING);
    const remove = noteDaemon(URL_OF_DAEMON, TOKENS);
    expect(found()).toEqual(ONE);
    expect(notedTokens(4712)).toBeNull();
    remove();
    expect(found()).toEqual(NOTHING);
  });

  it.each([
    [0o700, true],
    [0o710, false],
    [0o701, false],
    [0o720, false],
    [0o702, false],
    [0o740, false],
    [0o704, false],
    [0o777, false],
  ])('in a folder of mode %o is trusted: %s', (mode, isTrusted) => {
    mkdirSync(notesOf());
    writeFileSync(join(notesOf(), 'admin-4711'), NOTE);
    chmodSync(notesOf(), mode);
    expect(found()).toEqual(isTrusted ? ONE : NOTHING);
    const leave = () => noteDaemon('http://127.0.0.1:4712', TOKENS);
    if (isTrusted) expect(leave).not.toThrow();
    if (!isTrusted) {
      expect(leave).toThrow(`${notesOf()} is not this user’s alone: remove it`);
      expect(() => runtimeTokens(4712)).toThrow('is not this user’s alone');
    }
  });

  it('in a folder that another user has made is not trusted', () => {
    const another = (process.getuid?.() ?? 0) + 1;
    mkdirSync(notesOf(another), { mode: 0o700 });
    writeFileSync(join(notesOf(another), 'admin-4711'), NOTE);
    vi.spyOn(process as { getuid: () => number }, 'getuid').mockReturnValue(another);
    expect(found()).toEqual(NOTHING);
    expect(() => noteDaemon(URL_OF_DAEMON, TOKENS)).toThrow('is not this user’s alone');
  });

  it('behind a link is not trusted, wherever it leads', () => {
    noteDaemon(URL_OF_DAEMON, TOKENS);
    renameSync(notesOf(), join(base, 'elsewhere'));
    symlinkSync(join(base, 'elsewhere'), notesOf());
    expect(found()).toEqual(NOTHING);
    expect(() => noteDaemon(URL_OF_DAEMON, TOKENS)).toThrow('is not this user’s alone');
  });

  it.each([
    ['has ended', 2 ** 22 + 1],
    ['is none', 'x'],
    ['is missing', ''],
    ['is a group of processes', -1],
    ['is 0, which would be our own group', 0],
  ])('names tokens, but no daemon, if its process %s', (_, pid) => {
    mkdirSync(notesOf(), { mode: 0o700 });
    writeFileSync(join(notesOf(), 'admin-4711'), [TOKENS, URL_OF_DAEMON, pid].join('\n'));
    expect(found()).toEqual({ tokens: TOKENS, daemons: [] });
  });

  it('is one of several, by their ports as numbers; other files are none', () => {
    for (const port of [900, 10_000, 20]) noteDaemon(`http://127.0.0.1:${port}`, `${TOKENS}-${port}`);
    for (const name of ['admin-7.tokens', 'admin-', 'other-8', 'admin-9x'])
      writeFileSync(join(notesOf(), name), NOTE);
    expect(notedDaemons().map(({ url }) => new URL(url).port)).toEqual(['20', '900', '10000']);
  });
});
