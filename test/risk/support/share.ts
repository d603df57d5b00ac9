import fc from 'fast-check';

/** Mutation testing runs each test hundreds of times, and wants the same answer each time. */
const underMutation = process.env['STRYKER_MUTATOR_WORKER'] !== undefined;

if (underMutation) fc.configureGlobal({ seed: 20_261_121 });

/** How much of a long test is run: all of it, or a tenth under mutation. */
export const SHARE = underMutation ? 0.1 : 1;

/** The number of runs of a property. Under mutation few are enough: they are the same ones each time. */
export const runs = (count: number): { readonly numRuns: number } => ({
  numRuns: underMutation ? Math.ceil(count / 5) : count,
});
