import { expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { eventId, sport } from '../../../src/domain/ids.ts';
import { selectionId } from '../../../src/domain/selection.ts';
import { UnreportedEvents } from '../../../src/engine/sources/registrations.ts';
import type { Candidate, SelectionState } from '../../../src/market/index.ts';

const [SPORT, EVENT] = [sport('fb'), eventId('2026-11-21,10,20')];

it('registers an event again, ever less often, until a report of it arrives', async () => {
  const clock = new VirtualClock();
  const registeredS: number[] = [];
  let candidates: readonly Candidate[] = [];
  let offers: object = { for: null, against: null };
  const unreported = new UnreportedEvents(
    {
      registerEvent: () => void registeredS.push(clock.monotonicMs() / 1000),
      unregisterEvent: () => undefined,
    },
    { candidates: () => candidates, selection: () => ({ offers }) as SelectionState },
    clock,
  );
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      unreported.look([{ sport: SPORT, eventId: EVENT }]);
      await clock.advance(1_000);
    }
  };
  await pass(700);
  // Only a private quote describes it.
  candidates = [{ selectionId: selectionId(SPORT, EVENT, 'h') } as Candidate];
  await pass(800);
  expect(registeredS).toEqual([30, 90, 210, 450, 930]);
  offers = { for: null, against: {} };
  await pass(2_000);
  expect(registeredS).toHaveLength(5);
});
