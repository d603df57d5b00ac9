import fc from 'fast-check';

/** What is not covered after as many rounds is not missing by chance. */
const MOST_ROUNDS = 10;

/**
 * A property, in rounds until its cases have covered what the test must have seen: one round may lack a rare case by chance, and nothing is wrong then.
 * The caller asserts afterwards what was covered.
 * @throws what `fc.assert` throws of a case that fails.
 */
export function assertUntil<Drawn>(
  isCovered: () => boolean,
  property: fc.IProperty<Drawn>,
  parameters: fc.Parameters<Drawn>,
): void {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    fc.assert(property, parameters);
    if (isCovered()) return;
  }
}
