import { problemInWords, type StrategyProblem, type StrategyProblemKind } from '../engine/strategy-faults.ts';

/** The errors of one strategy in this run. */
export interface ErrorsOfStrategy {
  readonly strategy: string;
  readonly kinds: Readonly<Partial<Record<StrategyProblemKind, number>>>;
  readonly last: LastError;
}

export interface LastError {
  readonly kind: StrategyProblemKind;
  readonly message: string;
  /** Monotonic. */
  readonly atMs: number;
}

/** Not errors of the strategy that they name: it does not run. */
const OF_OTHERS: ReadonlySet<StrategyProblemKind> = new Set<StrategyProblemKind>(['owner-absent']);

/** Counts the errors of each strategy, by kind. */
export class StrategyErrors {
  readonly #errors = new Map<string, ErrorsOfStrategy>();

  take(problem: StrategyProblem, atMs: number): void {
    const { strategy, kind } = problem;
    const message = problemInWords(problem);
    if (OF_OTHERS.has(kind)) return;
    const kinds = this.#errors.get(strategy)?.kinds ?? {};
    const counted = { ...kinds, [kind]: (kinds[kind] ?? 0) + 1 };
    this.#errors.set(strategy, { strategy, kinds: counted, last: { kind, message, atMs } });
  }

  all(): readonly ErrorsOfStrategy[] {
    return [...this.#errors.values()];
  }
}
