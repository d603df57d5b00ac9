import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../../src/app/config/load.ts';
import { validateConfig } from '../../src/app/config/validate.ts';
import { draftOf, questionsFor, writeDraft } from '../../src/app/first-steps/draft-config.ts';
import { commanded } from '../support/run-command.ts';

const top = mkdtempSync(join(tmpdir(), 'touchline-init-'));
afterAll(() => rmSync(top, { recursive: true }));

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(top, 'x-'))));

const SUGGESTED = {
  restUrl: 'https://exchange.example/v2/',
  streamUrl: 'wss://exchange.example/v2/stream',
  apiKeyFile: '/here/api-key',
  sports: 'fb',
  stakeUsdt: '5',
  dayLossUsdt: '25',
  journal: '/here/journal.sqlite',
};

const loaded = (...files: string[]) => validateConfig(loadConfig({ files, environment: {}, settings: {} }));

describe('touchline init', () => {
  it('writes a configuration that rehearses alone, and is live with its second file', async () => {
    const [code, stdout] = await commanded('init', '--yes', folder);
    const [common, live] = [join(folder, 'touchline.toml'), join(folder, 'live.toml')];
    expect([code, stdout]).toEqual([0, expect.stringContaining(`touchline start --config ${common}`)]);
    expect((await loaded(common)).config).toMatchObject({ mode: 'simulated', exchange: { restUrl: '' } });
    const { config, limits } = await loaded(common, live);
    expect(config).toMatchObject({
      mode: 'live',
      exchange: { restUrl: SUGGESTED.restUrl, apiKeyFile: join(folder, 'api-key') },
    });
    expect([limits.loss.dayUsdt, limits.worstCase.accountUsdt, limits.order.maxStakeUsdt]).toEqual([
      25, 25, 10,
    ]);
  });

  it('names the steps that the page of the first order describes, in its words', async () => {
    const [, stdout] = await commanded('init', '--yes', folder);
    const page = readFileSync(new URL('../../docs/first-order.md', import.meta.url), 'utf8');
    expect(page).toContain(`\`\`\`text\n${stdout.replaceAll(folder, '/home/you')}\`\`\`\n`);
    const shown = ['start', 'doctor', 'prove --live', 'smoke --max-loss 2 --live', 'run --live'];
    expect(Array.from(stdout.matchAll(/touchline (.+?) --config/g), ([, command]) => command)).toEqual(shown);
  });

  it('writes a configuration for paper, with a journal of its own', async () => {
    const [code, stdout] = await commanded('init', '--paper', '--yes', folder);
    const [common, paper] = [join(folder, 'touchline.toml'), join(folder, 'paper.toml')];
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(`touchline start --config ${common} --config ${paper}`),
    ]);
    expect(readdirSync(folder).sort()).toEqual(['paper', 'paper.toml', 'touchline.toml']);
    const { config } = await loaded(common, paper);
    expect(config).toMatchObject({
      mode: 'paper',
      exchange: { restUrl: SUGGESTED.restUrl },
      journal: { path: join(folder, 'paper', 'journal.sqlite') },
      ops: { port: 9474 },
      admin: { port: 9475 },
    });
    expect(stdout).not.toMatch(/--live|prove|smoke/);
    const page = readFileSync(new URL('../../docs/going-live.md', import.meta.url), 'utf8');
    expect(page).toContain(`\`\`\`text\n${stdout.replaceAll(folder, '/home/you')}\`\`\`\n`);
  });

  it('overwrites nothing', async () => {
    writeFileSync(join(folder, 'live.toml'), 'mine');
    expect((await commanded('init', '--yes', folder))[0]).toBe(2);
    expect(readdirSync(folder)).toEqual(['live.toml']);
    expect(readFileSync(join(folder, 'live.toml'), 'utf8')).toBe('mine');
  });

  it.each([
    ['live.toml', 2, 'live.toml exists'],
    ['touchline.toml', 78, 'touchline.toml:1:1: not valid TOML'],
  ])('says so before it asks anything: %s', async (name, exitCode, said) => {
    writeFileSync(join(folder, name), 'mine');
    const spy = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const [code] = await commanded('init', folder);
    expect([code, spy.mock.calls.join('')]).toEqual([exitCode, expect.stringContaining(said)]);
    spy.mockRestore();
  });

  it.each([
    [['--paper'], [], 'live'],
    [[], ['--paper'], 'paper'],
  ] as const)(
    'after init %j, writes the second file of init %j beside the same common one',
    async (first, then, mode) => {
      await commanded('init', ...first, '--yes', folder);
      const common = join(folder, 'touchline.toml');
      const mine = readFileSync(common, 'utf8').replaceAll('25', '30');
      writeFileSync(common, mine);
      const [code, stdout] = await commanded('init', ...then, '--yes', folder);
      const second = join(folder, `${mode}.toml`);
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(`^wrote ${second}, beside ${common} as it is; next:`),
      ]);
      expect(readFileSync(common, 'utf8')).toBe(mine);
      expect((await loaded(common, second)).config.mode).toBe(mode);
    },
  );

  it('names only files that it can write in the head of the common one', async () => {
    await commanded('init', '--paper', '--yes', folder);
    const head = readFileSync(join(folder, 'touchline.toml'), 'utf8').split('\n\n', 1)[0] ?? '';
    expect(head).toContain(
      '"touchline init --paper" writes paper.toml beside this file, "touchline init" live.toml',
    );
  });

  it.each(['/proc/nowhere/deep', '/no/such/parent/folder'])(
    'refuses a folder that it cannot make: %s',
    async (where) => {
      const spy = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
      const [code] = await commanded('init', '--yes', where);
      expect([code, spy.mock.calls.join('')]).toEqual([
        2,
        expect.stringContaining(`cannot write into ${where}`),
      ]);
      spy.mockRestore();
    },
  );

  it('asks only on a terminal', async () => {
    const [code] = await commanded('init', folder);
    expect([code, readdirSync(folder)]).toEqual([2, []]);
  });

  it('has a question for each answer', () => {
    expect(Object.fromEntries(questionsFor('/here').map(({ key, fallback }) => [key, fallback]))).toEqual(
      SUGGESTED,
    );
  });
});

describe('the draft of a configuration', () => {
  it.each([
    [{ stakeUsdt: 'two' }, /what one quote may lose, USDT.*: "two" is not a number above zero/],
    [{ dayLossUsdt: '0' }, /loss of a day.*: "0" is not a number above zero/],
    [{ stakeUsdt: '30' }, /loss of a day.*: "25" is below what one quote may lose \(30\)/],
    [{ sports: 'fb,zz' }, /sports to quote.*"zz" is not known; known are fb/],
    [
      { restUrl: 'not a url' },
      /REST address.*: "not a url" is no address that begins with http:\/\/ or https:\/\//,
    ],
    [{ streamUrl: 'ftp://x' }, /its stream: "ftp:\/\/x" is no address/],
  ])('is refused for %j', (answers, message) => {
    expect(() => draftOf({ ...SUGGESTED, ...answers })).toThrow(message);
  });

  it('has valid limits for any amounts, and keeps any text', async () => {
    const amounts = fc.tuple(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 0, max: 500 }));
    await fc.assert(
      fc.asyncProperty(
        amounts,
        fc.string({ unit: 'grapheme', minLength: 1 }),
        async ([stake, more], text) => {
          const at = mkdtempSync(join(top, 'p-'));
          const answers = { stakeUsdt: `${stake}`, dayLossUsdt: `${stake + more}`, apiKeyFile: `/${text}` };
          const files = writeDraft(at, draftOf({ ...SUGGESTED, ...answers }));
          const { config } = await loaded(files.common, files.second);
          expect(config.exchange.apiKeyFile).toBe(`/${text}`);
        },
      ),
      { numRuns: 30 },
    );
  });
});
