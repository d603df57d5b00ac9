import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { diskFolder } from '../../src/app/record/disk-folder.ts';
import type { RecordKind } from '../../src/recording/format.ts';
import { RecordingReader } from '../../src/recording/reader.ts';
import { describeRecording, verifyRecording } from '../../src/recording/verify.ts';
import { launchExchange } from '../support/exchange.ts';
import { type Exit, type Run, touchline } from '../support/process.ts';

const root = mkdtempSync(join(tmpdir(), 'touchline-recordings-'));
afterAll(() => rmSync(root, { recursive: true }));

interface Replayed {
  readonly decisions: number;
  readonly differences: readonly { readonly worth: object | null }[];
  readonly remarks: readonly string[];
}

async function replayed(path: string, ...options: readonly string[]): Promise<Replayed> {
  const { code, stdout } = await touchline(['replay', path, '--json', ...options]).exit;
  expect(code).toBe(0);
  return JSON.parse(stdout) as Replayed;
}

async function texts(path: string, kind: RecordKind): Promise<readonly string[]> {
  const found: string[] = [];
  const reader = await RecordingReader.open(diskFolder(path));
  for await (const { payload } of reader.records({ kinds: [kind] }))
    found.push(Buffer.from(payload).toString('utf8'));
  return found;
}

describe('a recording', () => {
  /** Records a run on an exchange whose prices the daemon is told. Returns the folder. */
  async function recordedRun(prices: string, name = prices): Promise<string> {
    const path = join(root, name);
    const settings = [
      `record.path=${path}`,
      `simulator.againstPrices=${prices}`,
      `exchange.againstPrices=${prices}`,
    ];
    const set = settings.flatMap((each) => ['--set', each]);
    const exit = await touchline(['start', '--for', '15s', '--json', ...set]).exit;
    expect(exit).toMatchObject({ code: 0, signal: null });
    return path;
  }

  it.each(['odds', 'lay'])(
    'of a run on %s holds its wire, orders and turns, and each turn is decided alike again',
    async (prices) => {
      const path = await recordedRun(prices);
      const { damage, torn, incomplete, gaps, summary, manifest } = await verifyRecording(diskFolder(path));
      expect({ damage, torn, incomplete, gaps }).toEqual({
        damage: [],
        torn: null,
        incomplete: [],
        gaps: [],
      });
      expect(manifest.sessions).toMatchObject([{ source: 'run', mode: 'simulated' }]);
      for (const kind of ['connection', 'frame', 'sent', 'request', 'answer', 'order', 'turn'])
        expect(summary.kinds[kind], kind).toBeGreaterThan(0);
      for (const kind of ['connection', 'request', 'answer'] as const)
        expect((await texts(path, kind)).some((text) => text.includes('simulated-key'))).toBe(false);
      const same = await replayed(path);
      expect(same).toMatchObject({ session: 1, differing: 0, differences: [] });
      expect(same.remarks.join()).not.toMatch(/lacks|dropped/);
      expect(same.decisions).toBeGreaterThan(10);
    },
  );

  it('of a run at lay prices is worth something, and is worth otherwise with another parameter', async () => {
    const path = await recordedRun('lay', 'valued');
    const { summary } = await verifyRecording(diskFolder(path));
    const report = join(root, 'report');
    await replayed(path, '--out', report);
    const { real, result } = JSON.parse(readFileSync(join(report, 'backtest.json'), 'utf8')) as {
      readonly real: readonly object[];
      readonly result: { readonly engine: string; readonly scenarios: readonly object[] };
    };
    expect(result).toMatchObject({ engine: 'session', scenarios: [{}, {}, {}] });
    expect(real).toHaveLength(summary.kinds['fill'] ?? 0);
    const wider = await replayed(path, '--param', 'halfSpread=0.06');
    expect(wider.differences.length).toBeGreaterThan(0);
    expect(wider.differences[0]?.worth).toMatchObject({ touch: expect.any(Number) as number });
  });

  it('loses at most the last second of a killed process, and gets a further session', async () => {
    const path = join(root, 'killed');
    const exchange = await launchExchange();
    const settings = [`exchange.restUrl=${exchange.rest}`, `exchange.streamUrl=${exchange.stream}`];
    const record = (...more: readonly string[]): Run =>
      touchline(['record', path, ...settings.flatMap((each) => ['--set', each]), ...more], {
        TOUCHLINE_API_KEY: exchange.keys[0] ?? 'test-key',
      });
    const killed = record();
    const folder = diskFolder(path);
    const records = async (): Promise<number> =>
      (await describeRecording(folder).catch(() => null))?.summary.records ?? 0;
    await expect.poll(records).toBeGreaterThan(50);
    expect(await refusedBy(record('--for', '1s'))).toContain(
      'each recording process needs a folder of its own',
    );
    const killedMs = Date.now();
    killed.kill('SIGKILL');
    await killed.exit;
    const before = await describeRecording(folder);
    expect(before.damage).toEqual([]);
    expect(before.incomplete).toHaveLength(1);
    // The busy market sends something several times a second. Beside the second, the test allows for its own slowness.
    expect(killedMs - (before.summary.lastWallMs ?? 0)).toBeLessThan(1_000 + SLOW_MACHINE_MS);
    expect(await record('--for', '2s', '--sport', 'fb').exit).toMatchObject({ code: 0 });
    const after = await verifyRecording(folder);
    expect({ damage: after.damage, incomplete: after.incomplete }).toEqual({ damage: [], incomplete: [] });
    expect(after.summary.records).toBeGreaterThan(before.summary.records);
    expect(after.manifest.sessions.map(({ session }) => session)).toEqual([1, 2]);
    exchange.run.kill('SIGKILL');
  });
});

const SLOW_MACHINE_MS = 1_000;

async function refusedBy(run: Run): Promise<string> {
  const { code, stderr }: Exit = await run.exit;
  expect(code).toBe(1);
  return stderr;
}
