import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lastJson, launch, PROJECT_ROOT, touchline } from '../support/process.ts';

const RECORDING = '../shared/data/betfair/1.200806927.jsonl.gz';
const hasRecording = existsSync(join(PROJECT_ROOT, RECORDING));
if (!hasRecording) console.log(`skipping the recorded market: ${RECORDING} is absent`);

const CLEAN_END = { orders_open_at_exit: 0, exchange_orders_open_at_exit: 0 };

// The tests run side by side: each has its own exchange, and mostly waits.
describe.concurrent('touchline start', () => {
  it('trades on the modelled market, drains, and sums up in one JSON line', async () => {
    const exit = await touchline(['start', '--for', '20s', '--json']).exit;
    expect(exit).toMatchObject({ code: 0, signal: null });
    const summary = lastJson(exit);
    expect(summary).toMatchObject({ mode: 'simulated', ...CLEAN_END, throttled_responses: 0 });
    expect(summary['duration_s']).toBeGreaterThanOrEqual(20);
    expect(summary['events']).toBeGreaterThan(0);
    expect(summary['selections_quoted']).toBeGreaterThan(1);
    expect(summary['orders_placed']).toBeGreaterThan(3);
    expect(summary['two_sided_quote_ratio']).toBeGreaterThan(0.3);
    expect(exit.stderr).toContain('SIMULATED');
  });

  it.runIf(hasRecording)('trades on a recorded market, in play included', async () => {
    const feed = ['--feed', `betfair:${RECORDING}`, '--feed-from', '2022-07-11T10:30:00Z', '--speed', '60'];
    const exit = await touchline(['start', ...feed, '--for', '30s', '--json']).exit;
    expect(exit).toMatchObject({ code: 0, signal: null });
    const summary = lastJson(exit);
    expect(summary).toMatchObject({ mode: 'simulated', events: 1, ...CLEAN_END, throttled_responses: 0 });
    expect(summary['orders_placed']).toBeGreaterThan(0);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('drains on %s and exits 0', async (signal) => {
    const run = touchline(['start', '--json']);
    await run.until(/order live/);
    run.kill(signal);
    const exit = await run.exit;
    expect(exit).toMatchObject({ code: 0, signal: null });
    expect(lastJson(exit)).toMatchObject(CLEAN_END);
    expect(exit.stderr).toContain('heartbeat removed');
  });

  it('is reached by a signal that was sent to npm', async () => {
    const run = launch('npm', ['start', '--', '--json']);
    await run.until(/order live/);
    run.kill('SIGTERM');
    expect(lastJson(await run.exit)).toMatchObject(CLEAN_END);
  });
});
