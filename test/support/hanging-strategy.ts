import { rmSync } from 'node:fs';
import type { temporaryFolder } from './exchange.ts';

/** A strategy that hangs at the next call once a file exists. */
export interface HangingStrategy {
  /** The module's path. */
  readonly module: string;
  hang(): void;
  /** From now on the strategy returns again. */
  mend(): void;
}

/**
 * Quotes two levels on both sides of each selection, far from the market, where they rest and rarely move: many orders stay open on
 * a small budget.
 */
const moduleText = (file: string): string => `
import { existsSync } from 'node:fs';

export default ({ bestLevel, defineStrategy, floorTick, z }) => defineStrategy({
  name: 'hanging',
  description: 'far from the market on both sides, until it hangs',
  parameters: z.object({}),
  quote: ({ selections }) => {
    while (existsSync(${JSON.stringify(file)}));
    return selections.flatMap(({ selectionId, market }) =>
      ['for', 'against'].flatMap((direction) => {
        const best = market.for && market.against ? bestLevel('for', market.for.priceList) : undefined;
        const tick = best === undefined ? null : floorTick(best.price);
        if (tick === null) return [];
        // Small moves of the market leave the quote where it is.
        const far = Math.round(tick / 20) * 20 + (direction === 'for' ? 30 : -30);
        return [0, 1]
          .map((level) => ({ selectionId, direction, level, tick: far + (direction === 'for' ? level : -level), stakeMicros: 5_000_000 }))
          .filter((quote) => quote.tick > 0 && quote.tick < 349);
      }),
    );
  },
});
`;

export function hangingStrategy(folder: ReturnType<typeof temporaryFolder>, name: string): HangingStrategy {
  const file = `${folder.path}/${name}.hang-now`;
  return {
    module: folder.file(`${name}.mjs`, moduleText(file)),
    hang: () => void folder.file(`${name}.hang-now`, ''),
    mend: () => rmSync(file),
  };
}
