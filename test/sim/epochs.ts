import type { SentRequest } from './witness.ts';

/** 24: which run of the daemon marks its orders with which epoch. */
export class Epochs {
  readonly #runs = new Map<string, object>();

  /** The mark of a create that another run has used before, null when it is this run's own. */
  taken({ body }: SentRequest, run: object): string | null {
    const { user_data: mark } = JSON.parse(body ?? '{}') as { user_data?: string };
    const [program, epoch] = (mark ?? '').split('/');
    const name = `${program}/${epoch}`;
    if (!this.#runs.has(name)) this.#runs.set(name, run);
    return this.#runs.get(name) === run ? null : name;
  }
}
