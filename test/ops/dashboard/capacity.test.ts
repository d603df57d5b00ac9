import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makesRoom, overCapacity } from '../../../src/ops/dashboard/capacity.ts';
import type { AccessScope } from '../../../src/ops/scopes.ts';

interface Given {
  readonly scope: AccessScope;
  readonly token: string;
  readonly group: string;
}

const given: fc.Arbitrary<readonly Given[]> = fc.array(
  fc.record({
    scope: fc.constantFrom<AccessScope>('read', 'control'),
    token: fc.constantFrom('a', 'b'),
    group: fc.constantFrom('', 'x', 'y'),
  }),
  { maxLength: 20 },
);

/** The same, one by one: of a token and scope with too many, the oldest of the group with most of them goes. */
function goingOneByOne(all: readonly Given[], most: number): ReadonlySet<Given> {
  const gone = new Set<Given>();
  for (;;) {
    const left = all.filter((each) => !gone.has(each));
    const alike = (a: Given) => left.filter((b) => b.scope === a.scope && b.token === a.token);
    const crowded = left.find((each) => alike(each).length > most);
    if (crowded === undefined) return gone;
    const sizeOf = ({ group }: Given): number => alike(crowded).filter((each) => each.group === group).length;
    const largest = Math.max(...alike(crowded).map(sizeOf));
    // Of groups of one size the one whose oldest member came first, as given: it was there before.
    const groups = [
      ...new Set(
        all
          .filter((each) => each.scope === crowded.scope && each.token === crowded.token)
          .map(({ group }) => group),
      ),
    ];
    const group = groups.find(
      (name) => alike(crowded).filter((each) => each.group === name).length === largest,
    );
    gone.add(alike(crowded).find((each) => each.group === group) as Given);
  }
}

describe('what has to give way', () => {
  it('is the oldest of the largest group of a token and scope that has too many, and nothing else', () => {
    fc.assert(
      fc.property(given, fc.integer({ min: 1, max: 6 }), (all, most) => {
        const going = overCapacity(all, most, ({ group }) => group);
        expect(new Set(going)).toEqual(goingOneByOne(all, most));
        expect(new Set(going).size).toBe(going.length);
      }),
      { numRuns: 500 },
    );
  });

  it('is nothing while no token has more than its number', () => {
    const one: Given = { scope: 'read', token: 'a', group: '' };
    expect(overCapacity([one, { ...one }], 2, () => '')).toEqual([]);
    expect(overCapacity([one, { ...one }], 1, () => '')).toEqual([one]);
    const several = [one, { ...one, token: 'b' }, { ...one, scope: 'control' as const }];
    expect(overCapacity(several, 1, () => '')).toEqual([]);
  });
});

describe('who gives a seat', () => {
  const seats = (text: string) =>
    [...text].map((letter, at) => ({
      at,
      holder: letter.toLowerCase(),
      isStalled: letter !== letter.toLowerCase(),
    }));
  // A letter is a seat of a holder, a capital one is stalled.
  it.each<[string, string, number | null]>([
    ['abc', 'd', null],
    ['ABC', 'd', null],
    ['aab', 'd', 0],
    ['baa', 'd', 1],
    ['baA', 'd', 2],
    ['Baa', 'd', 1],
    ['aaabb', 'd', 0],
    ['bbaaa', 'd', 2],
    ['aabb', 'd', 0],
    ['abab', 'd', 0],
    // The newcomer gives its own, unless somebody has more.
    ['abc', 'b', 1],
    ['aB', 'b', 1],
    ['aabb', 'b', 2],
    ['aabB', 'b', 3],
    ['aaabb', 'b', 0],
    ['aaAbb', 'b', 2],
    ['bbb', 'b', 0],
    ['bBb', 'b', 1],
    ['', 'b', null],
  ])('of %s, when %s comes, is number %s', (seated, newcomer, at) => {
    expect(makesRoom(seats(seated), newcomer)?.at ?? null).toBe(at);
  });
});
