import { describe, expect, it } from 'vitest';
import { provingTests, statements } from './support/statements.ts';

describe('docs/conformance.md', () => {
  it('numbers every statement once, in order', () => {
    const numbers = statements().map(({ number }) => number);
    expect(numbers.length).toBeGreaterThan(200);
    expect(numbers).toEqual(numbers.map((_, i) => i + 1));
  });

  it('names for every statement a test that exists, or the reason why none can', () => {
    const tests = provingTests();
    const unproven = statements().filter(({ proofs, reason }) => {
      return reason === null
        ? proofs.length === 0 || proofs.some((proof) => !tests.has(proof))
        : reason.length < 10;
    });
    expect(unproven).toEqual([]);
  });

  it('leaves no conformance test unnamed', () => {
    const named = new Set(statements().flatMap(({ proofs }) => proofs));
    const unnamed = [...provingTests()].filter(
      (test) => !named.has(test) && !test.startsWith('statements: '),
    );
    expect(unnamed).toEqual([]);
  });
});
