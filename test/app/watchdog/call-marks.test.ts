import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallMarks, CallReadings, newCallMemory } from '../../../src/app/watchdog/call-marks.ts';
import type { EventName } from '../../../src/domain/events.ts';
import type { EventId, HeartbeatId, Sport } from '../../../src/domain/ids.ts';

const EVENT: EventName = { sport: 'fb' as Sport, eventId: '2026-01-31,1234,5678' as EventId };

function bench() {
  const memory = newCallMemory();
  const state = { isDebugged: false, stops: 0 };
  const stop = (words: Int32Array, at: number, value: number): void => {
    expect(Atomics.load(words, at)).toBe(value);
    state.stops += 1;
  };
  const hangMsOf = (name: string): number => name.length * 1_000;
  const marks = new CallMarks(memory, hangMsOf, () => state.isDebugged, stop);
  return { marks, readings: new CallReadings(memory), state };
}

describe('the marks of calls', () => {
  it('show a call while it is in progress, each with its own number', () => {
    const { marks, readings } = bench();
    expect(readings.read()).toEqual({ call: null, hangMs: 0, creates: 0 });
    const numbers = Array.from({ length: 3 }, () => {
      marks.onCall('symmetric', EVENT);
      const { call } = readings.read();
      marks.onReturn();
      expect(readings.read().call).toBeNull();
      return call;
    });
    expect(new Set(numbers).size).toBe(3);
    expect(numbers).not.toContain(null);
  });

  it('carry the names of the call and the heartbeat', () => {
    const text = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
      .filter((s) => !s.includes('\0'));
    fc.assert(
      fc.property(text, text, text, text, (strategy, sport, eventId, heartbeat) => {
        const { marks, readings } = bench();
        const event = { sport: sport as Sport, eventId: eventId as EventId };
        expect(readings.heartbeatId()).toBeNull();
        marks.noteHeartbeat('an earlier and longer heartbeat'.repeat(3) as HeartbeatId);
        marks.noteHeartbeat(heartbeat as HeartbeatId);
        marks.onCall(strategy, event);
        expect(readings.named()).toEqual({ strategy, event });
        expect(readings.heartbeatId()).toBe(heartbeat);
      }),
    );
  });

  it('carry how long the strategy may take', () => {
    const { marks, readings } = bench();
    for (const name of ['abc', 'a']) {
      marks.onCall(name, EVENT);
      expect(readings.read().hangMs).toBe(name.length * 1_000);
      marks.onReturn();
    }
  });

  it('count the create requests', () => {
    const { marks, readings } = bench();
    marks.noteCreate();
    marks.noteCreate();
    expect(readings.read().creates).toBe(2);
  });

  it('show no call that a debugger may stop', () => {
    const { marks, readings, state } = bench();
    state.isDebugged = true;
    marks.onCall('symmetric', EVENT);
    expect(readings.read().call).toBeNull();
    marks.onReturn();
    state.isDebugged = false;
    marks.onCall('symmetric', EVENT);
    expect(readings.read().call).not.toBeNull();
  });
});

describe('the decision', () => {
  it('stops the main thread when the strategy returns after it', () => {
    const { marks, readings, state } = bench();
    marks.onCall('symmetric', EVENT);
    const call = readings.read().call ?? 0;
    expect(readings.decide(call)).toBe(true);
    expect(state.stops).toBe(0);
    marks.onReturn();
    expect(state.stops).toBe(1);
  });

  it('is too late for a call that has returned, and for the next call', () => {
    const { marks, readings, state } = bench();
    marks.onCall('symmetric', EVENT);
    const call = readings.read().call ?? 0;
    marks.onReturn();
    expect(readings.decide(call)).toBe(false);
    marks.onCall('symmetric', EVENT);
    expect(readings.decide(call)).toBe(false);
    marks.onReturn();
    expect(state.stops).toBe(0);
  });
});
