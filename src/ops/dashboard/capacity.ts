import type { AccessScope } from '../scopes.ts';

/** Something that a token has given, with the scope that it gave. */
interface Given {
  readonly scope: AccessScope;
  readonly token: string;
}

/**
 * What has to give way so that no token has given more than `most` of a scope. Inside this number the group with the most members gives
 * way, the oldest first: whoever floods ends what is their own. `all` is in order of age.
 */
export function overCapacity<T extends Given>(
  all: readonly T[],
  most: number,
  groupOf: (each: T) => string,
): readonly T[] {
  const bounded = Map.groupBy(all, ({ scope, token }) => `${scope} ${token}`);
  return [...bounded.values()].flatMap((given) => tooMany(given, most, groupOf));
}

function tooMany<T>(given: readonly T[], most: number, groupOf: (each: T) => string): readonly T[] {
  const groups = [...Map.groupBy(given, groupOf).values()];
  const ending: T[] = [];
  for (let left = given.length; left > most; left--) {
    const oldest = largest(groups).shift();
    if (oldest !== undefined) ending.push(oldest);
  }
  return ending;
}

const largest = <T>(groups: readonly T[][]): T[] =>
  groups.reduce((most, group) => (group.length > most.length ? group : most), []);

/** Those who hold seats, from the first one that took its seat to the last. */
export interface Holding {
  readonly holder: string;
  /** Whether it takes what it is sent. */
  readonly isStalled: boolean;
}

/**
 * Who gives its seat to a newcomer when all are taken: one of the holder who has the most, a stalled one first, then the oldest. The
 * newcomer's own, if nobody has more. Null if everybody has one seat alone, and the newcomer none.
 */
export function makesRoom<T extends Holding>(seated: readonly T[], holder: string): T | null {
  const groups = Map.groupBy(seated, (each) => each.holder);
  const own = groups.get(holder) ?? [];
  const most = largest([...groups.values()]);
  const giving = own.length >= most.length ? own : most;
  if (giving !== own && giving.length < 2) return null;
  return giving.find(({ isStalled }) => isStalled) ?? giving[0] ?? null;
}
