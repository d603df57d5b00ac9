/** The terms by which the exchange of a full backtest knows a recorded event. */
import type { SettledResult } from '../../domain/bet-types/result.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { SimEvent } from '../../simulator/core/api.ts';
import type { EventTape } from '../tape.ts';

/** The result that settles each outcome as recorded; null if the tape has none at all. An outcome without a recorded settlement is void. */
export function resultOf({ selections }: EventTape): SettledResult | null {
  if (selections.every(({ settlement }) => settlement === null)) return null;
  return {
    kind: 'settled',
    settlements: new Map(selections.map(({ outcome, settlement }) => [outcome, settlement])),
  };
}

/** Teams of a match in the order home, away. An event without them is an outright; its end is not recorded: a day at the latest. */
export function simEvent({ event, eventName, home, away, selections, ...tape }: EventTape): SimEvent {
  const isMatch = home !== null && away !== null;
  const [homeId, awayId] = isMatch ? event.eventId.split(',').slice(1).map(Number) : [0, 0];
  return {
    sport: event.sport,
    eventId: event.eventId,
    eventName,
    eventType: isMatch ? 'normal' : 'multirunner',
    competitionId: tape.competitionId,
    competitionName: tape.competitionName,
    competitionCountry: '',
    home: home ?? '',
    away: away ?? '',
    homeId: homeId ?? 0,
    awayId: awayId ?? 0,
    teams: isMatch ? [] : runnersOf(selections),
    startTimeMs: tape.startMs,
    endTimeMs: isMatch ? null : tape.startMs + DAY_MS,
  };
}

/** The runners of an outright, whose outcomes end in their number. */
function runnersOf(selections: EventTape['selections']): SimEvent['teams'] {
  return selections.flatMap(({ outcome, name }) => {
    const teamId = Number(outcome.split(',').at(-1));
    return Number.isSafeInteger(teamId) ? [{ teamId, name }] : [];
  });
}
