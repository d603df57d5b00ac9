import { z } from 'zod';
import { betType, type BetType, sport } from '../../domain/ids.ts';
import type { BetTypeInfo } from '../../ports/venue.ts';
import { objectReader, type Reader } from './reader.ts';
import { label, text } from './scalars.ts';

/** Reader of the bet-type lookup. An answer that does not repeat the bet type gets the caller's. */
export const betTypeReader = (requested: BetType): Reader<BetTypeInfo> =>
  objectReader(
    'bet type',
    { sport: text, bet_type: label, bet_type_description: label, winloss_grid: z.array(z.array(z.string())) },
    (fields): BetTypeInfo => ({
      sport: sport(fields.sport),
      betType: betType(fields.bet_type === '' ? requested : fields.bet_type),
      description: fields.bet_type_description,
      grid: fields.winloss_grid,
    }),
  );
