import { describe, expect, it } from 'vitest';
import type { EventName } from '../../src/domain/events.ts';
import { eventId, type EventKey, type SelectionId, sport } from '../../src/domain/ids.ts';
import { eventKey } from '../../src/domain/events.ts';
import { type Direction, DIRECTIONS } from '../../src/domain/selection.ts';
import type { Decision } from '../../src/engine/turn.ts';
import { type Fact, ReadModel } from '../../src/read-model/read-model.ts';
import { statusOf } from '../../src/read-model/status.ts';
import type { StrategyProblem, StrategyProblemKind } from '../../src/strategy/host.ts';
import { liveOrder } from '../support/orders.ts';
import { readings } from '../support/readings.ts';

const EVENT: EventName = { sport: sport('fb'), eventId: eventId('2026-01-01,1,2') };
const SELECTION = 'fb|2026-01-01,1,2|h' as SelectionId;
const OTHER = 'fb|2026-01-01,1,2|a' as SelectionId;

const problem = (
  kind: StrategyProblemKind,
  selectionId: SelectionId | null,
  direction: Direction | null,
): Pick<StrategyProblem, 'kind' | 'strategy' | 'selectionId' | 'message' | 'refused'> => ({
  kind,
  strategy: 'mine',
  selectionId,
  message: 'no',
  ...(direction === null ? {} : { refused: { direction, rule: 'tick', intent: 'x' } as const }),
});

function decided(problems: readonly ReturnType<typeof problem>[]): Fact {
  const decision = {
    turn: { seq: 1, monotonicMs: 0, wallMs: 1_000_000, inputs: [] },
    event: EVENT,
    view: {},
    intents: [],
    problems,
    admission: { quotes: [], blocked: [] },
    targets: [],
  };
  return { kind: 'decision', decision: decision as unknown as Decision };
}

const quoted = (direction: Direction): Fact => ({
  kind: 'account',
  atMs: 0,
  wallMs: 1_000_000,
  change: {
    kind: 'order',
    order: liveOrder({ ...EVENT, selectionId: SELECTION, requestUuid: direction, direction, state: 'live' }),
    before: null,
  },
});

const LOOK: Fact = {
  kind: 'look',
  look: { events: [EVENT], chosen: new Map([[eventKey(EVENT), [SELECTION, OTHER]]]) },
  titles: new Map<EventKey, string>(),
};

/** The kind of refusal of each side, and of both: the answer shows which one was meant. */
const OWN = { for: 'invalid-intent', against: 'self-cross' } as const;
const WHOLE = 'completed';

interface Side {
  readonly isQuoted: boolean;
  readonly isRefused: boolean;
}
const SIDES: readonly Side[] = [true, false].flatMap((isQuoted) =>
  [true, false].map((isRefused) => ({ isQuoted, isRefused })),
);
const CASES = SIDES.flatMap((forSide) =>
  SIDES.flatMap((againstSide) =>
    [true, false].flatMap((isWhole) =>
      [null, 'no_betslip'].map((missing) => ({ for: forSide, against: againstSide, isWhole, missing })),
    ),
  ),
);

describe('what the status shows as missing', () => {
  it.each(CASES)(
    'is the first refusal of a side without a quote, unless something else is missing: %o',
    (given) => {
      const problems = DIRECTIONS.flatMap((direction) =>
        given[direction].isRefused ? [problem(OWN[direction], SELECTION, direction)] : [],
      );
      const all = given.isWhole ? [problem(WHOLE, null, null), ...problems] : problems;
      const quotes = DIRECTIONS.filter((direction) => given[direction].isQuoted);
      const model = new ReadModel(0);
      for (const fact of [LOOK, ...quotes.map(quoted), decided(all)]) model.take(fact);
      const missing = new Map(given.missing === null ? [] : [[SELECTION, given.missing]]);
      const { events } = statusOf(model, readings({ missing }));
      const [status, other] = [SELECTION, OTHER].map((id) =>
        events[0]?.selections.find(({ selectionId }) => selectionId === id),
      );
      const reasons = DIRECTIONS.flatMap((direction) => {
        const { isQuoted, isRefused } = given[direction];
        if (isQuoted) return [];
        return isRefused ? [OWN[direction]] : given.isWhole ? [WHOLE] : [];
      });
      const [first] = reasons;
      const refusal = first === undefined ? null : `strategy.${first.replaceAll('-', '_')}`;
      expect(status?.missing).toBe(given.missing ?? refusal);
      // Of the other selection nothing is quoted, and only what concerns the whole event is refused.
      expect(other?.missing).toBe(given.isWhole ? `strategy.${WHOLE}` : null);
    },
  );
});
