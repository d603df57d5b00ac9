import { z } from 'zod';
import { betType, eventId, sport } from '../../domain/ids.ts';
import type { Leg } from './resources.ts';
import { label, numberOrNull, scoreOrNull, textOrNull } from './scalars.ts';

const leg = z
  .object({
    id: numberOrNull,
    sport: label,
    event_id: label,
    bet_type: label,
    bet_type_description: label,
    live_score: scoreOrNull,
    price: numberOrNull,
    outcome: textOrNull,
  })
  .transform((fields): Leg => ({
    id: fields.id,
    sport: sport(fields.sport),
    eventId: eventId(fields.event_id),
    betType: betType(fields.bet_type),
    betTypeDescription: fields.bet_type_description,
    liveScore: fields.live_score,
    price: fields.price,
    outcome: fields.outcome,
  }));

/** Legs of an order or betslip. Absent, null or unreadable legs give an empty list. */
export const legs = z
  .array(leg)
  .nullish()
  .catch([])
  .transform((list): readonly Leg[] => list ?? []);
