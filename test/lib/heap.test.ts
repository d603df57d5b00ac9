import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Heap } from '../../src/lib/heap.ts';

describe('a heap', () => {
  it('returns its items in order, whatever was removed from its middle', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.infiniteStream(fc.boolean()), (numbers, goes) => {
        const items = numbers.map((value) => ({ value, goes: goes.next().value }));
        const heap = new Heap<(typeof items)[number]>((a, b) => a.value < b.value);
        for (const item of items) heap.push(item);
        for (const item of items) if (item.goes) heap.remove(item);
        const given: number[] = [];
        for (let next = heap.pop(); next !== undefined; next = heap.pop()) given.push(next.value);
        const stay = items.filter((item) => !item.goes).map(({ value }) => value);
        expect(given).toEqual(stay.sort((a, b) => a - b));
      }),
    );
  });
});
