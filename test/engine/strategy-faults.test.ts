import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { eventId, type SelectionId, sport } from '../../src/domain/ids.ts';
import {
  refusalCode,
  refusedInWords,
  RefusedQuotes,
  strategyFaults,
} from '../../src/engine/strategy-faults.ts';
import type { Decision } from '../../src/engine/turn.ts';
import { createPrometheusMetrics } from '../../src/ops/metrics.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { noMetrics } from '../../src/ports/metrics.ts';
import type { StrategyProblem } from '../../src/strategy/host.ts';

const [ONE, OTHER] = [eventId('2026-11-21,10,20'), eventId('2026-11-21,30,40')];
const THREW: StrategyProblem = {
  ...{ kind: 'threw', strategy: 'mine', sport: sport('fb'), eventId: ONE, selectionId: null, message: 'no' },
};

it('logs a strategy’s repeated mistake once a minute for each kind and event', async () => {
  const clock = new VirtualClock();
  const warnings: unknown[] = [];
  const warn = (_: string, fields: unknown): void => void warnings.push(fields);
  const report = strategyFaults(['mine'], clock, { ...silentLogger, warn }, noMetrics);
  const others: readonly StrategyProblem[] = [
    { ...THREW, eventId: OTHER },
    { ...THREW, sport: sport('fb_ht') },
    { ...THREW, kind: 'self-cross' },
  ];
  for (const problem of [THREW, ...others]) report(problem);
  expect(warnings).toEqual([THREW, ...others]);
  for (let turn = 0; turn < 600; turn++) {
    await clock.advance(500);
    report(THREW);
  }
  expect(warnings).toHaveLength(4 + 5);
});

const [HOME, AWAY] = ['fb|e|h', 'fb|e|a'] as SelectionId[] as [SelectionId, SelectionId];

const REFUSED: StrategyProblem = {
  ...THREW,
  ...{ kind: 'invalid-intent', selectionId: HOME, message: 'tick 999 is not on the ladder' },
  refused: { direction: 'for', rule: 'tick', intent: 'for at tick 999' },
};

it('names intent and rule in the log, and counts by rule with the time of the last', async () => {
  const clock = new VirtualClock();
  await clock.advance(5_000);
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const warnings: unknown[] = [];
  const warn = (_: string, fields: unknown): void => void warnings.push(fields);
  const report = strategyFaults(['mine'], clock, { ...silentLogger, warn }, metrics);
  const other = { ...REFUSED, refused: { direction: null, rule: 'stake', intent: 'another' } } as const;
  for (const problem of [REFUSED, REFUSED, other]) report(problem);
  expect(warnings).toMatchObject([
    { kind: 'invalid-intent', intent: 'for at tick 999', rule: 'tick', message: REFUSED.message },
    { intent: 'another', rule: 'stake' },
  ]);
  const { text } = await metrics.expose();
  expect(text).toContain('touchline_strategy_refused_intents_total{strategy="mine",rule="tick"} 2\n');
  expect(text).toContain('touchline_strategy_refused_intents_total{strategy="mine",rule="stake"} 1\n');
  expect(text).toContain('touchline_strategy_refused_intents_total{strategy="mine",rule="level"} 0\n');
  const at = clock.wallMs() / 1_000;
  expect(text).toContain(`touchline_strategy_refused_intent_timestamp_seconds{strategy="mine"} ${at}\n`);
});

describe('refused quotes', () => {
  const EVENT = { sport: sport('fb'), eventId: ONE };
  const decision = (problems: readonly StrategyProblem[], wallMs: number, view: unknown = {}): Decision =>
    ({ event: EVENT, view, problems, turn: { wallMs } }) as Decision;
  const after = (...decisions: readonly Decision[]): RefusedQuotes => {
    const refused = new RefusedQuotes();
    for (const each of decisions) refused.onDecision(each);
    return refused;
  };

  it('are those of a side, and of both where the intent names none', () => {
    const both: StrategyProblem = {
      ...{ ...REFUSED, selectionId: AWAY, kind: 'self-cross' },
      refused: { direction: null, rule: 'self_cross', intent: 'all' },
    };
    const refused = after(decision([REFUSED, both], 7));
    expect(refused.of(EVENT, HOME, 'for')).toMatchObject({ selectionId: HOME, sinceMs: 7, times: 1 });
    expect(refused.of(EVENT, HOME, 'against')).toBeNull();
    for (const direction of ['for', 'against'] as const)
      expect(refused.of(EVENT, AWAY, direction)).toMatchObject({ kind: 'self-cross' });
    expect(refused.of({ ...EVENT, eventId: OTHER }, HOME, 'for')).toBeNull();
  });

  it('of a selection that the view lacks, and of a whole answer, count for every selection without one of its own', () => {
    const elsewhere: StrategyProblem = {
      ...{ ...REFUSED, selectionId: 'fb|x|h' as SelectionId },
      refused: { direction: 'for', rule: 'selection', intent: 'for elsewhere' },
    };
    const whole: StrategyProblem = { ...THREW, kind: 'too-many-intents', message: 'too many' };
    for (const problem of [elsewhere, whole, { ...whole, kind: 'completed' as const }]) {
      const refused = after(decision([problem, REFUSED], 0));
      expect(refused.of(EVENT, AWAY, 'against')).toMatchObject({ kind: problem.kind, selectionId: null });
      expect(refused.of(EVENT, HOME, 'for')).toMatchObject({ selectionId: HOME });
    }
  });

  it('count answers in a row, and end with the first answer without them', () => {
    const row = [1, 2, 3].map((wallMs) => decision([REFUSED, REFUSED], wallMs));
    const refused = after(...row, decision([], 4, null));
    expect(refused.on(EVENT)).toMatchObject([{ sinceMs: 1, times: 3 }]);
    refused.onDecision(decision([THREW], 5));
    expect(refused.on(EVENT)).toEqual([]);
    refused.onDecision(decision([REFUSED], 6));
    expect(refused.on(EVENT)).toMatchObject([{ sinceMs: 6, times: 1 }]);
    refused.keepOnly(new Set());
    expect(refused.on(EVENT)).toEqual([]);
  });

  it('show the first of several in an answer that break one rule', () => {
    const second: StrategyProblem = { ...REFUSED, message: 'tick 998 is not on the ladder' };
    const refused = after(decision([REFUSED, second], 1), decision([REFUSED, second], 2));
    expect(refused.on(EVENT)).toMatchObject([
      { message: expect.stringContaining(REFUSED.message), times: 2, sinceMs: 1 },
    ]);
  });

  it('are apart by kind, rule, selection and side, and each is found where it is', () => {
    const kinds = ['invalid-intent', 'self-cross'] as const;
    const all = kinds.flatMap((kind) =>
      ['tick', 'stake'].flatMap((rule) =>
        [HOME, AWAY].flatMap((selectionId) =>
          (['for', 'against'] as const).map((direction) => ({
            ...{ ...REFUSED, kind, selectionId, message: [kind, rule, selectionId, direction].join() },
            refused: { direction, rule, intent: 'x' } as const,
          })),
        ),
      ),
    );
    for (const first of all)
      for (const second of all) {
        const refused = after(decision([first, second] as StrategyProblem[], 1));
        expect(refused.on(EVENT)).toHaveLength(first === second ? 1 : 2);
        for (const { selectionId, refused: of } of [first, second])
          expect(refused.of(EVENT, selectionId, of.direction)).toMatchObject({
            selectionId,
            direction: of.direction,
          });
      }
  });

  it('leave faults alone that refuse no quote', () => {
    const kinds = ['threw', 'slow', 'owner-absent', 'too-many-emissions', 'too-many-lines'] as const;
    expect(
      after(
        decision(
          kinds.map((kind) => ({ ...THREW, kind })),
          0,
        ),
      ).on(EVENT),
    ).toEqual([]);
  });

  it('have a code and words', () => {
    const [quote] = after(decision([REFUSED], Date.UTC(2026, 0, 31))).on(EVENT);
    expect(refusalCode(quote!)).toBe('invalid_intent');
    expect(refusedInWords(quote!)).toBe(
      'mine: refused: for at tick 999: tick 999 is not on the ladder (rule tick) (1x since 2026-01-31T00:00:00.000Z)',
    );
  });
});
