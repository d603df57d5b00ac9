import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { BEGUN_IN_MODE } from '../../src/app/journal/journal-mode.ts';
import { EXIT } from '../../src/app/run/exit-codes.ts';
import { renderStatus } from '../../src/cli/output/live/status-view.ts';
import { type Mode, MODE_NAMES, MODES } from '../../src/domain/mode.ts';
import type { JournalEntry } from '../../src/ports/journal.ts';
import { openSqliteJournal } from '../../src/storage/sqlite-journal.ts';
import { temporaryFolder } from '../support/exchange.ts';
import { commandLine, type Invoked } from '../support/invoked.ts';
import { aStatus } from '../support/status.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const touchline = commandLine();

const EXAMPLE = fileURLToPath(new URL('../../config/live.example.toml', import.meta.url));
/** No server listens there, so a run with an accepted configuration and journal ends there. */
const NOWHERE = { 'exchange.restUrl': 'http://127.0.0.1:9/v2/', 'exchange.streamUrl': 'ws://127.0.0.1:9/s' };
const HERE = { 'exchange.apiKeyFile': '', 'ops.port': '0', 'admin.port': '0', 'ops.killFile': '' };

let journals = 0;

/** A journal that holds `entries`, or none yet. */
function journalOf(...entries: readonly JournalEntry[]): string {
  const path = join(folder.path, `${++journals}.sqlite`);
  if (entries.length === 0) return path;
  const journal = openSqliteJournal(path, systemClock);
  journal.append(entries);
  journal.close();
  return path;
}

const flags = (settings: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${value}`]);

interface Differences {
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether every limit is set. */
  readonly limits?: boolean;
  /** Whether the switch for real money is given. By default as the mode requires. */
  readonly live?: boolean;
  readonly key?: string | undefined;
}

/** A run with everything that the mode requires, except for the differences. */
function run(mode: Mode, differences: Differences = {}): Promise<Invoked> {
  const { settings = {}, limits = true, live = MODES[mode].explicitSwitch !== null } = differences;
  const key = 'key' in differences ? differences.key : 'k';
  return touchline(
    [
      'run',
      ...(live ? ['--live'] : []),
      ...(limits ? ['--config', EXAMPLE] : []),
      ...flags({ mode, ...NOWHERE, ...HERE, 'journal.path': journalOf(), ...settings }),
    ],
    key,
  );
}

/** Expects a run to be accepted, or to be refused as a bad configuration with this message. */
function expectTaken({ code, stderr }: Invoked, isTaken: boolean, refusal: string): void {
  if (isTaken) expect([code, stderr]).toEqual([EXIT.unavailable, expect.stringContaining('cannot reach')]);
  else expect([code, stderr]).toEqual([EXIT.config, expect.stringContaining(refusal)]);
}

it('is one of the words that the configuration accepts', async () => {
  for (const mode of MODE_NAMES)
    expect((await touchline(['config', 'show', ...flags({ mode }), '--config', EXAMPLE])).stdout).toContain(
      `"mode": "${mode}"`,
    );
  const { code, stderr } = await touchline(['config', 'show', ...flags({ mode: 'other' })]);
  expect([code, stderr]).toEqual([EXIT.config, expect.stringContaining('"other"')]);
  for (const mode of MODE_NAMES) expect(stderr).toContain(mode);
});

describe.each(MODE_NAMES)('a run in %s mode', (mode) => {
  const { real, journal, explicitSwitch, limitsAreMandatory, banner, actsOnExchange } = MODES[mode];

  it('requires the switch as the table says', async () => {
    expectTaken(await run(mode, { live: true }), explicitSwitch !== null, '--live needs a configuration');
    const silent = await run(mode, { live: false });
    expectTaken(silent, explicitSwitch === null, `with ${explicitSwitch}`);
  });

  it('requires a durable journal as the table says', async () => {
    const inMemory = await run(mode, { settings: { 'journal.path': '' } });
    expectTaken(inMemory, journal.mayBeInMemory, `journal.path is mandatory in ${mode} mode`);
  });

  it('accepts a journal that names no mode as the table says', async () => {
    const path = journalOf({ kind: 'run_started', uuid: null, data: { run: '1' } });
    const unnamed = await run(mode, { settings: { 'journal.path': path } });
    expectTaken(unnamed, journal.mayBeUnnamed, 'does not say with which mode it was begun');
  });

  it.each(MODE_NAMES)('accepts a journal begun in %s mode only if that is its own mode', async (begun) => {
    const path = journalOf({ kind: BEGUN_IN_MODE, uuid: null, data: { mode: begun } });
    const claimed = await run(mode, { settings: { 'journal.path': path } });
    expectTaken(claimed, begun === mode, `was begun with mode = "${begun}"`);
  });

  it('requires every limit of money as the table says', async () => {
    expectTaken(
      await run(mode, { limits: false }),
      !limitsAreMandatory,
      'risk.order.maxStakeUsdt: is missing',
    );
  });

  it('uses an exchange on another machine only if that exchange is real', async () => {
    const settings = {
      'exchange.restUrl': 'https://exchange.example/v2/',
      'exchange.streamUrl': 'wss://exchange.example/s',
    };
    const { code, stderr } = await run(mode, { settings, key: undefined });
    const said = real.exchange ? 'no API key' : 'not on this machine';
    expect([code, stderr]).toEqual([EXIT.config, expect.stringContaining(said)]);
  });

  it('uses the embedded exchange only if its exchange is not real', async () => {
    const settings = flags({ mode, ...HERE, 'journal.path': '', 'log.level': 'silent' });
    const startedMs = performance.now();
    const { code, stderr } = await touchline(['start', '--config', EXAMPLE, ...settings, '--for', '300ms']);
    // A start on paper goes to the configured exchange.
    const why = actsOnExchange ? 'not for the embedded exchange' : 'journal.path is mandatory in paper mode';
    const refused = [EXIT.config, expect.stringContaining(why)];
    expect([code, stderr]).toEqual(real.exchange ? refused : [EXIT.ok, '']);
    if (real.clock && !real.exchange) expect(performance.now() - startedMs).toBeGreaterThan(300);
  });

  it('shows its own banner and no other', async () => {
    const [first] = (await run(mode)).stdout.split('\n') as [string];
    expect(JSON.parse(first)).toMatchObject({ mode, msg: `TOUCHLINE ${banner}` });
    const [view] = renderStatus(aStatus({ mode }), [], { columns: 120, rows: 40 }) as [string];
    for (const other of MODE_NAMES) expect(view.includes(` ${MODES[other].banner} `)).toBe(other === mode);
  });

  it('mentions real money exactly where real money is at stake', () => {
    expect(/real money/i.test(banner)).toBe(real.money);
  });
});
