import { expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { eventKey, type EventName, isSameEvent } from '../../../src/domain/events.ts';
import { eventId, type SelectionId, sport } from '../../../src/domain/ids.ts';
import type { Core } from '../../../src/engine/core.ts';
import { PastEvents } from '../../../src/engine/risk-inputs/past-events.ts';
import type { StageVerdict } from '../../../src/risk/index.ts';
import { bench } from '../../risk/support/harness.ts';
import { inputsTo } from '../../support/inputs.ts';

const eventOf = (id: string, of = 'fb'): EventName => ({ sport: sport(of), eventId: eventId(id) });
const [OURS, OTHER, HALTED] = [
  eventOf('2026-11-21,1,2'),
  eventOf('2026-11-21,3,4'),
  eventOf('2026-11-20,5,6'),
];
/** Another sport with the same event id. */
const HALF = eventOf('2026-11-21,1,2', 'fb_ht');
const HOUR_MS = 3_600_000;

function eventSet(...events: readonly EventName[]) {
  const held = new Map(events.map((event) => [eventKey(event), event]));
  return {
    has: (event: EventName) => held.has(eventKey(event)),
    add: (event: EventName) => void held.set(eventKey(event), event),
    delete: (event: EventName) => void held.delete(eventKey(event)),
    clear: () => held.clear(),
    all: () => [...held.values()],
  };
}

function rig() {
  const clock = new VirtualClock();
  const [there, atStake, over] = [eventSet(OURS, OTHER), eventSet(), new Array<EventName>()];
  const halted = { scope: { kind: 'event', ...HALTED }, state: 'halted' };
  const ended = new Array<EventName>();
  const core = {
    market: {
      events: () => there.all(),
      event: (event: EventName) => (there.has(event) ? {} : undefined),
    },
    risk: {
      exposure: () => ({ events: atStake.all() }),
      get states() {
        return over.some((event) => isSameEvent(event, HALTED))
          ? []
          : [halted, { scope: { kind: 'account' } }];
      },
    },
    ...inputsTo((input) => {
      if (input.kind === 'event_over') over.push(input.event);
    }),
  };
  const past = new PastEvents(core as unknown as Core, clock);
  const pass = async (hours: number, chosen: readonly EventName[] = []): Promise<void> => {
    for (let minute = 0; minute < hours * 60; minute++) {
      past.look(chosen);
      await clock.advance(HOUR_MS / 60);
    }
  };
  return { clock, there, atStake, over, ended, pass };
}

it('reports an event as past once, a day after the exchange last described it', async () => {
  const { there, over, pass } = rig();
  await pass(1, [OURS]);
  there.delete(OURS);
  await pass(23.9);
  expect(over).toEqual([HALTED]);
  await pass(0.2);
  expect(over).toEqual([HALTED, OURS]);
  await pass(30);
  expect(over).toEqual([HALTED, OURS]);
});

it('does not call an event past when it comes back or when something is at stake on it', async () => {
  const { there, atStake, over, pass } = rig();
  await pass(1, [OURS, OTHER]);
  there.delete(OURS);
  atStake.add(OURS);
  await pass(20);
  there.delete(OTHER);
  await pass(20);
  there.add(OTHER);
  await pass(20);
  expect(over).toEqual([HALTED]);
  atStake.clear();
  await pass(24.1);
  expect(over).toEqual([HALTED, OURS]);
});

it('calls an event past although another sport uses its id', async () => {
  const { there, over, pass } = rig();
  await pass(1, [OURS, HALF]);
  there.delete(OURS);
  there.add(HALF);
  await pass(25);
  expect(over).toEqual([HALTED, OURS]);
});

it('calls nothing past while the feed is lost', async () => {
  const { there, over, pass } = rig();
  await pass(1, [OURS]);
  there.clear();
  await pass(100);
  expect(over).toEqual([]);
  there.add(OTHER);
  await pass(22);
  expect(over).toEqual([]);
  await pass(2);
  expect(over).toEqual([HALTED, OURS]);
});

it('calls nothing past right after the machine slept: the exchange may have sent data meanwhile', async () => {
  const { clock, over, pass } = rig();
  await pass(1, [OURS]);
  await clock.advance(25 * HOUR_MS);
  await pass(22.9);
  expect(over).toEqual([]);
  await pass(0.2);
  expect(over).toEqual([HALTED]);
});

it('calls an event past a day after its last sight, also when the feed came only after the first look', async () => {
  const { there, over, pass } = rig();
  there.clear();
  await pass(1, [OURS]);
  there.add(OTHER);
  await pass(23.9);
  expect(over).toEqual([]);
  await pass(0.2);
  expect(over).toEqual([OURS, HALTED]);
});

it('forgets the reasons of a past event, though nothing was ever at stake on it', () => {
  const world = bench();
  const left = `${eventKey(OURS)}|h` as SelectionId;
  const kept = [OTHER, HALF].map((event) => `${eventKey(event)}|h` as SelectionId);
  const verdict: Omit<StageVerdict, 'atMs'> = {
    stage: 'market',
    code: 'stale',
    direction: null,
    message: '',
    actual: null,
    limit: null,
  };
  for (const id of [left, ...kept]) world.risk.note(id, verdict);
  world.risk.onEventOver(OURS);
  expect(world.risk.why(left).verdicts).toEqual([]);
  for (const id of kept) expect(world.risk.why(id).verdicts).toHaveLength(1);
});
