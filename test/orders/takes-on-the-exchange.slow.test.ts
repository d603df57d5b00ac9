import { expect, it } from 'vitest';
import { crashAroundTakes } from './takes-on-the-exchange.ts';

it.each([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])(
  'fifty crashes around takes never make two orders for one id: seed %i',
  async (seed) => {
    expect(await crashAroundTakes(seed, 50)).toBeGreaterThan(5);
  },
);
