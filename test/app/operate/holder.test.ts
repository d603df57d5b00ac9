import { symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { adminClient } from '../../../src/app/adapters/admin-client.ts';
import { systemClock } from '../../../src/app/adapters/system-clock.ts';
import { noteDaemon } from '../../../src/app/admin/rendezvous.ts';
import { loadConfig } from '../../../src/app/config/load.ts';
import { openForCommand, openJournal } from '../../../src/app/journal/open-journal.ts';
import { killInWords } from '../../../src/app/operate/kill-report.ts';
import { kill } from '../../../src/app/operate/kill.ts';
import { deposit } from '../../../src/app/operate/money.ts';
import {
  isDaemonThere,
  type Operation,
  pause,
  resume,
  riskReport,
  setState,
  statusReport,
  why,
} from '../../../src/app/operate/operate.ts';
import { settlePaper } from '../../../src/app/operate/settle-paper.ts';
import type { PaperResult } from '../../../src/app/paper/paper-results.ts';
import { eventId, sport } from '../../../src/domain/ids.ts';
import { SUBJECT_KEY } from '../../contract/venue-subject.ts';
import { temporaryFolder } from '../../support/exchange.ts';
import { exchangeOverSockets, ordersPlaced } from '../../support/exchange-over-sockets.ts';
import { withServer } from '../../support/other-program.ts';
import { patient } from '../../support/patience.ts';

const folder = temporaryFolder();
const held = openJournal(`${folder.path}/held.sqlite`, systemClock);
afterEach(() => vi.unstubAllEnvs());
afterAll(() => {
  held.release();
  folder.remove();
});

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9';

const operationOn = (settings: Readonly<Record<string, string>>): Operation => ({
  config: () => loadConfig({ files: [], environment: { TOUCHLINE_API_KEY: SUBJECT_KEY }, settings }).values,
  url: NOWHERE,
});
const onHeld = operationOn({ 'journal.path': `${folder.path}/held.sqlite` });
const MARKET = { amountUsdt: 5, note: '' };
const RESULT: PaperResult = { sport: sport('fb'), eventId: eventId('x'), told: { kind: 'void' } };

const COMMANDS: readonly (readonly [string, (operation: Operation) => Promise<unknown>])[] = [
  ['status', statusReport],
  ['risk', riskReport],
  ['why', (operation) => why(operation, null)],
  ['why of a selection', (operation) => why(operation, 'h')],
  ['risk state', (operation) => setState(operation, { state: 'halted', reason: 'drill' })],
  [
    'risk state of an event',
    (operation) => setState(operation, { state: 'halted', reason: 'x', event: 'e' }),
  ],
  ['pause', (operation) => pause(operation, 'drill')],
  ['resume', (operation) => resume(operation, 'drill')],
  ['deposit', (operation) => deposit(operation, MARKET)],
  ['paper settle', (operation) => settlePaper(operation, { ...RESULT, note: '' })],
  ['flatten', isDaemonThere],
];

const NAMED = new RegExp(
  `^process ${process.pid} on .* holds the journal ${folder.path}/held.sqlite, and no daemon answers at ${NOWHERE}: it may be starting, busy or hang, or have another address \\(--url\\)\\. touchline kill works without it$`,
);

describe('a process that holds the journal and does not answer', () => {
  it.each(COMMANDS)('is named by %s, which changes nothing', async (_name, ask) => {
    const before = held.journal.lastSeq();
    await expect(ask(onHeld)).rejects.toMatchObject({
      code: 'transport',
      message: expect.stringMatching(NAMED) as string,
    });
    expect(held.journal.lastSeq()).toBe(before);
  });

  it('is found by the note of its tokens, where no configuration names the journal', async () => {
    vi.stubEnv('XDG_RUNTIME_DIR', `${folder.path}/runtime`);
    const forget = noteDaemon('http://127.0.0.1:9', `${folder.path}/held.sqlite.tokens`);
    await expect(statusReport(operationOn({}))).rejects.toThrow(NAMED);
    const broken = () => Promise.reject(new Error('the file is being edited'));
    await expect(statusReport({ config: broken, url: NOWHERE })).rejects.toThrow('being edited');
    forget();
  });

  it('is found by the note also where the configuration cannot be read, if a file has the token', async () => {
    vi.stubEnv('XDG_RUNTIME_DIR', `${folder.path}/runtime`);
    const forget = noteDaemon(NOWHERE, `${folder.path}/held.sqlite.tokens`);
    const tokenFile = `${folder.path}/token`;
    writeFileSync(tokenFile, `${'a'.repeat(32)}\n`, { mode: 0o600 });
    const broken = () => Promise.reject(new Error('the file is being edited'));
    const operation = { config: broken, url: NOWHERE, tokenFile };
    await expect(statusReport(operation)).rejects.toThrow(NAMED);
    forget();
    await expect(statusReport(operation)).rejects.toThrow(/^no daemon answers at .*: start one/);
  });

  it('is found by a link to the journal, too, and by the note if the configuration names a journal that nobody holds', async () => {
    const link = `${folder.path}/link.sqlite`;
    symlinkSync(`${folder.path}/held.sqlite`, link);
    await expect(statusReport(operationOn({ 'journal.path': link }))).rejects.toThrow(
      new RegExp(`^process ${process.pid} on .* holds the journal ${link}, and no daemon answers`),
    );
    vi.stubEnv('XDG_RUNTIME_DIR', `${folder.path}/runtime`);
    const forget = noteDaemon('http://127.0.0.1:9', `${folder.path}/held.sqlite.tokens`);
    const other = operationOn({ 'journal.path': `${folder.path}/other.sqlite` });
    await expect(statusReport(other)).rejects.toThrow(NAMED);
    forget();
  });

  it('is none if the holder is a command, or if nobody holds it', async () => {
    const path = `${folder.path}/free.sqlite`;
    const free = operationOn({ 'journal.path': path });
    const command = openForCommand(path, systemClock);
    await expect(statusReport(free)).rejects.toThrow(/^no daemon answers at .*: start one/);
    command.release();
    await expect(statusReport(free)).rejects.toThrow(/^no daemon answers at .*: start one/);
    expect(await isDaemonThere(free)).toBe(false);
    expect(await resume(free, 'drill')).toMatchObject({ trading: true });
  });

  it('is killed without it, and named', async () => {
    const rig = await exchangeOverSockets();
    try {
      await ordersPlaced(rig.exchange, 2);
      vi.stubEnv('TOUCHLINE_API_KEY', SUBJECT_KEY);
      const report = await kill(
        operationOn({
          'journal.path': `${folder.path}/held.sqlite`,
          'exchange.restUrl': rig.simulator.rest,
          'exchange.streamUrl': rig.simulator.stream,
        }),
        'drill',
      );
      expect(report).toMatchObject({ by: 'command', openOrders: 0 });
      expect(killInWords(report)).toMatch(
        new RegExp(`; process ${process.pid} on .* holds the journal and may hang: see that it ends$`),
      );
    } finally {
      await rig.stop();
    }
  });
});

it('a connection that is open and silent is not called the absence of a daemon', async () => {
  const silent = createServer(() => undefined);
  await withServer(silent, async (url) => {
    const client = adminClient({
      url,
      timeoutMs: patient(20),
      async *tokens() {
        yield 'token';
      },
    });
    const question = { path: '/status', shape: (_: unknown): _ is unknown => true };
    await expect(client.get(question)).rejects.toThrow(
      `nothing answers at ${url} in time: a daemon there may be busy or hang`,
    );
  });
});

it('an answer that ends in its middle is no timeout', async () => {
  const cutting = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{', () => response.destroy());
  });
  await withServer(cutting, async (url) => {
    await expect(statusReport({ ...onHeld, url })).rejects.toThrow(/holds the journal/);
  });
});
