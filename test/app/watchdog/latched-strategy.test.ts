import { describe, expect, it } from 'vitest';
import { WATCHDOG } from '../../../src/engine/strategy-latch.ts';
import { CalmDay } from '../../support/calm-day.ts';
import { renderStatus } from '../../../src/cli/output/live/status-view.ts';

interface Why {
  readonly reason: { readonly for: string | null };
  readonly verdicts: readonly { readonly message: string }[];
}

const whyOf = (day: CalmDay): Why => (day.controls.why(null) as readonly Why[])[0]!;

/** Counts the views that the strategy gets from now on. */
function callsOf(day: CalmDay): () => number {
  let calls = 0;
  day.run.composed.engine.decision$.subscribe(({ view }) => {
    if (view !== null) calls += 1;
  });
  return () => calls;
}

const latch = (day: CalmDay, by = WATCHDOG, why = 'it did not return'): void =>
  day.run.composed.core.apply({ kind: 'latch_strategy', strategy: 'symmetric', by, why });

describe('a strategy that hung', () => {
  it('is not called, and its orders are closed, until a person resumes', async () => {
    const day = new CalmDay();
    await day.begin();
    latch(day);
    const calls = callsOf(day);
    await day.until('closed', () => day.open().length === 0);
    const creates = day.creates();
    await day.pass(20_000);
    expect([calls(), day.creates() - creates, day.open()]).toEqual([0, 0, []]);
    expect(day.resume()).toMatchObject({
      released: ['strategy symmetric halted by watchdog: it did not return'],
      remaining: [],
      trading: true,
    });
    await day.until('quoting', () => day.open().length > 1);
    expect(calls()).toBeGreaterThan(0);
  });

  it('is named by why, in the status, in the live view, and in what remains to be released', async () => {
    const day = new CalmDay();
    await day.begin();
    latch(day);
    await day.pass(2_000);
    expect(whyOf(day).reason.for).toBe('strategy.hung');
    expect(whyOf(day).verdicts[0]?.message).toContain(
      'it did not return; it is not called until touchline resume',
    );
    const status = day.run.daemon.status();
    expect(status.strategiesOff).toEqual([
      { strategy: 'symmetric', why: 'it did not return', sinceMs: expect.any(Number) as number },
    ]);
    expect(renderStatus(status, [], { columns: 200, rows: 40 }).join('\n')).toContain(
      'symmetric is off until touchline resume --reason "…": it did not return',
    );
    expect(day.controls.risk()).toMatchObject({
      remaining: [{ what: 'strategy symmetric halted by watchdog: it did not return' }],
    });
  });

  it('stays off over restarts, whose orders of an earlier run are closed', async () => {
    const day = new CalmDay();
    await day.begin();
    latch(day);
    day.world.kill();
    await day.begin(false);
    await day.until('closed', () => day.open().length === 0);
    await day.pass(20_000);
    expect([day.open(), day.creates()]).toEqual([[], 0]);
    day.resume();
    await day.until('quoting', () => day.open().length > 1);
    expect(day.run.daemon.status().strategiesOff).toEqual([]);
  });

  it('stays off when a limit had halted it before', async () => {
    const day = new CalmDay();
    await day.begin();
    const { risk } = day.run.composed.core;
    latch(day, 'loss limit', 'lost 5');
    latch(day);
    expect(risk.states.map(({ by }) => by)).toEqual([WATCHDOG]);
  });
});
