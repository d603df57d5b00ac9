import { describe, expect, it } from 'vitest';
import type { Score } from '../../../src/domain/events.ts';
import { eventId } from '../../../src/domain/ids.ts';
import { redCard, scoreChange } from '../../../src/risk/guards/changed.ts';
import type { EventSighting } from '../../../src/risk/index.ts';
import { FIXTURE, START_MS } from '../support/harness.ts';

const BEFORE_MS = START_MS - 1;

const seen = (changes: Partial<EventSighting>): EventSighting => ({
  ...FIXTURE,
  inRunning: true,
  startTimeMs: START_MS,
  score: null,
  redCards: null,
  suspended: false,
  ...changes,
});

describe.each([
  ['score', 'score_change', scoreChange],
  ['redCards', 'red_card', redCard],
] as const)('the guard of %s', (count, guard, create) => {
  it.each<readonly [Score, Score, boolean]>([
    [[1, 2], [1, 2], false],
    [[1, 1], [1, 1], false],
    [[1, 2], [2, 2], true],
    [[1, 2], [1, 3], true],
    [[1, 2], [1, 1], true],
    [[1, 2], [2, 1], true],
    [[0, 2], [0, 0], true],
  ])('from %j to %j raises: %s', (from, to, raises) => {
    const watch = create(7);
    expect(watch.see(seen({ [count]: from }), START_MS)).toBeNull();
    const alarm = {
      guard,
      scope: { kind: 'event', ...FIXTURE },
      effect: 'pull',
      widenLogOdds: 0,
      holdMs: 7_000,
      actual: to.join('-'),
      limit: from.join('-'),
    };
    const raised = watch.see(seen({ [count]: to }), START_MS);
    if (raises) expect(raised).toMatchObject(alarm);
    else expect(raised).toBeNull();
    // The change is the mark from then on, also while the count is missing.
    expect(watch.see(seen({}), START_MS)).toBeNull();
    expect(watch.see(seen({ [count]: to }), START_MS)).toBeNull();
  });

  it.each([
    ['before the start', {}, BEFORE_MS, true],
    ['at the start', {}, START_MS, false],
    ['in play before the start', { inRunning: true }, BEFORE_MS, false],
    ['of unknown start', { startTimeMs: null }, BEFORE_MS, false],
  ])('takes a missing count for 0-0 only %s', (_, changes, wallMs, isNone) => {
    const watch = create(7);
    expect(watch.see(seen({ inRunning: false, ...changes }), wallMs)).toBeNull();
    expect(watch.see(seen({ [count]: [1, 0] }), START_MS) !== null).toBe(isNone);
  });

  it('marks each event by itself, until it is forgotten', () => {
    const watch = create(7);
    const other = { eventId: eventId('2026-11-22,3,4') };
    for (const each of [{}, other]) watch.see(seen({ ...each, [count]: [1, 0] }), START_MS);
    watch.forget(FIXTURE);
    expect(watch.see(seen({ [count]: [2, 0] }), START_MS)).toBeNull();
    expect(watch.see(seen({ ...other, [count]: [2, 0] }), START_MS)).not.toBeNull();
  });
});
