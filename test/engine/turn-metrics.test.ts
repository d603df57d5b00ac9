import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { TurnMetrics } from '../../src/engine/turn-metrics.ts';
import type { StreamSignal } from '../../src/domain/stream.ts';
import { createPrometheusMetrics } from '../../src/ops/metrics.ts';

function bench() {
  const clock = new VirtualClock();
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const turns = new TurnMetrics(metrics, clock);
  const start = clock.monotonicMs();
  const frame = (atMs: number): StreamSignal => ({
    kind: 'frame',
    epoch: 1,
    sentMs: null,
    entries: [],
    receivedMonotonicMs: start + atMs,
  });
  const receive = (atMs: number, isQuoted: boolean): void => {
    turns.begin(frame(atMs));
    if (isQuoted) turns.onQuotedChange();
    turns.end();
  };
  const value = async (name: string): Promise<number> =>
    Number(new RegExp(`^touchline_${name} (.*)$`, 'm').exec((await metrics.expose()).text)?.[1]);
  return {
    clock,
    turns,
    receive,
    value,
    turnAt: (atMs: number) => ({ monotonicMs: start + atMs, inputs: [] }),
  };
}

describe('the metrics of turns', () => {
  it('count turns, and measure each from its instant to the end of its decisions', async () => {
    const { clock, turns, value, turnAt } = bench();
    await clock.advance(5);
    turns.onTurn(turnAt(2));
    expect(await value('engine_turns_total')).toBe(1);
    expect(await value('engine_turn_seconds_sum')).toBeCloseTo(0.003);
    expect(await value('frame_to_intent_seconds_count')).toBe(0);
  });

  it('measure from the oldest frame that changed a quoted event', async () => {
    const { clock, turns, receive, value, turnAt } = bench();
    await clock.advance(20);
    receive(1, false);
    receive(10, true);
    receive(15, true);
    turns.onTurn(turnAt(20));
    expect(await value('frame_to_intent_seconds_count')).toBe(1);
    expect(await value('frame_to_intent_seconds_sum')).toBeCloseTo(0.01);
    turns.onTurn(turnAt(20));
    expect(await value('frame_to_intent_seconds_count')).toBe(1);
  });

  it('measure no frame for a change of our own orders between frames', async () => {
    const { turns, receive, value, turnAt } = bench();
    receive(0, false);
    turns.onQuotedChange();
    turns.onTurn(turnAt(0));
    expect(await value('frame_to_intent_seconds_count')).toBe(0);
  });
});
