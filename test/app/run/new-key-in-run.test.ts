import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/app/adapters/system-clock.ts';
import { loadConfig } from '../../../src/app/config/load.ts';
import { runOnExchange } from '../../../src/app/run/run-service.ts';
import type { RunConsole } from '../../../src/app/run/run-signals.ts';
import { openSimulator } from '../../../src/app/simulated/simulation.ts';
import { toMicros } from '../../../src/domain/money.ts';
import { createLogger } from '../../../src/ops/logger.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import { temporaryFolder } from '../../support/exchange.ts';

const KEYS = ['first-key-canary', 'second-key-canary', 'third-key-canary'] as const;
const [FIRST, SECOND, THIRD] = KEYS;

const folder = temporaryFolder();
afterEach(() => {
  vi.restoreAllMocks();
  folder.remove();
});

const LISTENED = ['SIGHUP', 'SIGTERM'] as const;

/** Sends signals to what has begun to listen since this call, and to nobody else. */
function signalsToNewListeners(): (name: (typeof LISTENED)[number]) => void {
  const before = new Set<unknown>(LISTENED.flatMap((name) => process.listeners(name)));
  return (name) => {
    for (const listener of process.listeners(name)) if (!before.has(listener)) listener(name);
  };
}

/** An exchange over sockets that notes which keys its clients have used. */
async function exchangeThatNotes() {
  const simulator = await openSimulator({
    feed: { kind: 'model' },
    feedFromMs: null,
    speed: 1,
    seed: 1,
    port: 0,
    accounts: [{ accountId: 'a', keys: KEYS, balanceMicros: toMicros(10_000) }],
    clock: systemClock,
    logger: silentLogger,
  });
  const { host } = simulator;
  const used = { requests: [] as unknown[], streams: [] as string[] };
  const [submit, open] = [host.submit.bind(host), host.open.bind(host)];
  vi.spyOn(host, 'submit').mockImplementation((request, deliver) => {
    used.requests.push(request.apiKey);
    submit(request, deliver);
  });
  vi.spyOn(host, 'open').mockImplementation((query) => {
    used.streams.push(JSON.stringify(query));
    return open(query);
  });
  return { simulator, used };
}

/** A run of a daemon in this process, and the lines of its log. */
function runOf(settings: Readonly<Record<string, string>>) {
  const lines: string[] = [];
  const loaded = loadConfig({ files: [], environment: {}, settings });
  const console: RunConsole = {
    logger: createLogger('info', { write: (line: string) => void lines.push(line) }),
    isTerminal: false,
    outputLost: new Promise(() => undefined),
    setLogLevel: () => undefined,
    bindLog: () => undefined,
    banner: () => undefined,
    show: () => undefined,
    command: () => undefined,
    dashboard: () => undefined,
    finish: () => undefined,
    failed: () => undefined,
    logTail: () => [],
    findInLog: () => [],
    logLines: { debug: 0, info: 0, warn: 0, error: 0, fatal: 0, dropped: 0 },
  };
  const ended = runOnExchange({
    loaded,
    readAgain: () => loaded,
    resets: false,
    live: false,
    durationMs: null,
    takesOver: false,
    acceptsAccount: false,
    shows: null,
    console,
  });
  const said = (text: string): number => lines.filter((line) => line.includes(`"msg":"${text}"`)).length;
  return { lines, ended, said };
}

it('a new key reaches requests, stream and watchdog of a running daemon, each time it changes', async () => {
  const posted = vi.spyOn(Worker.prototype, 'postMessage');
  const { simulator, used } = await exchangeThatNotes();
  const keyFile = folder.file('api-key', FIRST);
  const signal = signalsToNewListeners();
  const { lines, ended, said } = runOf({
    'exchange.restUrl': simulator.rest,
    'exchange.streamUrl': simulator.stream,
    'exchange.apiKeyFile': keyFile,
    'journal.path': join(folder.path, 'journal.sqlite'),
    'ops.port': '0',
    'admin.port': '0',
  });
  try {
    // An open order and its heartbeat prove that another key opens the same account.
    await expect.poll(() => said('order live')).toBeGreaterThan(0);
    expect(new Set(used.requests)).toEqual(new Set([FIRST]));
    for (const [change, key] of [SECOND, THIRD].entries()) {
      const streams = used.streams.length;
      writeFileSync(keyFile, key);
      signal('SIGHUP');
      await expect.poll(() => said('the API key was changed')).toBe(change + 1);
      expect(posted.mock.lastCall).toEqual([{ apiKey: key }]);
      await expect.poll(() => said('stream synced')).toBe(change + 2);
      expect(used.streams.slice(streams)).toEqual([expect.stringContaining(key)]);
      const requests = used.requests.length;
      await expect.poll(() => used.requests.length).toBeGreaterThan(requests);
      expect(new Set(used.requests.slice(requests))).toEqual(new Set([key]));
    }
  } finally {
    const asked = used.requests.length;
    signal('SIGTERM');
    expect(await ended).toBe(0);
    // The end of the run closes what is open with the key in force.
    expect(new Set(used.requests.slice(asked)).size).toBe(1);
    expect(used.requests.at(-1)).toBe(THIRD);
    await simulator.close();
  }
  expect(lines.join('')).not.toContain('canary');
});
