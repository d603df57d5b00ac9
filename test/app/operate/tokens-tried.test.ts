import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noteDaemon } from '../../../src/app/admin/rendezvous.ts';
import { randomTokens, tokenFile, writeTokens } from '../../../src/app/admin/tokens.ts';
import { type Config, loadConfig } from '../../../src/app/config/load.ts';
import type { Operation } from '../../../src/app/operate/daemon.ts';
import { riskReport } from '../../../src/app/operate/operate.ts';
import { startAdminServer } from '../../../src/ops/admin-server.ts';
import type { Listener } from '../../../src/ops/listener.ts';
import { ACCESS, controlsWith, IDLE, TOKENS } from '../../support/admin-serving.ts';
import { temporaryFolder } from '../../support/exchange.ts';

const temporary = temporaryFolder();
afterAll(() => temporary.remove());

const amounts = { worstCaseUsdt: 0, grossUsdt: 0 };
const RISK = {
  killed: null,
  openOrders: null,
  latchedIn: null,
  remaining: [],
  alarms: [],
  refusals: {},
  blocked: {},
  exposure: { account: { ...amounts, openUsdt: 0 }, scopes: [], events: [] },
};

let server: Listener;
let count = 0;
beforeEach(async () => {
  vi.stubEnv('XDG_RUNTIME_DIR', join(temporary.path, String(count++)));
  mkdirSync(process.env['XDG_RUNTIME_DIR'] ?? '');
  const sources = { ...IDLE, controls: controlsWith({ risk: () => RISK }) };
  server = await startAdminServer({ host: '127.0.0.1', port: 0 }, sources, ACCESS);
});
afterEach(async () => {
  await server.close();
  vi.unstubAllEnvs();
});

/** Where tokens are found: nowhere, in a folder without any, in one of another daemon, or in the daemon’s own. */
const PLACES = ['none', 'empty', 'wrong', 'right'] as const;
type Place = (typeof PLACES)[number];

function folderOf(place: Place): string | null {
  if (place === 'none') return null;
  const folder = join(temporary.path, `${place}-${count}`);
  mkdirSync(folder, { recursive: true });
  if (place !== 'empty') writeTokens(folder, place === 'right' ? TOKENS : randomTokens());
  return folder;
}

const configOf = (tokens: string | null): Config =>
  loadConfig({ files: [], environment: {}, settings: tokens === null ? {} : { 'admin.tokens': tokens } })
    .values;

/** What a command gets, and how often it read the configuration. */
async function asked(noted: Place, configured: Place, given: Partial<Operation> = {}) {
  const note = folderOf(noted);
  if (note !== null) noteDaemon(server.url, note);
  const folder = folderOf(configured);
  let reads = 0;
  const config = (): Config => (reads++, configOf(folder));
  const answer = await riskReport({ url: server.url, config, ...given }).then(
    () => 'answered',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  return { answer, reads };
}

const CASES = PLACES.flatMap((noted) => PLACES.map((configured) => [noted, configured] as const));

describe('the tokens that a command tries', () => {
  it.each(CASES)(
    'are that of the note (%s), then that of the configuration (%s)',
    async (noted, configured) => {
      const { answer, reads } = await asked(noted, configured);
      const both = [noted, configured];
      if (both.includes('right')) expect(answer).toBe('answered');
      else if (both.includes('wrong')) expect(answer).toContain('the daemon does not accept the token');
      else expect(answer).toContain('no token for the daemon was found');
      // A mistake in the configuration must not prevent a kill.
      expect(reads).toBe(noted === 'right' ? 0 : 1);
    },
  );

  it.each(CASES)(
    'are that of a file alone, if one is named (the note is %s, the file is %s)',
    async (noted, named) => {
      const folder = folderOf(named) ?? join(temporary.path, 'nowhere');
      const { answer, reads } = await asked(noted, 'right', { tokenFile: tokenFile(folder, 'control') });
      if (named === 'right') expect(answer).toBe('answered');
      else if (named === 'wrong') expect(answer).toContain('the daemon does not accept the token');
      else expect(answer).toMatch(/^--token-file .*control\.token: cannot be read$/);
      expect(reads).toBe(0);
    },
  );

  it.each([
    ['127.0.0.1', true],
    ['localhost', true],
    // By such an address another machine could answer at the same port: it must not get a token of this one.
    ['0.0.0.0', false],
  ])('are taken from the note for the host %s: %s', async (host, isLocal) => {
    const url = new URL(server.url);
    const at = `http://${host}:${url.port}`;
    const { answer } = await asked('right', 'none', { url: at });
    if (isLocal) expect(answer).toBe('answered');
    else expect(answer).toContain('no token for the daemon was found');
  });
});
