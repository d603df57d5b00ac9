import { z } from 'zod';
import type { Team } from '../../domain/events.ts';
import { eventId, sport } from '../../domain/ids.ts';
import type { BetTypeInfo } from '../../ports/venue.ts';
import { noteValue, objectReader, type Reader } from './reader.ts';
import type { EventDetails } from './resources.ts';
import { integer, label, listed, numberOrNull, text, timestampOrNull } from './scalars.ts';
import { EVENT_TYPES, IR_STATUSES, SPORTS } from './survey.ts';

const team = z
  .object({ team_id: integer, name: label })
  .transform((t): Team => ({ teamId: t.team_id, name: t.name }));

/** Teams of an outright. One that cannot be read costs no other. */
export const teams = listed(team);

/** The `event` entry of the stream, and the items of `GET /v2/events/`. */
export const readEvent: Reader<EventDetails> = objectReader(
  'event',
  {
    sport: text,
    event_id: text,
    event_type: label,
    event_name: label,
    competition_id: numberOrNull,
    competition_name: label,
    competition_country: label,
    home: label,
    away: label,
    teams,
    ir_status: label,
    start_time: timestampOrNull,
    end_time: timestampOrNull,
  },
  (fields, survey): EventDetails => {
    noteValue(survey, 'sport', fields.sport, SPORTS);
    noteValue(survey, 'event_type', fields.event_type, EVENT_TYPES);
    noteValue(survey, 'ir_status', fields.ir_status, IR_STATUSES);
    return {
      sport: sport(fields.sport),
      eventId: eventId(fields.event_id),
      eventType: fields.event_type,
      eventName: fields.event_name,
      competitionId: fields.competition_id,
      competitionName: fields.competition_name,
      competitionCountry: fields.competition_country,
      home: fields.home,
      away: fields.away,
      teams: fields.teams,
      irStatus: fields.ir_status,
      startTimeMs: fields.start_time,
      endTimeMs: fields.end_time,
    };
  },
);

/**
 * Reader of the bet-type lookup. The answer names the sport for people ("Football") and need not repeat the bet type: both are
 * the caller's.
 */
export const betTypeReader = (requested: Pick<BetTypeInfo, 'sport' | 'betType'>): Reader<BetTypeInfo> =>
  objectReader(
    'bet type',
    {
      sport: label,
      bet_type: label,
      bet_type_description: label,
      winloss_grid: z.array(z.array(z.string())),
    },
    (fields): BetTypeInfo => ({
      ...requested,
      description: fields.bet_type_description,
      grid: fields.winloss_grid,
    }),
  );
