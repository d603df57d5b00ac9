import { describe, expect, it } from 'vitest';
import type { Composed } from '../../../src/app/compose.ts';
import { controlsOf } from '../../../src/app/run/controls.ts';
import type { EventName } from '../../../src/domain/events.ts';
import { eventId, type SelectionId, sport } from '../../../src/domain/ids.ts';
import {
  ACCOUNT,
  eventScope,
  type Scope,
  scopeOfSelection,
  type TradingState,
} from '../../../src/risk/index.ts';
import { bench } from '../../risk/support/harness.ts';
import { inputsOf } from '../../support/inputs.ts';

/** Two events with one id, of which each has a state of its own, and a third. */
const ID = eventId('2026-11-21,10,20');
const FULL: EventName = { sport: sport('fb'), eventId: ID };
const HALF: EventName = { sport: sport('fb_ht'), eventId: ID };
const OTHER: EventName = { sport: sport('fb'), eventId: eventId('2026-11-21,30,40') };
const SELECTION = `fb|${ID}|h` as SelectionId;

const STATES: readonly TradingState[] = ['active', 'reducing', 'halted'];
const strictness = (state: TradingState): number => STATES.indexOf(state);

/** Every scope that can have a state, and those around it. */
const SCOPES: Readonly<Record<string, { readonly scope: Scope; readonly within: readonly string[] }>> = {
  account: { scope: ACCOUNT, within: [] },
  full: { scope: eventScope(FULL), within: ['account'] },
  half: { scope: eventScope(HALF), within: ['account'] },
  other: { scope: eventScope(OTHER), within: ['account'] },
  selection: { scope: scopeOfSelection(SELECTION), within: ['account', 'full'] },
};

/** What a person writes, and which scopes it means. */
const WISHES: readonly (readonly [
  { readonly event?: string; readonly selection?: string },
  readonly string[],
])[] = [
  [{}, ['account']],
  [{ event: ID }, ['full', 'half']],
  [{ event: `fb/${ID}` }, ['full']],
  [{ event: `fb_ht/${ID}` }, ['half']],
  [{ event: OTHER.eventId }, ['other']],
  [{ selection: SELECTION }, ['selection']],
  [{ event: '2026-01-01,7,7' }, []],
];

function daemon() {
  const { risk } = bench();
  const names = {
    event: ({ eventId: id }: EventName) => id,
    selection: (id: SelectionId) => id,
    whole: (id: SelectionId) => id,
    eventOf: () => '',
  };
  const market = {
    events: () => [FULL, HALF, OTHER].map((event) => ({ event })),
    selection: (id: SelectionId) => (id === SELECTION ? {} : undefined),
  };
  const engine = { chosen: new Map() };
  const core = { market, risk, ...inputsOf({ risk }) };
  const parts = { core, orders: { openOrders: () => 0 } };
  const composed = { core, parts, names, engine, history: null };
  return { risk, controls: controlsOf(composed as unknown as Composed) };
}

type States = Readonly<Record<string, TradingState>>;

/** Every combination of states of the account, of the two events with one id, and of the selection. */
const ALL: readonly States[] = STATES.flatMap((account) =>
  STATES.flatMap((full) =>
    STATES.flatMap((half) => STATES.map((selection) => ({ account, full, half, selection }))),
  ),
);

const inForce = (states: States, name: string): TradingState => {
  const { within = [] } = SCOPES[name] ?? {};
  const all = [...within, name].map((each) => states[each] ?? 'active');
  return all.toSorted((a, b) => strictness(b) - strictness(a))[0] ?? 'active';
};

describe('a state that allows more trading than the one in force', () => {
  it.each(WISHES)('is one that does so in any scope that the name means: %o', (wish, meant) => {
    for (const states of ALL)
      for (const state of STATES) {
        const { risk, controls } = daemon();
        for (const [name, each] of Object.entries(states))
          risk.setState(SCOPES[name]?.scope ?? ACCOUNT, each, 'anna', 'x');
        const effective = (): readonly number[] =>
          Object.values(SCOPES).map(({ scope }) => strictness(risk.effectiveState(scope).state));
        const before = effective();
        const loosens = meant.some((name) => strictness(state) < strictness(inForce(states, name)));
        expect([states, state, controls.loosens({ state, reason: 'x', ...wish })]).toEqual([
          states,
          state,
          loosens,
        ]);
        controls.setState({ state, reason: 'x', ...wish }, 'bob');
        // A wish that needs no more than the right to reduce frees nothing anywhere.
        const freed = effective().filter((now, at) => now < (before[at] ?? 0));
        if (!loosens) expect(freed).toEqual([]);
      }
  });
});

describe('what has left the market and the choice', () => {
  const gone = {
    selection: {
      scope: scopeOfSelection(`fb|${OTHER.eventId}|a` as SelectionId),
      text: `fb|${OTHER.eventId}|a`,
    },
    event: { scope: eventScope({ ...OTHER, eventId: eventId('2026-11-20,5,6') }), text: '2026-11-20,5,6' },
  };

  it.each(['selection', 'event'] as const)(
    'can be freed by its name while the %s has a state of its own',
    (what) => {
      const { risk, controls } = daemon();
      const { scope, text } = gone[what];
      const wish = { state: 'active', reason: 'x', [what]: text } as const;
      expect([controls.setState(wish, 'bob'), controls.loosens(wish)]).toEqual([null, false]);
      risk.setState(scope, 'halted', 'anna', 'x');
      expect(controls.loosens(wish)).toBe(true);
      expect(controls.setState(wish, 'bob')).toMatchObject({ state: 'active', binding: 'active' });
      expect(risk.effectiveState(scope).state).toBe('active');
    },
  );
});
