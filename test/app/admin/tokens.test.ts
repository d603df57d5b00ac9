import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { leaveTokens, noteDaemon, notedDaemons, notedTokens } from '../../../src/app/admin/rendezvous.ts';
import { sessionFile } from '../../../src/app/admin/session-file.ts';
import {
  checkTokens,
  openTokens,
  randomTokens,
  strongestToken,
  tokenFile,
} from '../../../src/app/admin/tokens.ts';
import { temporaryFolder } from '../../support/exchange.ts';

const temporary = temporaryFolder();
afterAll(() => temporary.remove());

let count = 0;
const newFolder = (): string => join(temporary.path, `tokens-${count++}`);
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('tokens', () => {
  it('are made at the first start, for their owner alone, and stay', () => {
    const folder = newFolder();
    const made = openTokens(folder, temporary.path);
    expect(new Set(Object.values(made)).size).toBe(3);
    expect(modeOf(folder)).toBe('700');
    for (const scope of ['read', 'reduce', 'control'] as const) {
      expect(modeOf(tokenFile(folder, scope))).toBe('600');
      expect(readFileSync(tokenFile(folder, scope), 'utf8')).toBe(`${made[scope]}\n`);
      expect(made[scope]).toHaveLength(32);
    }
    expect(openTokens(folder, temporary.path)).toEqual(made);
  });

  it('are made whatever the umask', () => {
    const before = process.umask(0o777);
    try {
      const folder = newFolder();
      mkdirSync(folder, { mode: 0o700 });
      chmodSync(folder, 0o700);
      openTokens(folder, temporary.path);
      expect(modeOf(tokenFile(folder, 'control'))).toBe('600');
    } finally {
      process.umask(before);
    }
  });

  it('are replaced one by one, so that a token can be withdrawn', () => {
    const folder = newFolder();
    const made = openTokens(folder, temporary.path);
    rmSync(tokenFile(folder, 'reduce'));
    const next = openTokens(folder, temporary.path);
    expect([next.read, next.control]).toEqual([made.read, made.control]);
    expect(next.reduce).not.toBe(made.reduce);
  });

  it('are refused when other users have access to them', () => {
    const folder = newFolder();
    openTokens(folder, temporary.path);
    chmodSync(tokenFile(folder, 'read'), 0o640);
    expect(() => openTokens(folder, temporary.path)).toThrow(/read\.token: other users .* chmod 600/);
  });

  it.each([0o770, 0o777])('are refused when other users can write their folder (%o)', (mode) => {
    const folder = newFolder();
    openTokens(folder, temporary.path);
    chmodSync(folder, mode);
    expect(() => openTokens(folder, temporary.path)).toThrow(
      `${folder}: other users can write the folder of the tokens: run chmod go-w on ${folder}`,
    );
  });

  it('are refused when they are short', () => {
    const folder = newFolder();
    openTokens(folder, temporary.path);
    writeFileSync(tokenFile(folder, 'control'), 'guess\n');
    expect(() => openTokens(folder, temporary.path)).toThrow(/control\.token is too short: remove it/);
  });

  it('are refused where they cannot be kept', () => {
    const file = temporary.file('a-file', '');
    expect(() => openTokens(join(file, 'x'), temporary.path)).toThrow(
      /^admin\.tokens: .*x cannot hold the tokens/,
    );
  });
});

describe('the file of sessions', () => {
  it('is refused when other users have access to it, and written for its owner alone', () => {
    const folder = newFolder();
    openTokens(folder, temporary.path);
    const path = join(folder, 'sessions.json');
    writeFileSync(`${path}.new`, '');
    chmodSync(`${path}.new`, 0o666);
    const file = sessionFile(folder);
    file.write('{}');
    expect(modeOf(path)).toBe('600');
    for (const mode of [0o640, 0o604, 0o620, 0o666]) {
      chmodSync(path, mode);
      expect(() => sessionFile(folder)).toThrow(/sessions\.json: other users have access .* chmod 600/);
    }
    chmodSync(path, 0o600);
    expect(sessionFile(folder).read()).toBe('{}');
  });
});

describe('the token that a command takes from a folder', () => {
  it('is the one that allows most, of those that it can read', () => {
    const folder = newFolder();
    const made = openTokens(folder, temporary.path);
    expect(strongestToken(folder)).toBe(made.control);
    rmSync(tokenFile(folder, 'control'));
    expect(strongestToken(folder)).toBe(made.reduce);
    expect(strongestToken(join(folder, 'none'))).toBeNull();
  });
});

const URL_9465 = 'http://127.0.0.1:9465';

describe('the note of a daemon’s tokens', () => {
  beforeEach(() => vi.stubEnv('XDG_RUNTIME_DIR', newFolder()));
  afterEach(() => vi.unstubAllEnvs());
  const notes = (): string =>
    join(process.env['XDG_RUNTIME_DIR'] as string, `touchline-${process.getuid?.()}`);

  it('names their folder until it is removed', () => {
    const remove = noteDaemon(URL_9465, '/var/lib/touchline/tokens');
    expect(notedTokens(9465)).toBe('/var/lib/touchline/tokens');
    expect(notedTokens(9466)).toBeNull();
    remove();
    expect(notedTokens(9465)).toBeNull();
  });

  it('replaces that of a daemon that was killed', () => {
    leaveTokens(URL_9465, randomTokens());
    const tokens = randomTokens();
    const remove = leaveTokens(URL_9465, tokens);
    const folder = notedTokens(9465) as string;
    expect(strongestToken(folder)).toBe(tokens.control);
    remove();
    expect(existsSync(folder)).toBe(false);
  });

  it('names the daemons that run, by their ports, and no other', () => {
    expect(notedDaemons()).toEqual([]);
    noteDaemon('https://127.0.0.1:10001', '/a/tokens');
    const remove = noteDaemon('http://[::1]:9466', '/b/tokens');
    expect(notedDaemons()).toEqual([
      { url: 'http://[::1]:9466', tokens: '/b/tokens' },
      { url: 'https://127.0.0.1:10001', tokens: '/a/tokens' },
    ]);
    remove();
    const ended = spawnSync(process.execPath, ['-e', '0']).pid;
    writeFileSync(join(notes(), 'admin-9467'), ['/c/tokens', 'http://127.0.0.1:9467', ended].join('\n'));
    writeFileSync(join(notes(), 'admin-9468'), '/d/tokens');
    writeFileSync(join(notes(), 'admin-9469'), '/d/tokens\nhttp://127.0.0.1:9469\n');
    expect(notedDaemons().map(({ tokens }) => tokens)).toEqual(['/a/tokens']);
    chmodSync(notes(), 0o755);
    expect(notedDaemons()).toEqual([]);
  });

  it('is not trusted, or left, where another user could write it', () => {
    mkdirSync(notes(), { recursive: true });
    chmodSync(notes(), 0o777);
    writeFileSync(join(notes(), 'admin-9465'), '/tmp/evil');
    expect(notedTokens(9465)).toBeNull();
    expect(() => noteDaemon(URL_9465, '/x')).toThrow('is not this user’s alone');
  });

  it('is not trusted behind a link', () => {
    const target = newFolder();
    mkdirSync(target, { mode: 0o700 });
    writeFileSync(join(target, 'admin-9465'), '/tmp/evil');
    mkdirSync(process.env['XDG_RUNTIME_DIR'] as string, { recursive: true });
    symlinkSync(target, notes());
    expect(notedTokens(9465)).toBeNull();
  });
});

describe.runIf(process.platform !== 'win32')('the check of tokens before a start', () => {
  const long = 'x'.repeat(32);

  it.each<[what: string, prepare: (folder: string) => void, fault: RegExp | null]>([
    ['a folder that is not there', (folder) => rmSync(folder, { recursive: true }), null],
    ['a folder without tokens', () => undefined, null],
    ['a folder with some of them', (folder) => own(folder, 'reduce', long), null],
    [
      'a folder that the group can write',
      (folder) => chmodSync(folder, 0o770),
      /write the folder of the tokens/,
    ],
    [
      'a folder that everybody can write',
      (folder) => chmodSync(folder, 0o707),
      /write the folder of the tokens/,
    ],
    ['a short token', (folder) => own(folder, 'control', 'x'.repeat(31)), /control\.token is too short/],
    ['a token of just enough', (folder) => own(folder, 'control', `${long}\n`), null],
    ['a token that others can read', (folder) => own(folder, 'read', long, 0o604), /access to this token/],
    [
      'a folder in the place of a token',
      (folder) => mkdirSync(tokenFile(folder, 'reduce')),
      /cannot be read/,
    ],
  ])('of %s says what a start would say, and makes nothing', (_, prepare, fault) => {
    const folder = newFolder();
    mkdirSync(folder, { mode: 0o700 });
    prepare(folder);
    const before = existsSync(folder) ? readdirSync(folder) : null;
    const said = (work: () => unknown): string => {
      try {
        work();
        return 'nothing';
      } catch (error) {
        return (error as Error).message;
      }
    };
    const checked = said(() => checkTokens(folder));
    expect(checked).toMatch(fault ?? /^nothing$/);
    expect(existsSync(folder) ? readdirSync(folder) : null).toEqual(before);
    expect(said(() => openTokens(folder, temporary.path))).toBe(checked);
  });

  /** Puts a token into its file. */
  function own(folder: string, scope: 'read' | 'reduce' | 'control', text: string, mode = 0o600): void {
    writeFileSync(tokenFile(folder, scope), text);
    chmodSync(tokenFile(folder, scope), mode);
  }
});
