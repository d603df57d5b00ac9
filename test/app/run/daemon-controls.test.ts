import { describe, expect, it } from 'vitest';
import type { Composed } from '../../../src/app/compose.ts';
import { type Names, namesFrom } from '../../../src/app/names.ts';
import { controlsOf } from '../../../src/app/run/controls.ts';
import { LAY_PRICES } from '../../../src/domain/exchange-prices.ts';
import type { EventName } from '../../../src/domain/events.ts';
import { eventId, type SelectionId, sport } from '../../../src/domain/ids.ts';
import { ACCOUNT, eventScope } from '../../../src/risk/index.ts';
import { ByHand } from '../../../src/engine/by-hand/by-hand.ts';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { createLedger } from '../../../src/ledger/index.ts';
import { Hedges } from '../../../src/engine/hedging/hedges.ts';
import { TurnClock } from '../../../src/engine/turn-clock.ts';
import { ask, bench, fillOf } from '../../risk/support/harness.ts';
import { betsOf } from '../../support/account.ts';
import { inputsOf } from '../../support/inputs.ts';

const ID = eventId('2026-11-21,10,20');
const FULL: EventName = { sport: sport('fb'), eventId: ID };
const HALF: EventName = { sport: sport('fb_ht'), eventId: ID };
const [CHOSEN, REJECTED] = [`fb|${ID}|h`, `fb|${ID}|a`] as [SelectionId, SelectionId];

const NAMES = {
  event: ({ eventId: id }: EventName): string => id,
  selection: (id: SelectionId): string => id,
  whole: (id: SelectionId): string => id,
  eventOf: () => 'an event',
};

interface Told {
  readonly names?: Names;
  readonly chosen?: readonly SelectionId[];
  readonly rejected?: readonly SelectionId[];
}

/** Controls over a real risk, of a daemon with these open orders. */
function daemon(
  openOrders: number | null = 3,
  { names = NAMES, chosen = [CHOSEN], rejected = [REJECTED] }: Told = {},
) {
  const { risk } = bench();
  const market = { events: () => [FULL, HALF].map((event) => ({ event })), selection: () => undefined };
  const engine = {
    chosen: new Map([['fb', chosen]]),
    universe: { rejectedSelections: new Map(rejected.map((id) => [id, 'too_thin'])) },
  };
  const clock = new TurnClock(new VirtualClock());
  const deciders = { risk, byHand: new ByHand(), hedges: new Hedges(), clock };
  const core = {
    market,
    risk,
    prices: LAY_PRICES,
    ledger: createLedger(),
    adjustments: deciders.byHand.adjustments,
    ...inputsOf(deciders),
  };
  const closed: string[] = [];
  const orders = { openOrders: () => openOrders, closeAll: (reason: string) => void closed.push(reason) };
  const riskInputs = { kept: { latchedIn: 'journal' }, obstacles: () => [] };
  const parts = { core, orders, riskInputs, exchangePrices: LAY_PRICES };
  const composed = { core, parts, names, engine, history: null };
  return { risk, closed, controls: controlsOf(composed as unknown as Composed) };
}

describe('a kill', () => {
  it('is in force at once, and gets its reason and author later', () => {
    const { risk, controls } = daemon();
    const kill = controls.kill('POST /kill', 'somebody');
    expect(risk.killed).toMatchObject({ reason: 'POST /kill', by: 'somebody' });
    kill.explain('prices look wrong', 'anna');
    expect(risk.killed).toMatchObject({ reason: 'prices look wrong', by: 'anna' });
    expect(kill.answer()).toEqual({ killed: risk.killed, openOrders: 3, latchedIn: 'journal' });
  });

  it('that found another one in force explains nothing, whichever is explained first', () => {
    const { risk, controls } = daemon();
    const first = controls.kill('first', 'anna');
    const second = controls.kill('second', 'bob');
    expect(risk.killed).toMatchObject({ reason: 'first', by: 'anna' });
    second.explain('words of the second', 'bob');
    expect(risk.killed).toMatchObject({ reason: 'first', by: 'anna' });
    first.explain('words of the first', 'anna');
    second.explain('words of the second', 'bob');
    expect(risk.killed).toMatchObject({ reason: 'words of the first', by: 'anna' });
  });
});

describe('a pause, and a close', () => {
  it.each([0, 3, null])('tell how many orders are open: %j', (open) => {
    const { controls } = daemon(open);
    expect(controls.pause('lunch', 'anna')).toEqual({
      binding: 'halted',
      by: 'anna',
      why: 'lunch',
      openOrders: open,
    });
    expect(controls.close('now', 'anna')).toEqual({ closing: open, quoting: 'halted' });
  });

  it('differ: a close stops nothing', () => {
    const { risk, controls, closed } = daemon();
    controls.close('now', 'anna');
    expect([risk.effectiveState(ACCOUNT).state, closed]).toEqual(['active', ['now']]);
  });
});

it('the report of risk has exposure and limits of one instant', () => {
  const { risk, controls } = daemon();
  const told = () => {
    const { exposure, limits } = controls.risk() as {
      readonly exposure: { readonly account: { readonly worstCaseUsdt: number; readonly grossUsdt: number } };
      readonly limits: readonly { readonly name: string; readonly use: number }[];
    };
    const use = (name: string) => limits.find((limit) => limit.name === name)?.use;
    const { worstCaseUsdt, grossUsdt } = exposure.account;
    return [
      [worstCaseUsdt, grossUsdt],
      [use('worstCase.accountUsdt'), use('gross.accountUsdt')],
    ];
  };
  expect(told()).toEqual([
    [0, 0],
    [0, 0],
  ]);
  betsOf(risk).report(fillOf(ask({ betType: 'against,h', price: 3, stake: 20 }), 20));
  expect(told()).toEqual([
    [-40, 40],
    [40, 40],
  ]);
});

describe('the answer to a state', () => {
  it('names the state that binds, whose it is, and why, also where a wider one is stricter', () => {
    const { risk, controls } = daemon();
    const free = { state: 'active', event: ID, reason: 'z' } as const;
    expect(controls.setState(free, 'anna')).toMatchObject({
      scopes: [eventScope(FULL), eventScope(HALF)],
      of: `event ${ID}`,
      state: 'active',
      binding: 'active',
    });
    risk.setState(ACCOUNT, 'halted', 'carl', 'w');
    expect(controls.setState(free, 'anna')).toMatchObject({ binding: 'halted', by: 'carl', why: 'w' });
    expect(controls.setState({ ...free, event: '2026-01-01,7,7' }, 'anna')).toBeNull();
  });
});

describe('why a selection is not quoted', () => {
  const selections = (eventNo: number, outcomes: readonly string[]): readonly SelectionId[] =>
    outcomes.map((outcome) => `fb|2026-11-21,${eventNo},20|${outcome}` as SelectionId);
  const TITLES: Readonly<Record<string, string>> = {
    '2026-11-21,1,20': 'Overton v Lindholm IF',
    '2026-11-21,2,20': 'Lindholm v Tallberga',
  };
  const [FIRST, SECOND] = [selections(1, ['h', 'a']), selections(2, ['h', 'a', 'over,2.5'])];
  const names = namesFrom(
    () => undefined,
    (event) => TITLES[event.eventId] ?? null,
  );
  const toldBy = (given: Told) => {
    const { controls } = daemon(3, { names, ...given });
    return (text: string): unknown => {
      const answers = controls.why(text) as readonly { selectionId: SelectionId }[] | null;
      return answers?.map(({ selectionId }) => selectionId) ?? null;
    };
  };

  it('is told of all selections of an event by its name or its id, chosen or left out', () => {
    const lists: Told[] = [
      { chosen: [...FIRST, ...SECOND], rejected: [] },
      { chosen: [], rejected: [...FIRST, ...SECOND] },
    ];
    for (const told of lists.map(toldBy)) {
      expect(told('Lindholm v Tallberga')).toEqual(SECOND);
      expect(told('v tallberga')).toEqual(SECOND);
      expect(told('2026-11-21,1,20')).toEqual(FIRST);
      expect(told('Lindholm v Tallberga over 2.5')).toEqual([SECOND[2]]);
      expect(told('nobody')).toBeNull();
      expect(() => told('lindh')).toThrow('may mean');
    }
  });

  it('is ambiguous where the name fits an event and selections of others', () => {
    const told = toldBy({ chosen: [...FIRST, ...SECOND], rejected: [] });
    // One event has it in its name, and another one a selection of it.
    expect(() => told('over')).toThrow('"over" may mean 3 things');
  });

  it('is told of each chosen one, of one by its name, and of one that the universe left out', () => {
    const { controls } = daemon();
    expect(controls.why(null)).toMatchObject([{ selectionId: CHOSEN, event: 'an event' }]);
    expect(controls.why(CHOSEN)).toMatchObject([{ selectionId: CHOSEN }]);
    const reason = 'universe.too_thin';
    expect(controls.why(REJECTED)).toMatchObject([
      { selectionId: REJECTED, reason: { for: reason, against: reason } },
    ]);
    expect(controls.why(`fb|${ID}|d`)).toBeNull();
  });
});
