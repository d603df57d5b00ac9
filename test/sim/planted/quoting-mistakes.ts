import { Halts } from '../../../src/orders/state/halts.ts';
import { type Planted, replace } from './planted.ts';

/** Mistakes after which nothing is quoted any more. */
export const IN_QUOTING: readonly Planted[] = [
  {
    name: 'latched by a lost stream',
    patch: () =>
      replace(
        Halts.prototype,
        'set',
        (set) =>
          function (this: Halts, who, reason) {
            if (who === 'stream') this.latch(reason);
            set.call(this, who, reason);
          },
      ),
  },
  { name: 'every consensus is too old', settings: { 'risk.collar.maxReferenceAgeS': '0.05' } },
];
