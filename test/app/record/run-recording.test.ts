import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Subject } from 'rxjs';
import { afterAll, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { loadConfig } from '../../../src/app/config/load.ts';
import { diskFolder } from '../../../src/app/record/disk-folder.ts';
import { openRunRecording, type RunRecording } from '../../../src/app/record/run-recording.ts';
import type { Decision, Turn, TurnInput } from '../../../src/engine/turn.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import { RecordingReader } from '../../../src/recording/reader.ts';

const root = mkdtempSync(join(tmpdir(), 'touchline-run-'));
afterAll(() => rmSync(root, { recursive: true }));

function opened(path: string, settings: Readonly<Record<string, string>> = {}) {
  const clock = new VirtualClock();
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const all = {
    'record.path': path,
    'exchange.restUrl': 'https://me:secret@exchange.example/v2/?token=secret',
    ...settings,
  };
  const config = loadConfig({ files: [], environment: {}, settings: all }).values;
  const recording = openRunRecording({
    config,
    runId: '3-00000000',
    strategies: ['symmetric'],
    version: 'test',
    convention: null,
    clock,
    logger: silentLogger,
    metrics,
  });
  return { clock, recording, metrics, ...followed(recording) };
}

function followed(recording: RunRecording) {
  const [turn$, decision$] = [new Subject<Turn>(), new Subject<Decision>()];
  recording.follow({ turn$, decision$ });
  return { turn$, decision$ };
}

const BUDGETS: Turn['budgets'] = { ordersNow: 1, betslipsNow: 1, betslipsToday: 1, generalNow: 1 };

const turnOf = (seq: number, ...inputs: readonly unknown[]): Turn => ({
  seq,
  monotonicMs: 100 * seq,
  wallMs: 1_000_000 + 100 * seq,
  budgets: BUDGETS,
  inputs: inputs as TurnInput[],
});

const PRICES = {
  kind: 'source_prices',
  monotonicMs: 90,
  wallMs: 1_000_090,
  source: 'papers',
  prices: [{ key: 'home', price: 2.1 }],
};

async function recordsOf(path: string) {
  const reader = await RecordingReader.open(diskFolder(path));
  const records: (readonly [kind: string, monotonicMs: number, text: string])[] = [];
  for await (const { kind, monotonicMs, payload } of reader.records())
    records.push([kind, monotonicMs, Buffer.from(payload).toString('utf8')]);
  return { records, sessions: reader.manifest.sessions };
}

describe('the recording of a run', () => {
  it('keeps turns and what reached them, and names the run without secrets', async () => {
    const path = join(root, 'turns');
    const { turn$, recording, decision$ } = opened(path);
    turn$.next(turnOf(1, PRICES, { kind: 'tick', monotonicMs: 95, wallMs: 1_000_095 }));
    turn$.next(turnOf(2));
    decision$.complete();
    await recording.close();
    const { records, sessions } = await recordsOf(path);
    expect(records.map(([kind, monotonicMs]) => [kind, monotonicMs])).toEqual([
      ['prices', 90],
      ['turn', 100],
      ['turn', 200],
    ]);
    expect(records[0]?.[2]).toBe('{"source":"papers","prices":[{"key":"home","price":2.1}]}');
    expect(sessions).toMatchObject([
      {
        source: 'run',
        mode: 'simulated',
        exchange: 'https://exchange.example/v2/',
        about: { runId: '3-00000000', strategies: ['symmetric'] },
      },
    ]);
  });

  it('leaves turns out where the configuration says so', async () => {
    const path = join(root, 'wire');
    const { turn$, recording } = opened(path, { 'record.turns': 'false' });
    turn$.next(turnOf(1, PRICES));
    await recording.close();
    expect((await recordsOf(path)).records.map(([kind]) => kind)).toEqual(['prices']);
  });

  it('stops at a turn that it cannot write, and nothing else does', async () => {
    const path = join(root, 'broken');
    const { turn$, recording, metrics } = opened(path);
    const circular: Record<string, unknown> = { ...PRICES };
    circular['prices'] = [circular];
    turn$.next(turnOf(1, circular));
    turn$.next(turnOf(2, PRICES));
    await recording.close();
    expect((await metrics.expose()).text).toContain('touchline_record_failed 1');
  });

  it('is none without a folder', async () => {
    const { recording, metrics } = opened('');
    const wires = { http: {} as never, sockets: {} as never };
    expect(recording.wires(wires, {} as never)).toBe(wires);
    await recording.close();
    expect((await metrics.expose()).text).toContain('touchline_record_failed 0');
  });
});
