import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Lane, type Verdict } from './lane.ts';
import type { Mutant } from './mutants.ts';
import type { RanPlaces } from './ran-places.ts';
import { loadedBy, reaching, within, type ReachingTest } from './reach.ts';
import type { Fate } from './report.ts';
import { withMistakes } from './tree.ts';

/** The most processor time for the tests of one mutant. What survives the nearest tests counts as a survivor. */
const MOST_MS = 60_000;

/** A verdict says what became of a mutant, and why. */
export interface FateOfMutant {
  readonly fate: Exclude<Fate, 'equivalent'>;
  readonly remark: string;
}

/** Judges mutants in copies of the project, one mutant at a time in each. */
export class Judge {
  /** Test files that fail without a mistake. They judge nothing. */
  readonly broken: Set<string>;
  readonly #places: readonly RanPlaces[];
  readonly #trees: readonly string[];
  readonly #lanes: readonly Lane[];
  readonly #loads: (file: string) => readonly string[];
  /** Test files that passed without a mistake, by copy. */
  readonly #sound = new Set<string>();

  constructor(root: string, trees: readonly string[], places: readonly RanPlaces[]) {
    this.broken = new Set(places.filter(({ hasFailed }) => hasFailed).map(({ test }) => test));
    this.#places = places;
    this.#trees = trees;
    this.#lanes = trees.map((tree) => new Lane(tree));
    const loads = new Map<string, readonly string[]>();
    this.#loads = (file) => {
      const path = join(root, file);
      const found = loads.get(file) ?? (existsSync(path) ? loadedBy(file, readFileSync(path, 'utf8')) : []);
      loads.set(file, found);
      return found;
    };
  }

  /** Judges a mutant in one of the copies. */
  async fateOf(mutant: Mutant, lane: number): Promise<FateOfMutant> {
    const all = reaching(mutant, this.#places, this.#loads);
    for (;;) {
      const tests = all.filter(({ test }) => !this.broken.has(test));
      if (tests.length === 0) return { fate: 'not reached', remark: 'no test' };
      const nearest = within(tests, MOST_MS);
      const verdict = await withMistakes(this.#trees[lane] ?? '', [mutant], async () =>
        this.#judge(lane, nearest),
      );
      if (verdict.kind === 'passed')
        return { fate: 'survived', remark: `${nearest.length} of ${tests.length} test files` };
      const judging = nearest.find(({ test }) => test === verdict.test) ?? nearest[0];
      const fate = verdict.kind === 'timeout' ? 'timeout' : 'caught';
      if (judging === undefined || (await this.#isSound(judging, lane, fate)))
        return { fate, remark: verdict.test };
      this.broken.add(judging.test);
    }
  }

  /** Whether a test file passes without a mistake. After a hang it is tried again each time: the machine may be busier now. */
  async #isSound(test: ReachingTest, lane: number, fate: 'caught' | 'timeout'): Promise<boolean> {
    const key = `${lane} ${test.test}`;
    if (fate === 'timeout') this.#sound.delete(key);
    if (!this.#sound.has(key) && (await this.#judge(lane, [test])).kind === 'passed') this.#sound.add(key);
    return this.#sound.has(key);
  }

  async #judge(lane: number, tests: readonly ReachingTest[]): Promise<Verdict> {
    const found = this.#lanes[lane];
    if (found === undefined) throw new Error(`there is no lane ${lane}`);
    return found.judge(tests);
  }

  /** Ends all processes of tests. */
  close(): void {
    for (const lane of this.#lanes) lane.close();
  }
}
