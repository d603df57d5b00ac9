import fc from 'fast-check';

/** Mutation testing runs each test hundreds of times, and needs the same answer each time. */
const underMutation = process.env['MUTATION'] !== undefined;

if (underMutation) fc.configureGlobal({ seed: 20_261_121 });

/** The share of a long test to run: all of it, or a tenth under mutation. */
export const SHARE = underMutation ? 0.1 : 1;

/** The number of runs of a property. A few suffice under mutation, because they are the same each time. */
export const runs = (count: number): { readonly numRuns: number } => ({
  numRuns: underMutation ? Math.ceil(count / 5) : count,
});
