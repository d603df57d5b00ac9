import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/app/adapters/system-clock.ts';
import { type Config, loadConfig } from '../../../src/app/config/load.ts';
import { openJournal } from '../../../src/app/journal/open-journal.ts';
import { holdAccount } from '../../../src/app/prove/hold-account.ts';
import { lastProof, proofBeside } from '../../../src/app/prove/proof-file.ts';
import type { ProveReport } from '../../../src/app/prove/prove.ts';
import { SUBJECT_KEY } from '../../contract/venue-subject.ts';
import { temporaryFolder } from '../../support/exchange.ts';
import { exchangeOverSockets, type ExchangeOverSockets } from '../../support/exchange-over-sockets.ts';
import { commanded } from '../../support/run-command.ts';

let rig: ExchangeOverSockets;
let folder: ReturnType<typeof temporaryFolder>;
beforeEach(async () => {
  rig = await exchangeOverSockets();
  folder = temporaryFolder();
  vi.stubEnv('TOUCHLINE_API_KEY', SUBJECT_KEY);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rig.stop();
  folder.remove();
});

const journal = (): string => join(folder.path, 'touchline.journal');

const prove = (...args: readonly string[]) =>
  commanded(
    'prove',
    ...args,
    ...[
      `exchange.restUrl=${rig.simulator.rest}`,
      `exchange.streamUrl=${rig.simulator.stream}`,
      `journal.path=${journal()}`,
    ].flatMap((each) => ['--set', each]),
  );

describe('touchline prove', () => {
  it('prints the page or JSON, writes the page to a file, and keeps the proof beside the journal', async () => {
    const out = join(folder.path, 'page.md');
    const [, stdout] = await prove('--json', '--out', out);
    const report = JSON.parse(stdout) as ProveReport;
    expect(report).toMatchObject({ convention: 'lay', stakeMicros: 1_000_000, matchedMicros: 0 });
    expect(readFileSync(out, 'utf8')).toMatch(/^# What the exchange does, [\s\S]*## counts: /);
    const { atMs, convention, visible } = report;
    expect(lastProof(proofBeside(journal()))).toMatchObject({ atMs, convention, visible });
    expect(rig.core.inspect().accounts[0]).toMatchObject({ openBetslips: 0, heartbeats: [] });
  });

  it('looks on paper beside a daemon, and places nothing', async () => {
    const held = openJournal(journal(), systemClock);
    try {
      const [code, stdout] = await prove('--json', '--config', LIVE_LIMITS, '--set', 'mode=paper');
      const report = JSON.parse(stdout) as ProveReport;
      // One market has too few votes for a verdict.
      expect([code, report.observesOnly, report.convention]).toEqual([1, true, null]);
      expect(report.facts.find(({ name }) => name === 'counts')?.verdict).toBe('as documented');
    } finally {
      held.release();
    }
    const { orders, accounts } = rig.core.inspect();
    expect([orders, accounts[0]?.openBetslips, accounts[0]?.heartbeats]).toEqual([[], 0, []]);
  });

  it('is refused beside a daemon, and places nothing', async () => {
    const held = openJournal(journal(), systemClock);
    try {
      expect(await prove()).toEqual([69, '']);
    } finally {
      held.release();
    }
    expect(rig.core.inspect().orders).toEqual([]);
  });

  it('is refused when the smallest stake is above the configured limit', async () => {
    const [code] = await prove('--set', 'orders.minStakeUsdt=501', '--set', 'risk.order.maxStakeUsdt=500');
    expect([code, rig.core.inspect().orders]).toEqual([2, []]);
  });

  it('needs --live for real money', async () => {
    const stderr = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    const [code] = await prove('--config', LIVE_LIMITS, '--set', 'mode=live');
    const told = stderr.mock.calls.map(([text]) => String(text)).join('');
    stderr.mockRestore();
    expect([code, told]).toEqual([78, expect.stringMatching(/say --live to place these orders/)]);
    expect(rig.core.inspect().orders).toEqual([]);
  });
});

describe('an account whose journal is in memory', () => {
  const hold = (port: number) =>
    holdAccount(configOf({ 'journal.path': '', 'admin.port': String(port) }), systemClock);

  it('is held while no daemon answers at its address', async () => {
    await expect(hold(1)).resolves.toBeTypeOf('function');
  });

  it('is refused while one answers, whatever it says', async () => {
    const server = createServer((_, answer) => answer.writeHead(401).end('{}')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      await expect(hold((server.address() as AddressInfo).port)).rejects.toMatchObject({ code: 'locked' });
    } finally {
      server.close();
    }
  });
});

const LIVE_LIMITS = fileURLToPath(new URL('../../../config/live.example.toml', import.meta.url));

const configOf = (settings: Record<string, string>): Config =>
  loadConfig({ files: [], environment: {}, settings }).values;
