import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OnTheWay } from '../../../src/research/fast/on-the-way.ts';

describe('what is on its way', () => {
  it('arrives after the time of its way, and never before what was sent earlier', () => {
    const ways = [50, 10, 10];
    const way = new OnTheWay<string>(() => ways.shift() ?? 0);
    expect([way.dueMs, way.last]).toEqual([Infinity, null]);
    expect([way.send('a', 100), way.send('b', 120), way.send('c', 200)]).toEqual([150, 150, 210]);
    expect([way.dueMs, way.last]).toEqual([150, 'c']);
    expect([way.take(), way.take(), way.dueMs, way.take()]).toEqual(['a', 'b', 210, 'c']);
    expect([way.dueMs, way.last]).toEqual([Infinity, null]);
  });

  it('does not arrive once it is cleared', () => {
    const way = new OnTheWay<string>(() => 5);
    way.send('a', 0);
    way.clear();
    expect([way.dueMs, way.last]).toEqual([Infinity, null]);
    way.send('b', 1);
    expect([way.dueMs, way.take()]).toEqual([6, 'b']);
  });

  it('arrives whole and in order, however much of it waits', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 1_500 }), { maxLength: 6 }), (bursts) => {
        const way = new OnTheWay<number>(() => 0);
        const [taken, sent]: [number[], number[]] = [[], []];
        for (const [at, burst] of bursts.entries()) {
          for (let one = 0; one < burst; one++) {
            way.send(sent.length, at);
            sent.push(sent.length);
          }
          for (let one = 0; one < burst * 0.9; one++) if (way.dueMs < Infinity) taken.push(way.take());
        }
        while (way.dueMs < Infinity) taken.push(way.take());
        expect(taken).toEqual(sent);
      }),
      { numRuns: 30 },
    );
  });
});
