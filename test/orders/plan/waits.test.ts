import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventKey } from '../../../src/domain/ids.ts';
import {
  betslipTopic,
  CREATES_TOPIC,
  HALT_TOPIC,
  orderTopic,
  pricesTopic,
  type Topic,
  type Wait,
  WAIT_SOURCES,
  waitFor,
  Waits,
} from '../../../src/orders/plan/waits.ts';
import { REASONS, SEND_GATE } from '../../../src/orders/send-gate.ts';

const EVENT = 'an event' as EventKey;
const PLACE = { event: EVENT, market: 'a market', untilMs: 5_000 };

describe('each reason', () => {
  it.each(Object.values(REASONS))('$code names what ends its wait', ({ waitsFor }) => {
    expect(waitsFor.length).toBeGreaterThan(0);
    for (const source of waitsFor) expect(WAIT_SOURCES).toContain(source);
  });

  it.each(SEND_GATE.filter(({ moments }) => moments.includes('early') || moments.includes('approve')))(
    '$code, which may block a target, leads to a topic or an instant, or to the target itself',
    ({ waitsFor }) => {
      const { topics, untilMs } = waitFor(waitsFor, PLACE);
      expect(topics.length > 0 || untilMs < Infinity || waitsFor.includes('target')).toBe(true);
    },
  );

  it('is used by no source in vain', () => {
    const used = new Set(Object.values(REASONS).flatMap(({ waitsFor }) => waitsFor));
    expect(used).toEqual(new Set(WAIT_SOURCES));
  });
});

describe('the wait of a target', () => {
  it('has the topics of its own event and market', () => {
    const { topics } = waitFor(['order', 'prices', 'betslip', 'creates'], PLACE);
    expect(topics).toEqual([orderTopic(EVENT), pricesTopic(EVENT), betslipTopic('a market'), CREATES_TOPIC]);
  });

  it('ends with time only if its reason does', () => {
    expect(waitFor(['time', 'order'], PLACE)).toEqual({ topics: [orderTopic(EVENT)], untilMs: 5_000 });
    expect(waitFor(['halt'], PLACE)).toEqual({ topics: [HALT_TOPIC], untilMs: Infinity });
  });

  it('has no betslip while the exchange has not named the market', () => {
    expect(waitFor(['betslip'], { ...PLACE, market: null }).topics).toEqual([]);
  });
});

const TOPICS = ['x', 'y', 'z'] as unknown as readonly Topic[];
const wait = fc.record({
  topics: fc.uniqueArray(fc.constantFrom(...TOPICS), { maxLength: 3 }),
  untilMs: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constant(Infinity)),
});
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('add' as const), key: fc.nat(5), wait }),
    fc.record({ kind: fc.constant('delete' as const), key: fc.nat(5) }),
    fc.record({ kind: fc.constant('due' as const), nowMs: fc.integer({ min: 0, max: 20 }) }),
  ),
  { maxLength: 40 },
);

describe('all waits', () => {
  it('are found by topic and by time, as one would find them by looking at each', () => {
    fc.assert(
      fc.property(steps, (drawn) => {
        const waits = new Waits<number>();
        const model = new Map<number, Wait>();
        let nowMs = 0;
        for (const step of drawn) {
          if (step.kind === 'add') {
            waits.add(step.key, step.wait);
            model.set(step.key, step.wait);
          } else if (step.kind === 'delete') {
            waits.delete(step.key);
            model.delete(step.key);
          } else {
            nowMs = Math.max(nowMs, step.nowMs);
            // A target whose time has come is judged, and waits anew or not at all.
            const due = [...waits.due(nowMs)].sort();
            const expected = [...model].filter(([, { untilMs }]) => untilMs <= nowMs).map(([key]) => key);
            expect(due).toEqual(expected.sort());
            for (const key of due) {
              waits.delete(key);
              model.delete(key);
            }
          }
          for (const each of TOPICS) {
            const expected = [...model].filter(([, { topics }]) => topics.includes(each)).map(([key]) => key);
            expect([...waits.on(each)].sort()).toEqual(expected.sort());
          }
          const firstMs = Math.min(Infinity, ...Array.from(model.values(), ({ untilMs }) => untilMs));
          expect(waits.nextMs).toBeLessThanOrEqual(firstMs);
        }
      }),
      { numRuns: 300 },
    );
  });
});
