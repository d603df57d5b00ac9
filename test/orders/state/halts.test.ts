import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountObstacle, type Obstacle } from '../../../src/orders/send-gate.ts';
import { Halts } from '../../../src/orders/state/halts.ts';
import { HALT_CODES } from '../support/sequential-checks.ts';

const HEARTBEAT = { isConfirmed: true, provenUntilMs: Infinity, reserveMs: 0 };

/** The gate’s answer to these halts. */
const blocked = ({ inForce }: Halts): Obstacle | null =>
  accountObstacle({ nowMonotonicMs: 0, halts: inForce, heartbeat: HEARTBEAT });

describe('the reason why nothing may be placed', () => {
  it('is empty while no part gives a reason', () => {
    const halts = new Halts();
    halts.set('stream', 'stream_closed', 'down');
    halts.latch('an order differs');
    halts.release();
    halts.clear('stream');
    expect([blocked(halts), halts.latched]).toEqual([null, null]);
  });

  it('is the gravest one, in whichever order they were given', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...HALT_CODES], { minLength: 1 }), (codes) => {
        const halts = new Halts();
        for (const code of codes) {
          if (code === 'latched') halts.latch('by us');
          else halts.set(`party of ${code}`, code);
        }
        expect(blocked(halts)?.code).toBe(HALT_CODES.find((code) => codes.includes(code)));
      }),
    );
  });

  it('is that of the first of two parts that give the same reason', () => {
    const halts = new Halts();
    halts.set('one', 'another_installation', 'seen on an order');
    halts.set('two', 'another_installation', 'seen by its heartbeat');
    expect(blocked(halts)?.detail).toBe('seen on an order');
  });

  it('is a kill before all others, and a latch by its first reason', () => {
    const halts = new Halts();
    halts.set('fatal', 'invariant_broken');
    halts.latch('an order differs');
    halts.latch('another one, too');
    expect(blocked(halts)).toEqual({ code: 'latched', detail: 'an order differs' });
    halts.set('stopped', 'stopped', 'killed: drill');
    expect(blocked(halts)).toEqual({ code: 'stopped', detail: 'killed: drill' });
  });
});

describe('the halts of the parts', () => {
  it('are known by their part, with the latest code, until it lifts its own', () => {
    const halts = new Halts();
    halts.set('one', 'stream_closed');
    halts.set('one', 'draining', 'why');
    halts.set('two', 'engine_hangs');
    expect(['one', 'two', 'three'].map((party) => halts.codeOf(party))).toEqual([
      'draining',
      'engine_hangs',
      null,
    ]);
    expect(['one', 'two', 'three'].map((party) => halts.has(party))).toEqual([true, true, false]);
    expect(halts.inForce).toEqual(
      new Map([
        ['draining', 'why'],
        ['engine_hangs', null],
      ]),
    );
    halts.clear('one');
    halts.clear('three');
    expect(halts.inForce).toEqual(new Map([['engine_hangs', null]]));
  });

  it('change what is in force only if they change', () => {
    const halts = new Halts();
    const before = halts.inForce;
    halts.clear('one');
    expect(halts.inForce).toBe(before);
    halts.set('one', 'draining');
    expect(halts.inForce).not.toBe(before);
  });

  it.each<[party: string, recovered: boolean, closesAll: boolean]>([
    ['start', false, false],
    ['stopped', true, true],
    ['drain', true, true],
    ['stream', true, false],
  ])('tell whether recovery is done, and whether all is to be closed: %s', (party, recovered, closesAll) => {
    const halts = new Halts();
    expect([halts.recovered, halts.closesAll]).toEqual([true, false]);
    halts.set(party, 'draining');
    expect([halts.recovered, halts.closesAll]).toEqual([recovered, closesAll]);
  });
});
