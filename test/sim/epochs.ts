import { markOf } from '../../src/domain/installation.ts';
import type { SentRequest } from './witness.ts';

/** 24: the run of the daemon that marks its orders with each epoch. */
export class Epochs {
  /** Finished runs need not stay in memory for it. */
  readonly #runs = new Map<string, WeakRef<object>>();

  /** The mark of a create that another run has used before; null when it is this run's own. */
  taken({ body }: SentRequest, run: object): string | null {
    const { user_data: userData = null } = JSON.parse(body ?? '{}') as { user_data?: string };
    const mark = markOf(userData);
    const name = `${mark?.installation}/${mark?.run}`;
    const known = this.#runs.get(name);
    if (known === undefined) this.#runs.set(name, new WeakRef(run));
    return known === undefined || known.deref() === run ? null : name;
  }
}
