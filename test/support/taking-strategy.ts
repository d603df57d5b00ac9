import type * as Sdk from '../../src/strategy/sdk.ts';

/** How far a take goes beyond the best price, so that it is matched even if that moves on the way. */
const BEYOND_TICKS = 4;

/** Backs home once in each event, by a take, and quotes nothing: from then on the event loses the stake unless home wins. */
export default ({ bestLevel, defineStrategy, floorTick, toMicros, z }: typeof Sdk) =>
  defineStrategy({
    name: 'taking',
    description: 'backs home once',
    parameters: z.strictObject({ stake: z.number().positive().default(20) }),
    quote: ({ eventId, selections }, { stake }) => {
      const home = selections.find(({ outcome }) => outcome === 'h');
      const offers = home?.market.for ?? null;
      const best = offers === null ? undefined : bestLevel('for', offers.priceList);
      const tick = best === undefined ? null : floorTick(best.price);
      if (home === undefined || best === undefined || tick === null) return [];
      return [
        {
          selectionId: home.selectionId,
          direction: 'for',
          tick: Math.max(0, tick - BEYOND_TICKS),
          stakeMicros: toMicros(stake),
          level: 0,
          take: eventId,
          fairProbability: Math.min(0.99, 1.3 / best.price),
        },
      ];
    },
  });
