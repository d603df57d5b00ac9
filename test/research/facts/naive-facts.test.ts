/** The facts of generated events against a reading of the docs alone. */
import { expect, it } from 'vitest';
import { DAY_MS } from '../../../src/lib/time.ts';
import { MarketFacts } from '../../../src/research/facts/table.ts';
import { generatedEvent } from '../../fair/generated-event.ts';
import { FIGURES, NaiveFacts } from './naive-facts.ts';

const GROUPS = 8;

/** Events of several sports and two days; one group in four was recorded without trades. */
function groupOf(number: number) {
  return [0, 1, 2, 3].map((at) => {
    const tape = generatedEvent(4 * number + at);
    const isLater = at === 3;
    const startMs = tape.startMs + (isLater ? DAY_MS : 0);
    return { ...tape, startMs, hasTrades: tape.hasTrades && number % 4 !== 0 };
  });
}

it('the facts of markets are those of a naive reading of their definition, on generated events', () => {
  const seen = new Map<string, number>();
  for (let number = 0; number < GROUPS; number++) {
    const [facts, naive] = [new MarketFacts(), new NaiveFacts()];
    for (const tape of groupOf(number)) {
      facts.add(tape);
      naive.add(tape);
    }
    const found = facts.facts();
    for (const { sport, phase, figure, value, days } of found) {
      const expected = naive.figure(sport, phase, figure);
      const where = `${number} ${sport} ${phase} ${figure}`;
      expect([where, days, value === null]).toEqual([where, expected.days, expected.value === null]);
      if (value === null) continue;
      expect([where, Math.abs(value - (expected.value ?? NaN)) < 1e-6 * (1 + Math.abs(value))]).toEqual([
        where,
        true,
      ]);
      seen.set(figure, (seen.get(figure) ?? 0) + 1);
    }
  }
  for (const figure of FIGURES.keys()) expect([figure, (seen.get(figure) ?? 0) > 1]).toEqual([figure, true]);
});
