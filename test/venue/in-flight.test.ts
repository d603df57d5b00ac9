import fc from 'fast-check';
import { expect, it } from 'vitest';
import { InFlight } from '../../src/venue/budgets/limiter.ts';

it('no more requests are in flight than are allowed, and each answer makes room for one', () => {
  const steps = fc.array(fc.constantFrom('take', 'sent', 'not sent', 'answer'), { maxLength: 30 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), steps, (limit, acts) => {
      const limiter = new InFlight(limit);
      let out = 0;
      for (const act of acts) {
        if (act === 'take' && out < limit) {
          limiter.take();
          out++;
        } else if (act === 'sent') limiter.markSent();
        else if (act === 'not sent') limiter.giveBack();
        else if (act === 'answer' && out > 0) {
          limiter.release();
          out--;
        }
        expect(limiter.left()).toBe(limit - out);
        for (const place of [1, 2, 3]) {
          const waitMs = limiter.waitMs(0, { place, reserve: 0, isUrgent: false });
          expect(waitMs).toBe(out + place <= limit ? 0 : Infinity);
        }
      }
    }),
  );
});
