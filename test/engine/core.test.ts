import { describe, expect, it } from 'vitest';
import type { EventView } from '../../src/domain/event-view.ts';
import { eventKey, type EventName } from '../../src/domain/events.ts';
import { eventId, type RequestUuid, type SelectionId, sport } from '../../src/domain/ids.ts';
import { intentKey, type QuoteIntent } from '../../src/domain/quote-intent.ts';
import { type Circumstances, decide, type TurnDeciders } from '../../src/engine/core.ts';
import { orderOptions } from '../../src/orders/options.ts';
import type { PlanBasis } from '../../src/orders/targets/reconcile.ts';

const EVENT: EventName = { sport: sport('fb'), eventId: eventId('2026-11-21,1,2') };
const HOME = 'fb|2026-11-21,1,2|h' as SelectionId;
const INTENT: QuoteIntent = { selectionId: HOME, direction: 'for', tick: 90, stakeMicros: 1e6, level: 0 };
const BLOCKED = { key: intentKey(INTENT), reasons: [] } as never;
const TURN = { monotonicMs: 5, wallMs: 7, budgets: { ordersNow: 4 } } as never;
const VIEW = { ...EVENT, selections: [] } as object as EventView;
const HALTED = { state: 'halted', record: null } as const;
const FLAT = { ifWinMicros: 0, ifLoseMicros: 0 };

/** One order is open, which serves no quote. */
const BASIS: PlanBasis = {
  held: [
    {
      uuid: 'another' as RequestUuid,
      key: null,
      state: 'live',
      priceKind: 'odds-for',
      tick: 90,
      mode: 'make_and_take',
      unfilledMicros: 1e6,
      lapsesInMs: 10_000,
      closeWanted: false,
    },
  ],
  policy: orderOptions({}),
};

/** Deciders that want and admit one quote, and the steps in which they are asked. */
function rig(over: { readonly [Part in keyof TurnDeciders]?: Partial<TurnDeciders[Part]> } = {}) {
  const steps: unknown[] = [];
  const note = <T>(step: unknown, answer: T): T => {
    steps.push(step);
    return answer;
  };
  const deciders: TurnDeciders = {
    market: {
      view: (event, selections, { budgets, realisedMicros }, at) =>
        note(['view', event, selections, budgets, realisedMicros, at], VIEW),
      ...over.market,
    },
    strategies: {
      answer: ({ event, view }) =>
        note(['answer', view], {
          event,
          view,
          owner: 'o',
          intents: view === null ? [] : [INTENT],
          problems: [],
        }),
      claim: (event, owner) => note(['claim', event, owner], undefined),
      ...over.strategies,
    },
    risk: {
      admit: (selections, quotes) => note(['admit', selections, quotes], { quotes, blocked: [] }),
      effectiveState: () => ({ state: 'active', record: null }),
      ...over.risk,
    },
    ledger: { position: () => FLAT, selectionsOn: () => [], realisedOn: () => 9 },
    byHand: { wanted: (_, { intents }) => intents, isLeft: () => false, ...over.byHand },
    hedges: { intentsOn: () => [], ...over.hedges },
    wantedHedges: { make: () => [], ...over.wantedHedges },
    quoted: new Map([[eventKey(EVENT), [HOME]]]),
  };
  const around = (changes: Partial<Circumstances> = {}): Circumstances => ({
    isQuoting: true,
    isDecidable: () => note('decidable', true),
    planBasis: () => note('basis', BASIS),
    ...changes,
  });
  return {
    steps,
    decided: (changes?: Partial<Circumstances>) => decide(deciders, around(changes), EVENT, TURN),
  };
}

describe('a decision', () => {
  it('views, asks the strategy, applies the limits, makes the first quote own the event, and plans', () => {
    const { steps, decided } = rig();
    expect(decided()).toEqual({
      turn: TURN,
      event: EVENT,
      selections: [HOME],
      owner: 'o',
      view: VIEW,
      intents: [INTENT],
      problems: [],
      score: null,
      admission: { quotes: [INTENT], blocked: [] },
      isLeft: false,
      targets: [INTENT],
      basis: BASIS,
      plan: { close: ['another'], place: [{ key: intentKey(INTENT), intent: INTENT }], waiting: [] },
    });
    expect(steps).toEqual([
      ['view', EVENT, [HOME], { ordersNow: 4 }, 9, TURN],
      ['answer', VIEW],
      ['admit', [HOME], [INTENT]],
      'decidable',
      ['claim', EVENT, 'o'],
      'basis',
    ]);
  });

  it('has no targets and no plan while too little is known of the event, and nobody owns it', () => {
    const { steps, decided } = rig();
    expect(decided({ isDecidable: () => false })).toMatchObject({ targets: null, plan: null, basis: BASIS });
    expect(steps.flat()).not.toContain('claim');
  });

  it('has no targets and no plan on an event that a person leaves as it is', () => {
    const { decided } = rig({ byHand: { isLeft: () => true } });
    expect(decided()).toMatchObject({ isLeft: true, intents: [INTENT], targets: null, plan: null });
  });

  it('closes what rests on such an event once it is halted, and at the end of quoting', () => {
    const byHand = { isLeft: () => true };
    const halted = { admit: () => ({ quotes: [], blocked: [] }), effectiveState: () => HALTED };
    const closing = { isLeft: false, targets: [], plan: { close: ['another'] } };
    expect(rig({ byHand, risk: halted }).decided()).toMatchObject(closing);
    expect(rig({ byHand }).decided({ isQuoting: false })).toMatchObject(closing);
  });

  it('adjusts what the strategy wants before the limits judge it', () => {
    const twice = (_: EventName, { intents }: { readonly intents: readonly QuoteIntent[] }) =>
      intents.map((intent) => ({ ...intent, stakeMicros: 2 * intent.stakeMicros }));
    const { steps, decided } = rig({ byHand: { wanted: twice } });
    const wanted = { ...INTENT, stakeMicros: 2e6 };
    expect(decided()).toMatchObject({ intents: [wanted], targets: [wanted] });
    expect(steps).toContainEqual(['admit', [HOME], [wanted]]);
  });

  it('shows nothing to strategies once quoting has ended, and withdraws what stands', () => {
    const { steps, decided } = rig();
    expect(decided({ isQuoting: false })).toMatchObject({
      view: null,
      targets: [],
      plan: { close: ['another'] },
    });
    expect(steps[0]).toEqual(['answer', null]);
  });

  it('leaves an event without an owner while risk admits no quote', () => {
    const admission = { quotes: [], blocked: [BLOCKED] };
    const { steps, decided } = rig({ risk: { admit: () => admission } });
    expect(decided()).toMatchObject({ targets: [], admission });
    expect(steps.flat()).not.toContain('claim');
  });
});

describe('a hedge', () => {
  const HEDGE = { ...INTENT, take: 'p1/0' };

  it('is judged beside the quotes of the strategy whose event it is', () => {
    const { steps, decided } = rig({ hedges: { intentsOn: () => [HEDGE] } });
    expect(decided()).toMatchObject({ intents: [INTENT, HEDGE], targets: [INTENT, HEDGE] });
    expect(steps).toContainEqual(['admit', [HOME], [INTENT, HEDGE]]);
  });

  it('is not wanted once quoting has stopped, nor where no strategy has the event', () => {
    const hedges = { intentsOn: () => [HEDGE] };
    expect(rig({ hedges }).decided({ isQuoting: false }).intents).toEqual([]);
    const nobody = { answer: () => ({ event: EVENT, view: VIEW, owner: null, intents: [], problems: [] }) };
    expect(rig({ hedges, strategies: nobody }).decided().intents).toEqual([]);
  });
});
