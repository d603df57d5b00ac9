import { describe, expect, it } from 'vitest';
import { TurnMetrics } from '../../src/engine/turn-metrics.ts';
import type { OrderState } from '../../src/domain/lifecycle.ts';
import type { StreamSignal } from '../../src/domain/stream.ts';
import type { TurnInput } from '../../src/engine/turn.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { createPrometheusMetrics } from '../../src/ops/metrics.ts';
import { liveOrder } from '../market/support.ts';

const frame = (receivedMonotonicMs: number): StreamSignal => ({
  kind: 'frame',
  epoch: 1,
  sentMs: null,
  entries: [],
  receivedMonotonicMs,
});

function measured() {
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const turns = new TurnMetrics(metrics, { monotonicMs: () => 100 } as Clock);
  const valueOf = async (name: string): Promise<number> =>
    Number(
      new RegExp(`^touchline_frame_to_request_seconds_${name} (.*)$`, 'm').exec(
        (await metrics.expose()).text,
      )?.[1],
    );
  return {
    signal: (signal: StreamSignal) => {
      turns.begin(signal);
      turns.end();
    },
    turn: (...inputs: readonly TurnInput[]) => turns.onTurn({ monotonicMs: 100, inputs }),
    order: (createdMonotonicMs: number, state: OrderState = 'prepared') =>
      turns.onOrder(liveOrder({ state, createdMonotonicMs })),
    seen: async () => [await valueOf('count'), Math.round(1_000 * (await valueOf('sum')))],
  };
}

const at = { monotonicMs: 0, wallMs: 0 };
const signalOf = (signal: StreamSignal): TurnInput => ({ kind: 'signal', signal, ...at });

describe('the time from a frame to a request', () => {
  it('is that of each order made right after a turn, from the oldest frame of the turn', async () => {
    const { turn, order, seen } = measured();
    turn({ kind: 'tick', ...at }, signalOf(frame(92)), signalOf(frame(90)), signalOf(frame(95)));
    order(100);
    order(103);
    expect(await seen()).toEqual([2, 10 + 13]);
  });

  it('is that of an order made right after a frame', async () => {
    const { signal, order, seen } = measured();
    signal(frame(50));
    order(54);
    expect(await seen()).toEqual([1, 4]);
  });

  it('is not measured for an order that something else causes', async () => {
    const { signal, turn, order, seen } = measured();
    order(10);
    turn({ kind: 'tick', ...at }, signalOf({ kind: 'connecting', epoch: 2 } as StreamSignal));
    order(20);
    await Promise.resolve();
    signal(frame(30));
    await Promise.resolve();
    order(40);
    turn(signalOf(frame(45)));
    await Promise.resolve();
    order(50);
    signal(frame(55));
    turn({ kind: 'tick', ...at });
    order(60);
    expect(await seen()).toEqual([0, 0]);
  });

  it('is not measured for an order of an earlier run', async () => {
    const { signal, order, seen } = measured();
    signal(frame(30));
    order(0, 'unknown');
    expect(await seen()).toEqual([0, 0]);
  });
});
