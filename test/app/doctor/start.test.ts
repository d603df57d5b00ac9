import {
  chmodSync,
  existsSync,
  mkdirSync,
  symlinkSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/app/adapters/system-clock.ts';
import { openTokens } from '../../../src/app/admin/tokens.ts';
import { type Config, loadConfig } from '../../../src/app/config/load.ts';
import {
  examineJournal,
  examineLock,
  examinePlaces,
  examinePorts,
  examineSecrets,
  examineSpace,
  type Finding,
} from '../../../src/app/doctor/doctor.ts';
import { reasonOf } from '../../../src/lib/reason.ts';
import { listen, PLAIN, shortRequestServer } from '../../../src/ops/listener.ts';
import { runningDaemon } from '../../../src/app/doctor/lock.ts';
import { holdForCommand, openJournal } from '../../../src/app/journal/open-journal.ts';
import { checkStart } from '../../../src/app/run/start-checks.ts';
import { collect } from '../../../src/venue/rest/pagers.ts';
import { temporaryFolder } from '../../support/exchange.ts';

const temporary = temporaryFolder();
afterAll(() => temporary.remove());

let count = 0;
let home = '';
let path = '';
beforeEach(() => {
  home = join(temporary.path, String(count++));
  mkdirSync(home, { mode: 0o700 });
  path = join(home, 'journal.sqlite');
});

const configOf = (settings: Readonly<Record<string, string>> = {}): Config =>
  loadConfig({ files: [], environment: {}, settings: { 'journal.path': path, ...settings } }).values;

/** What the doctor finds before it asks the exchange. */
async function examined(config = configOf()): Promise<readonly Finding[]> {
  const places = await collect(examinePlaces(config));
  return [
    ...places,
    await examineLock(config, await runningDaemon(config)),
    await examineSpace(config, systemClock),
  ];
}

const faultOf = (work: () => unknown): string => {
  try {
    work();
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
};

const onUnix = describe.runIf(process.platform !== 'win32');

describe('what the doctor says of a start', () => {
  it('is well for a new installation, and no file is made', async () => {
    const found = await examined();
    expect(found.map(({ check, ok }) => [check, ok])).toEqual([
      ['places', true],
      ['tokens', true],
      ['lock', true],
      ['space', true],
    ]);
    expect(readdirSync(home)).toEqual([]);
  });

  it('is to make the folder of the journal, in the words of a start', async () => {
    path = join(home, 'missing', 'journal.sqlite');
    const why = `journal.path = "${path}": make the folder ${join(home, 'missing')}: there is none`;
    const found = [...(await examined()), await examineJournal(configOf(), systemClock)];
    const faults = found.filter(({ ok }) => !ok);
    expect(faults.map(({ check }) => check)).toEqual(['lock', 'space', 'journal']);
    for (const fault of faults)
      expect(fault).toMatchObject({
        found: why,
        advice: expect.stringMatching(/^make the folder/) as string,
      });
    expect(faultOf(() => openJournal(path, systemClock))).toBe(why);
    expect(faultOf(() => holdForCommand(path, systemClock))).toBe(why);
    expect(readdirSync(home)).toEqual([]);
  });

  it('is well after a run that ended, and changes no text of its lock', async () => {
    openJournal(path, systemClock).release();
    openTokens(`${path}.tokens`, path);
    const before = [readdirSync(home).length, readFileSync(`${path}.lock.holder`, 'utf8')];
    expect((await examined()).filter(({ ok }) => !ok)).toEqual([]);
    const files = readdirSync(home).filter((name) => !/-(wal|shm)$/.test(name));
    expect([files.length, readFileSync(`${path}.lock.holder`, 'utf8')]).toEqual(before);
    openJournal(path, systemClock).release();
  });

  it('is well without a journal on disk', async () => {
    const found = await examined(configOf({ 'journal.path': '', 'admin.port': '1' }));
    expect(found.map(({ ok, found: text }) => [ok, text])).toEqual([
      [true, 'nobody else can change what a run keeps on disk'],
      [true, 'made for each run, since the journal is in memory'],
      [true, 'none: the journal is in memory'],
      [true, 'none needed: the journal is in memory'],
    ]);
  });

  it('names the daemon that holds the account, which is no fault', async () => {
    const held = openJournal(path, systemClock);
    const lock = (await examined()).find(({ check }) => check === 'lock');
    expect(lock).toMatchObject({ ok: true, error: null });
    expect(lock?.found).toMatch(
      new RegExp(`^held by the daemon, process ${process.pid} on .*: a second start would be refused$`),
    );
    held.release();
  });

  it('names the daemon that holds the account through a link to its journal', async () => {
    const held = openJournal(path, systemClock);
    const link = join(home, 'link.sqlite');
    symlinkSync(path, link);
    const config = configOf({ 'journal.path': link });
    expect(await runningDaemon(config)).toMatchObject({
      who: expect.stringMatching(`^the daemon, process ${process.pid} on `) as string,
    });
    held.release();
  });

  it('is a fault while a command holds the account, in the words of a start', async () => {
    const held = holdForCommand(path, systemClock);
    expect(await runningDaemon(configOf())).toBeNull();
    const lock = (await examined()).find(({ check }) => check === 'lock');
    expect(lock).toMatchObject({ ok: false, error: { code: 'locked' } });
    expect(lock?.found).toBe(faultOf(() => openJournal(path, systemClock)));
    held.release();
  });

  it('is a fault if the folder of the journal is a file, in the words of a start', async () => {
    path = join(writeAt('file', ''), 'journal.sqlite');
    const lock = (await examined()).find(({ check }) => check === 'lock');
    expect(lock?.found).toMatch(/^journal\.path = ".*": cannot open the lock: /);
    expect(lock?.found.split(': ').slice(0, 2)).toEqual(
      faultOf(() => openJournal(path, systemClock))
        .split(': ')
        .slice(0, 2),
    );
  });

  it('is a fault if the lock is no lock', async () => {
    openJournal(path, systemClock).release();
    writeFileSync(`${path}.lock`, 'x'.repeat(5_000));
    const lock = (await examined()).find(({ check }) => check === 'lock');
    expect([lock?.ok, lock?.found]).toEqual([false, faultOf(() => openJournal(path, systemClock))]);
  });

  it('is a fault if a certificate cannot be read', async () => {
    const config = configOf({
      'admin.certFile': join(home, 'none.pem'),
      'admin.keyFile': join(home, 'none.key'),
    });
    const tokens = (await examined(config)).find(({ check }) => check === 'tokens');
    expect([tokens?.ok, tokens?.found]).toEqual([false, faultOf(() => checkStart(config))]);
    expect(tokens?.found).toContain('admin.certFile');
  });
});

describe('the ports of a start', () => {
  it('are free, and free again after the examination', async () => {
    const config = configOf({ 'admin.port': '0', 'ops.port': '0' });
    expect(await examinePorts(config, null)).toMatchObject({
      ok: true,
      found: 'ops any port of 127.0.0.1, admin any port of 127.0.0.1: free',
    });
  });

  it.each(['admin.port', 'ops.port'])(
    'fail in the words of a start where another program has %s',
    async (key) => {
      const other = await listen(shortRequestServer(PLAIN), { host: '127.0.0.1', port: 0 }, 'x');
      const config = configOf({ 'admin.port': '0', 'ops.port': '0', [key]: String(other.port) });
      const start = await listen(
        shortRequestServer(PLAIN),
        { host: '127.0.0.1', port: other.port },
        key,
      ).catch(reasonOf);
      expect(await examinePorts(config, null)).toMatchObject({
        ok: false,
        found: start,
        error: { code: 'port_in_use' },
      });
      expect(await examinePorts(config, { who: 'the daemon' })).toMatchObject({
        ok: true,
        found: 'left to the daemon',
      });
      await other.close();
      expect(await examinePorts(config, null)).toMatchObject({ ok: true });
    },
  );
});

function writeAt(name: string, text: string): string {
  writeFileSync(join(home, name), text, { mode: 0o600 });
  return join(home, name);
}

onUnix('the files of secrets', () => {
  const secretsIn = (mode: number, key = 'exchange.apiKeyFile'): Finding | null => {
    const file = writeAt('secret', 'canary-1234');
    chmodSync(file, mode);
    return examineSecrets(configOf({ 'admin.certFile': key === 'admin.keyFile' ? file : '', [key]: file }));
  };

  it('are well if their owner alone can read them, or if there are none', () => {
    expect([secretsIn(0o600), examineSecrets(configOf())]).toEqual([null, null]);
  });

  it.each([
    [0o644, 'exchange.apiKeyFile'],
    [0o640, 'exchange.apiKeyFile'],
    [0o644, 'admin.keyFile'],
  ])('are a warning, and no fault, if others can read them: %o, %s', (mode, key) => {
    expect(secretsIn(mode, key)).toEqual({
      check: 'secrets',
      ok: true,
      error: null,
      found: `${home}/secret: other users have access to ${key}: run chmod 600 on it`,
      advice: expect.stringContaining('make a new key') as string,
    });
  });
});

onUnix('the tokens of a start', () => {
  const tokens = async (): Promise<Finding | undefined> =>
    (await examined()).find(({ check }) => check === 'tokens');

  it.each([
    ['a short token', () => writeFileSync(`${path}.tokens/control.token`, 'short'), 'is too short'],
    ['a token that others may read', () => chmodSync(`${path}.tokens/read.token`, 0o644), 'have access to'],
    ['a token that is a folder', () => mkdirSync(`${path}.tokens/reduce.token`), 'cannot be read'],
  ])('fail doctor and start alike with %s', async (what, arrange, fault) => {
    if (what.endsWith('folder')) mkdirSync(`${path}.tokens`, { mode: 0o700 });
    else openTokens(`${path}.tokens`, path);
    arrange();
    const found = await tokens();
    expect([found?.ok, found?.found]).toEqual([false, faultOf(() => checkStart(configOf()))]);
    expect(found?.found).toContain(fault);
    expect(faultOf(() => openTokens(`${path}.tokens`, path))).toBe(found?.found);
  });

  it('fail where their folder cannot be made', async () => {
    writeAt('journal.sqlite.tokens', '');
    const found = await tokens();
    expect(found).toMatchObject({ ok: false, error: { code: 'config' } });
    expect(found?.found).toMatch(/^admin\.tokens: .* cannot hold the tokens: /);
    expect(existsSync(join(home, 'journal.sqlite.lock'))).toBe(false);
  });

  it('fail with their folder open to others, as the places do', async () => {
    openTokens(`${path}.tokens`, path);
    chmodSync(`${path}.tokens`, 0o777);
    const failed = (await examined()).filter(({ ok }) => !ok);
    expect(failed.map(({ check }) => check)).toEqual(['places', 'tokens']);
  });
});
