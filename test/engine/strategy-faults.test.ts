import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { eventKey } from '../../src/domain/events.ts';
import { eventId, type SelectionId, sport } from '../../src/domain/ids.ts';
import {
  refusalCode,
  refusedInWords,
  RefusedQuotes,
  strategyFaults,
  StrategyThrows,
  throwInWords,
} from '../../src/engine/strategy-faults.ts';
import type { Decision } from '../../src/engine/turn.ts';
import { createPrometheusMetrics } from '../../src/ops/metrics.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { noMetrics } from '../../src/ports/metrics.ts';
import type { StrategyProblem } from '../../src/strategy/host.ts';

const [ONE, OTHER] = [eventId('2026-11-21,10,20'), eventId('2026-11-21,30,40')];
const THREW: StrategyProblem = {
  kind: 'threw',
  strategy: 'mine',
  sport: sport('fb'),
  eventId: ONE,
  selectionId: null,
  message: 'no',
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
  kind: 'invalid-intent',
  selectionId: HOME,
  message: 'tick 999 is not on the ladder',
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
      ...REFUSED,
      selectionId: AWAY,
      kind: 'self-cross',
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
      ...REFUSED,
      selectionId: 'fb|x|h' as SelectionId,
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
            ...REFUSED,
            kind,
            selectionId,
            message: [kind, rule, selectionId, direction].join(),
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

describe('the throws of a strategy', () => {
  const EVENT = { sport: sport('fb'), eventId: ONE };
  const decision = (problems: readonly StrategyProblem[], wallMs: number, view: unknown = {}): Decision =>
    ({ event: EVENT, view, problems, turn: { wallMs } }) as Decision;

  it('are counted in a row on each event, with the instant of the first and the text of the last', () => {
    const throws = new StrategyThrows();
    expect(throws.on(EVENT)).toBeNull();
    throws.onDecision(decision([{ ...THREW, kind: 'slow' }, THREW], 1));
    throws.onDecision(decision([], 2, null));
    throws.onDecision(decision([{ ...THREW, message: 'again' }], 3));
    const row = { strategy: 'mine', message: 'again', sinceMs: 1, times: 2 };
    expect(throws.on(EVENT)).toEqual(row);
    expect(throws.on({ ...EVENT, eventId: OTHER })).toBeNull();
    expect(throwInWords(row)).toBe('mine throws: again (2x since 1970-01-01T00:00:00.001Z)');
  });

  it('end with the first answer, if it has other faults', () => {
    const throws = new StrategyThrows();
    throws.onDecision(decision([THREW], 1));
    throws.onDecision(decision([{ ...THREW, kind: 'slow' }], 2));
    expect(throws.on(EVENT)).toBeNull();
    throws.onDecision(decision([THREW], 3));
    expect(throws.on(EVENT)).toMatchObject({ sinceMs: 3, times: 1 });
  });

  it('are forgotten with their event, as refused quotes are', () => {
    const [throws, refused] = [new StrategyThrows(), new RefusedQuotes()];
    const other = { ...EVENT, eventId: OTHER };
    for (const event of [EVENT, other]) {
      throws.onDecision({ ...decision([THREW], 1), event });
      refused.onDecision({ ...decision([REFUSED], 1), event });
    }
    for (const memory of [throws, refused]) memory.keepOnly(new Set([eventKey(other)]));
    expect([throws.on(EVENT), refused.on(EVENT)]).toEqual([null, []]);
    expect([throws.on(other)?.times, refused.on(other).length]).toEqual([1, 1]);
  });
});

it('counts each fault by strategy and kind, from zero on, and no rule where no intent was refused', async () => {
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const report = strategyFaults(['mine', 'other'], new VirtualClock(), silentLogger, metrics);
  const kinds = [
    'threw',
    'invalid-intent',
    'self-cross',
    'owner-absent',
    'completed',
    'too-many-intents',
    'too-many-emissions',
    'too-many-lines',
    'slow',
    'hedge-refused',
  ];
  report(THREW);
  report(THREW);
  const { text } = await metrics.expose();
  for (const strategy of ['mine', 'other'])
    for (const kind of kinds) {
      const count = strategy === 'mine' && kind === 'threw' ? 2 : 0;
      expect(text).toContain(
        `touchline_strategy_problems_total{strategy="${strategy}",kind="${kind}"} ${count}\n`,
      );
    }
  expect(text).not.toMatch(/refused_intents_total\{.*\} [1-9]/);
  for (const strategy of ['mine', 'other']) {
    expect(text).toContain(`refused_intents_total{strategy="${strategy}",rule="tick"} 0\n`);
    expect(text).toContain(`refused_intent_timestamp_seconds{strategy="${strategy}"} 0\n`);
  }
});
