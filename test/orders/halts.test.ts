import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Halts } from '../../src/orders/halts.ts';
import { HALT_CODES } from '../../src/orders/wait-code.ts';

describe('why nothing may be placed', () => {
  it('is nothing while nobody gives a reason', () => {
    const halts = new Halts();
    halts.set('stream', 'stream_closed', 'down');
    halts.latch('an order differs');
    halts.release();
    halts.clear('stream');
    expect([halts.blocked(), halts.latched]).toEqual([null, null]);
  });

  it('is told by the gravest reason, in whichever order they were given', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...HALT_CODES], { minLength: 1 }), (codes) => {
        const halts = new Halts();
        for (const code of codes) {
          if (code === 'latched') halts.latch('by us');
          else halts.set(`party of ${code}`, code);
        }
        expect(halts.blocked()?.code).toBe(HALT_CODES.find((code) => codes.includes(code)));
      }),
    );
  });

  it('is a kill before all else, and a latch by its first reason', () => {
    const halts = new Halts();
    halts.set('fatal', 'invariant_broken');
    halts.latch('an order differs');
    halts.latch('another one, too');
    expect(halts.blocked()).toEqual({ code: 'latched', detail: 'an order differs' });
    halts.set('stopped', 'stopped', 'killed: drill');
    expect(halts.blocked()).toEqual({ code: 'stopped', detail: 'killed: drill' });
  });
});
